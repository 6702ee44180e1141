// SPDX-License-Identifier: Apache-2.0
// Distributes the register bus of axil_slave to the blocks of the map and gathers their answers: block 0 is the global
// one, block 1 + n is port n. A block that this build does not have is answered with an error.
//
// Both directions are registered, one clock each, so that ports may be far apart. All blocks get the same offset, data
// and direction, and each its own req; a block must answer each req with one ack, and drive rdata and error to 0
// otherwise.
module csr_bus #(
  parameter BLOCKS = 3
) (
  input                    clk,
  input                    rst,
  input                    bus_req,
  input                    bus_write,
  input      [16:0]        bus_addr,
  input      [31:0]        bus_wdata,
  output reg               bus_ack,
  output reg [31:0]        bus_rdata,
  output reg               bus_error,

  output reg [BLOCKS-1:0]  block_req,
  output reg               block_write,
  output reg [11:0]        block_offset,
  output reg [31:0]        block_wdata,
  input      [BLOCKS-1:0]  block_ack,
  input      [32*BLOCKS-1:0] block_rdata,
  input      [BLOCKS-1:0]  block_error
);
`include "fpgauge_regs.vh"
  // The map as this decoder assumes it; a changed map stops elaboration here.
  generate
    if (MAP_ADDRESS_BITS != 17 || MAP_BLOCK_BITS != 12 || MAP_GLOBAL_BASE != 0 || MAP_PORT_BASE != 1 << MAP_BLOCK_BITS) begin : wrong_map
      csr_bus_does_not_fit_the_map stop_here();
    end
  endgenerate

  reg               missing_reg;
  wire [4:0]        block = bus_addr[16:12];
  wire [BLOCKS-1:0] selected;
  genvar g;
  generate
    for (g = 0; g < BLOCKS; g = g + 1) begin : select
      assign selected[g] = block == g;
    end
  endgenerate

  // A clock with a request and the next one; a simulator passes by the others.
  always @(posedge clk)
    if (bus_req || missing_reg || block_req != {BLOCKS{1'b0}} || rst) begin
      block_req   <= selected & {BLOCKS{bus_req}};
      missing_reg <= bus_req && selected == {BLOCKS{1'b0}};
      if (rst) begin
        block_req   <= {BLOCKS{1'b0}};
        missing_reg <= 1'b0;
      end
    end
  always @(posedge clk)
    if (bus_req) begin
      block_write  <= bus_write;
      block_offset <= bus_addr[11:0];
      block_wdata  <= bus_wdata;
    end

  reg [31:0] gathered;
  integer i;
  wire any_ack = missing_reg || block_ack != {BLOCKS{1'b0}};
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    bus_ack <= any_ack && !rst;
    if (any_ack && !rst) begin
      gathered = 32'd0;
      for (i = 0; i < BLOCKS; i = i + 1)
        gathered = gathered | block_rdata[32*i +: 32];
      bus_rdata <= gathered;
      bus_error <= missing_reg || block_error != {BLOCKS{1'b0}};
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule
