// SPDX-License-Identifier: Apache-2.0
// Receive, clock of the core: makes the words of the line from the ring and the descriptors that cmac_rx_frames wrote.
//
// Every frame comes DELAY_WORDS after the place it was given, which is longer than its octets and its descriptor take,
// so that a word of the ring is read only when a descriptor that was written after it has crossed. Preamble, idle and
// terminate characters are made here; a bad frame ends with an error character, so it is counted in rx_bad_code. A
// descriptor that comes after its first word has passed is dropped, and `lost` reports it. word_number counts forever,
// with the clock.
// Latency: a word is on the line 2 clocks after its address is output.
module cmac_rx_line #(
  parameter GROUPS = 8,
  parameter RING_LOG2 = 9,
  parameter [11:0] DELAY_WORDS = 12'd320
) (
  input                      clk,
  input                      rst,
  input      [11:0]          word_number,
  input                      frame_valid,
  output                     frame_ready,
  input      [14:0]          frame_start,
  input      [13:0]          frame_octets,
  input                      frame_bad,
  output     [RING_LOG2-1:0] rd_addr,
  input      [64*GROUPS-1:0] rd_data,
  output reg [64*GROUPS-1:0] line_data,
  output reg [8*GROUPS-1:0]  line_ctrl,
  output reg                 lost
);
  localparam [63:0] PREAMBLE = 64'hD5_55_55_55_55_55_55_FB;   // octet 0 is the start character
  localparam [63:0] IDLE     = 64'h07_07_07_07_07_07_07_07;
  localparam [7:0]  TERMINATE = 8'hFD, ERROR = 8'hFE;
  localparam [GROUPS-1:0] ALL = {GROUPS{1'b1}};
  localparam [8*GROUPS-1:0] ALL_OCTETS = {(8*GROUPS){1'b1}};

  reg [11:0] word_reg;                                        // the word whose address is out
  always @(posedge clk) word_reg <= word_number - DELAY_WORDS;
  assign rd_addr = word_reg[RING_LOG2-1:0];

  // The open frame, and the next descriptor; a word has at most one end and one start, in this order.
  reg         open_reg, bad_reg;
  reg  [17:0] end_reg;                                        // octet of the terminate character
  wire        ends = open_reg && end_reg[17:6] == word_reg;
  wire [11:0] ahead_words = frame_start[14:3] - word_reg;
  wire        starts = frame_valid && (!open_reg || ends) && ahead_words == 12'd0;
  wire        late = frame_valid && ahead_words[11];
  assign frame_ready = starts || late;
  wire [17:0] first_octet = {frame_start + 15'd1, 3'd0};
  always @(posedge clk) begin
    if (starts) begin
      open_reg <= 1'b1;
      end_reg  <= first_octet + {4'd0, frame_octets};
      bad_reg  <= frame_bad;
    end else if (ends) begin
      open_reg <= 1'b0;
    end
    lost <= late && !rst;
    if (rst) open_reg <= 1'b0;
  end

  // The kind of the word, apart from its octets from the ring.
  reg       owned1_reg, ends1_reg, bad1_reg, starts1_reg;
  reg [5:0] end1_reg;
  reg [2:0] start1_reg;
  always @(posedge clk) begin
    owned1_reg  <= open_reg && !rst;
    ends1_reg   <= ends && !rst;
    bad1_reg    <= bad_reg;
    end1_reg    <= end_reg[5:0];
    starts1_reg <= starts && !rst;
    start1_reg  <= frame_start[2:0];
  end

  reg  [8*GROUPS-1:0] tail, head;                             // octets of the open frame, and of the one that starts
  reg  [GROUPS-1:0]   preamble;
  integer o, g;
  always @* begin
    tail     = !owned1_reg ? {(8*GROUPS){1'b0}} : ends1_reg ? ~(ALL_OCTETS << end1_reg) : ALL_OCTETS;
    head     = starts1_reg ? (ALL_OCTETS << {start1_reg, 3'd0}) << 8 : {(8*GROUPS){1'b0}};
    preamble = starts1_reg ? ~(ALL << 1) << start1_reg : {GROUPS{1'b0}};
  end
  always @(posedge clk) begin
    for (g = 0; g < GROUPS; g = g + 1)
      for (o = 0; o < 8; o = o + 1)
        if (tail[8*g + o] || head[8*g + o]) begin
          line_data[64*g + 8*o +: 8] <= rd_data[64*g + 8*o +: 8];
          line_ctrl[8*g + o]         <= 1'b0;
        end else if (preamble[g]) begin
          line_data[64*g + 8*o +: 8] <= PREAMBLE[8*o +: 8];
          line_ctrl[8*g + o]         <= o == 0;
        end else begin
          line_data[64*g + 8*o +: 8] <= !(ends1_reg && end1_reg == {g[2:0], o[2:0]}) ? IDLE[7:0]
                                      : bad1_reg ? ERROR : TERMINATE;
          line_ctrl[8*g + o]         <= 1'b1;
        end
    if (rst) begin
      line_data <= {GROUPS{IDLE}};
      line_ctrl <= ALL_OCTETS;
    end
  end
endmodule
