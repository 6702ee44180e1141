// SPDX-License-Identifier: Apache-2.0
// A histogram: 2^BINS_LOG2 counters in block RAM, incremented one at a time, frozen by a snapshot.
//
// It does not know what is counted: its user finds the bin. For freezing, clearing and reading see snapshot_table.
// Latency: valid in clock t, committed at the end of clock t+2. It does not saturate.
module histogram #(
  parameter BINS_LOG2 = 10,
  parameter COUNT_W = 48
) (
  input                  clk,
  input                  rst,
  input                  clear,
  input                  snapshot,
  output                 busy,
  input                  valid,                 // ignored while clear or busy
  input  [BINS_LOG2-1:0] bin,
  input                  req,
  input  [BINS_LOG2-1:0] index,
  output                 ack,
  output [COUNT_W-1:0]   count
);
  wire [COUNT_W-1:0] now;
  wire               state, committed, early;
  wire               unused = &{1'b0, state, committed, early};
  snapshot_table #(.ENTRIES_LOG2(BINS_LOG2), .COUNT_W(COUNT_W), .STATE_W(1)) u_table (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot), .u_valid(valid), .u_index(bin),
    .early(early), .c_valid(committed), .c_count(now), .c_state(state), .n_count(now + {{(COUNT_W-1){1'b0}}, 1'b1}), .n_state(1'b0),
    .r_req(req), .r_index(index), .r_ack(ack), .r_count(count));
`ifdef FORMAL
`include "histogram_properties.vh"
`endif
endmodule
