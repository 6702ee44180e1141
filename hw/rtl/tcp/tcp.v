// SPDX-License-Identifier: Apache-2.0
// The TCP connections of a port: their state in a RAM, and who is next at the one engine that they share. It knows segments, not
// frames: it is given what was found in the headers that arrive, and says which segments are to be sent.
//
// Segments wait in a FIFO of 2^FIFO_LOG2. One that does not fit is lost and counted in `dropped`, up to the largest number:
// the tester lost it, not the device under test. Its checksum and its connection have been checked by who gives it.
//
// The engine serves, one at a time: a command of the host at once; a segment, a connection whose timer has ended and a connection that
// has more to send in turns, each of the last two round robin. A segment takes 12 clocks, another event 7 or 8.
// Each clock one timer is looked at, so one that ends waits 2^CONNECTIONS_LOG2 clocks longer at most, and for its turn. Which one is
// `scan`, which goes round: not a counter of its own, so that a simulation that passes over clocks while no connection is open
// comes to the same.
//
// command: open or close of command_connection (kind 3, 4 of tcp_engine); held until command_ready, and done when it is.
// look: answers with all of a connection's state: held until look_ready, with which `looked` is valid.
// m_valid: for one clock, with the segment to be sent. may_send is room for a segment; while it is 0 none comes, from the step on
// that began after it fell: room for 2 must be left then. played_*: what the engine begins, which a model can follow.
// step_*: for one clock, what came of it: octets delivered, whether a segment is sent, whether with octets, SYN or FIN that had
// all been sent before (again), whether the connection ended without having been closed here (lost).
//
// All connections are closed after a reset. Settings (cfg) do not change while one is open.
`include "tcp_types.svh"
module tcp #(
  parameter CONNECTIONS_LOG2 = 6,
  parameter FIFO_LOG2 = 6
) (
  input                             clk,
  input                             rst,
  input  tcp_types::settings_t      cfg,
  input  [31:0]                     now,     // ticks
  input  [CONNECTIONS_LOG2-1:0]     scan,    // one more in each clock
  // segments that arrive
  input                             rx_valid,
  input  [CONNECTIONS_LOG2-1:0]     rx_connection,
  input  tcp_types::segment_t       rx_segment,
  output reg [31:0]                 dropped,
  // the host
  input                             command_valid,
  output                            command_ready,
  input                             command_opens,
  input  [CONNECTIONS_LOG2-1:0]     command_connection,
  input                             command_passive,
  input                             command_endless,
  input  [31:0]                     command_iss,
  input  [31:0]                     command_octets,
  input                             look,
  input  [CONNECTIONS_LOG2-1:0]     look_connection,
  output reg                        look_ready,
  output tcp_types::connection_t    looked,
  // segments to be sent
  input                             may_send,
  output reg                        m_valid,
  output reg [CONNECTIONS_LOG2-1:0] m_connection,
  output tcp_types::segment_t       m_segment,
  output                            step_valid,
  output [CONNECTIONS_LOG2-1:0]     step_connection,
  output [47:0]                     step_delivered,
  output                            step_sent,
  output                            step_again,
  output                            step_lost,
  // event that is played
  output                            played_valid,
  output [2:0]                      played_kind,
  output [CONNECTIONS_LOG2-1:0]     played_connection,
  output [31:0]                     played_now,
  output                            played_may_send
);
  localparam CONNECTIONS = 1 << CONNECTIONS_LOG2;
  localparam SEGMENT_W = 122, CONNECTION_W = 1029;      // widths of the structs; the linter refuses others
  localparam [2:0] TURN = 3'd0, TICK = 3'd1, SEGMENT = 3'd2, OPEN = 3'd3, CLOSE = 3'd4, LOOK = 3'd7;

  // The engine: the step that it plays, and the one that is next.
  tcp_types::connection_t    now_state;
  wire                       engine_busy, engine_done, engine_sent, engine_again;
  reg                        next_valid_reg, read_reg;
  reg [2:0]                  next_kind_reg, pick_kind;
  reg [CONNECTIONS_LOG2-1:0] next_reg, running_reg;
  reg                        picks;
  wire                       free, starts;

  // ---------------------------------------------------------------- segments that wait
  wire                        fifo_room, fifo_valid;
  wire [CONNECTIONS_LOG2-1:0] fifo_connection;
  wire [SEGMENT_W-1:0]        fifo_segment;
  wire                        push = rx_valid && fifo_room;
  tx_fifo #(.WIDTH(CONNECTIONS_LOG2 + SEGMENT_W), .DEPTH_LOG2(FIFO_LOG2), .RESERVE(0)) u_fifo (
    .clk(clk), .rst(rst), .clear(1'b0), .push(push), .in({rx_connection, rx_segment}), .room(fifo_room), .valid(fifo_valid),
    .head({fifo_connection, fifo_segment}), .pop(starts && next_kind_reg == SEGMENT));
  always @(posedge clk) begin
    if (rx_valid && !fifo_room && dropped != 32'hffffffff) dropped <= dropped + 32'd1;
    if (rst) dropped <= 32'd0;
  end

  // ---------------------------------------------------------------- timers: one is looked at in each clock
  reg [CONNECTIONS-1:0]      open_reg;                   // it was opened since the reset
  reg [65:0]                 timer_ram [0:CONNECTIONS-1];
  reg [65:0]                 timer_reg;
  reg [CONNECTIONS_LOG2-1:0] scanned_reg, due_reg;
  reg                        due_valid_reg;
  wire [31:0]                past_timer = now - timer_reg[64:33], past_ack = now - timer_reg[31:0];
  wire                       due = open_reg[scanned_reg] && (timer_reg[65] && !past_timer[31] || timer_reg[32] && !past_ack[31]);
  // It may just be served.
  wire                       is_served = engine_busy && scanned_reg == running_reg || next_valid_reg && scanned_reg == next_reg;
  wire                       unused = &{1'b0, past_timer[30:0], past_ack[30:0]};
  always @(posedge clk) begin
    scanned_reg <= scan;
    timer_reg   <= timer_ram[scan];
    if (due && !is_served && !due_valid_reg) begin
      due_valid_reg <= 1'b1;
      due_reg       <= scanned_reg;
    end
    if (picks && pick_kind == TICK) due_valid_reg <= 1'b0;
    if (engine_done) timer_ram[running_reg] <= {now_state.timer_on, now_state.timer_at, now_state.ack_on, now_state.ack_at};
    if (rst) due_valid_reg <= 1'b0;
  end

  // ---------------------------------------------------------------- connections that have more to send, round robin
  reg [CONNECTIONS-1:0]      more_reg, lowest_reg;
  reg [CONNECTIONS_LOG2-1:0] turned_reg, turn, turn_reg;
  wire [CONNECTIONS-1:0]     behind = more_reg & ~((({{(CONNECTIONS-1){1'b0}}, 1'b1} << turned_reg) << 1) - 1'b1);
  wire [CONNECTIONS-1:0]     candidates = |behind ? behind : more_reg;
  integer                    n;
  always @* begin
    turn = {CONNECTIONS_LOG2{1'b0}};
    for (n = 0; n < CONNECTIONS; n = n + 1) if (lowest_reg[n]) turn = turn | n[CONNECTIONS_LOG2-1:0];
  end
  always @(posedge clk) begin
    lowest_reg <= candidates & (~candidates + 1'b1);
    turn_reg   <= turn;
  end
  wire turn_valid = more_reg[turn_reg] && may_send && !(engine_busy && running_reg == turn_reg);

  // ---------------------------------------------------------------- who is next: found and read while the engine is busy
  reg [1:0]                  last_reg;                   // 0 segment, 1 tick, 2 turn
  reg [CONNECTIONS_LOG2-1:0] pick;
  wire                       segment_waits = fifo_valid && !(next_valid_reg && next_kind_reg == SEGMENT);
  wire [2:0]                 turn_or_segment = turn_valid ? TURN : segment_waits ? SEGMENT : TICK;
  always @* begin
    picks = !next_valid_reg && (command_valid || look && !look_ready || segment_waits || due_valid_reg || turn_valid);
    if (command_valid) pick_kind = command_opens ? OPEN : CLOSE;
    else if (look && !look_ready) pick_kind = LOOK;
    else case (last_reg)
      2'd0:    pick_kind = due_valid_reg ? TICK : turn_or_segment;
      2'd1:    pick_kind = turn_valid || segment_waits ? turn_or_segment : TICK;
      default: pick_kind = segment_waits ? SEGMENT : due_valid_reg ? TICK : TURN;
    endcase
    case (pick_kind)
      SEGMENT: pick = fifo_connection;
      TICK:    pick = due_reg;
      TURN:    pick = turn_reg;
      LOOK:    pick = look_connection;
      default: pick = command_connection;
    endcase
  end

  (* ram_style = "block" *) reg [CONNECTION_W-1:0] ram [0:CONNECTIONS-1];
  reg  [CONNECTION_W-1:0] ram_reg;
  wire [CONNECTION_W-1:0] was = {CONNECTION_W{open_reg[next_reg]}} & (next_reg == running_reg ? now_state : ram_reg);
  assign free = !engine_busy && next_valid_reg && read_reg;
  assign starts = free && next_kind_reg != LOOK;
  assign command_ready = starts && (next_kind_reg == OPEN || next_kind_reg == CLOSE);
  assign played_valid = starts;
  assign played_kind = next_kind_reg;
  assign played_connection = next_reg;
  assign played_now = now;
  assign played_may_send = may_send;
  tcp_engine u_engine (
    .clk(clk), .rst(rst), .cfg(cfg), .start(starts), .kind(next_kind_reg), .segment(fifo_segment), .open_passive(command_passive),
    .open_endless(command_endless), .open_iss(command_iss), .open_octets(command_octets), .now(now), .may_send(may_send),
    .connection(was), .busy(engine_busy), .done(engine_done), .next_connection(now_state), .sent(engine_sent), .out(m_segment),
    .again(engine_again));

  // State after the step, beside what was before it.
  /* verilator lint_off UNUSEDSIGNAL */         // only some members are compared
  tcp_types::connection_t was_fields;
  /* verilator lint_on UNUSEDSIGNAL */
  reg [31:0]       was_max_reg;
  reg              was_alive_reg;               // and nobody here wanted it to end
  assign was_fields = was;
  assign step_valid = engine_done;
  assign step_connection = running_reg;
  assign step_delivered = now_state.delivered;
  assign step_sent  = engine_sent;
  assign step_again = engine_sent && (m_segment.octets != 16'd0 || m_segment.flags[`TCP_SYN] || m_segment.flags[`TCP_FIN])
                      && now_state.snd_max == was_max_reg;
  assign step_lost  = was_alive_reg && now_state.state == 4'd0;
  always @(posedge clk)
    if (starts) begin
      was_max_reg   <= next_kind_reg == OPEN ? command_iss : was_fields.snd_max;
      was_alive_reg <= next_kind_reg != OPEN && next_kind_reg != CLOSE && was_fields.state > 4'd1 && !was_fields.closing;
    end

  always @(posedge clk) begin
    m_valid    <= engine_done && engine_sent;
    look_ready <= free && next_kind_reg == LOOK;
    ram_reg    <= ram[next_reg];
    read_reg   <= next_valid_reg && !free;
    if (engine_done) begin
      ram[running_reg] <= now_state;
      m_connection     <= running_reg;
      if (engine_again) more_reg[running_reg] <= 1'b1;
    end
    if (picks) begin                         // comes last: a turn that is picked now comes after that step
      next_valid_reg <= 1'b1;
      next_kind_reg  <= pick_kind;
      next_reg       <= pick;
      case (pick_kind)
        SEGMENT: last_reg <= 2'd0;
        TICK:    last_reg <= 2'd1;
        TURN: begin
          last_reg       <= 2'd2;
          turned_reg     <= pick;
          more_reg[pick] <= 1'b0;
        end
        default: ;
      endcase
    end
    if (free) next_valid_reg <= 1'b0;
    if (free && next_kind_reg == LOOK) looked <= was;
    if (starts) begin
      running_reg        <= next_reg;
      open_reg[next_reg] <= 1'b1;
    end
    if (rst) begin
      {next_valid_reg, read_reg, look_ready, m_valid} <= 4'd0;
      {more_reg, open_reg} <= {(2*CONNECTIONS){1'b0}};
      last_reg   <= 2'd0;
      turned_reg <= {CONNECTIONS_LOG2{1'b0}};
      running_reg <= {CONNECTIONS_LOG2{1'b0}};
    end
  end
endmodule
