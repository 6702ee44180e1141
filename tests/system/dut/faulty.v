// SPDX-License-Identifier: Apache-2.0
// Two ports joined crosswise by a register, for frames of at most 64 octets without FCS, which are one beat each; with one
// deliberate fault. Written as somebody else might: active-low reset, a set of signals a port, counted from 1.
module faulty #(
  parameter FAULT = "none",
  parameter EVERY = 10000
) (
  input  wire         clk_i,
  input  wire         arst_ni,
  input  wire         enable_i,
  input  wire [511:0] eth1_rx_data, eth2_rx_data,
  input  wire [63:0]  eth1_rx_keep, eth2_rx_keep,
  input  wire         eth1_rx_valid, eth2_rx_valid,
  input  wire         eth1_rx_last, eth2_rx_last,
  output wire         eth1_rx_ready, eth2_rx_ready,
  output wire [511:0] eth1_tx_data, eth2_tx_data,
  output wire [63:0]  eth1_tx_keep, eth2_tx_keep,
  output wire         eth1_tx_valid, eth2_tx_valid,
  output wire         eth1_tx_last, eth2_tx_last,
  input  wire         eth1_tx_ready, eth2_tx_ready
);
  faulty_way #(.FAULT(FAULT), .EVERY(EVERY)) u_12 (
    .clk(clk_i), .rst(!arst_ni || !enable_i),
    .s_data(eth1_rx_data), .s_keep(eth1_rx_keep), .s_valid(eth1_rx_valid), .s_last(eth1_rx_last), .s_ready(eth1_rx_ready),
    .m_data(eth2_tx_data), .m_keep(eth2_tx_keep), .m_valid(eth2_tx_valid), .m_last(eth2_tx_last), .m_ready(eth2_tx_ready));
  faulty_way #(.FAULT("none"), .EVERY(EVERY)) u_21 (
    .clk(clk_i), .rst(!arst_ni || !enable_i),
    .s_data(eth2_rx_data), .s_keep(eth2_rx_keep), .s_valid(eth2_rx_valid), .s_last(eth2_rx_last), .s_ready(eth2_rx_ready),
    .m_data(eth1_tx_data), .m_keep(eth1_tx_keep), .m_valid(eth1_tx_valid), .m_last(eth1_tx_last), .m_ready(eth1_tx_ready));
endmodule

module faulty_way #(
  parameter FAULT = "none",
  parameter EVERY = 10000
) (
  input  wire         clk, rst,
  input  wire [511:0] s_data,
  input  wire [63:0]  s_keep,
  input  wire         s_valid, s_last,
  output wire         s_ready,
  output reg  [511:0] m_data,
  output reg  [63:0]  m_keep,
  output reg          m_valid, m_last,
  input  wire         m_ready
);
  reg [31:0]  count;   // frames since the last fault
  reg [575:0] held;    // swap: the frame that waits for the one behind it
  reg         holds, gives;
  reg [31:0]  stalled; // clocks
  wire due = count == EVERY - 1;
  wire takes = s_valid && s_ready;

  assign s_ready = (!m_valid || m_ready) && !gives && stalled == 0;

  always @(posedge clk) begin
    if (m_valid && m_ready)
      m_valid <= 1'b0;
    if (stalled != 0)
      stalled <= stalled - 1;
    if (takes && s_last) begin
      count <= due ? 0 : count + 1;
      m_valid <= !(due && (FAULT == "drop" || FAULT == "swap"));
      m_last <= 1'b1;
      m_keep <= due && FAULT == "hole" ? s_keep & ~64'h10 : s_keep;
      m_data <= due && FAULT == "corrupt" ? s_data ^ (512'hff << 8 * 36) : s_data;
      if (due && FAULT == "stall")
        stalled <= 2000;
      if (due && (FAULT == "retreat" || FAULT == "change"))
        stalled <= 15; // so that the MAC has enough for a burst that it has to hold up
      if (due && FAULT == "swap") begin
        held <= {s_keep, s_data};
        holds <= 1'b1;
      end
      if (holds) begin
        holds <= 1'b0;
        gives <= 1'b1;
      end
    end
    if (gives && (!m_valid || m_ready)) begin
      {m_keep, m_data} <= held;
      m_valid <= 1'b1;
      gives <= 1'b0;
    end
    if (m_valid && !m_ready && FAULT == "retreat")
      m_valid <= 1'b0;
    if (m_valid && !m_ready && FAULT == "change")
      m_data[7:0] <= ~m_data[7:0];
    if (rst) begin
      count <= 0;
      m_valid <= 1'b0;
      holds <= 1'b0;
      gives <= 1'b0;
      stalled <= 0;
    end
  end
endmodule
