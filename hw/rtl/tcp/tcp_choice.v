// SPDX-License-Identifier: Apache-2.0
// Choice of the octets, and of FIN, that a connection may send next: choose() of sim/tcp/send.c, in three clocks.
// 
// With `allowed`, `room` and `picked`, in three clocks one after the other in which c does not change: then base_reg, pick_reg octets, fin_reg;
// good_reg if there is anything and it may be sent. `persist`, in the clock of `picked`: it waits for a window. sends_reg: the state
// is one in which octets are sent.
`include "tcp_types.svh"
module tcp_choice (
  input                  clk,
  input                  allowed,
  input                  room,
  input                  picked,
  /* verilator lint_off UNUSEDSIGNAL */       // only what sends is used of the connection
  input tcp_types::connection_t c,
  /* verilator lint_on UNUSEDSIGNAL */
  output reg [31:0]      base_reg,
  output reg [31:0]      pick_reg,
  output reg             fin_reg,
  output reg             good_reg,
  output reg             sends_reg,
  output                 persist
);
  `include "tcp_arithmetic.vh"
  `include "tcp_states.vh"
  wire [31:0] mss = {16'd0, c.mss};
  wire        sends = c.state == ESTABLISHED || c.state == CLOSE_WAIT || c.state == FIN_WAIT_1 || c.state == CLOSING || c.state == LAST_ACK;
  wire        limits = !c.recovery && c.snd_nxt == c.snd_max;
  wire [31:0] limited = limits && c.dupacks == 2'd1 ? mss : limits && c.dupacks == 2'd2 ? {15'd0, c.mss, 1'b0} : 32'd0;
  reg [31:0]  peer_reg, flying_reg, unacked_reg, to_send_reg, room_reg;
  reg         fin_left_reg, idle_reg;
  wire [31:0] usable = peer_reg > flying_reg ? peer_reg - flying_reg : 32'd0;
  wire [31:0] to_end = c.snd_end - base_reg;
  wire        behind_fin = &to_end;            // base_reg is snd_end + 1
  wire [31:0] again_room = least(unacked_reg, c.snd_wnd);
  wire [31:0] probe_room = c.snd_wnd == 32'd0 ? 32'd1 : least(c.snd_wnd, MOST);
  // The least of to_send, mss and room, without finding out first which it is.
  wire        all_left = to_send_reg <= mss && to_send_reg <= room_reg;
  wire        whole = mss <= to_send_reg && mss <= room_reg;
  wire [31:0] wide_at = c.max_wnd >> 1;
  wire        half = idle_reg && to_send_reg >= wide_at && mss >= wide_at && room_reg >= wide_at;
  wire        fin = fin_left_reg && all_left && room_reg > to_send_reg;
  wire        some = to_send_reg != 32'd0 && room_reg != 32'd0 || fin;
  wire        wide = whole || all_left || half;
  wire        good = sends_reg && some && (c.resend || c.probe || wide);
  assign persist = (to_send_reg != 32'd0 || fin_left_reg) && idle_reg && !c.resend && (c.snd_wnd == 32'd0 || !(some && wide));
  always @(posedge clk) begin
    if (allowed) begin
      base_reg    <= c.resend || c.probe ? c.snd_una : c.snd_nxt;
      peer_reg    <= least(c.snd_wnd, c.cwnd + limited);
      flying_reg  <= c.snd_nxt - c.snd_una;
      unacked_reg <= c.snd_max - c.snd_una;
      sends_reg   <= sends;
      idle_reg    <= c.snd_nxt == c.snd_una;
    end
    if (room) begin
      to_send_reg  <= c.endless ? MOST : c.closing && behind_fin ? 32'd0 : to_end;
      fin_left_reg <= c.closing && !behind_fin;
      room_reg     <= c.resend ? again_room : c.probe ? probe_room : usable;
    end
    if (picked) begin
      pick_reg <= least(least(to_send_reg, mss), room_reg);
      fin_reg  <= fin;
      good_reg <= good;
    end
  end
`ifdef FORMAL
`include "tcp_choice_properties.vh"
`endif
endmodule
