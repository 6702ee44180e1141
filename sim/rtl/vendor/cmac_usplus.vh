// SPDX-License-Identifier: Apache-2.0
// A CMAC with its transceivers for simulation, as AMD PG203 describes the IP cmac_usplus without AXI4-Lite, as far as
// cmac_port could tell it from a real one. cmac_usplus_0.v and cmac_usplus_1.v give it their names. The ports are those
// of hw/boards/stubs, which tools/lint holds.
//
// Here: the order in which resets go and lanes come. Beats, the clock and the far end are CardCore's (card_core.h), which
// drives and reads the signals marked public. Times are far shorter than a transceiver's milliseconds, in the same order:
//   the PLL locks to a reference clock that changes (it is looked at with init_clk, so it may be slower than a real one);
//   only then txusrclk2 runs; then usr_tx_reset and usr_rx_reset go, each with its clock
//   block lock, lanes found, aligned: only with ctl_rx_enable, with a signal on the lanes, and RS-FEC at both ends or neither
//   a receiver that has had no signal for NOISE_CLOCKS has adapted to noise: deaf until gtwiz_reset_rx_datapath
// Resets come at once, even without a clock. Errors that the FEC could correct are always there (SR4 lives with them).
module `FPGAUGE_CMAC_NAME (
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
  output [19:0]  stat_rx_block_lock,
  output [19:0]  stat_rx_synced,
  output         stat_rx_rsfec_uncorrected_cw_inc,
  output         stat_tx_total_packets
);
  localparam [7:0]  PLL_CLOCKS = 8'd40, TX_CLOCKS = 8'd40, RX_CLOCKS = 8'd120; // clocks of init_clk
  localparam [8:0]  BLOCKS_AT = 9'd40, LANES_AT = 9'd100, ALIGNED_AT = 9'd200; // clocks of rx_clk with a signal
  localparam [11:0] NOISE_CLOCKS = 12'd4000;

  // ---------------------------------------------------------------- what CardCore drives
  reg         usrclk         /*verilator public_flat_rw*/ = 1'b0;  // 322.265625 MHz while `runs`
  reg         tx_ready       /*verilator public_flat_rw*/ = 1'b0;
  reg         tx_starved     /*verilator public_flat_rw*/ = 1'b0;
  reg         tx_went        /*verilator public_flat_rw*/ = 1'b0;  // a frame, whole
  reg         rx_valid       /*verilator public_flat_rw*/ = 1'b0;
  reg [511:0] rx_data        /*verilator public_flat_rw*/;
  reg [63:0]  rx_keep        /*verilator public_flat_rw*/;
  reg         rx_last        /*verilator public_flat_rw*/;
  reg         rx_user        /*verilator public_flat_rw*/;
  reg         far_fec        /*verilator public_flat_rw*/ = 1'b1;  // state of the far end: RS-FEC is on
  reg         far_rate       /*verilator public_flat_rw*/ = 1'b1;  // it is 25.78125 Gb/s a lane
  reg [19:0]  far_lanes      /*verilator public_flat_rw*/ = 20'hFFFFF;  // lanes with markers that can be found
  reg         far_skew       /*verilator public_flat_rw*/ = 1'b0;  // more than can be taken back
  reg         far_fault      /*verilator public_flat_rw*/ = 1'b0;  // it sends a remote fault
  reg         far_errors     /*verilator public_flat_rw*/ = 1'b0;  // more than the FEC can correct

  // ---------------------------------------------------------------- clocks and resets
  reg       refclk_was_reg = 1'b0;
  reg [2:0] refclk_age_reg = 3'd7;
  reg [7:0] pll_reg = 8'd0, tx_up_reg = 8'd0, rx_up_reg = 8'd0;
  wire      refclk_runs = refclk_age_reg != 3'd7;
  wire      runs /*verilator public_flat_rd*/ = pll_reg == PLL_CLOCKS;
  wire      tx_up = tx_up_reg == TX_CLOCKS;
  wire      rx_up = rx_up_reg == RX_CLOCKS;
  always @(posedge init_clk or posedge sys_reset)
    if (sys_reset) begin
      refclk_age_reg <= 3'd7;
      pll_reg        <= 8'd0;
      tx_up_reg      <= 8'd0;
      rx_up_reg      <= 8'd0;
    end else begin
      refclk_was_reg <= gt_ref_clk_p;
      refclk_age_reg <= gt_ref_clk_p != refclk_was_reg && gt_ref_clk_p != gt_ref_clk_n ? 3'd0
                      : refclk_age_reg + {2'd0, refclk_runs};
      pll_reg        <= !refclk_runs ? 8'd0 : pll_reg + {7'd0, !runs};
      tx_up_reg      <= !runs || !refclk_runs || gtwiz_reset_tx_datapath ? 8'd0 : tx_up_reg + {7'd0, !tx_up};
      rx_up_reg      <= !runs || !refclk_runs || gtwiz_reset_rx_datapath ? 8'd0 : rx_up_reg + {7'd0, !rx_up};
    end

  reg [3:0] tx_reset_reg = 4'hF, rx_reset_reg = 4'hF;
  wire      tx_down = !tx_up, rx_down = !rx_up;
  always @(posedge usrclk or posedge tx_down)
    if (tx_down) tx_reset_reg <= 4'hF;
    else         tx_reset_reg <= {tx_reset_reg[2:0], 1'b0};
  always @(posedge rx_clk or posedge rx_down)
    if (rx_down) rx_reset_reg <= 4'hF;
    else         rx_reset_reg <= {rx_reset_reg[2:0], 1'b0};
  assign gt_txusrclk2 = usrclk;
  assign usr_tx_reset = tx_reset_reg[3];
  assign usr_rx_reset = rx_reset_reg[3];

  // ---------------------------------------------------------------- receive
  // Each of four transceivers carries five of the 20 lanes, which may come on any of them.
  wire [3:0]  has_signal = gt_rxp_in & ~gt_rxn_in & {4{gt_loopback_in == 12'd0 && !ctl_rx_test_pattern}};
  wire        listens = !usr_rx_reset && !core_rx_reset && ctl_rx_enable && !ctl_rx_force_resync;
  reg  [11:0] noise_reg = 12'd0;
  reg  [8:0]  signal_reg = 9'd0;
  reg  [19:0] block_lock_reg = 20'd0, synced_reg = 20'd0;
  reg         aligned_reg = 1'b0, remote_fault_reg = 1'b0, fec_bad_reg = 1'b0;
  wire        deaf = noise_reg == NOISE_CLOCKS;
  wire        finds = listens && !deaf && far_rate && far_fec == ctl_rx_rsfec_enable;
  integer     i;
  always @(posedge rx_clk) begin
    noise_reg  <= usr_rx_reset || (&has_signal && !deaf) ? 12'd0 : noise_reg + {11'd0, !deaf};
    signal_reg <= !finds || !(|has_signal) ? 9'd0 : signal_reg + {8'd0, signal_reg != 9'd511};
    for (i = 0; i < 20; i = i + 1) begin
      block_lock_reg[i] <= finds && has_signal[i / 5] && signal_reg > BLOCKS_AT + i[8:0];
      synced_reg[i]     <= finds && block_lock_reg[i] && far_lanes[i] && signal_reg > LANES_AT + i[8:0];
    end
    aligned_reg      <= finds && (&synced_reg) && !far_skew && signal_reg > ALIGNED_AT;
    remote_fault_reg <= aligned_reg && far_fault;
    fec_bad_reg      <= aligned_reg && ctl_rx_rsfec_enable && signal_reg[0] &&
                        (far_errors || !ctl_rx_rsfec_enable_correction);
  end
  assign stat_rx_block_lock   = block_lock_reg & {20{listens}};
  assign stat_rx_synced       = synced_reg & {20{listens}};
  assign stat_rx_aligned      = aligned_reg && listens;
  assign stat_rx_remote_fault = remote_fault_reg && listens;
  assign stat_rx_rsfec_uncorrected_cw_inc = fec_bad_reg && listens;
  wire   receives /*verilator public_flat_rd*/ = stat_rx_aligned;
  wire   rx_in_reset /*verilator public_flat_rd*/ = usr_rx_reset || core_rx_reset;
  // Frames of a code word that cannot be corrected are marked only if the CMAC is told to.
  assign rx_axis_tvalid = rx_valid;
  assign rx_axis_tdata  = rx_data;
  assign rx_axis_tkeep  = rx_keep;
  assign rx_axis_tlast  = rx_last;
  assign rx_axis_tuser  = rx_user || (rx_last && fec_bad_reg && ctl_rx_rsfec_enable_indication);

  // ---------------------------------------------------------------- transmit
  wire tx_in_reset /*verilator public_flat_rd*/ = usr_tx_reset || core_tx_reset;
  wire sends       /*verilator public_flat_rd*/ = !tx_in_reset && ctl_tx_enable && !ctl_tx_send_idle && !ctl_tx_send_rfi &&
                                                  !ctl_tx_send_lfi && !ctl_tx_test_pattern;
  wire tells_fault /*verilator public_flat_rd*/ = !tx_in_reset && ctl_tx_send_rfi && !ctl_tx_send_idle;
  wire mixed       /*verilator public_flat_rd*/ = !tx_in_reset && ctl_tx_enable && ctl_tx_send_rfi;
  wire has_fec     /*verilator public_flat_rd*/ = ctl_tx_rsfec_enable;
  wire         tx_valid /*verilator public_flat_rd*/ = tx_axis_tvalid;
  wire [511:0] tx_data  /*verilator public_flat_rd*/ = tx_axis_tdata;
  wire [63:0]  tx_keep  /*verilator public_flat_rd*/ = tx_axis_tkeep;
  wire         tx_last  /*verilator public_flat_rd*/ = tx_axis_tlast;
  wire         tx_user  /*verilator public_flat_rd*/ = tx_axis_tuser;
  assign gt_txp_out = {4{!tx_down}};
  assign gt_txn_out = 4'h0;
  assign tx_axis_tready        = tx_ready && !tx_in_reset;
  assign tx_ovfout             = 1'b0;               // never, with a tready that is obeyed
  assign tx_unfout             = tx_starved;
  assign stat_tx_total_packets = tx_went && !tx_in_reset;

  wire unused = &{1'b0, tx_preamblein, ctl_rsfec_ieee_error_indication_mode, core_drp_reset, drp_clk, drp_addr, drp_di, drp_en,
                  drp_we};
endmodule
