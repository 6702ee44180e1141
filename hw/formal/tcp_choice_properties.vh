// SPDX-License-Identifier: Apache-2.0
// The guarantees of tcp_choice, of any connection. Included inside the module, by hw/formal only.
  localparam [31:0] F_MOST_WINDOW = 32'd65535 << 14;
  wire [31:0] f_sent = c.snd_max - c.snd_una;
  always @* assume (c.snd_nxt - c.snd_una <= f_sent && f_sent <= F_MOST_WINDOW && c.snd_wnd <= F_MOST_WINDOW && c.cwnd <= MOST && c.mss != 16'd0);
  // ---- the user: three clocks, one after the other
  reg f_allowed = 0, f_room = 0, f_chosen = 0;
  always @(posedge clk) begin
    f_allowed <= allowed;
    f_room    <= room;
    f_chosen  <= picked;
  end
  always @* assume (room == f_allowed && picked == f_room && !(allowed && (room || picked)));

  wire [31:0] f_octets = pick_reg + {31'd0, fin_reg};             // FIN has a sequence number
  // How far behind snd_una the segment begins and ends. Not as differences of base_reg, of which the solver finds no proof: that it begins
  // at snd_una or at snd_nxt is a promise of its own.
  wire [31:0] f_from = c.resend || c.probe ? 32'd0 : c.snd_nxt - c.snd_una, f_reach = f_from + f_octets;
  always @* if (f_chosen && good_reg) begin
    // No octet that was acknowledged is sent again, and none is left out: a segment begins at snd_nxt or, if octets were lost or a window
    // is probed, at snd_una.
    from_where_it_is: assert (base_reg == (c.resend || c.probe ? c.snd_una : c.snd_nxt));
    // Nothing is sent beyond the peer's window, but for one octet or FIN, at snd_una, as a probe when that is 0.
    within_window: assert (f_reach <= c.snd_wnd || c.probe && c.snd_wnd == 32'd0 && f_reach == 32'd1);
    // Nothing new is sent beyond the congestion window and the two segments of limited transmit.
    within_cwnd: assert (c.resend || c.probe || f_reach <= c.cwnd + {15'd0, c.mss, 1'b0});
    // A segment has at most MSS octets, and there is something in it.
    within_mss: assert (pick_reg <= mss && f_octets != 32'd0);
    // FIN is only sent by who has closed, as the last.
    fin_is_last: assert (!fin_reg || c.closing && base_reg + pick_reg == c.snd_end);
    // Octets are sent that were never sent before.
    sends_new: cover (base_reg == c.snd_max && pick_reg == mss && f_sent != 32'd0);
    // Lost octets are sent again.
    sends_again: cover (c.resend && pick_reg != 32'd0 && f_sent > pick_reg);
    // A closed window is probed with FIN.
    probes: cover (c.probe && c.snd_wnd == 32'd0 && fin_reg);
  end
`ifdef FORMAL_HELPERS
  always @* begin
    if (f_allowed || f_room || f_chosen) begin
      assert (base_reg == (c.resend || c.probe ? c.snd_una : c.snd_nxt) && peer_reg == least(c.snd_wnd, c.cwnd + limited));
      assert (flying_reg == c.snd_nxt - c.snd_una && unacked_reg == c.snd_max - c.snd_una);
    end
    if (f_room || f_chosen) begin
      assert (to_send_reg == (c.endless ? MOST : c.closing && behind_fin ? 32'd0 : to_end) && fin_left_reg == (c.closing && !behind_fin));
      assert (room_reg == (c.resend ? again_room : c.probe ? probe_room : usable));
    end
    if (f_chosen) assert (pick_reg == least(least(to_send_reg, mss), room_reg) && fin_reg == fin);
    if (f_chosen && good_reg) assert (some);
  end
`endif
