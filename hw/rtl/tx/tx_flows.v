// SPDX-License-Identifier: Apache-2.0
// The flows of a port: looks up what the frames of a flow are made of, and their sequence numbers.
//
// Tables: header (512 bits per entry, written in 32-bit words), octet where the counting payload begins, body (which
// entries of the table of bodies, 512 bits each, follow the header), and the count of frames sent, which is the
// sequence number of the next one (snapshot_table: freezes for reading, and forwards, because one flow may be used in
// adjacent clocks). Whose turn it is, is decided in tx_sequencer.
// Flow and sequence number come out 4 clocks after frame_valid, with out_valid. HEADER_DELAY clocks later come header,
// payload and number of body entries, with header_valid; coming_valid is one clock ahead of it. (The index waits and not
// the header, because it is narrower.) While the table of counts is being cleared, sequence numbers are 0.
//
// Body entry i comes with body_valid when the line needs it: i + 1 times 8 / GROUPS clocks after its frame's header, so
// one in a clock at most. If another header comes before, what is left of the body is not sent: a frame that had needed
// it would not have ended yet. In the clock of that header an entry may still come for the frame before.
module tx_flows #(
  parameter GROUPS = 8,
  parameter FLOW_LOG2 = 8,
  parameter HEADER_DELAY = 1                 // at least 1
) (
  input                      clk,
  input                      rst,
  input                      clear,
  input                      snapshot,
  output                     busy,
  // table writes
  input [FLOW_LOG2-1:0]      flow_index,
  input                      flow_payload_we,
  input [7:0]                flow_payload,
  input                      flow_body_we,
  input [8:0]                flow_body_first,
  input [4:0]                flow_body_words,
  input                      header_we,
  input [3:0]                header_word,
  input [31:0]               header_data,
  input                      body_we,
  input [8:0]                body_index,
  input [3:0]                body_word,
  input [31:0]               body_data,
  // frozen counts
  input                      stream_req,
  input [FLOW_LOG2-1:0]      stream_index,
  output                     stream_ack,
  output [47:0]              stream_frames,
  // frames
  input                      frame_valid,
  input [FLOW_LOG2-1:0]      frame_flow,
  output [3+HEADER_DELAY:1]  way,            // frames on their way, by clocks since frame_valid
  output reg                 out_valid,
  output reg [FLOW_LOG2-1:0] out_index,
  output reg [47:0]          out_sequence,
  output                     coming_valid,
  output reg                 header_valid,
  output reg [511:0]         out_header,
  output reg [7:0]           out_payload,
  output reg [4:0]           out_body_words,
  output reg                 body_valid,
  output reg                 body_first,
  output reg [511:0]         out_body
);
  // ---------------------------------------------------------------- frames on their way, by clocks since frame_valid
  localparam LOOK   = 1 + HEADER_DELAY;      // clock in which body entries are looked up
  localparam READ   = 2 + HEADER_DELAY;      // header
  localparam COMING = 3 + HEADER_DELAY;
  reg [COMING:1]      valid_reg;
  assign way = valid_reg;
  reg [FLOW_LOG2-1:0] index1_reg, index2_reg, index3_reg, index_read_reg;
  reg [FLOW_LOG2-1:0] index_look_reg;        // index in clock LOOK
  // The index waits up to LOOK in a memory that is addressed by the clock.
  localparam [31:0] BEHIND = LOOK - 1;
  (* ram_style = "distributed" *) reg [FLOW_LOG2-1:0] index_ram [0:15];
  reg [3:0]           clock_reg;
  initial clock_reg = 4'd0;
  /* verilator lint_off BLKSEQ */            // see header_ram
  always @(posedge clk) begin
    if (valid_reg[LOOK-1]) index_look_reg <= index_ram[clock_reg - BEHIND[3:0]];
    if (valid_reg[2]) index3_reg <= index2_reg;
    if (valid_reg[1]) index2_reg <= index1_reg;
    if (frame_valid) begin
      index1_reg           <= frame_flow;
      index_ram[clock_reg] = frame_flow;
    end
    valid_reg <= rst ? {COMING{1'b0}} : {valid_reg[COMING-1:1], frame_valid};
    clock_reg <= clock_reg + 4'd1;
  end
  /* verilator lint_on BLKSEQ */

  // ---------------------------------------------------------------- sequence: clock 1 to clock 3
  wire        c_valid, c_state, early;
  wire [47:0] c_count;
  snapshot_table #(.ENTRIES_LOG2(FLOW_LOG2), .COUNT_W(48), .STATE_W(1)) u_sequence (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(valid_reg[1]), .u_index(index1_reg), .early(early), .c_valid(c_valid), .c_count(c_count), .c_state(c_state),
    .n_count(c_count + 48'd1), .n_state(1'b0),
    .r_req(stream_req), .r_index(stream_index), .r_ack(stream_ack), .r_count(stream_frames));

  always @(posedge clk) begin
    out_valid <= valid_reg[3] && !rst;
    if (valid_reg[3]) begin
      out_index    <= index3_reg;
      out_sequence <= c_valid ? c_count : 48'd0;
    end
  end

  // ---------------------------------------------------------------- header
  reg [7:0]  payload_ram [0:(1<<FLOW_LOG2)-1];
  reg [13:0] flow_body_ram [0:(1<<FLOW_LOG2)-1];           // {first, words}
  integer    i;
  initial
    for (i = 0; i < 1 << FLOW_LOG2; i = i + 1) begin
      payload_ram[i]   = 8'd0;
      flow_body_ram[i] = 14'd0;
    end
  (* ram_style = "block" *) reg [511:0] header_ram [0:(1<<FLOW_LOG2)-1];
  reg [511:0] header_reg;
  integer     w;
  // The write is blocking and after the read, so it is not seen by it. Sixteen writes put off to the end of the clock
  // would be looked for in every clock of a simulation.
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (valid_reg[READ]) header_reg <= header_ram[index_read_reg];
    if (header_we)
      for (w = 0; w < 16; w = w + 1)
        if (header_word == w[3:0]) header_ram[flow_index][32*w +: 32] = header_data;
  end
  /* verilator lint_on BLKSEQ */

  reg [13:0] flow_body_reg;                  // valid in clock READ
  reg [7:0]  payload_reg;                    // valid in clock COMING, as header_reg
  reg [4:0]  words_reg;
  assign coming_valid = valid_reg[COMING];
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (valid_reg[READ]) begin
      payload_reg <= payload_ram[index_read_reg];
      words_reg   <= flow_body_reg[4:0];
    end
    if (valid_reg[LOOK]) begin
      index_read_reg <= index_look_reg;
      flow_body_reg  <= flow_body_ram[index_look_reg];
    end
    if (flow_payload_we) payload_ram[flow_index] = flow_payload;
    if (flow_body_we) flow_body_ram[flow_index] = {flow_body_first, flow_body_words};
  end
  /* verilator lint_on BLKSEQ */
  always @(posedge clk) begin
    header_valid <= coming_valid && !rst;
    if (coming_valid) begin
      out_header     <= header_reg;
      out_payload    <= payload_reg;
      out_body_words <= words_reg;
    end
  end

  // ---------------------------------------------------------------- body: an entry every 8 / GROUPS clocks
  localparam [31:0] WAIT32 = 8 / GROUPS - 1;
  localparam [2:0]  WAIT = WAIT32[2:0];
  reg [8:0] entry_reg;                       // the next to be read
  reg [4:0] left_reg;                        // entries still to be read
  reg [2:0] wait_reg;                        // clocks before that
  reg       first_reg;
  wire      body_read = left_reg != 5'd0 && wait_reg == 3'd0;
  always @(posedge clk) begin
    if (valid_reg[READ]) begin
      entry_reg <= flow_body_reg[13:5];
      left_reg  <= flow_body_reg[4:0];
      wait_reg  <= WAIT;
      first_reg <= 1'b1;
    end else if (body_read) begin
      entry_reg <= entry_reg + 9'd1;
      left_reg  <= left_reg - 5'd1;
      wait_reg  <= WAIT;
      first_reg <= 1'b0;
    end else if (left_reg != 5'd0)
      wait_reg  <= wait_reg - 3'd1;
    if (rst) left_reg <= 5'd0;
  end

  (* ram_style = "block" *) reg [511:0] body_ram [0:511];
  reg [511:0] body_reg;
  integer     b;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (body_read) body_reg <= body_ram[entry_reg];
    if (body_we)
      for (b = 0; b < 16; b = b + 1)
        if (body_word == b[3:0]) body_ram[body_index][32*b +: 32] = body_data;
  end
  /* verilator lint_on BLKSEQ */

  reg body_valid_reg, body_first_reg;
  always @(posedge clk) begin
    body_valid_reg <= body_read && !rst;
    body_valid     <= body_valid_reg && !rst;
    if (body_read) body_first_reg <= first_reg;
    if (body_valid_reg) begin
      body_first <= body_first_reg;
      out_body   <= body_reg;
    end
  end

  wire unused = &{1'b0, c_state, early};
endmodule
