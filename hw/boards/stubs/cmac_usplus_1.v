// SPDX-License-Identifier: Apache-2.0
// The pins in use of AMD's cmac_usplus 3.1, as bitstreams/common/cmac.tcl configures it for port 1, for lint. Empty;
// never in a bitstream.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
(* blackbox *)
module cmac_usplus_1 (
  input          gt_ref_clk_p,
  input          gt_ref_clk_n,
  input  [3:0]   gt_rxp_in,
  input  [3:0]   gt_rxn_in,
  output [3:0]   gt_txp_out,
  output [3:0]   gt_txn_out,
  output         gt_txusrclk2,
  input          rx_clk,
  input  [11:0]  gt_loopback_in,
  input          init_clk,
  input          sys_reset,
  input          core_rx_reset,
  input          core_tx_reset,
  input          gtwiz_reset_tx_datapath,
  input          gtwiz_reset_rx_datapath,
  output         usr_rx_reset,
  output         usr_tx_reset,
  output         rx_axis_tvalid,
  output [511:0] rx_axis_tdata,
  output [63:0]  rx_axis_tkeep,
  output         rx_axis_tlast,
  output         rx_axis_tuser,
  input          tx_axis_tvalid,
  output         tx_axis_tready,
  input  [511:0] tx_axis_tdata,
  input  [63:0]  tx_axis_tkeep,
  input          tx_axis_tlast,
  input          tx_axis_tuser,
  output         tx_ovfout,
  output         tx_unfout,
  input  [55:0]  tx_preamblein,
  input          ctl_rx_enable,
  input          ctl_rx_force_resync,
  input          ctl_rx_test_pattern,
  input          ctl_tx_enable,
  input          ctl_tx_send_idle,
  input          ctl_tx_send_rfi,
  input          ctl_tx_send_lfi,
  input          ctl_tx_test_pattern,
  input          ctl_rsfec_ieee_error_indication_mode,
  input          ctl_rx_rsfec_enable,
  input          ctl_rx_rsfec_enable_correction,
  input          ctl_rx_rsfec_enable_indication,
  input          ctl_tx_rsfec_enable,
  input          core_drp_reset,
  input          drp_clk,
  input  [9:0]   drp_addr,
  input  [15:0]  drp_di,
  input          drp_en,
  input          drp_we,
  output         stat_rx_aligned,
  output         stat_rx_remote_fault,
  output         stat_tx_total_packets
);
endmodule
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNDRIVEN */
