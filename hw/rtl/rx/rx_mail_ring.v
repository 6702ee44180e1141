// SPDX-License-Identifier: Apache-2.0
// Keeps frames in a ring of the line's own words, until they are given back, oldest first.
//
// A word is written before it is known whether its frame is to be kept: that is said with the frame's last word (`keep`).
// So the words of a frame in progress follow those of the frames that are kept, and if the frame is not kept, the next one
// is written over it. A frame that begins in the last word of one that is kept shares that entry of the ring with it. A
// frame that is to be kept overflows if one of its words found no room, or if FRAMES are kept: then it is not kept,
// and what is kept stays as it is. Clear gives back all; a frame in progress may still be kept.
//
// Latency: kept and overflow in the clock of word_valid. The oldest is shown two clocks after it was kept, the next one
// two clocks after `next`, when there is room for more too. A read gives its word in the clock after it.
module rx_mail_ring #(
  parameter WIDTH        = 512,                 // bits of a word
  parameter ABOUT_W      = 78,                  // bits that are kept with a frame from its last word
  parameter GROUP_W      = 3,                   // and from its first one
  parameter ENTRIES_LOG2 = 9,
  parameter FRAMES_LOG2  = 6
) (
  input                         clk,
  input                         rst,
  input                         clear,
  input                         word_valid,     // a word with something of a frame:
  input      [WIDTH-1:0]        word,
  input                         word_owned,     // one that began in an earlier word,
  input                         word_end,       // and ends here,
  input                         word_live,      // and of one that begins here and goes on
  input      [GROUP_W-1:0]      word_live_group,
  input                         keep,           // valid with word_end: keep it
  input      [ABOUT_W-1:0]      about,
  output reg                    kept,
  output reg                    overflow,
  // the oldest
  output reg                    there,
  output reg [ABOUT_W-1:0]      there_about,
  output reg [GROUP_W-1:0]      there_group,
  input                         next,           // it is given back; ignored if none is shown
  input                         read,
  input      [ENTRIES_LOG2-1:0] read_word,      // the word of it, from 0
  output reg [WIDTH-1:0]        read_value
);
  localparam POINTER_W = ENTRIES_LOG2 + 1;      // one bit more than an address
  localparam KEPT_W    = POINTER_W + GROUP_W + ABOUT_W;
  localparam [POINTER_W-1:0]   ENTRIES = 1 << ENTRIES_LOG2;
  localparam [FRAMES_LOG2:0]   FRAMES  = 1 << FRAMES_LOG2;

  reg [WIDTH-1:0]     ram [0:(1<<ENTRIES_LOG2)-1];
  reg [KEPT_W-1:0]    kept_ram [0:(1<<FRAMES_LOG2)-1];
  reg [POINTER_W-1:0] base_reg;                 // the entry after all that are kept
  reg [POINTER_W-1:0] at_reg;                   // where the next word of the open frame goes; without one, base
  reg [POINTER_W-1:0] low_reg;                  // the first entry that may not be written to
  reg [POINTER_W-1:0] first_reg;                // first entry of the open frame
  reg [GROUP_W-1:0]   group_reg;
  reg                 open_reg, lost_reg;       // a frame is open; one of its words found no room
  reg [FRAMES_LOG2:0] pushed_reg, popped_reg;
  reg                 fetch_reg;                // look for the oldest
  wire [FRAMES_LOG2:0] held  = pushed_reg - popped_reg;
  wire                 empty = pushed_reg == popped_reg;

  // A frame that begins where no other is kept has room in any case, and then low is where it begins.
  reg mine, goes_on, begins, begins_apart, fits, fits_apart, write;
  reg [ENTRIES_LOG2-1:0] write_at;
  always @* begin
    {goes_on, begins_apart, kept, overflow, write} = 5'd0;
    {mine, begins, fits, fits_apart} = 4'bx;
    write_at = {ENTRIES_LOG2{1'bx}};
    if (word_valid) begin
      mine         = word_owned && open_reg;
      goes_on      = mine && !word_end;
      fits         = !lost_reg && at_reg != low_reg + ENTRIES;
      kept         = mine && word_end && keep && !clear && fits && held != FRAMES;
      overflow     = mine && word_end && keep && !clear && !kept;
      begins       = word_live && !goes_on;
      begins_apart = begins && !kept;
      fits_apart   = empty || base_reg != low_reg + ENTRIES;
      write        = goes_on ? fits : kept || (begins && fits_apart);
      write_at     = goes_on || kept ? at_reg[ENTRIES_LOG2-1:0] : base_reg[ENTRIES_LOG2-1:0];
    end
  end
  wire [ENTRIES_LOG2-1:0] read_at = low_reg[ENTRIES_LOG2-1:0] + read_word;
  wire taken = next && there;

  // Nothing moves in a clock in which nothing comes and nothing is asked for: a simulator passes it by.
  /* verilator lint_off BLKSEQ */            // the write comes after the read, which does not see it
  always @(posedge clk) begin
    if (read) read_value <= ram[read_at];
    if (write) ram[write_at] = word;
  end
  /* verilator lint_on BLKSEQ */

  always @(posedge clk)
    if (word_valid || fetch_reg || taken || rst || clear) begin
      // The oldest, and with it the first entry that may not be written to.
      fetch_reg <= rst || clear || taken || (kept && empty);
      if (fetch_reg) begin
        there <= !empty;
        {low_reg, there_group, there_about} <= kept_ram[popped_reg[FRAMES_LOG2-1:0]];
        if (empty) low_reg <= open_reg ? first_reg : base_reg;
      end
      if (begins_apart && empty) low_reg <= base_reg;
      if (rst || clear || taken) there <= 1'b0;

      if (word_valid) begin
        if (goes_on) begin
          if (fits) at_reg <= at_reg + 1'b1;
          lost_reg <= !fits;
        end else if (kept) begin
          kept_ram[pushed_reg[FRAMES_LOG2-1:0]] <= {first_reg, group_reg, about};
          pushed_reg <= pushed_reg + 1'b1;
          base_reg   <= at_reg + 1'b1;
          at_reg     <= at_reg + 1'b1;
          open_reg   <= word_live;
          first_reg  <= at_reg;
          lost_reg   <= 1'b0;
        end else begin
          open_reg  <= word_live;
          first_reg <= base_reg;
          at_reg    <= word_live && fits_apart ? base_reg + 1'b1 : base_reg;
          lost_reg  <= !fits_apart;
        end
        if (begins) group_reg <= word_live_group;
      end
      if (taken) popped_reg <= popped_reg + 1'b1;
      if (rst) begin
        base_reg   <= {POINTER_W{1'b0}};
        at_reg     <= {POINTER_W{1'b0}};
        open_reg   <= 1'b0;
        lost_reg   <= 1'b0;
        pushed_reg <= {(FRAMES_LOG2+1){1'b0}};
        popped_reg <= {(FRAMES_LOG2+1){1'b0}};
      end else if (clear) begin
        popped_reg <= pushed_reg;
      end
    end
`ifdef FORMAL
`include "rx_mail_ring_properties.vh"
`endif
endmodule
