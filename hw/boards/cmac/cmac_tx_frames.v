// SPDX-License-Identifier: Apache-2.0
// Transmit, clock of the CMAC: sends frames from the ring on its AXI4-Stream, each from octet 0 of a beat, with FCS.
//
// A frame starts DELAY_WORDS after its time on the core's line (due_word is the current time minus that delay), or when
// the previous frame is over. By then it is complete in the ring, so that, whatever tready does, tvalid never falls
// within a frame, which would cause an underrun in the CMAC. A frame of n beats takes n clocks, but at least 2; line
// rate leaves 2.17 for 64 octets, 2.19 for 65, and increasingly more for longer ones. The shift is by groups, since a
// frame starts on a group: bank g of the ring is read at the beat's word or the next, and the eight banks are rotated.
// Beats go to the CMAC through cmac_tx_stream, which keeps tready away from all this.
//
// A frame starts late if the CMAC has made frames wait. Beyond LATE_WORDS the ring may be overwritten: the frame is
// ended with tuser (the CMAC then corrupts it), and `overrun` reports that what was to be sent was not. With `enable`
// low (no link, reset) the current frame is finished, and further ones are dropped. Each frame is reported once, as
// `sent`, `dropped` or `overrun`, unless a reset cuts it.
// Latency: 4 clocks from the decision to start to tvalid.
module cmac_tx_frames #(
  parameter GROUPS = 8,
  parameter RING_LOG2 = 9,
  parameter [11:0] LATE_WORDS = 12'd160
) (
  input                              clk,
  input                              rst,
  input                              enable,
  input      [11:0]                  due_word,
  input      [5:0]                   due_part,
  input                              frame_valid,
  output                             frame_ready,
  input      [14:0]                  frame_place,
  input      [13:0]                  frame_octets,
  output                             rd_en,
  output reg [GROUPS*RING_LOG2-1:0]  rd_addr,      // one address per bank
  input      [64*GROUPS-1:0]         rd_data,
  output                             m_axis_tvalid,
  input                              m_axis_tready,
  output     [64*GROUPS-1:0]         m_axis_tdata,
  output     [8*GROUPS-1:0]          m_axis_tkeep,
  output                             m_axis_tlast,
  output                             m_axis_tuser,
  output reg                         sent,         // the last beat has been taken
  output reg                         dropped,
  output reg                         overrun
);
  localparam [13:0] BEAT_OCTETS = 8 * GROUPS;

  // Group g of a word begins 33 g / 8 parts after the word, rounded up: a frame never starts before its time.
  function [5:0] group_part(input [2:0] group);
    case (group)
      3'd0:    group_part = 6'd0;
      3'd1:    group_part = 6'd5;
      3'd2:    group_part = 6'd9;
      3'd3:    group_part = 6'd13;
      3'd4:    group_part = 6'd17;
      3'd5:    group_part = 6'd21;
      3'd6:    group_part = 6'd25;
      default: group_part = 6'd29;
    endcase
  endfunction

  wire go;                                // there is room for the beat that is requested now

  // ---------------------------------------------------------------- when
  // The age of the frame at the head, computed a clock before it is used. It only grows, so an outdated value is safe.
  reg         head_reg;                   // due_reg belongs to the current head
  reg         due_reg;
  wire [17:0] head_time = {frame_place[14:3], group_part(frame_place[2:0])};
  wire [17:0] age = {due_word, due_part} - head_time;     // parts are below 64, so the borrow is right
  reg         active_reg;
  reg  [13:0] left_reg;                   // octets not yet requested
  reg         last_reg;                   // they are the last beat
  wire        take = head_reg && frame_valid && (enable ? due_reg && (!active_reg || (last_reg && go)) : !active_reg);
  assign frame_ready = take;
  always @(posedge clk) begin
    due_reg  <= !age[17];
    head_reg <= frame_valid && !take;
  end

  wire        unused = &{1'b0, age[16:0]};

  // ---------------------------------------------------------------- what: one beat per clock
  reg  [14:0] place_reg;                  // place of the beat
  wire [11:0] late_words = due_word - place_reg[14:3];
  reg         overrun_reg;
  always @(posedge clk) begin
    sent    <= m_axis_tvalid && m_axis_tready && m_axis_tlast && !m_axis_tuser && !rst;
    dropped <= take && !enable;
    overrun <= 1'b0;
    if (take) begin
      active_reg  <= enable;
      place_reg   <= frame_place;
      left_reg    <= frame_octets;
      last_reg    <= frame_octets <= BEAT_OCTETS;
    end else if (active_reg && go) begin
      active_reg  <= !last_reg;
      place_reg   <= place_reg + 15'd8;
      left_reg    <= left_reg - BEAT_OCTETS;
      last_reg    <= left_reg <= 2 * BEAT_OCTETS;
    end
    // Also while the stream is stalled; it goes out with the frame's end.
    if (active_reg && !late_words[11] && late_words > LATE_WORDS) begin
      overrun     <= !overrun_reg;
      overrun_reg <= 1'b1;
    end else if (!active_reg || take) begin
      overrun_reg <= 1'b0;
    end
    if (rst) begin
      active_reg  <= 1'b0;
      overrun     <= 1'b0;
      overrun_reg <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- read, rotate
  assign rd_en = active_reg;
  wire [RING_LOG2-1:0] word_address = place_reg[3 +: RING_LOG2];
  integer g;
  always @* begin
    for (g = 0; g < GROUPS; g = g + 1)
      rd_addr[RING_LOG2*g +: RING_LOG2] = g[2:0] < place_reg[2:0] ? word_address + 1'b1 : word_address;
  end

  reg        beat1_reg, last1_reg, bad1_reg;      // the beat that is in rd_data
  reg  [2:0] turn1_reg;
  reg  [6:0] octets1_reg;
  reg  [64*GROUPS-1:0] turned;
  always @* begin
    for (g = 0; g < GROUPS; g = g + 1)
      turned[64*g +: 64] = rd_data[{turn1_reg + g[2:0], 6'd0} +: 64];
  end
  reg                 beat2_reg, last2_reg, user2_reg;   // the beat as it goes to the CMAC
  reg [64*GROUPS-1:0] data2_reg;
  reg [8*GROUPS-1:0]  keep2_reg;
  always @(posedge clk) begin
    beat1_reg   <= active_reg && go && !rst;
    last1_reg   <= last_reg;
    bad1_reg    <= overrun_reg;
    turn1_reg   <= place_reg[2:0];
    octets1_reg <= last_reg ? left_reg[6:0] : BEAT_OCTETS[6:0];
    beat2_reg   <= beat1_reg && !rst;
    data2_reg   <= turned;
    keep2_reg   <= ~({(8*GROUPS){1'b1}} << octets1_reg);
    last2_reg   <= last1_reg;
    user2_reg   <= last1_reg && bad1_reg;
  end

  cmac_tx_stream #(.GROUPS(GROUPS)) u_stream (
    .clk(clk), .rst(rst), .go(go), .in_valid(beat2_reg), .in_data(data2_reg), .in_keep(keep2_reg), .in_last(last2_reg),
    .in_user(user2_reg), .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep), .m_axis_tlast(m_axis_tlast), .m_axis_tuser(m_axis_tuser));
endmodule
