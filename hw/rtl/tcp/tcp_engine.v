// SPDX-License-Identifier: Apache-2.0
// One step of one TCP connection: an event in, the connection as it is then and at most one segment out. It is sim/tcp in
// logic, bit for bit; the rules, with their clauses, are explained there, and the names are the same.
//
// With `start`, which is ignored while `busy`, it latches the connection, the event and the time, and gives `done` 12 clocks later for a
// segment or a tick, 7 for a turn, 8 for open and close; then next_connection is the connection, and `sent`, `out` and `again`
// are valid until the next start. Settings do not change while a connection is open.
//
// The clocks of a step: CHECK compares the event with the connection. EVENT changes the state. ACKED, GROWN take the
// acknowledgement, and in the same clocks, which touch other members, find the ranges that the octets join. MERGED, ENDED
// take the octets and FIN, and set the timeout. ALLOWED, ROOM, PICKED find out what may be sent; SENT counts it; TIMED sets the timer.
`include "tcp_types.svh"
module tcp_engine (
  input                   clk,
  input                   rst,
  input  tcp_settings_t   cfg,
  input                   start,
  input  [2:0]            kind,              // enum tcp_event_kind
  input  tcp_segment_t    segment,           // kind 2
  input                   open_passive,      // kind 3
  input                   open_endless,
  input  [31:0]           open_iss,
  input  [31:0]           open_octets,
  input  [31:0]           now,
  input                   may_send,
  input  tcp_connection_t connection,
  output                  busy,
  output reg              done,
  output tcp_connection_t next_connection,
  output reg              sent,
  output tcp_segment_t    out,
  output reg              again
);
  localparam [2:0] TICK = 3'd1, SEGMENT = 3'd2, OPEN = 3'd3, CLOSE = 3'd4;
  `include "tcp_states.vh"
  localparam [3:0] IDLE = 4'd0, CHECK = 4'd1, EVENT = 4'd2, ACKED = 4'd3, GROWN = 4'd4, MERGED = 4'd5, ENDED = 4'd6, ALLOWED = 4'd7,
                   ROOM = 4'd8, PICKED = 4'd9, SENT = 4'd10, TIMED = 4'd11;
  localparam [31:0] ROUND_TRIP_MOST = 32'h00ffffff;

  `include "tcp_arithmetic.vh"

  reg [3:0]        stage_reg;
  tcp_connection_t c;
  tcp_segment_t    in;
  reg [2:0]        kind_reg;
  reg              passive_reg, endless_reg, may_send_reg;
  reg [31:0]       iss_reg, octets_reg, now_reg;
  assign busy = stage_reg != IDLE;
  assign next_connection = c;

  wire f_ack = in.flags[`TCP_ACK], f_syn = in.flags[`TCP_SYN], f_fin = in.flags[`TCP_FIN], f_rst = in.flags[`TCP_RST];
  wire [31:0] mss = {16'd0, c.mss}, in_octets = {16'd0, in.octets};
  wire [31:0] short_window = cfg.window < 32'd65535 ? cfg.window : 32'd65535;
  wire [31:0] receive_window = c.scale_ok ? cfg.window : short_window;

  reg         take_ack_reg, take_data_reg, begins_reg, expires_reg, restart_reg, refuse_reg;

  // ---------------------------------------------------------------- CHECK: the segment beside the connection
  wire [31:0] length = in_octets + {31'd0, f_syn} + {31'd0, f_fin};
  wire [31:0] first = in.seq - c.rcv_nxt, last = first + length - 32'd1;
  reg         acceptable_reg, within_reg, ahead_reg, same_reg, acks_syn_reg, newer_reg, fin_acked_reg, outstanding_reg, partial_ack_reg,
              past_recover_reg, ack_due_reg, timer_due_reg;
  reg [31:0]  acked_reg, flight_reg, edge_reg, in_end_reg, window_reg, ahead_octets_reg;
  always @(posedge clk) if (stage_reg == CHECK) begin
    acceptable_reg   <= first < receive_window || length != 32'd0 && last < receive_window;
    within_reg       <= fits;
    ahead_reg        <= precedes(c.snd_max, in.ack);
    same_reg         <= in.ack == c.snd_una;
    acks_syn_reg     <= f_ack && in.ack == c.snd_una + 32'd1 && c.snd_max != c.snd_una;
    outstanding_reg  <= c.snd_max != c.snd_una;
    newer_reg        <= precedes(c.snd_wl1, in.seq) || c.snd_wl1 == in.seq && !precedes(in.ack, c.snd_wl2);
    fin_acked_reg    <= c.closing && in.ack == c.snd_end + 32'd1;
    partial_ack_reg  <= precedes(in.ack, c.recover);
    past_recover_reg <= precedes(c.recover, in.ack);
    ack_due_reg      <= c.ack_on && !precedes(now_reg, c.ack_at);
    timer_due_reg    <= c.timer_on && !precedes(now_reg, c.timer_at);
    acked_reg        <= in.ack - c.snd_una;
    ahead_octets_reg <= c.snd_max - in.ack;  // left on its way
    flight_reg       <= c.snd_nxt - c.snd_una;
    edge_reg         <= c.rcv_nxt + receive_window;
    in_end_reg       <= in.seq + in_octets;
    window_reg       <= f_syn ? {16'd0, in.window} : {16'd0, in.window} << c.snd_scale;
  end

  // ---------------------------------------------------------------- EVENT, ACKED: what GROWN needs to know
  reg         again_reg, opened_reg, sample_reg, advances_reg;
  reg [31:0]  half_reg, left_reg, full_reg, slow_reg, round_trip_reg, begin_reg, end_reg;
  reg [31:0]  deflated_reg, by_reg;
  wire [31:0] flight_half = least(flight_reg, c.cwnd) >> 1;
  wire [31:0] elapsed = now_reg - c.timed_at;
  always @(posedge clk) begin
    if (stage_reg == EVENT) begin
      again_reg    <= same_reg && outstanding_reg && !c.persist && in.octets == 16'd0 && !f_syn && !f_fin && window_reg == c.snd_wnd;
      deflated_reg <= c.cwnd > acked_reg ? c.cwnd - acked_reg : 32'd0;
      by_reg       <= least(acked_reg, mss);
      half_reg     <= most(flight_half, {15'd0, c.mss, 1'b0});
      begin_reg    <= precedes(in.seq, c.rcv_nxt) ? c.rcv_nxt : in.seq;
      end_reg      <= precedes(edge_reg, in_end_reg) ? edge_reg : in_end_reg;
    end
    if (stage_reg == ACKED) begin
      left_reg       <= by_reg == mss ? deflated_reg + mss : deflated_reg;
      full_reg       <= most(ahead_octets_reg, mss) + mss;
      slow_reg       <= grown(c.cwnd, by_reg);
      round_trip_reg <= least(elapsed, ROUND_TRIP_MOST);
      sample_reg     <= c.timing && precedes(c.timed_seq, in.ack);
      opened_reg     <= newer_reg && c.persist && window_reg != 32'd0;
      advances_reg   <= in.ack != c.snd_una;
    end
  end

  // ---------------------------------------------------------------- GROWN, MERGED: ranges that octets join
  wire [31:0]  merged_end;
  wire [3:0]   range_left, free_one;
  wire [127:0] kept_begin, kept_end;
  reg          some_reg, at_edge_reg, data_reg, late_reg;
  tcp_ranges u_ranges (
    .clk(clk), .match(stage_reg == GROWN), .first(begin_reg), .last(end_reg), .used(c.range_used), .range_begin(c.range_begin),
    .range_end(c.range_end), .merged_end(merged_end), .left(range_left), .free_one(free_one), .kept_begin(kept_begin),
    .kept_end(kept_end));
  wire [31:0] in_order = merged_end - c.rcv_nxt;
  wire        at_once = c.range_used != 4'd0 || !at_edge_reg;
  wire [1:0]  owed = c.owed == 2'd3 ? 2'd3 : c.owed + 2'd1;
  always @(posedge clk) if (stage_reg == GROWN) begin
    some_reg    <= precedes(begin_reg, end_reg);
    at_edge_reg <= begin_reg == c.rcv_nxt;
    data_reg    <= take_data_reg && c.state >= ESTABLISHED && c.state <= FIN_WAIT_2;
    late_reg    <= take_data_reg && c.state > FIN_WAIT_2;
  end

  // ---------------------------------------------------------------- ALLOWED, ROOM, PICKED: what may be sent
  wire [31:0] base_reg, pick_reg;
  wire        sends_reg, fin_reg, good_reg, persist;
  reg         syn_reg, ack_reg;
  tcp_choice u_choice (
    .clk(clk), .allowed(stage_reg == ALLOWED), .room(stage_reg == ROOM), .picked(stage_reg == PICKED), .c(c), .base_reg(base_reg),
    .pick_reg(pick_reg), .fin_reg(fin_reg), .good_reg(good_reg), .sends_reg(sends_reg), .persist(persist));
  always @(posedge clk) if (stage_reg == ALLOWED) begin
    syn_reg <= (c.state == SYN_SENT || c.state == SYN_RECEIVED) && c.snd_nxt == c.snd_una;
    ack_reg <= c.ack_now && c.state >= SYN_RECEIVED;
  end

  // ---------------------------------------------------------------- SENT: the segment
  wire [31:0] sent_length = syn_reg ? 32'd1 : pick_reg + {31'd0, fin_reg};
  wire [31:0] sent_base = syn_reg ? c.snd_una : base_reg;
  wire        sends_any = may_send_reg && (refuse_reg || syn_reg || good_reg || ack_reg);
  wire        sends_it = may_send_reg && !refuse_reg && (syn_reg || good_reg);
  wire        answers = c.state == SYN_RECEIVED;
  wire        scale_is_there = syn_reg && (answers ? c.scale_ok : cfg.use_scale);
  wire [31:0] scaled_window = receive_window >> (c.scale_ok ? cfg.scale : 4'd0);
  wire        unused = &{1'b0, scaled_window[31:16]};
  wire        ends = good_reg && !syn_reg && pick_reg != 32'd0 && !c.endless && base_reg + pick_reg == c.snd_end;
  wire        acks = !syn_reg || answers;
  always @(posedge clk) if (stage_reg == SENT) begin
    sent  <= sends_any;
    again <= !may_send_reg || good_reg || refuse_reg && (syn_reg || ack_reg);
    if (refuse_reg) begin
      out.seq    <= f_ack ? in.ack : 32'd0;
      out.ack    <= f_ack ? 32'd0 : in.seq + length;
      out.flags  <= f_ack ? 5'b00100 : 5'b10100;
      out.window <= 16'd0;
      out.octets <= 16'd0;
    end else begin
      out.seq    <= syn_reg ? c.snd_una : good_reg ? base_reg : c.persist ? c.snd_nxt : c.snd_max;
      out.ack    <= acks ? c.rcv_nxt : 32'd0;
      out.flags  <= {acks, ends, 1'b0, syn_reg, good_reg && !syn_reg && fin_reg};
      out.window <= syn_reg ? short_window[15:0] : scaled_window[15:0];
      out.octets <= good_reg && !syn_reg ? pick_reg[15:0] : 16'd0;
    end
    out.mss            <= syn_reg && !refuse_reg ? cfg.mss : 16'd0;
    out.scale_is_there <= scale_is_there && !refuse_reg;
    out.scale          <= scale_is_there && !refuse_reg ? cfg.scale : 4'd0;
  end

  // ---------------------------------------------------------------- snd_una, snd_nxt, snd_max: all that changes them
  wire        fits;
  wire        opens = stage_reg == EVENT && kind_reg == OPEN, begins = stage_reg == ACKED && begins_reg;
  wire        expires = stage_reg == GROWN && expires_reg;
  // SYN of both sides at once: ours goes again, with an acknowledgement.
  wire        syn_back = stage_reg == EVENT && kind_reg == SEGMENT && c.state == SYN_SENT && f_syn && !f_ack && !f_rst;
  wire        acks_more = stage_reg == ACKED && take_ack_reg && !begins_reg, sends_more = stage_reg == SENT && sends_it;
  wire        numbers = opens || syn_back || expires || begins || acks_more || sends_more;
  wire [31:0] next_una, next_nxt, next_max;
  tcp_numbers u_numbers (
    .una(c.snd_una), .nxt(c.snd_nxt), .max(c.snd_max), .opens(opens), .iss(iss_reg), .back(syn_back || expires), .begins(begins),
    .acks(acks_more), .ack(in.ack), .fits(fits), .sends(sends_more), .base(sent_base), .length(sent_length),
    .stays(c.probe && c.snd_wnd == 32'd0), .next_una(next_una), .next_nxt(next_nxt), .next_max(next_max));

  // ---------------------------------------------------------------- the connection
  wire [31:0] back_off = least({c.rto[30:0], 1'b0}, cfg.rto_max);
  wire [15:0] their_mss = in.mss != 16'd0 ? in.mss : 16'd536;
  wire [31:0] mss_times = (cfg.initial_segments[0] ? mss : 32'd0) + (cfg.initial_segments[1] ? {mss[30:0], 1'd0} : 32'd0)
                        + (cfg.initial_segments[2] ? {mss[29:0], 2'd0} : 32'd0) + (cfg.initial_segments[3] ? {mss[28:0], 3'd0} : 32'd0);
  wire [31:0] initial_window = c.syn_resent ? mss
                             : cfg.initial_segments != 4'd0 ? mss_times
                             : c.mss > 16'd2190 ? {15'd0, c.mss, 1'b0} : c.mss > 16'd1095 ? mss + {15'd0, c.mss, 1'b0} : {14'd0, c.mss, 2'd0};
  wire [31:0] counted = c.counted + acked_reg;
  wire [31:0] srtt = c.srtt8 >> 3;
  wire [31:0] deviation = round_trip_reg > srtt ? round_trip_reg - srtt : srtt - round_trip_reg;
  wire [31:0] timeout = srtt + most(cfg.granularity, c.rttvar4);
  wire [31:0] bounded_timeout = least(most(timeout, cfg.rto_min), cfg.rto_max);
  wire        takes_fin = c.fin_known && c.rcv_nxt == c.fin_seq;

  always @(posedge clk) begin
    done <= stage_reg == TIMED;
    case (stage_reg)
      IDLE: if (start) begin
        stage_reg <= CHECK;
        c         <= connection;
        in        <= segment;
        {kind_reg, passive_reg, endless_reg, may_send_reg} <= {kind, open_passive, open_endless, may_send};
        {iss_reg, octets_reg, now_reg} <= {open_iss, open_octets, now};
        {take_ack_reg, take_data_reg, begins_reg, expires_reg, restart_reg, refuse_reg} <= 6'd0;
      end
      CHECK: stage_reg <= kind_reg == SEGMENT || kind_reg == TICK || kind_reg == OPEN || kind_reg == CLOSE ? EVENT : ALLOWED;
      EVENT: begin
        stage_reg <= kind_reg == OPEN || kind_reg == CLOSE ? ALLOWED : ACKED;
        case (kind_reg)
          OPEN: begin
            c           <= '0;
            c.state     <= passive_reg ? LISTEN : SYN_SENT;
            c.endless   <= endless_reg;
            c.recover   <= iss_reg;
            c.snd_end   <= iss_reg + 32'd1 + octets_reg;
            c.mss       <= cfg.mss;
            c.cwnd      <= {16'd0, cfg.mss};
            c.ssthresh  <= MOST;
            c.rto       <= cfg.rto_initial;
          end
          CLOSE: if (!c.closing && c.state != CLOSED) begin
            if (c.state == LISTEN || c.state == SYN_SENT) c.state <= CLOSED;
            else begin
              c.closing <= 1'b1;
              c.endless <= 1'b0;
              if (c.endless) c.snd_end <= c.state == SYN_RECEIVED ? c.snd_una + 32'd1 : c.snd_max;
            end
          end
          TICK: begin
            if (ack_due_reg) begin
              c.ack_on  <= 1'b0;
              c.ack_now <= 1'b1;
            end
            if (timer_due_reg) begin
              restart_reg <= 1'b1;
              if (c.state == TIME_WAIT) c.state <= CLOSED;
              else if (c.persist) begin
                c.probe <= 1'b1;
                c.rto   <= back_off;
              end else expires_reg <= 1'b1;
            end
          end
          default: case (c.state)
            CLOSED: refuse_reg <= !f_rst;
            LISTEN: if (!f_rst) begin
              refuse_reg <= f_ack;
              if (!f_ack && f_syn) c.state <= SYN_RECEIVED;
            end
            SYN_SENT: begin
              if (f_ack && !acks_syn_reg) refuse_reg <= !f_rst;
              else if (f_rst) begin
                if (f_ack) c.state <= CLOSED;
              end else if (f_syn) begin
                if (acks_syn_reg) begin
                  c.ack_now <= 1'b1;
                  {take_ack_reg, begins_reg} <= 2'b11;
                end else begin
                  c.state  <= SYN_RECEIVED;
                  c.timing <= 1'b0;
                end
              end
            end
            default: begin
              if (!acceptable_reg) begin
                if (!f_rst) c.ack_now <= 1'b1;
                if (c.state == TIME_WAIT && f_fin) restart_reg <= 1'b1;
              end else if (f_rst) begin
                if (in.seq != c.rcv_nxt) c.ack_now <= 1'b1;
                else c.state <= CLOSED;
              end else if (f_syn) c.ack_now <= 1'b1;
              else if (f_ack) begin
                if (c.state == SYN_RECEIVED && (!within_reg || same_reg)) refuse_reg <= 1'b1;
                else if (c.state != SYN_RECEIVED && !within_reg && ahead_reg) c.ack_now <= 1'b1;
                else begin
                  take_ack_reg  <= within_reg;
                  take_data_reg <= 1'b1;
                  begins_reg    <= c.state == SYN_RECEIVED;
                end
              end
            end
          endcase
        endcase
        // a SYN that counts
        if (kind_reg == SEGMENT && f_syn && !f_rst && (c.state == LISTEN && !f_ack || c.state == SYN_SENT && (!f_ack || acks_syn_reg))) begin
          c.rcv_nxt   <= in.seq + 32'd1;
          c.mss       <= cfg.mss < their_mss ? cfg.mss : their_mss;
          c.scale_ok  <= cfg.use_scale && in.scale_is_there;
          c.snd_scale <= !(cfg.use_scale && in.scale_is_there) ? 4'd0 : in.scale == 4'd15 ? 4'd14 : in.scale;
          c.snd_wnd   <= {16'd0, in.window};
          c.max_wnd   <= {16'd0, in.window};
          c.snd_wl1   <= in.seq;
          c.snd_wl2   <= f_ack ? in.ack : c.snd_una;
        end
      end
      ACKED: begin
        stage_reg <= GROWN;
        if (begins_reg) begin
          c.state     <= ESTABLISHED;
          c.cwnd      <= initial_window;
          c.retries   <= 5'd0;
          restart_reg <= 1'b1;
          if (c.syn_resent) c.rto <= most(c.rto, cfg.rto_after_syn);
        end
        if (take_ack_reg) begin
          if (newer_reg) begin
            c.snd_wnd <= window_reg;
            c.snd_wl1 <= in.seq;
            c.snd_wl2 <= in.ack;
            c.max_wnd <= most(c.max_wnd, window_reg);
          end
        end
        if (take_ack_reg && fin_acked_reg) begin
          if (c.state == FIN_WAIT_1) c.state <= FIN_WAIT_2;
          if (c.state == LAST_ACK) c.state <= CLOSED;
          if (c.state == CLOSING) begin
            c.state     <= TIME_WAIT;
            restart_reg <= 1'b1;
          end
        end
      end
      GROWN: begin
        stage_reg <= MERGED;
        if (expires_reg) begin
          if (c.state == SYN_SENT || c.state == SYN_RECEIVED) c.syn_resent <= 1'b1;
          else begin
            if (!c.timed_out) c.ssthresh <= half_reg;
            c.cwnd      <= mss;
            c.timed_out <= 1'b1;
          end
          c.counted  <= 32'd0;
          c.dupacks  <= 2'd0;
          c.recovery <= 1'b0;
          c.resend   <= 1'b0;
          c.recover  <= c.snd_max;
          c.timing   <= 1'b0;
          c.rto      <= back_off;
          if (c.retries != 5'd31) c.retries <= c.retries + 5'd1;
          if (cfg.retries != 5'd0 && c.retries >= cfg.retries) c.state <= CLOSED;
        end
        if (take_ack_reg && !begins_reg && advances_reg) begin
          c.dupacks   <= 2'd0;
          c.timed_out <= 1'b0;
          c.retries   <= 5'd0;
          c.resend    <= 1'b0;
          if (!c.recovery) begin
            restart_reg <= 1'b1;
            if (c.cwnd < c.ssthresh) c.cwnd <= slow_reg;
            else if (counted >= c.cwnd) begin
              c.counted <= counted - c.cwnd;
              c.cwnd    <= grown(c.cwnd, mss);
            end else c.counted <= counted;
          end else if (partial_ack_reg) begin
            c.cwnd      <= most(left_reg, mss);
            restart_reg <= restart_reg || !c.partial;
            c.partial   <= 1'b1;
            c.resend    <= 1'b1;
          end else begin
            c.cwnd      <= least(c.ssthresh, full_reg);
            c.recovery  <= 1'b0;
            restart_reg <= 1'b1;
          end
        end
        if (take_ack_reg && again_reg) begin
          if (c.recovery) c.cwnd <= grown(c.cwnd, mss);
          else if (c.dupacks != 2'd3) begin
            c.dupacks <= c.dupacks + 2'd1;
            if (c.dupacks == 2'd2 && past_recover_reg) begin
              c.ssthresh <= half_reg;
              c.cwnd     <= grown(half_reg, {15'd0, c.mss, 1'b0} + mss);
              c.counted  <= 32'd0;
              c.recover  <= c.snd_max;
              c.recovery <= 1'b1;
              c.partial  <= 1'b0;
              c.resend   <= 1'b1;
              c.timing   <= 1'b0;
            end
          end
        end
        if (take_ack_reg && sample_reg) begin
          c.srtt8    <= c.measured ? c.srtt8 - srtt + round_trip_reg : {round_trip_reg[28:0], 3'd0};
          c.rttvar4  <= c.measured ? c.rttvar4 - (c.rttvar4 >> 2) + deviation : {round_trip_reg[30:0], 1'b0};
          c.measured <= 1'b1;
          c.timing   <= 1'b0;
        end
      end
      MERGED: begin
        stage_reg <= ENDED;
        if (take_ack_reg && c.measured && (sample_reg || opened_reg)) c.rto <= bounded_timeout;
        if (take_ack_reg && opened_reg) restart_reg <= 1'b1;
        if (late_reg && (in.octets != 16'd0 || f_fin)) c.ack_now <= 1'b1;
        if (data_reg && !some_reg && in.octets != 16'd0) c.ack_now <= 1'b1;
        if (data_reg && some_reg) begin
          c.range_used <= at_edge_reg ? range_left : range_left | free_one;
          if (at_edge_reg) begin
            c.rcv_nxt   <= merged_end;
            c.delivered <= c.delivered + {16'd0, in_order};
          end else begin
            c.range_begin <= kept_begin;
            c.range_end   <= kept_end;
          end
          c.owed <= owed;
          if (at_once || owed >= cfg.ack_every) c.ack_now <= 1'b1;
          else if (!c.ack_on) begin
            c.ack_on <= 1'b1;
            c.ack_at <= now_reg + cfg.ack_delay;
          end
        end
        if (data_reg && f_fin && precedes(in_end_reg, edge_reg)) begin
          c.fin_known <= 1'b1;
          c.fin_seq   <= in_end_reg;
          c.ack_now   <= 1'b1;
        end
      end
      ENDED: begin
        stage_reg <= ALLOWED;
        if (data_reg && takes_fin) begin
          c.rcv_nxt   <= c.rcv_nxt + 32'd1;
          c.fin_known <= 1'b0;
          c.ack_now   <= 1'b1;
          c.state     <= c.state == ESTABLISHED ? CLOSE_WAIT : c.state == FIN_WAIT_1 ? CLOSING : TIME_WAIT;
          if (c.state == FIN_WAIT_2) restart_reg <= 1'b1;
        end
      end
      ALLOWED: stage_reg <= ROOM;
      ROOM: stage_reg <= PICKED;
      PICKED: begin
        stage_reg <= SENT;
        if (sends_reg) c.persist <= persist;
      end
      SENT: begin
        stage_reg <= TIMED;
        if (sends_it) begin
          if (!syn_reg && fin_reg && c.state == ESTABLISHED) c.state <= FIN_WAIT_1;
          if (!syn_reg && fin_reg && c.state == CLOSE_WAIT) c.state <= LAST_ACK;
          if (sent_base == c.snd_max && !c.timing && !c.probe) begin
            c.timing    <= 1'b1;
            c.timed_seq <= sent_base;
            c.timed_at  <= now_reg;
          end
          if (c.snd_wnd != 32'd0) c.persist <= 1'b0;
          c.resend <= 1'b0;
          c.probe  <= 1'b0;
        end
        if (sends_any && !refuse_reg) begin
          c.ack_now <= 1'b0;
          c.ack_on  <= 1'b0;
          c.owed    <= 2'd0;
        end
      end
      default: begin
        stage_reg <= IDLE;
        if (c.state <= LISTEN) begin
          c.timer_on <= 1'b0;
          c.ack_on   <= 1'b0;
        end else if (c.state == TIME_WAIT) begin
          if (restart_reg) c.timer_at <= now_reg + cfg.time_wait;
          c.timer_on <= 1'b1;
        end else if (c.snd_max == c.snd_una && !c.persist) c.timer_on <= 1'b0;
        else if (restart_reg || !c.timer_on) begin
          c.timer_at <= now_reg + c.rto;
          c.timer_on <= 1'b1;
        end
      end
    endcase
    if (numbers) {c.snd_una, c.snd_nxt, c.snd_max} <= {next_una, next_nxt, next_max};
    if (rst) begin
      stage_reg <= IDLE;
      done      <= 1'b0;
    end
  end
`ifdef FORMAL
`include "tcp_engine_properties.vh"
`endif
endmodule
