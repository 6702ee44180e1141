// SPDX-License-Identifier: Apache-2.0
// A QSFP28 port: the CMAC with its four transceivers (AMD IP cmac_usplus 3.1, AXIS, no AXI4-Lite, configured by
// bitstreams/common/cmac.tcl) and its bring-up. cmac_usplus_0 is for port 0, whose location differs from that of port
// 1. rx_clk is txusrclk2: one clock for both directions; the CMAC crosses over from the far end's clock.
module cmac_port #(
  parameter PORT = 0,
  parameter RS_FEC = 1,                // clause 91; required by 100GBASE-SR4 and 5 m of copper (CR4)
  parameter WATCHDOG_LOG2 = 26         // cmac_bringup's
) (
  input          gt_refclk_p,
  input          gt_refclk_n,
  input  [3:0]   gt_rxp_in,
  input  [3:0]   gt_rxn_in,
  output [3:0]   gt_txp_out,
  output [3:0]   gt_txn_out,
  input          init_clk,             // free running, 50 to 125 MHz
  input          sys_reset,            // synchronous to init_clk
  output         clk,                  // 322.265625 MHz
  output         tx_hold,
  output         rx_hold,
  output         tx_enable,
  output         rx_enable,
  output         link_up,
  output         tx_ovfout,
  output         tx_unfout,
  output         tx_counted,           // a frame has been sent: high for one clock for each
  output reg [3:0] rx_lanes,           // remote_fault, aligned, lanes_synced, block_lock
  output         rx_fec_bad,           // a code word that cannot be corrected
  input          s_axis_tvalid,
  output         s_axis_tready,
  input  [511:0] s_axis_tdata,
  input  [63:0]  s_axis_tkeep,
  input          s_axis_tlast,
  input          s_axis_tuser,
  output         m_axis_tvalid,
  output [511:0] m_axis_tdata,
  output [63:0]  m_axis_tkeep,
  output         m_axis_tlast,
  output         m_axis_tuser
);
  wire [19:0] stat_rx_block_lock, stat_rx_synced;
  wire stat_rx_aligned, stat_rx_remote_fault, ctl_rx_enable, ctl_tx_enable, ctl_tx_send_rfi, rx_restart, keep_lanes;
  localparam [0:0] FEC = RS_FEC != 0;

  // One list of connections for the two modules that create_ip makes. Unused status outputs are left open.
`define FPGAUGE_CMAC_CONNECTIONS \
    .gt_ref_clk_p(gt_refclk_p), .gt_ref_clk_n(gt_refclk_n), .gt_rxp_in(gt_rxp_in), .gt_rxn_in(gt_rxn_in), \
    .gt_txp_out(gt_txp_out), .gt_txn_out(gt_txn_out), .gt_txusrclk2(clk), .rx_clk(clk), .gt_loopback_in(12'd0), \
    .init_clk(init_clk), .sys_reset(sys_reset), .core_rx_reset(1'b0), .core_tx_reset(1'b0), \
    .gtwiz_reset_tx_datapath(1'b0), .gtwiz_reset_rx_datapath(rx_restart), .usr_rx_reset(rx_hold), .usr_tx_reset(tx_hold), \
    .rx_axis_tvalid(m_axis_tvalid), .rx_axis_tdata(m_axis_tdata), .rx_axis_tkeep(m_axis_tkeep), \
    .rx_axis_tlast(m_axis_tlast), .rx_axis_tuser(m_axis_tuser), \
    .tx_axis_tvalid(s_axis_tvalid), .tx_axis_tready(s_axis_tready), .tx_axis_tdata(s_axis_tdata), \
    .tx_axis_tkeep(s_axis_tkeep), .tx_axis_tlast(s_axis_tlast), .tx_axis_tuser(s_axis_tuser), \
    .tx_ovfout(tx_ovfout), .tx_unfout(tx_unfout), .tx_preamblein(56'd0), \
    .ctl_rx_enable(ctl_rx_enable), .ctl_rx_force_resync(1'b0), .ctl_rx_test_pattern(1'b0), \
    .ctl_tx_enable(ctl_tx_enable), .ctl_tx_send_idle(1'b0), .ctl_tx_send_rfi(ctl_tx_send_rfi), \
    .ctl_tx_send_lfi(1'b0), .ctl_tx_test_pattern(1'b0), .ctl_rsfec_ieee_error_indication_mode(1'b0), \
    .ctl_rx_rsfec_enable(FEC), .ctl_rx_rsfec_enable_correction(FEC), .ctl_rx_rsfec_enable_indication(FEC), \
    .ctl_tx_rsfec_enable(FEC), .core_drp_reset(1'b0), .drp_clk(1'b0), .drp_addr(10'd0), .drp_di(16'd0), \
    .drp_en(1'b0), .drp_we(1'b0), .stat_rx_aligned(stat_rx_aligned), .stat_rx_remote_fault(stat_rx_remote_fault), \
    .stat_rx_block_lock(stat_rx_block_lock), .stat_rx_synced(stat_rx_synced), \
    .stat_rx_rsfec_uncorrected_cw_inc(rx_fec_bad), .stat_tx_total_packets(tx_counted)

  generate
    if (PORT == 0) begin : port0
      cmac_usplus_0 u_cmac (`FPGAUGE_CMAC_CONNECTIONS);
    end else begin : port1
      cmac_usplus_1 u_cmac (`FPGAUGE_CMAC_CONNECTIONS);
    end
  endgenerate
`undef FPGAUGE_CMAC_CONNECTIONS

  cmac_bringup #(.WATCHDOG_LOG2(WATCHDOG_LOG2)) u_bringup (
    .clk(clk), .tx_hold(tx_hold), .rx_hold(rx_hold), .rx_restart(rx_restart), .keep_lanes(keep_lanes),
    .stat_rx_aligned(stat_rx_aligned), .stat_rx_remote_fault(stat_rx_remote_fault),
    .ctl_rx_enable(ctl_rx_enable), .ctl_tx_send_rfi(ctl_tx_send_rfi), .ctl_tx_enable(ctl_tx_enable), .link_up(link_up));
  assign tx_enable = link_up;
  assign rx_enable = stat_rx_aligned;
  always @(posedge clk)
    if (!keep_lanes) rx_lanes <= {stat_rx_remote_fault, stat_rx_aligned, &stat_rx_synced, &stat_rx_block_lock};
endmodule
