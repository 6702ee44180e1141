// SPDX-License-Identifier: Apache-2.0
// Two ports of groups of 8 octets, joined crosswise by a register.
module mii_pair #(
  parameter WIDTH = 64
) (
  input  wire                 clk,
  input  wire [2*WIDTH-1:0]   rx_data,
  input  wire [2*WIDTH/8-1:0] rx_ctrl,
  output reg  [2*WIDTH-1:0]   tx_data,
  output reg  [2*WIDTH/8-1:0] tx_ctrl
);
  always @(posedge clk) begin
    tx_data <= {rx_data[WIDTH-1:0], rx_data[2*WIDTH-1:WIDTH]};
    tx_ctrl <= {rx_ctrl[WIDTH/8-1:0], rx_ctrl[2*WIDTH/8-1:WIDTH/8]};
  end
endmodule
