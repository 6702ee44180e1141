// SPDX-License-Identifier: Apache-2.0
// Two ports joined crosswise by wires; ports numbered with two digits, as generators of AXI4-Stream switches do.
module two_digits (
  input  wire        clk,
  input  wire [63:0] s00_axis_tdata, s01_axis_tdata,
  input  wire [7:0]  s00_axis_tkeep, s01_axis_tkeep,
  input  wire        s00_axis_tvalid, s01_axis_tvalid,
  input  wire        s00_axis_tlast, s01_axis_tlast,
  output wire        s00_axis_tready, s01_axis_tready,
  output wire [63:0] m00_axis_tdata, m01_axis_tdata,
  output wire [7:0]  m00_axis_tkeep, m01_axis_tkeep,
  output wire        m00_axis_tvalid, m01_axis_tvalid,
  output wire        m00_axis_tlast, m01_axis_tlast,
  input  wire        m00_axis_tready, m01_axis_tready
);
  assign {m00_axis_tdata, m00_axis_tkeep, m00_axis_tvalid, m00_axis_tlast, s01_axis_tready} =
         {s01_axis_tdata, s01_axis_tkeep, s01_axis_tvalid, s01_axis_tlast, m00_axis_tready};
  assign {m01_axis_tdata, m01_axis_tkeep, m01_axis_tvalid, m01_axis_tlast, s00_axis_tready} =
         {s00_axis_tdata, s00_axis_tkeep, s00_axis_tvalid, s00_axis_tlast, m01_axis_tready};
endmodule
