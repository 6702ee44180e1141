// SPDX-License-Identifier: Apache-2.0
// Records the first 512 tagged frames individually, in block RAM, and counts all.
//
// Entries are written once and not frozen by a snapshot: those below a frozen rx_tagged_frames do not change until a
// clear. An entry that does not exist reads as zero. Latency of a read: 2 clocks.
`include "fpgauge_time.vh"
module rx_tags #(
  parameter ENTRIES_LOG2 = 9,
  parameter START_W = `FPGAUGE_GROUP_TIME_W
) (
  input                         clk,
  input                         rst,
  input                         clear,
  input                         valid,          // a tagged frame
  input      [11:0]             stream,
  input      [39:0]             latency_groups,
  input      [START_W-1:0]      start_groups,
  output reg [63:0]             tagged_frames,
  input      [ENTRIES_LOG2-1:0] tag_index,
  output reg [11:0]             tag_stream,
  output reg [42:0]             tag_latency,    // octet times
  output reg [63:0]             tag_time        // octet time of its start
);
  localparam ENTRY_W = 12 + 40 + START_W;
  reg [ENTRY_W-1:0] ram [0:(1<<ENTRIES_LOG2)-1];
  reg [ENTRY_W-1:0] read_reg;
  reg               there_reg;
  wire              full = |tagged_frames[63:ENTRIES_LOG2];

  // The entry that is shown changes only in the two clocks after something that it depends on; in all others a simulator passes
  // by.
  reg [ENTRIES_LOG2-1:0] index_reg;
  reg [1:0]              fresh_reg;
  /* verilator lint_off BLKSEQ */            // the write comes after the read, which does not see it
  always @(posedge clk)
    if (valid || clear || rst || |fresh_reg || tag_index != index_reg) begin
      tag_stream  <= there_reg ? read_reg[START_W+40 +: 12] : 12'd0;
      tag_latency <= there_reg ? {read_reg[START_W +: 40], 3'd0} : 43'd0;
      tag_time    <= there_reg ? {read_reg[START_W-1:0], 3'd0} : 64'd0;
      there_reg   <= full || tag_index < tagged_frames[ENTRIES_LOG2-1:0];
      read_reg    <= ram[tag_index];
      fresh_reg   <= valid || clear || rst || tag_index != index_reg ? 2'b11 : {1'b0, fresh_reg[1]};
      index_reg   <= tag_index;
      if (valid && !full) ram[tagged_frames[ENTRIES_LOG2-1:0]] = {stream, latency_groups, start_groups};
      if (valid) tagged_frames <= tagged_frames + 64'd1;
      if (rst || clear) tagged_frames <= 64'd0;
    end
  /* verilator lint_on BLKSEQ */
endmodule
