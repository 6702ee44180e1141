// SPDX-License-Identifier: Apache-2.0
// The TCP connections of a port between its receiver, its transmitter and its registers (group tcp of hw/regs/fpgauge.toml).
//
// A segment from the receiver waits until WAIT words after the word with its frame's end, then tcp gets it. So what a port sends
// does not depend on what has just arrived, and a simulation may play the transmitter ahead of the receiver by less than that:
// rx_clk is clk, as in fpgauge_port. A segment comes at most in every word and a third, so 1024 are enough.
//
// Segments to be sent wait in a FIFO of 16, with the length of their frame, FCS included; padding is not. They come only while
// the port has a trial; load empties the FIFO.
`include "csr_types.svh"
`include "tcp_types.svh"
module tcp_port #(
  parameter TIME_W = 58,
  parameter WAIT   = 1280
) (
  input                          clk,
  input                          rx_clk,
  input                          rst,
  input                          clear,
  input                          snapshot,
  /* verilator lint_off UNUSEDSIGNAL */         // low bits of the times
  input [TIME_W-1:0]             word_time,
  input [TIME_W-1:0]             rx_word_time,
  /* verilator lint_on UNUSEDSIGNAL */
  // registers
  /* verilator lint_off UNUSEDSIGNAL */         // the receiver's, and the flow
  input csr_types::port_tcp_settings_t cfg,
  input csr_types::port_tcp_writes_t writes,
  /* verilator lint_on UNUSEDSIGNAL */
  output                         command_busy,
  input                          look_req,
  input [5:0]                    look_index,
  output                         look_ack,
  output csr_types::port_tcp_look_values_t look_values,
  input                          stream_req,
  input [5:0]                    stream_index,
  output                         stream_ack,
  output csr_types::port_tcp_stream_values_t stream_values,
  output                         busy,           // the table of counts is being cleared
  output reg [63:0]              sent_segments,
  output reg [63:0]              sent_again_segments,
  output [63:0]                  dropped_segments,
  output reg [63:0]              lost_connections,
  // segments that arrive; 8 clocks after the word with the frame's end was on the line
  input                          rx_valid,
  input [5:0]                    rx_connection,
  input tcp_types::segment_t     rx_segment,
  // segments to be sent
  input                          active,         // the port has a trial
  input                          load,
  output                         out_valid,
  output [5:0]                   out_connection,
  output [13:0]                  out_octets,
  output tcp_types::segment_t    out_segment,
  input                          out_take
);
  localparam SEGMENT_W = 122;
  localparam VERDICT = 8;
  localparam [31:0] WAIT32 = WAIT - VERDICT;
  wire forget = rst || clear;

  // ---------------------------------------------------------------- in: 1280 words
  localparam ENTRY_W = 12 + 6 + SEGMENT_W;
  (* ram_style = "block" *) reg [ENTRY_W-1:0] wait_ram [0:1023];
  reg [9:0]           written_reg, read_reg;
  reg                 head_valid_reg;
  reg [ENTRY_W-1:0]   head_reg;
  wire [11:0]         head_due;
  wire [5:0]          head_connection;
  wire [SEGMENT_W-1:0] head_segment;
  assign {head_due, head_connection, head_segment} = head_reg;
  wire [11:0]         beyond = word_time[11:0] - head_due;
  wire                arrives = head_valid_reg && !beyond[11];
  wire [9:0]          read_next = read_reg + {9'd0, arrives};
  wire                unused = &{1'b0, beyond[10:0]};
  always @(posedge rx_clk) begin
    if (rx_valid) begin
      wait_ram[written_reg] <= {rx_word_time[11:0] + WAIT32[11:0], rx_connection, rx_segment};
      written_reg           <= written_reg + 10'd1;
    end
    if (forget) written_reg <= 10'd0;
  end
  always @(posedge clk) begin
    head_valid_reg <= read_next != written_reg && !forget;
    if (read_next != written_reg) head_reg <= wait_ram[read_next];
    read_reg       <= forget ? 10'd0 : read_next;
  end

  // ---------------------------------------------------------------- commands
  reg         command_reg;
  reg [10:0]  what_reg;
  wire        command_ready;
  assign command_busy = command_reg;
  always @(posedge clk) begin
    if (writes.command_we && !command_reg && cfg.enable) begin
      command_reg <= 1'b1;
      what_reg    <= writes.data[10:0];
    end
    if (command_ready || forget) command_reg <= 1'b0;
  end

  // ---------------------------------------------------------------- connections
  tcp_types::settings_t settings;
  tcp_types::segment_t head_fields, m_segment;
  /* verilator lint_off UNUSEDSIGNAL */          // only some members can be looked at
  tcp_types::connection_t looked;
  /* verilator lint_on UNUSEDSIGNAL */
  assign head_fields = head_segment;
  assign settings = {cfg.mss, cfg.window, cfg.use_scale, cfg.scale, cfg.initial_segments, cfg.ack_every, cfg.retries, cfg.ack_delay,
                     cfg.granularity, cfg.rto_initial, cfg.rto_min, cfg.rto_max, cfg.rto_after_syn, cfg.time_wait};
  wire        look_ready, m_valid, room, step_valid, step_sent, step_again, step_lost;
  wire [5:0]  m_connection, step_connection;
  wire [47:0] step_delivered;
  wire [31:0] dropped;
  /* verilator lint_off UNUSEDSIGNAL */          // used by models only
  wire        played_valid, played_may_send;
  wire [2:0]  played_kind;
  wire [5:0]  played_connection;
  wire [31:0] played_now;
  /* verilator lint_on UNUSEDSIGNAL */
  tcp u_tcp (
    .clk(clk), .rst(forget), .cfg(settings), .now(word_time[39:8]), .scan(word_time[5:0]), .rx_valid(arrives), .rx_connection(head_connection),
    .rx_segment(head_fields), .dropped(dropped), .command_valid(command_reg), .command_ready(command_ready),
    .command_opens(what_reg[8]), .command_connection(what_reg[5:0]), .command_passive(what_reg[9]),
    .command_endless(what_reg[10]), .command_iss(cfg.iss), .command_octets({2'd0, cfg.octets}), .look(look_req && cfg.enable),
    .look_connection(look_index), .look_ready(look_ready), .looked(looked), .may_send(active && room), .m_valid(m_valid),
    .m_connection(m_connection), .m_segment(m_segment), .step_valid(step_valid), .step_connection(step_connection),
    .step_delivered(step_delivered), .step_sent(step_sent), .step_again(step_again), .step_lost(step_lost),
    .played_valid(played_valid), .played_kind(played_kind), .played_connection(played_connection), .played_now(played_now),
    .played_may_send(played_may_send));
  assign dropped_segments = {32'd0, dropped};

  assign look_ack    = look_req && (look_ready || !cfg.enable);
  assign look_values = {372{cfg.enable}}
                       & {3'd0, looked.retries, 1'd0, looked.scale_ok, looked.timer_on, looked.recovery, 4'd0, looked.state,
                          looked.snd_una, looked.snd_nxt, looked.snd_max, looked.snd_end, looked.snd_wnd, looked.cwnd,
                          looked.ssthresh, looked.srtt8, looked.rttvar4, looked.rto, looked.rcv_nxt};

  // ---------------------------------------------------------------- counts: with the entry of the table, two clocks after the step
  wire         c_valid, c_state, early;
  wire [111:0] count, frozen;
  wire         unused_state = &{1'b0, c_state, early, unused, what_reg[7:6], count[111:64]};
  reg          sent_reg, again_reg, lost_reg;
  reg [47:0]   delivered_reg;
  snapshot_table #(.ENTRIES_LOG2(6), .COUNT_W(112), .STATE_W(1)) u_counts (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot), .u_valid(step_valid), .u_index(step_connection),
    .early(early), .c_valid(c_valid), .c_count(count), .c_state(c_state),
    .n_count({delivered_reg, count[63:32] + {31'd0, sent_reg}, count[31:0] + {31'd0, again_reg}}), .n_state(1'b0),
    .r_req(stream_req), .r_index(stream_index), .r_ack(stream_ack), .r_count(frozen));
  assign stream_values = {16'd0, frozen};
  always @(posedge clk) begin
    if (step_valid) {sent_reg, again_reg, lost_reg, delivered_reg} <= {step_sent, step_again, step_lost, step_delivered};
    if (c_valid) begin
      if (sent_reg)  sent_segments       <= sent_segments + 64'd1;
      if (again_reg) sent_again_segments <= sent_again_segments + 64'd1;
      if (lost_reg)  lost_connections    <= lost_connections + 64'd1;
    end
    if (forget) {sent_segments, sent_again_segments, lost_connections} <= 192'd0;
  end

  // ---------------------------------------------------------------- out
  wire [13:0] option_octets = {10'd0, {1'b0, m_segment.mss != 16'd0} + {1'b0, m_segment.scale_is_there}, 2'd0};
  wire [13:0] m_octets = {7'd0, cfg.header_octets} + option_octets + m_segment.octets[13:0] + 14'd4;
  wire [SEGMENT_W-1:0] out_bits;
  assign out_segment = out_bits;
  tx_fifo #(.WIDTH(14 + 6 + SEGMENT_W), .DEPTH_LOG2(4), .RESERVE(3)) u_out (
    .clk(clk), .rst(rst), .clear(load || clear), .push(m_valid), .in({m_octets, m_connection, m_segment}), .room(room),
    .valid(out_valid), .head({out_octets, out_connection, out_bits}), .pop(out_take));
endmodule
