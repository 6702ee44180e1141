// SPDX-License-Identifier: Apache-2.0
// Counts events of one clock in another: each is told exactly once, some clocks later. A counter crosses in Gray code,
// as in async_fifo, so that a value between two counts is never seen.
//
// `events` in rd_clk: how many have come since the last clock, at most 3. wr_clk may be up to three times as fast as
// rd_clk, with an event in every clock; an excess of up to 12 is told later. Both sides are reset together.
module event_crossing (
  input            wr_clk,
  input            wr_rst,
  input            wr_event,
  input            rd_clk,
  input            rd_rst,
  output reg [1:0] events
);
  reg  [3:0] count_reg, wr_gray_reg;
  wire [3:0] count = count_reg + {3'd0, wr_event};
  always @(posedge wr_clk) begin
    count_reg   <= wr_rst ? 4'd0 : count;
    wr_gray_reg <= wr_rst ? 4'd0 : count ^ (count >> 1);
  end

  (* ASYNC_REG = "TRUE" *) reg [3:0] wr_gray_first_reg, wr_gray_second_reg;
  reg  [3:0] seen_reg;
  wire [3:0] here = {wr_gray_second_reg[3], ^wr_gray_second_reg[3:2], ^wr_gray_second_reg[3:1], ^wr_gray_second_reg};
  wire [3:0] new_events = here - seen_reg;
  wire [1:0] step = new_events > 4'd3 ? 2'd3 : new_events[1:0];
  always @(posedge rd_clk) begin
    wr_gray_first_reg  <= wr_gray_reg;
    wr_gray_second_reg <= wr_gray_first_reg;
    events             <= step;
    seen_reg           <= seen_reg + {2'd0, step};
    if (rd_rst) begin
      wr_gray_first_reg  <= 4'd0;
      wr_gray_second_reg <= 4'd0;
      events             <= 2'd0;
      seen_reg           <= 4'd0;
    end
  end
endmodule
