// SPDX-License-Identifier: Apache-2.0
// An MMCM for simulation (AMD UG572, limits of speed grade -2 from DS923 or DS922): its output has the frequency that the
// parameters make of CLKIN1. It locks LOCK_CLOCKS after the reset, with its feedback connected, if VCO and phase detector are
// within their limits; it loses the lock at once when CLKIN1 stops, which cannot be seen from here: CardCore says it.
// Without delays a model cannot divide a clock between its edges, so CardCore drives the output, at the ratio given here.
module MMCME4_ADV #(
  parameter real CLKIN1_PERIOD = 0.0,
  parameter integer DIVCLK_DIVIDE = 1,
  parameter real CLKFBOUT_MULT_F = 5.0,
  parameter real CLKOUT0_DIVIDE_F = 1.0
) (
  input  CLKIN1,
  input  CLKIN2,
  input  CLKINSEL,
  input  CLKFBIN,
  input  RST,
  input  PWRDWN,
  output CLKFBOUT,
  output CLKOUT0,
  output LOCKED
);
  localparam [9:0] LOCK_CLOCKS = 10'd600;
  localparam real  PHASE_MHZ = CLKIN1_PERIOD == 0.0 ? 0.0 : 1000.0 / CLKIN1_PERIOD / DIVCLK_DIVIDE;
  localparam real  VCO_MHZ = PHASE_MHZ * CLKFBOUT_MULT_F;
  localparam       ALLOWED = PHASE_MHZ >= 10.0 && PHASE_MHZ <= 500.0 && VCO_MHZ >= 800.0 && VCO_MHZ <= 1600.0;

  reg         clkout     /*verilator public_flat_rw*/ = 1'b0;  // while `runs`
  reg         input_runs /*verilator public_flat_rw*/ = 1'b0;
  wire        runs       /*verilator public_flat_rd*/ = input_runs && !RST && !PWRDWN && CLKINSEL;
  wire        held       /*verilator public_flat_rd*/ = RST;
  // A period of the output is that of the input times divide / multiply, in eighths, in which the factors are given.
  wire [31:0] divide     /*verilator public_flat_rd*/ = $rtoi(8.0 * CLKOUT0_DIVIDE_F) * DIVCLK_DIVIDE;
  wire [31:0] multiply   /*verilator public_flat_rd*/ = $rtoi(8.0 * CLKFBOUT_MULT_F);
  wire [31:0] period_ps  /*verilator public_flat_rd*/ = $rtoi(1000.0 * CLKIN1_PERIOD + 0.5);

  /* verilator lint_off SYNCASYNCNET */ // RST is a reset that logic around it uses too
  reg       sent_reg = 1'b0, fed_reg = 1'b0;        // change with each clock that goes out, and with each that comes back
  reg [9:0] locked_reg = 10'd0;
  always @(posedge CLKFBOUT or posedge RST)
    if (RST) sent_reg <= 1'b0;
    else     sent_reg <= !sent_reg;
  always @(posedge CLKFBIN or posedge RST)
    if (RST) fed_reg <= 1'b0;
    else     fed_reg <= !fed_reg;
  always @(posedge CLKIN1 or posedge RST)
    if (RST)                                           locked_reg <= 10'd0;
    else if (!runs || !ALLOWED || sent_reg != fed_reg) locked_reg <= 10'd0;
    else if (locked_reg != LOCK_CLOCKS)                locked_reg <= locked_reg + 10'd1;
  /* verilator lint_on SYNCASYNCNET */
  assign CLKFBOUT = clkout;                         // has its edges, not its frequency
  assign CLKOUT0  = clkout;
  assign LOCKED   = locked_reg == LOCK_CLOCKS && runs;

  wire unused = &{1'b0, CLKIN2};
endmodule
