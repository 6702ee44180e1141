// SPDX-License-Identifier: Apache-2.0
// The tester: PORTS ports on one time base behind one AXI4-Lite slave (map: docs/registers.md).
//
// clk is the word clock of the line: every clock takes one word of GROUPS groups of 8 octets per port and direction.
// All inputs are registered here first; rst must be high for at least 4 clocks. A frame that line_tx_* carries in clock
// t and line_rx_* in the same clock (a direct wire) has latency 0: the receivers' word number is a clock late, like
// their words. The same holds for a port in loopback, which is looped back here: its receiver gets its own words
// instead of those of the line, and the line gets idle. 200 Gb/s at this clock (16 groups, two frame starts per word)
// would repeat regions of 8 groups inside a port, not here. With one group, frames start on octet 0 of a word of 64
// bits: this is not 10 or 25 Gb/s Ethernet, where they may also start on octet 4.
//
// Simulation only, to be left open or tied to 0 in hardware: idle says that nothing moves anywhere in the core and that
// no register access is in progress; idle_words is then how many words can be left out before anything happens. In a
// clock with idle, skip_words = s <= idle_words lets time jump s words; idle is then low until the jump has been made.
// The core does not know about frames outside: a harness must not skip while its device under test holds any.
// TIME_START_HIGH is the high word of the octet time at reset, 0 in hardware.
`include "csr_types.svh"
`include "fpgauge_time.vh"
module fpgauge_core #(
  parameter PORTS = 2,
  parameter GROUPS = 8,
  parameter CLOCK_HZ = 195312500,
  parameter [31:0] TIME_START_HIGH = 32'd0,
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

  output reg [PORTS*64*GROUPS-1:0] line_tx_data,
  output reg [PORTS*8*GROUPS-1:0]  line_tx_ctrl,
  input  [PORTS*64*GROUPS-1:0]  line_rx_data,
  input  [PORTS*8*GROUPS-1:0]   line_rx_ctrl,

  input  [31:0]                 skip_words,
  output                        idle,
  output [31:0]                 idle_words,
  output [TIME_W-1:0]           word_time
);
`include "fpgauge_regs.vh"
  // Wrong parameters stop here: the signature has 4 bits for a port, a word holds 1, 2, 4 or 8 groups.
  generate
    if (PORTS < 1 || PORTS > 16) fpgauge_core_PORTS_must_be_1_to_16 stop_here();
    if (GROUPS != 1 && GROUPS != 2 && GROUPS != 4 && GROUPS != 8) fpgauge_core_GROUPS_must_be_1_2_4_or_8 stop_here();
  endgenerate

  // ---------------------------------------------------------------- boundary
  localparam [7:0] IDLE = 8'h07;
  reg                        rst_reg;
  reg [31:0]                 skip_reg;
  reg [TIME_W-1:0]           rx_word_time_reg;
  wire [PORTS-1:0]           rx_idle;            // the registered word has control characters only
  always @(posedge clk) begin
    rst_reg          <= rst;
    skip_reg         <= rst ? 32'd0 : skip_words;
    rx_word_time_reg <= word_time;
  end

  time_base #(.GROUPS(GROUPS), .START_HIGH(TIME_START_HIGH)) u_time (
    .clk(clk), .rst(rst_reg), .skip_words(skip_reg), .word_time(word_time));

  // ---------------------------------------------------------------- registers
  localparam BLOCKS = 1 + PORTS;
  wire                 bus_req, bus_write, bus_ack, bus_error, bus_busy;
  wire [16:0]          bus_addr;
  wire [31:0]          bus_wdata, bus_rdata;
  wire [BLOCKS-1:0]    block_req, block_ack, block_error;
  wire [32*BLOCKS-1:0] block_rdata;
  wire                 block_write;
  wire [11:0]          block_offset;
  wire [31:0]          block_wdata;

  axil_slave #(.ADDR_W(17)) u_axil (
    .clk(clk), .rst(rst_reg),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .bus_req(bus_req), .bus_write(bus_write), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_ack(bus_ack), .bus_rdata(bus_rdata), .bus_error(bus_error), .busy(bus_busy));

  csr_bus #(.BLOCKS(BLOCKS)) u_bus (
    .clk(clk), .rst(rst_reg), .bus_req(bus_req), .bus_write(bus_write), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_ack(bus_ack), .bus_rdata(bus_rdata), .bus_error(bus_error),
    .block_req(block_req), .block_write(block_write), .block_offset(block_offset), .block_wdata(block_wdata),
    .block_ack(block_ack), .block_rdata(block_rdata), .block_error(block_error));

  // All ports take the strobes in the same clock, so start_word is the same for all.
  wire                  start, stop, clear, snapshot;
  global_run_settings_t run_settings;
  wire [PORTS-1:0]      port_busy, port_sending, port_tx_idle;
  wire [TIME_W*PORTS-1:0] port_start_word;
  wire [PORTS-1:0]      port_started;
  reg                   sending_reg, clearing_reg;
  reg  [TIME_W-1:0]     snapshot_word_reg;
  always @(posedge clk) begin
    sending_reg  <= port_sending != {PORTS{1'b0}};
    clearing_reg <= port_busy != {PORTS{1'b0}} || clear;
    if (snapshot) snapshot_word_reg <= word_time;
    if (rst_reg)  snapshot_word_reg <= {TIME_W{1'b0}};
  end

  // A start that no port took leaves the time of the last one.
  reg [TIME_W-1:0] start_word_reg;
  integer s;
  always @(posedge clk)
    if (rst_reg) start_word_reg <= {TIME_W{1'b0}};
    else if (port_started != {PORTS{1'b0}})
      for (s = 0; s < PORTS; s = s + 1)
        if (port_started[s]) start_word_reg <= port_start_word[TIME_W*s +: TIME_W];

  localparam WORD_OCTETS_LOG2 = 3 + $clog2(GROUPS);
  csr_global #(
    .PORTS(PORTS), .GROUPS(GROUPS), .CLOCK_HZ(CLOCK_HZ), .FLOWS(1 << PORT_TX_FLOW_INDEX_BITS),
    .HISTOGRAM_BINS(1 << PORT_RX_HISTOGRAM_INDEX_BITS)
  ) u_global (
    .clk(clk), .rst(rst_reg), .bus_req(block_req[0]), .bus_write(block_write), .bus_offset(block_offset),
    .bus_wdata(block_wdata), .bus_ack(block_ack[0]), .bus_rdata(block_rdata[31:0]), .bus_error(block_error[0]),
    .run_settings(run_settings), .control_start(start), .control_stop(stop), .control_clear(clear),
    .control_snapshot(snapshot), .status_sending(sending_reg), .status_clearing(clearing_reg),
    .snapshot_time_value({snapshot_word_reg, {WORD_OCTETS_LOG2{1'b0}}}),
    .time_value({word_time, {WORD_OCTETS_LOG2{1'b0}}}),
    .start_time_value({start_word_reg, {WORD_OCTETS_LOG2{1'b0}}}));

  // ---------------------------------------------------------------- ports
  wire [32*PORTS-1:0] port_idle_words;
`ifdef FPGAUGE_PORTS_SLEEP
  // Simulation only: a port in which nothing moves gets no clock (sim/rtl/port_sleep.v).
  wire [PORTS-1:0] port_awake;
  port_sleep #(.PORTS(PORTS), .CTRL_W(8*GROUPS)) u_sleep (
    .clk(clk), .strobe(rst_reg || start || stop || clear || snapshot), .access(block_req[PORTS:1]), .busy(port_busy),
    .sending(port_sending), .line_rx_ctrl(line_rx_ctrl), .awake(port_awake));
