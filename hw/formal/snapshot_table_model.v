// SPDX-License-Identifier: Apache-2.0
// Stands for snapshot_table in the proofs of its users: its outputs are anything, and the properties of the user assume
// what is proven of snapshot_table, for the entry that matters there.
module snapshot_table #(
  parameter ENTRIES_LOG2 = 8,
  parameter COUNT_W = 48,
  parameter STATE_W = 1,
  parameter EPOCH_W = 32,
  parameter EARLY_LSB = 0,
  parameter EARLY_W = 1
) (
  input                     clk,
  input                     rst,
  input                     clear,
  output                    busy,
  input                     snapshot,
  input                     u_valid,
  input  [ENTRIES_LOG2-1:0] u_index,
  output [EARLY_W-1:0]      early,
  output                    c_valid,
  output [COUNT_W-1:0]      c_count,
  output [STATE_W-1:0]      c_state,
  input  [COUNT_W-1:0]      n_count,
  input  [STATE_W-1:0]      n_state,
  input                     r_req,
  input  [ENTRIES_LOG2-1:0] r_index,
  output                    r_ack,
  output [COUNT_W-1:0]      r_count
);
  (* anyseq *) wire               any_busy, any_valid, any_ack;
  (* anyseq *) wire [COUNT_W-1:0] any_count, any_read;
  (* anyseq *) wire [STATE_W-1:0] any_state;
  (* anyseq *) wire [EARLY_W-1:0] any_early;
  assign busy    = any_busy;
  assign early   = any_early;
  assign c_valid = any_valid;
  assign c_count = any_count;
  assign c_state = any_state;
  assign r_ack   = any_ack;
  assign r_count = any_read;
endmodule
