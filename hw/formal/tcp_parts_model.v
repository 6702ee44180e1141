// SPDX-License-Identifier: Apache-2.0
// Stand for tcp_choice, tcp_ranges and tcp_numbers in the proof of tcp_engine: their outputs are anything, and its properties assume
// what is proven of them, where they need it.
`include "tcp_types.svh"
module tcp_choice (
  input                  clk,
  input                  allowed,
  input                  room,
  input                  picked,
  input tcp_types::connection_t c,
  output [31:0]          base_reg,
  output [31:0]          pick_reg,
  output                 fin_reg,
  output                 good_reg,
  output                 sends_reg,
  output                 persist
);
  (* anyseq *) wire [31:0] any_base, any_pick;
  (* anyseq *) wire        any_fin, any_good, any_sends, any_persist;
  assign base_reg  = any_base;
  assign pick_reg  = any_pick;
  assign fin_reg   = any_fin;
  assign good_reg  = any_good;
  assign sends_reg = any_sends;
  assign persist   = any_persist;
endmodule

module tcp_ranges (
  input          clk,
  input          match,
  input  [31:0]  first,
  input  [31:0]  last,
  input  [3:0]   used,
  input  [127:0] range_begin,
  input  [127:0] range_end,
  output [31:0]  merged_end,
  output [3:0]   left,
  output [3:0]   free_one,
  output [127:0] kept_begin,
  output [127:0] kept_end
);
  (* anyseq *) wire [31:0]  any_end;
  (* anyseq *) wire [3:0]   any_left, any_free;
  (* anyseq *) wire [127:0] any_kept_begin, any_kept_end;
  assign merged_end = any_end;
  assign left       = any_left;
  assign free_one   = any_free;
  assign kept_begin = any_kept_begin;
  assign kept_end   = any_kept_end;
endmodule

module tcp_numbers #(
  parameter W = 32
) (
  input  [W-1:0] una,
  input  [W-1:0] nxt,
  input  [W-1:0] max,
  input          opens,
  input  [W-1:0] iss,
  input          back,
  input          begins,
  input          acks,
  input  [W-1:0] ack,
  output         fits,
  input          sends,
  input  [W-1:0] base,
  input  [W-1:0] length,
  input          stays,
  output [W-1:0] next_una,
  output [W-1:0] next_nxt,
  output [W-1:0] next_max
);
  (* anyseq *) wire         any_fits;
  (* anyseq *) wire [W-1:0] any_una, any_nxt, any_max;
  assign fits     = any_fits;
  assign next_una = any_una;
  assign next_nxt = any_nxt;
  assign next_max = any_max;
endmodule