`endif
  genvar g;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : port
      // The words of each port in vectors of their own: a simulation then copies them once.
      wire                 loopback;
      wire [64*GROUPS-1:0] tx_data;
      wire [8*GROUPS-1:0]  tx_ctrl;
      reg  [64*GROUPS-1:0] rx_data_reg;
      reg  [8*GROUPS-1:0]  rx_ctrl_reg;
`ifdef FPGAUGE_PORTS_SLEEP
      wire port_clk = clk && port_awake[g];
`else
      wire port_clk = clk;
`endif
      always @(posedge port_clk) begin
        rx_data_reg <= loopback ? tx_data : line_rx_data[64*GROUPS*g +: 64*GROUPS];
        rx_ctrl_reg <= loopback ? tx_ctrl : line_rx_ctrl[8*GROUPS*g +: 8*GROUPS];
      end
      // Not as assignments, which Verilator would join to one over all ports.
      always @*
        if (loopback) begin
          line_tx_data[64*GROUPS*g +: 64*GROUPS] = {(8*GROUPS){IDLE}};
          line_tx_ctrl[8*GROUPS*g +: 8*GROUPS]   = {(8*GROUPS){1'b1}};
        end else begin
          line_tx_data[64*GROUPS*g +: 64*GROUPS] = tx_data;
          line_tx_ctrl[8*GROUPS*g +: 8*GROUPS]   = tx_ctrl;
        end
      assign rx_idle[g] = &rx_ctrl_reg;

      fpgauge_port #(.GROUPS(GROUPS), .PORTS(PORTS)) u_port (
        .clk(port_clk), .rst(rst_reg), .port(g[3:0]), .word_time(word_time), .rx_word_time(rx_word_time_reg), .skip_words(skip_reg),
        .start(start), .stop(stop), .clear(clear), .snapshot(snapshot), .cfg_run_id(run_settings.id),
        .bus_req(block_req[1+g]), .bus_write(block_write), .bus_offset(block_offset), .bus_wdata(block_wdata),
        .bus_ack(block_ack[1+g]), .bus_rdata(block_rdata[32*(1+g) +: 32]), .bus_error(block_error[1+g]),
        .line_tx_data(tx_data), .line_tx_ctrl(tx_ctrl), .line_rx_data(rx_data_reg), .line_rx_ctrl(rx_ctrl_reg),
        .loopback(loopback), .busy(port_busy[g]), .sending(port_sending[g]), .started(port_started[g]),
        .tx_idle(port_tx_idle[g]), .idle_words(port_idle_words[32*g +: 32]), .start_word(port_start_word[TIME_W*g +: TIME_W]));
    end
  endgenerate

  // ---------------------------------------------------------------- idle, simulation only
  // What goes in has its effect a known number of clocks later: rx commits a frame 15 clocks after its last word, the
  // meter counts one 6 clocks after it left. So it is enough to count the clocks since something last went in.
  localparam [4:0] RX_CLOCKS = 5'd16, OTHER_CLOCKS = 5'd8;
  wire       stirred = !(&port_tx_idle) || bus_busy || clearing_reg || start || clear || stop || snapshot;
  reg  [4:0] settle_reg;
  always @(posedge clk)
    if (rst_reg || !(&rx_idle))                    settle_reg <= RX_CLOCKS;
    else if (stirred && settle_reg < OTHER_CLOCKS) settle_reg <= OTHER_CLOCKS;
    else if (settle_reg != 5'd0)                   settle_reg <= settle_reg - 5'd1;

  // A skip seen in clock t acts two clocks after the idle_words that allowed it; two more are kept in reserve. idle
  // requires four quiet clocks in a row, so that a skip has been made before the next.
  localparam [31:0] RESERVE_WORDS = 32'd4;
  wire quiet = settle_reg == 5'd0 && !stirred && skip_words == 32'd0 && skip_reg == 32'd0;
  reg [31:0] least_words;
  integer i;
  always @* begin
    least_words = port_idle_words[31:0];
    for (i = 1; i < PORTS; i = i + 1)
      if (port_idle_words[32*i +: 32] < least_words) least_words = port_idle_words[32*i +: 32];
  end
  reg [3:0]  quiet_reg;
  reg [31:0] idle_words_reg;
  always @(posedge clk) begin
    quiet_reg      <= rst_reg ? 4'd0 : {quiet_reg[2:0] & {3{quiet}}, quiet};
    idle_words_reg <= least_words > RESERVE_WORDS ? least_words - RESERVE_WORDS : 32'd0;
  end
  // quiet_reg is one clock old and settle_reg two; a frame that fits into one word may have come in since.
  assign idle       = &quiet_reg && settle_reg == 5'd0 && &rx_idle;
  assign idle_words = idle_words_reg;
endmodule
