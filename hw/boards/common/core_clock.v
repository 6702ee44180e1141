// SPDX-License-Identifier: Apache-2.0
// The clock of the core, 195.3125 MHz, from that of a CMAC, 322.265625 MHz: exactly 20/33 of it, so that a word of the
// line always takes the same time on both sides. MMCM: divide by 11 (29.3 MHz), multiply by 40 (1171.9 MHz, within 800
// to 1600), divide by 6. locked is low while the clock cannot be used; it is asynchronous.
module core_clock (
  input  cmac_clk,
  input  rst,          // any clock domain
  output clk,
  output locked
);
  wire feedback, feedback_buffered, divided;
  /* verilator lint_off PINMISSING */   // an MMCM has about forty more pins, all optional
  MMCME4_ADV #(
    .CLKIN1_PERIOD(3.103), .DIVCLK_DIVIDE(11), .CLKFBOUT_MULT_F(40.0), .CLKOUT0_DIVIDE_F(6.0)
  ) u_mmcm (
    .CLKIN1(cmac_clk), .CLKIN2(1'b0), .CLKINSEL(1'b1), .CLKFBIN(feedback_buffered), .RST(rst), .PWRDWN(1'b0),
    .CLKFBOUT(feedback), .CLKOUT0(divided), .LOCKED(locked));
  /* verilator lint_on PINMISSING */
  BUFG u_feedback (.I(feedback), .O(feedback_buffered));
  BUFG u_clk (.I(divided), .O(clk));
endmodule
