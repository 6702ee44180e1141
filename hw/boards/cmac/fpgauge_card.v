// SPDX-License-Identifier: Apache-2.0
// A whole card behind AXI4-Lite: CMACs, the clock of the core, fpgauge_ports. The board tops (hw/boards/BOARD) connect
// it to pins. No behaviour of its own; vendor blocks are cmac_usplus_0, cmac_usplus_1, MMCME4_ADV, BUFG
// (hw/boards/stubs for lint). sim/rtl simulates it with models of these.
`include "fpgauge_time.vh"
module fpgauge_card #(
  parameter PORTS = 2,
  parameter [PORTS-1:0] LOCKED = 1,
  parameter RS_FEC = 1,
  parameter WATCHDOG_LOG2 = 26          // clocks of a CMAC, 0.2 s, from one restart of a receiver without alignment to the next
) (
  input                async_rst,       // comes from a register, in any clock domain
  input                axil_clk,
  input  [16:0]        s_axil_awaddr,
  input                s_axil_awvalid,
  output               s_axil_awready,
  input  [31:0]        s_axil_wdata,
  input  [3:0]         s_axil_wstrb,
  input                s_axil_wvalid,
  output               s_axil_wready,
  output [1:0]         s_axil_bresp,
  output               s_axil_bvalid,
  input                s_axil_bready,
  input  [16:0]        s_axil_araddr,
  input                s_axil_arvalid,
  output               s_axil_arready,
  output [31:0]        s_axil_rdata,
  output [1:0]         s_axil_rresp,
  output               s_axil_rvalid,
  input                s_axil_rready,
  input                init_clk,        // free running, 50 to 125 MHz
  input  [PORTS-1:0]   gt_refclk_p,
  input  [PORTS-1:0]   gt_refclk_n,
  input  [4*PORTS-1:0] gt_rxp_in,
  input  [4*PORTS-1:0] gt_rxn_in,
  output [4*PORTS-1:0] gt_txp_out,
  output [4*PORTS-1:0] gt_txn_out,
  output [PORTS-1:0]   link_up          // synchronous to the port's CMAC clock; for an LED
);
  wire init_rst, clk, clk_locked;
  sync_reset u_init_rst (.clk(init_clk), .async_rst(async_rst), .rst(init_rst));

  wire [PORTS-1:0]     cmac_clk, tx_hold, rx_hold, tx_enable, rx_enable, tx_ovfout, tx_unfout, tx_counted;
  wire [PORTS-1:0]     tx_tvalid, tx_tready, tx_tlast, tx_tuser, rx_tvalid, rx_tlast, rx_tuser;
  wire [4*PORTS-1:0]   rx_lanes;
  wire [PORTS-1:0]     rx_fec_bad;
  wire [512*PORTS-1:0] tx_tdata, rx_tdata;
  wire [64*PORTS-1:0]  tx_tkeep, rx_tkeep;
  genvar g;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : port
      cmac_port #(.PORT(g), .RS_FEC(RS_FEC), .WATCHDOG_LOG2(WATCHDOG_LOG2)) u_port (
        .gt_refclk_p(gt_refclk_p[g]), .gt_refclk_n(gt_refclk_n[g]), .gt_rxp_in(gt_rxp_in[4*g +: 4]),
        .gt_rxn_in(gt_rxn_in[4*g +: 4]), .gt_txp_out(gt_txp_out[4*g +: 4]), .gt_txn_out(gt_txn_out[4*g +: 4]),
        .init_clk(init_clk), .sys_reset(init_rst), .clk(cmac_clk[g]), .tx_hold(tx_hold[g]), .rx_hold(rx_hold[g]),
        .tx_enable(tx_enable[g]), .rx_enable(rx_enable[g]), .link_up(link_up[g]), .tx_ovfout(tx_ovfout[g]),
        .tx_unfout(tx_unfout[g]), .tx_counted(tx_counted[g]), .rx_lanes(rx_lanes[4*g +: 4]), .rx_fec_bad(rx_fec_bad[g]), .s_axis_tvalid(tx_tvalid[g]), .s_axis_tready(tx_tready[g]),
        .s_axis_tdata(tx_tdata[512*g +: 512]), .s_axis_tkeep(tx_tkeep[64*g +: 64]), .s_axis_tlast(tx_tlast[g]),
        .s_axis_tuser(tx_tuser[g]), .m_axis_tvalid(rx_tvalid[g]), .m_axis_tdata(rx_tdata[512*g +: 512]),
        .m_axis_tkeep(rx_tkeep[64*g +: 64]), .m_axis_tlast(rx_tlast[g]), .m_axis_tuser(rx_tuser[g]));
    end
  endgenerate

  // The clock of port 0 does not run until its transceivers are up; nor does the core.
  core_clock u_clock (.cmac_clk(cmac_clk[0]), .rst(tx_hold[0]), .clk(clk), .locked(clk_locked));

  wire [31:0] skip_words = 32'd0;       // words that the core skips; a simulation may put its own here
  wire        idle_unused;
  wire [31:0] idle_words_unused;
  wire [`FPGAUGE_WORD_TIME_W(8)-1:0] word_time_unused;
  fpgauge_ports #(.PORTS(PORTS), .LOCKED(LOCKED), .RS_FEC(RS_FEC)) u_ports (
    .async_rst(async_rst), .axil_clk(axil_clk),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .clk(clk), .clk_locked(clk_locked), .cmac_clk(cmac_clk), .tx_hold(tx_hold), .rx_hold(rx_hold),
    .tx_enable(tx_enable), .rx_enable(rx_enable), .tx_ovfout(tx_ovfout), .tx_unfout(tx_unfout),
    .tx_counted(tx_counted), .rx_lanes(rx_lanes), .rx_fec_bad(rx_fec_bad),
    .m_axis_tvalid(tx_tvalid), .m_axis_tready(tx_tready), .m_axis_tdata(tx_tdata), .m_axis_tkeep(tx_tkeep),
    .m_axis_tlast(tx_tlast), .m_axis_tuser(tx_tuser), .s_axis_tvalid(rx_tvalid), .s_axis_tdata(rx_tdata),
    .s_axis_tkeep(rx_tkeep), .s_axis_tlast(rx_tlast), .s_axis_tuser(rx_tuser),
    .skip_words(skip_words), .idle(idle_unused), .idle_words(idle_words_unused), .word_time(word_time_unused));
endmodule
