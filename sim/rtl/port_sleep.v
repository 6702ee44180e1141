// SPDX-License-Identifier: Apache-2.0
// Which ports get a clock. Simulation only (FPGAUGE_PORTS_SLEEP), where a port without one costs next to nothing.
//
// A port falls asleep when nothing has stirred it for 64 clocks, more than any of its pipelines is long, and at the
// latest after 128. It wakes in the clock in which something stirs it: `awake` changes while clk is low and goes by what
// the port takes in at the next edge, so it misses no word, no strobe and no access. line_rx_ctrl, which comes from
// outside, must therefore be there when clk falls. A word of control characters only stirs nothing: it cannot begin a
// frame.
module port_sleep #(
  parameter PORTS = 2,
  parameter CTRL_W = 64
) (
  input                       clk,
  input                       strobe,        // any of those that all ports take
  input  [PORTS-1:0]          access,        // to a register of this port
  input  [PORTS-1:0]          busy,          // a table of it is being cleared
  input  [PORTS-1:0]          sending,       // until the last frame has left
  input  [PORTS*CTRL_W-1:0]   line_rx_ctrl,
  output reg [PORTS-1:0]      awake
);
  reg [PORTS-1:0] arriving;
  integer i;
  always @*
    for (i = 0; i < PORTS; i = i + 1)
      arriving[i] = line_rx_ctrl[CTRL_W*i +: CTRL_W] != {CTRL_W{1'b1}};
  wire [PORTS-1:0] stirred = {PORTS{strobe}} | access | busy | sending | arriving;

  // One count for all ports: calm_reg has those that nothing has stirred since it was 0.
  reg [5:0]       count_reg;
  reg [PORTS-1:0] calm_reg, asleep_reg;
  wire            lap = count_reg == 6'd0;
  always @(posedge clk) begin
    count_reg  <= count_reg + 6'd1;
    calm_reg   <= ~stirred & (calm_reg | {PORTS{lap}});
    asleep_reg <= ~stirred & (asleep_reg | (calm_reg & {PORTS{lap}}));
  end

  // A latch, as in a clock gate on silicon: a register of the falling edge would cost more.
  /* verilator lint_off LATCH */
  always @* if (!clk) awake = stirred | ~asleep_reg;
  /* verilator lint_on LATCH */
endmodule
