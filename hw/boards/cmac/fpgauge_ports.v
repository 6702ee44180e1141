// SPDX-License-Identifier: Apache-2.0
// The core, an adapter per port, and AXI4-Lite from the host's clock: everything on a card that is not the vendor's.
// tests/rtl/tb_fpgauge_ports.cpp simulates it as a whole.
//
// clk is derived from port 0's clock; LOCKED says for which other ports that is also true (a common reference clock).
// clk_locked low resets everything but the host's side, async_rst that too; the core then stays in reset for 64 more
// clocks, so that the host's side of the crossing sees it. Clocks and crossings: docs/boards.md.
`include "fpgauge_time.vh"
module fpgauge_ports #(
  parameter PORTS = 2,
  parameter [PORTS-1:0] LOCKED = 1,
  // Register sends. A CMAC sends no code errors and no frames below 64 octets, and its gap of 11 is not kept at line rate.
  parameter [2:0] SENDS = 3'b000,
  parameter RS_FEC = 1                  // the CMACs have it on
) (
  input                  async_rst,     // comes from a register, in any clock domain
  input                  axil_clk,
  input  [16:0]          s_axil_awaddr,
  input                  s_axil_awvalid,
  output                 s_axil_awready,
  input  [31:0]          s_axil_wdata,
  input  [3:0]           s_axil_wstrb,
  input                  s_axil_wvalid,
  output                 s_axil_wready,
  output [1:0]           s_axil_bresp,
  output                 s_axil_bvalid,
  input                  s_axil_bready,
  input  [16:0]          s_axil_araddr,
  input                  s_axil_arvalid,
  output                 s_axil_arready,
  output [31:0]          s_axil_rdata,
  output [1:0]           s_axil_rresp,
  output                 s_axil_rvalid,
  input                  s_axil_rready,

  input                  clk,           // 195.3125 MHz
  input                  clk_locked,    // asynchronous

  input  [PORTS-1:0]     cmac_clk,      // 322.265625 MHz each
  input  [PORTS-1:0]     tx_hold,       // this and what follows: in the domain of the port's cmac_clk
  input  [PORTS-1:0]     rx_hold,
  input  [PORTS-1:0]     tx_enable,
  input  [PORTS-1:0]     rx_enable,
  input  [PORTS-1:0]     tx_ovfout,
  input  [PORTS-1:0]     tx_unfout,
  input  [PORTS-1:0]     tx_counted,
  input  [4*PORTS-1:0]   rx_lanes,
  input  [PORTS-1:0]     rx_fec_bad,
  output [PORTS-1:0]     m_axis_tvalid,
  input  [PORTS-1:0]     m_axis_tready,
  output [512*PORTS-1:0] m_axis_tdata,
  output [64*PORTS-1:0]  m_axis_tkeep,
  output [PORTS-1:0]     m_axis_tlast,
  output [PORTS-1:0]     m_axis_tuser,
  input  [PORTS-1:0]     s_axis_tvalid,
  input  [512*PORTS-1:0] s_axis_tdata,
  input  [64*PORTS-1:0]  s_axis_tkeep,
  input  [PORTS-1:0]     s_axis_tlast,
  input  [PORTS-1:0]     s_axis_tuser,

  input  [31:0]          skip_words,    // simulation only, of the core: 0 on a card
  output                 idle,
  output [31:0]          idle_words,
  output [`FPGAUGE_WORD_TIME_W(8)-1:0] word_time
);
  // ---------------------------------------------------------------- resets
  wire down = !clk_locked || async_rst;
  wire axil_rst, begun;
  sync_reset u_axil_reset (.clk(axil_clk), .async_rst(async_rst), .rst(axil_rst));
  sync_reset u_reset (.clk(clk), .async_rst(down), .rst(begun));
  reg [6:0] stretch_reg = 7'd0;
  reg       rst = 1'b1;
  always @(posedge clk or posedge down)
    if (down) begin
      stretch_reg <= 7'd0;
      rst         <= 1'b1;
    end else begin
      if (begun)                stretch_reg <= 7'd0;
      else if (!stretch_reg[6]) stretch_reg <= stretch_reg + 7'd1;
      rst <= !stretch_reg[6];
    end

  // ---------------------------------------------------------------- registers
  wire [16:0]        awaddr, araddr;
  wire [31:0]        wdata, rdata;
  wire [3:0]         wstrb;
  wire [1:0]         bresp, rresp;
  wire               awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  axil_crossing #(.ADDR_W(17)) u_axil (
    .s_clk(axil_clk), .s_rst(axil_rst),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .m_clk(clk), .m_rst(rst), .m_axil_awaddr(awaddr), .m_axil_awvalid(awvalid), .m_axil_awready(awready),
    .m_axil_wdata(wdata), .m_axil_wstrb(wstrb), .m_axil_wvalid(wvalid), .m_axil_wready(wready),
    .m_axil_bresp(bresp), .m_axil_bvalid(bvalid), .m_axil_bready(bready), .m_axil_araddr(araddr),
    .m_axil_arvalid(arvalid), .m_axil_arready(arready), .m_axil_rdata(rdata), .m_axil_rresp(rresp),
    .m_axil_rvalid(rvalid), .m_axil_rready(rready));

  // ---------------------------------------------------------------- core
  // What adapters and CMACs may move a frame by, in octet times (docs/boards.md, The adapter): to send, a clock of the CMAC,
  // a group and the deficit idle count; to receive, a clock, a group and a code word of the FEC; alignment markers; and
  // following the time of a port with another crystal.
  localparam [31:0] SEND = 32'd55, RECEIVE = 32'd47, MARKERS = 32'd160, CODE_WORD = 32'd640, FOLLOW = 32'd142;
  localparam [31:0] BOTH = MARKERS + (&LOCKED ? 32'd0 : FOLLOW);
  wire [512*PORTS-1:0] line_tx_data, line_rx_data;
  wire [64*PORTS-1:0]  line_tx_ctrl, line_rx_ctrl;
  wire [PORTS-1:0]     link_up;
  wire [6*PORTS-1:0]   link_lanes;
  wire [11*PORTS-1:0]  link_events;
  wire [8*PORTS-1:0]   link_steps;
  fpgauge_core #(.PORTS(PORTS), .GROUPS(8), .CLOCK_HZ(195312500), .SENDS(SENDS),
    .TX_TIME_ERROR(SEND + BOTH), .RX_TIME_ERROR(RECEIVE + BOTH + (RS_FEC != 0 ? CODE_WORD : 32'd0))) u_core (
    .clk(clk), .rst(rst),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_wdata(wdata),
    .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_bresp(bresp),
    .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_araddr(araddr), .s_axil_arvalid(arvalid),
    .s_axil_arready(arready), .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid),
    .s_axil_rready(rready), .line_tx_data(line_tx_data), .line_tx_ctrl(line_tx_ctrl), .line_rx_data(line_rx_data),
    .line_rx_ctrl(line_rx_ctrl), .link_present({PORTS{1'b1}}), .link_up(link_up), .link_lanes(link_lanes),
    .link_events(link_events),
    .link_steps(link_steps), .skip_words(skip_words), .idle(idle), .idle_words(idle_words),
    .word_time(word_time));

  // ---------------------------------------------------------------- ports
  genvar g;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : port
      wire cmac_rst;
      sync_reset u_reset (.clk(cmac_clk[g]), .async_rst(down), .rst(cmac_rst));
      cmac_adapter #(.LOCKED(LOCKED[g])) u_adapter (
        .clk(clk), .rst(rst), .line_tx_data(line_tx_data[512*g +: 512]), .line_tx_ctrl(line_tx_ctrl[64*g +: 64]),
        .line_rx_data(line_rx_data[512*g +: 512]), .line_rx_ctrl(line_rx_ctrl[64*g +: 64]), .link_up(link_up[g]),
        .link_lanes(link_lanes[6*g +: 6]), .rx_lanes(rx_lanes[4*g +: 4]), .rx_fec_bad(rx_fec_bad[g]),
        .link_events(link_events[11*g +: 11]), .link_steps(link_steps[8*g +: 8]),
        .cmac_clk(cmac_clk[g]), .cmac_rst(cmac_rst), .tx_hold(tx_hold[g]), .rx_hold(rx_hold[g]),
        .tx_enable(tx_enable[g]), .rx_enable(rx_enable[g]), .tx_ovfout(tx_ovfout[g]), .tx_unfout(tx_unfout[g]),
        .tx_counted(tx_counted[g]),
        .m_axis_tvalid(m_axis_tvalid[g]), .m_axis_tready(m_axis_tready[g]), .m_axis_tdata(m_axis_tdata[512*g +: 512]),
        .m_axis_tkeep(m_axis_tkeep[64*g +: 64]), .m_axis_tlast(m_axis_tlast[g]), .m_axis_tuser(m_axis_tuser[g]),
        .s_axis_tvalid(s_axis_tvalid[g]), .s_axis_tdata(s_axis_tdata[512*g +: 512]),
        .s_axis_tkeep(s_axis_tkeep[64*g +: 64]), .s_axis_tlast(s_axis_tlast[g]), .s_axis_tuser(s_axis_tuser[g]));
    end
  endgenerate
endmodule
