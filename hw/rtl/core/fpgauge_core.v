// SPDX-License-Identifier: Apache-2.0
// The tester: PORTS ports on one time base behind one AXI4-Lite slave (map: docs/registers.md).
//
// clk is the word clock of the line: every clock takes one word of GROUPS groups of 8 octets per port and direction.
// All inputs are registered here first; rst must be high for at least 4 clocks. A frame that line_tx_* carries in clock
// t and line_rx_* in the same clock (a direct wire) has latency 0: the receivers' word number is a clock late, like
// their words. The same holds for a port in loopback: its receiver gets its own words
// instead of those of the line, and the line gets idle. 200 Gb/s at this clock (16 groups, two frame starts per word)
// would repeat regions of 8 groups inside a port, not here. With one group, frames start on octet 0 of a word of 64
// bits: this is not 10 or 25 Gb/s Ethernet, where they may also start on octet 4.
//
// Simulation only, to be left open or tied to 0 in hardware: idle says that nothing moves anywhere in the core and that
// no register access is in progress; idle_words is then how many words can be left out before anything happens. In a
// clock with idle, skip_words = s <= idle_words lets time jump s words; idle is then low until the jump has been made.
// The core does not know about frames outside: a harness must not skip while its device under test holds any.
// TIME_START_HIGH is the high word of the octet time at reset, 0 in hardware.
`include "fpgauge_time.vh"
module fpgauge_core #(
  parameter TCP = 0,                    // 1: ports have TCP connections
  parameter PORTS = 2,
  parameter GROUPS = 8,
  parameter CLOCK_HZ = 195312500,
  parameter [31:0] TIME_START_HIGH = 32'd0,
  parameter [2:0] SENDS = 3'b111,           // register sends: what the MAC behind the line can send
  parameter [31:0] TX_TIME_ERROR = 32'd0,   // registers: what is behind the line may move a frame by
  parameter [31:0] RX_TIME_ERROR = 32'd0,
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                         clk,
  input                         rst,
  input  [16:0]                 s_axil_awaddr,
  input                         s_axil_awvalid,
  output                        s_axil_awready,
  input  [31:0]                 s_axil_wdata,
  input  [3:0]                  s_axil_wstrb,
  input                         s_axil_wvalid,
  output                        s_axil_wready,
  output [1:0]                  s_axil_bresp,
  output                        s_axil_bvalid,
  input                         s_axil_bready,
  input  [16:0]                 s_axil_araddr,
  input                         s_axil_arvalid,
  output                        s_axil_arready,
  output [31:0]                 s_axil_rdata,
  output [1:0]                  s_axil_rresp,
  output                        s_axil_rvalid,
  input                         s_axil_rready,

  output [PORTS*64*GROUPS-1:0]  line_tx_data,
  output [PORTS*8*GROUPS-1:0]   line_tx_ctrl,
  input  [PORTS*64*GROUPS-1:0]  line_rx_data,
  input  [PORTS*8*GROUPS-1:0]   line_rx_ctrl,
  input  [PORTS-1:0]            link_present,  // the MACs behind the lines (link_monitor); 0 where there are none
  input  [PORTS-1:0]            link_up,
  input  [6*PORTS-1:0]          link_lanes,
  input  [11*PORTS-1:0]         link_events,
  input  [8*PORTS-1:0]          link_steps,

  input  [31:0]                 skip_words,
  output                        idle,
  output [31:0]                 idle_words,
  output [TIME_W-1:0]           word_time
);
  // Wrong parameters stop here: the signature has 4 bits for a port, a word holds 1, 2, 4 or 8 groups.
  generate
    if (PORTS < 1 || PORTS > 16) begin : wrong_ports
      fpgauge_core_PORTS_must_be_1_to_16 stop_here();
    end
    if (GROUPS != 1 && GROUPS != 2 && GROUPS != 4 && GROUPS != 8) begin : wrong_groups
      fpgauge_core_GROUPS_must_be_1_2_4_or_8 stop_here();
    end
  endgenerate

  wire              port_rst, start, stop, clear, snapshot, port_write;
  wire [TIME_W-1:0] rx_word_time;
  wire [31:0]       port_skip_words, port_wdata;
  wire [7:0]        run_id;
  wire [11:0]       port_offset;
  wire [PORTS-1:0]  port_req, port_ack, port_error, port_busy, port_sending, port_started, port_tx_idle, port_rx_idle;
  wire [32*PORTS-1:0]     port_rdata, port_idle_words;
  wire [TIME_W*PORTS-1:0] port_start_word;

  core_control #(
    .PORTS(PORTS), .GROUPS(GROUPS), .CLOCK_HZ(CLOCK_HZ), .TIME_START_HIGH(TIME_START_HIGH), .SENDS(SENDS),
    .TX_TIME_ERROR(TX_TIME_ERROR), .RX_TIME_ERROR(RX_TIME_ERROR)
  ) u_control (
    .clk(clk), .rst(rst),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .port_rst(port_rst), .word_time(word_time), .rx_word_time(rx_word_time), .port_skip_words(port_skip_words),
    .start(start), .stop(stop), .clear(clear), .snapshot(snapshot), .run_id(run_id),
    .port_req(port_req), .port_write(port_write), .port_offset(port_offset), .port_wdata(port_wdata),
    .port_ack(port_ack), .port_rdata(port_rdata), .port_error(port_error), .port_busy(port_busy),
    .port_sending(port_sending), .port_started(port_started), .port_start_word(port_start_word),
    .port_tx_idle(port_tx_idle), .port_rx_idle(port_rx_idle), .port_idle_words(port_idle_words),
    .skip_words(skip_words), .idle(idle), .idle_words(idle_words));

  localparam [7:0] IDLE = 8'h07;
  genvar g;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : port
      wire                 loopback, obeys;
      wire [64*GROUPS-1:0] tx_data;
      wire [8*GROUPS-1:0]  tx_ctrl;
      reg  [64*GROUPS-1:0] rx_data_reg;
      reg  [8*GROUPS-1:0]  rx_ctrl_reg;
      always @(posedge clk) begin
        rx_data_reg <= loopback ? tx_data : line_rx_data[64*GROUPS*g +: 64*GROUPS];
        rx_ctrl_reg <= loopback ? tx_ctrl : line_rx_ctrl[8*GROUPS*g +: 8*GROUPS];
      end
      assign port_rx_idle[g] = &rx_ctrl_reg;
      assign line_tx_data[64*GROUPS*g +: 64*GROUPS] = loopback ? {(8*GROUPS){IDLE}} : tx_data;
      assign line_tx_ctrl[8*GROUPS*g +: 8*GROUPS]   = loopback ? {(8*GROUPS){1'b1}} : tx_ctrl;

      fpgauge_port #(.GROUPS(GROUPS), .PORTS(PORTS), .TCP(TCP)) u_port (
        .clk(clk), .rx_clk(clk), .rst(port_rst), .port(g[3:0]), .word_time(word_time), .rx_word_time(rx_word_time),
        .skip_words(port_skip_words), .start(start), .stop(stop), .clear(clear), .snapshot(snapshot),
        .cfg_run_id(run_id),
        .bus_req(port_req[g]), .bus_write(port_write), .bus_offset(port_offset), .bus_wdata(port_wdata),
        .bus_ack(port_ack[g]), .bus_rdata(port_rdata[32*g +: 32]), .bus_error(port_error[g]),
        .line_tx_data(tx_data), .line_tx_ctrl(tx_ctrl), .line_rx_data(rx_data_reg), .line_rx_ctrl(rx_ctrl_reg),
        .link_present(link_present[g]), .link_up(link_up[g]), .link_lanes(link_lanes[6*g +: 6]),
        .link_events(link_events[11*g +: 11]),
        .link_steps(link_steps[8*g +: 8]),
        .loopback(loopback), .busy(port_busy[g]), .sending(port_sending[g]), .obeys(obeys), .started(port_started[g]),
        .tx_idle(port_tx_idle[g]), .idle_words(port_idle_words[32*g +: 32]),
        .start_word(port_start_word[TIME_W*g +: TIME_W]));
      wire unused = obeys;                      // matters where a port is simulated apart (sim/rtl)
    end
  endgenerate
endmodule
