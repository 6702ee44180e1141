// SPDX-License-Identifier: Apache-2.0
// When test frames were received: first, last, last one after a sequence gap, and the longest silence between two.
//
// Times are those of frame starts, groups of 8 octets in, octet times out. A silence is between two received frames:
// the time before the first or after the last does not count; of equal silences the first is kept.
// Latency: update in clock t; the outputs change at the end of clock t+2 (commit), when `gap` is used.
`include "fpgauge_time.vh"
module rx_times #(
  parameter START_W = `FPGAUGE_GROUP_TIME_W
) (
  input         clk,
  input         rst,
  input         clear,
  input         update,
  input  [START_W-1:0] start_groups,
  input         gap,                            // valid in the commit clock: the frame followed a sequence gap
  output [63:0] first_time,
  output [63:0] last_time,
  output [63:0] last_loss_time,
  output [63:0] silence_max,
  output [63:0] silence_time
);
  reg        update1_reg, update2_reg;
  reg        any_reg, before1_reg, silent2_reg; // a frame came before; the frame in clock 2 ends a silence
  reg [START_W-1:0] start1_reg, start2_reg, before1_start_reg, before2_start_reg, silence2_reg;
  reg [START_W-1:0] first_reg, last_reg, last_loss_reg, silence_reg, silence_start_reg;
  reg        received_reg;
  assign first_time     = {first_reg, 3'd0};
  assign last_time      = {last_reg, 3'd0};
  assign last_loss_time = {last_loss_reg, 3'd0};
  assign silence_max    = {silence_reg, 3'd0};
  assign silence_time   = {silence_start_reg, 3'd0};

  // The last clock first, so that a simulator needs no copies; it passes by where no frame is.
  always @(posedge clk)
    if (update || update1_reg || update2_reg || rst || clear) begin
      if (update2_reg) begin
        received_reg <= 1'b1;
        if (!received_reg) first_reg <= start2_reg;
        last_reg <= start2_reg;
        if (gap) last_loss_reg <= start2_reg;
        if (silent2_reg && silence2_reg > silence_reg) begin
          silence_reg       <= silence2_reg;
          silence_start_reg <= before2_start_reg;
        end
      end
      if (update1_reg) begin
        silent2_reg       <= before1_reg;
        silence2_reg      <= start1_reg - before1_start_reg;
        before2_start_reg <= before1_start_reg;
        start2_reg        <= start1_reg;
      end
      if (update) begin
        before1_reg       <= any_reg;
        any_reg           <= 1'b1;
        before1_start_reg <= start1_reg;
        start1_reg        <= start_groups;
      end
      update2_reg <= update1_reg;
      update1_reg <= update;
      if (rst || clear) begin
        update1_reg       <= 1'b0;
        update2_reg       <= 1'b0;
        any_reg           <= 1'b0;
        received_reg      <= 1'b0;
        first_reg         <= {START_W{1'b0}};
        last_reg          <= {START_W{1'b0}};
        last_loss_reg     <= {START_W{1'b0}};
        silence_reg       <= {START_W{1'b0}};
        silence_start_reg <= {START_W{1'b0}};
      end
    end
endmodule
