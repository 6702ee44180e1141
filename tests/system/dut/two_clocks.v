// SPDX-License-Identifier: Apache-2.0
// Two ports joined crosswise by queues, for frames of at most 64 octets without FCS, which are one beat each. A second
// clock decides when a frame may leave: one for every TICKS of its edges. A set of signals a port, named as by convention.
module two_clocks #(
  parameter TICKS = 3,
  parameter LOG_FRAMES = 4
) (
  input  wire         clk, rst,
  input  wire         clk_b,
  input  wire [511:0] s0_axis_tdata, s1_axis_tdata,
  input  wire [63:0]  s0_axis_tkeep, s1_axis_tkeep,
  input  wire         s0_axis_tvalid, s1_axis_tvalid,
  input  wire         s0_axis_tlast, s1_axis_tlast,
  output wire [511:0] m0_axis_tdata, m1_axis_tdata,
  output wire [63:0]  m0_axis_tkeep, m1_axis_tkeep,
  output wire         m0_axis_tvalid, m1_axis_tvalid,
  output wire         m0_axis_tlast, m1_axis_tlast,
  input  wire         m0_axis_tready, m1_axis_tready
);
  reg [15:0] ticks = 0;
  reg        toggle = 0;         // each time is a permission
  reg [2:0]  seen = 0;           // synchronised to clk
  wire       permit = seen[2] != seen[1];

  always @(posedge clk_b) begin
    ticks <= ticks == TICKS - 1 ? 16'd0 : ticks + 16'd1;
    toggle <= toggle ^ (ticks == TICKS - 1);
  end
  always @(posedge clk)
    seen <= {seen[1:0], toggle};

  one_way #(.LOG_FRAMES(LOG_FRAMES)) u_01 (
    .clk(clk), .rst(rst), .permit(permit), .s_data(s0_axis_tdata), .s_keep(s0_axis_tkeep), .s_valid(s0_axis_tvalid),
    .m_data(m1_axis_tdata), .m_keep(m1_axis_tkeep), .m_valid(m1_axis_tvalid), .m_last(m1_axis_tlast), .m_ready(m1_axis_tready));
  one_way #(.LOG_FRAMES(LOG_FRAMES)) u_10 (
    .clk(clk), .rst(rst), .permit(permit), .s_data(s1_axis_tdata), .s_keep(s1_axis_tkeep), .s_valid(s1_axis_tvalid),
    .m_data(m0_axis_tdata), .m_keep(m0_axis_tkeep), .m_valid(m0_axis_tvalid), .m_last(m0_axis_tlast), .m_ready(m0_axis_tready));
endmodule

module one_way #(parameter LOG_FRAMES = 4) (
  input  wire         clk, rst, permit,
  input  wire [511:0] s_data,
  input  wire [63:0]  s_keep,
  input  wire         s_valid,
  output reg  [511:0] m_data,
  output reg  [63:0]  m_keep,
  output reg          m_valid,
  output wire         m_last,
  input  wire         m_ready
);
  reg [575:0]          queue [0:(1<<LOG_FRAMES)-1];
  reg [LOG_FRAMES:0]   into, out_of;
  wire [LOG_FRAMES:0]  held = into - out_of;
  wire                 full = held[LOG_FRAMES];

  assign m_last = 1'b1;
  always @(posedge clk) begin
    if (m_valid && m_ready)
      m_valid <= 1'b0;
    if (s_valid && !full) begin
      queue[into[LOG_FRAMES-1:0]] <= {s_keep, s_data};
      into <= into + 1'b1;
    end
    if (permit && held != 0) begin
      {m_keep, m_data} <= queue[out_of[LOG_FRAMES-1:0]];
      m_valid <= 1'b1;
      out_of <= out_of + 1'b1;
    end
    if (rst) begin
      m_valid <= 1'b0;
      into <= 0;
      out_of <= 0;
    end
  end
endmodule
