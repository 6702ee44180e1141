// files: tcp/tcp_ranges.v
// mode: induction depth=1 base=2 cover=3 mutants=3 solver=once
// see: dut.f_octet = f_octet
// size: sequence numbers of 5 bits, so that 11 of them in a window have every order
// mutant end_of_the_segment_alone: s/if (high_reg\[i\]) merged_end /if (0) merged_end /
// mutant begin_of_the_segment_alone: s/if (low_reg\[i\]) merged_begin/if (0) merged_begin/
// mutant last_range_not_joined: s/left = used \& ~touch_reg/left = used \& ~{1'b0, touch_reg[2:0]}/
// mutant ranges_that_only_touch_left_apart: s/touch\[i\] = used\[i\] \&\& !precedes(last, range_begin\[32\*i +: 32\])/touch[i] = used[i] \&\& precedes(range_begin[32*i +: 32], last)/
// mutant end_of_any_range: s/high\[i\]  = touch\[i\] \&\&/high[i] = used[i] \&\&/
// mutant into_a_range_that_is_used: s/~left \& (left + 4'd1)/left + 4'd1/
// SPDX-License-Identifier: Apache-2.0
// tcp_ranges: any octets beside any ranges. Sequence numbers differ in their upper BITS only, as if there were so many: the module only
// compares them, and 16 places in a window are more than the 11 numbers that are compared have, so that they come in every order.
module tcp_ranges_formal #(
  parameter BITS = 5
) (
  input clk,
  input match
);
  (* anyconst *) reg [BITS-1:0]     from;
  (* anyconst *) reg [BITS-2:0]     first, last, octet;
  (* anyconst *) reg [3:0]          used;
  (* anyconst *) reg [4*BITS-5:0]   begins, ends;
  function [31:0] number(input [BITS-2:0] offset);
    reg [BITS-1:0] upper;
    begin
      upper = from + {1'b0, offset};
      number = upper << (32 - BITS);
    end
  endfunction
  reg [127:0] range_begin, range_end;
  integer     i;
  always @* for (i = 0; i < 4; i = i + 1) begin
    range_begin[32*i +: 32] = number(begins[(BITS-1)*i +: BITS-1]);
    range_end[32*i +: 32]   = number(ends[(BITS-1)*i +: BITS-1]);
  end
  wire [31:0] f_octet = number(octet);
  tcp_ranges dut (
    .clk(clk), .match(match), .first(number(first)), .last(number(last)), .used(used), .range_begin(range_begin), .range_end(range_end),
    .merged_end(), .left(), .free_one(), .kept_begin(), .kept_end());
endmodule
