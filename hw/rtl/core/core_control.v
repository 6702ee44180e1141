// SPDX-License-Identifier: Apache-2.0
// Control of a tester, which its ports share: the AXI4-Lite slave (map: docs/registers.md), the time, the strobes, and the global
// registers. fpgauge_core joins it to its ports (fpgauge_port).
// 
// What goes to the ports is registered here, and so is what comes from them; the paths between are as long as the chip.
// idle, idle_words and skip_words: see fpgauge_core, where they go out.
`include "csr_types.svh"
`include "fpgauge_time.vh"
module core_control #(
  parameter PORTS = 2,
  parameter GROUPS = 8,
  parameter CLOCK_HZ = 195312500,
  parameter [31:0] TIME_START_HIGH = 32'd0,
  parameter [2:0] SENDS = 3'b111,           // the bits of the register sends
  parameter [31:0] TX_TIME_ERROR = 32'd0,   // the registers of these names
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

  // driven to all ports
  output                        port_rst,
  output [TIME_W-1:0]           word_time,
  output reg [TIME_W-1:0]       rx_word_time,
  output [31:0]                 port_skip_words,
  output                        start,
  output                        stop,
  output                        clear,
  output                        snapshot,
  output [7:0]                  run_id,
  output [PORTS-1:0]            port_req,
  output                        port_write,
  output [11:0]                 port_offset,
  output [31:0]                 port_wdata,

  // comes from each of them
  input  [PORTS-1:0]            port_ack,
  input  [32*PORTS-1:0]         port_rdata,
  input  [PORTS-1:0]            port_error,
  input  [PORTS-1:0]            port_busy,
  input  [PORTS-1:0]            port_sending,
  input  [PORTS-1:0]            port_started,
  input  [TIME_W*PORTS-1:0]     port_start_word,
  input  [PORTS-1:0]            port_tx_idle,
  input  [PORTS-1:0]            port_rx_idle,    // the registered word has control characters only
  input  [32*PORTS-1:0]         port_idle_words,

  // simulation only
  input  [31:0]                 skip_words,
  output                        idle,
  output [31:0]                 idle_words
);
`include "fpgauge_regs.vh"
  reg        rst_reg;
  reg [31:0] skip_reg;
  always @(posedge clk) begin
    rst_reg      <= rst;
    skip_reg     <= rst ? 32'd0 : skip_words;
    rx_word_time <= word_time;
  end
  assign port_rst = rst_reg;
  assign port_skip_words = skip_reg;

  time_base #(.GROUPS(GROUPS), .START_HIGH(TIME_START_HIGH)) u_time (
    .clk(clk), .rst(rst_reg), .skip_words(skip_reg), .word_time(word_time));

  // ---------------------------------------------------------------- registers
  localparam BLOCKS = 1 + PORTS;
  wire                 bus_req, bus_write, bus_ack, bus_error, bus_busy;
  wire [16:0]          bus_addr;
  wire [31:0]          bus_wdata, bus_rdata;
  wire                 global_req, global_ack, global_error;
  wire [31:0]          global_rdata;

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
    .block_req({port_req, global_req}), .block_write(port_write), .block_offset(port_offset), .block_wdata(port_wdata),
    .block_ack({port_ack, global_ack}), .block_rdata({port_rdata, global_rdata}),
    .block_error({port_error, global_error}));

  // All ports take the strobes in the same clock, so start_word is the same for all.
  csr_types::global_run_settings_t run_settings;
  assign run_id = run_settings.id;
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
    .clk(clk), .rst(rst_reg), .bus_req(global_req), .bus_write(port_write), .bus_offset(port_offset),
    .bus_wdata(port_wdata), .bus_ack(global_ack), .bus_rdata(global_rdata), .bus_error(global_error),
    .run_settings(run_settings), .control_start(start), .control_stop(stop), .control_clear(clear),
    .control_snapshot(snapshot), .status_sending(sending_reg), .status_clearing(clearing_reg),
    .sends_wrong_code(SENDS[0]), .sends_short_frames(SENDS[1]), .sends_gap_88_bits(SENDS[2]),
    .tx_time_error_value(TX_TIME_ERROR), .rx_time_error_value(RX_TIME_ERROR),
    .snapshot_time_value({snapshot_word_reg, {WORD_OCTETS_LOG2{1'b0}}}),
    .time_value({word_time, {WORD_OCTETS_LOG2{1'b0}}}),
    .start_time_value({start_word_reg, {WORD_OCTETS_LOG2{1'b0}}}));

  // ---------------------------------------------------------------- idle, simulation only
  // What goes in has its effect a known number of clocks later: rx commits a frame 15 clocks after its last word, the
  // meter counts one 6 clocks after it left. So it is enough to count the clocks since something last went in.
  localparam [4:0] RX_CLOCKS = 5'd16, OTHER_CLOCKS = 5'd8;
  wire       stirred = !(&port_tx_idle) || bus_busy || clearing_reg || start || clear || stop || snapshot;
  reg  [4:0] settle_reg;
  always @(posedge clk)
    if (rst_reg || !(&port_rx_idle))                    settle_reg <= RX_CLOCKS;
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
  assign idle       = &quiet_reg && settle_reg == 5'd0 && &port_rx_idle;
  assign idle_words = idle_words_reg;
endmodule
