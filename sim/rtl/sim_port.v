// SPDX-License-Identifier: Apache-2.0
// A port as a model of its own, for the simulation that is put together from parts (port_model.h).
//
// What the core drives into its ports changes rarely. Here it is taken over when `load` rises, and stands until then: a
// simulator evaluates all that follows from an input whenever the model is looked at, and what follows from these
// registers only when they change. So with the times: what is loaded is what they are ahead of counters of clocks.
// A clock comes with each change of a tick, which the model turns into a pulse that ends by itself: so it need not be
// looked at a second time to let the clock fall.
// The line is registered as in fpgauge_core; loopback is left to the simulation.
`include "fpgauge_time.vh"
module sim_port #(
  parameter GROUPS = 8,
  parameter PORTS  = 2,
  parameter TCP    = 0,              // the parameter of fpgauge_core
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                       tick,
  input                       rx_tick,
  input                       load,

  input  [TIME_W-1:0]         time_ahead,    // time of the words that the ticks have passed, those skipped included
  input  [TIME_W-1:0]         rx_time_ahead, // time of the rx_ticks
  input  [31:0]               skip_words,    // words to skip in each clock from here on
  input  [3:0]                port,
  input                       rst,
  input                       start,
  input                       stop,
  input                       clear,
  input                       snapshot,
  input  [7:0]                run_id,
  input                       bus_req,
  input                       bus_write,
  input  [11:0]               bus_offset,
  input  [31:0]               bus_wdata,

  output [TIME_W-1:0]         words,         // the counters
  output [TIME_W-1:0]         rx_words,
  output                      bus_ack,
  output [31:0]               bus_rdata,
  output                      bus_error,
  output [64*GROUPS-1:0]      line_tx_data,
  output [8*GROUPS-1:0]       line_tx_ctrl,
  input  [64*GROUPS-1:0]      line_rx_data,
  input  [8*GROUPS-1:0]       line_rx_ctrl,
  output                      loopback,
  output                      busy,
  output                      sending,
  output                      obeys,
  output                      started,
  output                      tx_idle,
  output                      rx_idle,      // the registered word has control characters only
  output [31:0]               idle_words,
  output [TIME_W-1:0]         start_word
);
  reg  tick_reg, rx_tick_reg;
  wire clk    = tick ^ tick_reg;
  wire rx_clk = rx_tick ^ rx_tick_reg;
  always @(posedge clk)    tick_reg    <= tick;
  always @(posedge rx_clk) rx_tick_reg <= rx_tick;

  reg [TIME_W-1:0] ahead_reg, rx_ahead_reg;
  reg [3:0]  port_reg;
  reg [31:0] skip_reg, wdata_reg;
  reg [7:0]  run_id_reg;
  reg [11:0] offset_reg;
  reg        rst_reg, start_reg, stop_reg, clear_reg, snapshot_reg, req_reg, write_reg;
  always @(posedge load) begin
    ahead_reg    <= time_ahead;
    rx_ahead_reg <= rx_time_ahead;
    port_reg     <= port;
    skip_reg     <= skip_words;
    rst_reg      <= rst;
    start_reg    <= start;
    stop_reg     <= stop;
    clear_reg    <= clear;
    snapshot_reg <= snapshot;
    run_id_reg   <= run_id;
    req_reg      <= bus_req;
    write_reg    <= bus_write;
    offset_reg   <= bus_offset;
    wdata_reg    <= bus_wdata;
  end

  reg [TIME_W-1:0] words_reg, rx_words_reg;
  always @(posedge clk)    words_reg    <= words_reg + {{(TIME_W-32){1'b0}}, skip_reg} + 1'b1;
  always @(posedge rx_clk) rx_words_reg <= rx_words_reg + 1'b1;
  wire [TIME_W-1:0] word_time    = ahead_reg + words_reg;
  wire [TIME_W-1:0] rx_word_time = rx_ahead_reg + rx_words_reg;

  reg [64*GROUPS-1:0] rx_data_reg;
  reg [8*GROUPS-1:0]  rx_ctrl_reg;
  always @(posedge rx_clk) begin
    rx_data_reg <= line_rx_data;
    rx_ctrl_reg <= line_rx_ctrl;
  end
  assign rx_idle  = &rx_ctrl_reg;
  assign words    = words_reg;
  assign rx_words = rx_words_reg;

  fpgauge_port #(.GROUPS(GROUPS), .PORTS(PORTS), .TCP(TCP)) u_port (
    .clk(clk), .rx_clk(rx_clk), .rst(rst_reg), .port(port_reg), .word_time(word_time), .rx_word_time(rx_word_time),
    .skip_words(skip_reg), .start(start_reg), .stop(stop_reg), .clear(clear_reg), .snapshot(snapshot_reg),
    .cfg_run_id(run_id_reg), .bus_req(req_reg), .bus_write(write_reg), .bus_offset(offset_reg), .bus_wdata(wdata_reg),
    .bus_ack(bus_ack), .bus_rdata(bus_rdata), .bus_error(bus_error),
    .line_tx_data(line_tx_data), .line_tx_ctrl(line_tx_ctrl), .line_rx_data(rx_data_reg), .line_rx_ctrl(rx_ctrl_reg),
    .link_present(1'b0), .link_up(1'b0), .link_lanes(6'd0), .link_events(11'd0), .link_steps(8'd0),
    .loopback(loopback), .busy(busy), .sending(sending), .obeys(obeys), .started(started), .tx_idle(tx_idle), .idle_words(idle_words),
    .start_word(start_word));
endmodule
