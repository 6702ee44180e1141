// SPDX-License-Identifier: Apache-2.0
// The guarantees of tcp_ranges, of any ranges. Included inside the module, by hw/formal only.
//
// All of it is about one octet and one range that the solver picks.
  wire [31:0] f_octet;                           // the octet of tcp_ranges_formal.v
  (* anyconst *) reg [1:0] f_one;
  function f_holds(input [31:0] from, input [31:0] to, input [31:0] octet);
    f_holds = !precedes(octet, from) && precedes(octet, to);
  endfunction
  // ---- the user: the octets are not none, ranges are apart and not empty
  reg     f_sound, f_held;
  integer f_i, f_j;
  always @* begin
    f_sound = precedes(first, last);
    f_held  = 1'b0;
    for (f_i = 0; f_i < 4; f_i = f_i + 1) if (used[f_i]) begin
      f_sound = f_sound && precedes(range_begin[32*f_i +: 32], range_end[32*f_i +: 32]);
      for (f_j = 0; f_j < f_i; f_j = f_j + 1) if (used[f_j])
        f_sound = f_sound && (precedes(range_end[32*f_i +: 32], range_begin[32*f_j +: 32])
                              || precedes(range_end[32*f_j +: 32], range_begin[32*f_i +: 32]));
      f_held = f_held || f_holds(range_begin[32*f_i +: 32], range_end[32*f_i +: 32], f_octet);
    end
  end
  reg f_matched = 0;
  always @(posedge clk) f_matched <= match;
  always @* assume (f_sound);

  wire [31:0] f_begin = range_begin[32*f_one +: 32], f_end = range_end[32*f_one +: 32];
  wire        f_arrived = f_holds(first, last, f_octet), f_merged = f_holds(merged_begin, merged_end, f_octet);
  wire        f_joined = used[f_one] && !left[f_one];
  always @* if (f_matched) begin
    // The range that the octets and the ranges that they touch merge into holds only octets that arrived, now or before.
    nothing_made_up: assert (!f_merged || f_arrived || f_held);
    // It holds all that arrived now.
    arrived_is_there: assert (!f_arrived || f_merged);
    // It holds all of a range that is taken away.
    forgets_nothing: assert (!(f_joined && f_holds(f_begin, f_end, f_octet)) || f_merged);
    // It is apart from a range that stays, so ranges are apart again.
    stays_apart: assert (!left[f_one] || precedes(f_end, merged_begin) || precedes(merged_end, f_begin));
    // A range that stays is as it was.
    stays: assert (!left[f_one] || kept_begin[32*f_one +: 32] == f_begin && kept_end[32*f_one +: 32] == f_end);
    // The result is put where nothing is, if there is such a place.
    into_a_free_one: assert (!free_one[f_one] || !left[f_one] && kept_begin[32*f_one +: 32] == merged_begin
                             && kept_end[32*f_one +: 32] == merged_end);
    // There is one, and one alone, unless four ranges stay.
    one_is_free: assert (left == 4'hf ? free_one == 4'd0 : free_one != 4'd0 && (free_one & (free_one - 4'd1)) == 4'd0);
    // The octets in order never end before those that arrived.
    never_back: assert (!precedes(merged_end, last));
    // Octets join three ranges.
    joins: cover (used == 4'hf && left == 4'h4 && merged_end != last);
    // No range is free for them.
    no_room: cover (free_one == 4'd0);
  end
`ifdef FORMAL_HELPERS
  always @* if (f_matched) assert (touch_reg == touch && low_reg == low && high_reg == high);
`endif
