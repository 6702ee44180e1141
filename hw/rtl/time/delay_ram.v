// SPDX-License-Identifier: Apache-2.0
// Each input comes out CLOCKS clocks later, 2 to 17. It waits in a small memory that is addressed by the clock, so nothing moves
// while it waits: a shift register would cost a simulation a copy in every stage.
module delay_ram #(
  parameter WIDTH = 8,
  parameter CLOCKS = 4
) (
  input                  clk,
  input                  rst,
  input                  in_valid,
  input [WIDTH-1:0]      in,
  output reg             out_valid,
  output reg [WIDTH-1:0] out                 // holds its value without out_valid
);
  localparam [31:0] BEHIND = CLOCKS - 1;
  reg [CLOCKS-1:1]  valid_reg;
  wire [CLOCKS-1:0] valid = {valid_reg, in_valid};

  // Its clock stands still while nothing waits. With CLOCKS 17 an entry is read in the clock in which it is written: the
  // read comes first.
  (* ram_style = "distributed" *) reg [WIDTH-1:0] wait_ram [0:15];
  reg [3:0]  clock_reg;
  wire [3:0] from = clock_reg - BEHIND[3:0];
  initial clock_reg = 4'd0;
  /* verilator lint_off BLKSEQ */            // the reason is in tx_flows
  always @(posedge clk)
    if (|valid || out_valid || rst) begin
      if (valid[CLOCKS-1]) out <= wait_ram[from];
      if (in_valid) wait_ram[clock_reg] = in;
      clock_reg <= clock_reg + 4'd1;
      out_valid <= valid[CLOCKS-1] && !rst;
      valid_reg <= rst ? {CLOCKS-1{1'b0}} : valid[CLOCKS-2:0];
    end
  /* verilator lint_on BLKSEQ */
endmodule
