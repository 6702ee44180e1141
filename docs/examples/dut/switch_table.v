// SPDX-License-Identifier: Apache-2.0
// The addresses of the example switch: a place for each hash, where the latest one that has it stays.
module switch_table #(
  parameter PORTS = 4,
  parameter TABLE_BITS = 10
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire [PORTS-1:0]       ask,
  input  wire [PORTS*96-1:0]    header,   // octets as on the line: octet 0 of the destination is lowest
  output reg  [PORTS*PORTS-1:0] answer    // the outputs of a frame
);
  localparam PLACES = 1 << TABLE_BITS;

  reg [47:0]              address [0:PLACES-1];
  reg [$clog2(PORTS)-1:0] place_port [0:PLACES-1];
  reg [PLACES-1:0]        used;

  function [TABLE_BITS-1:0] hash(input [47:0] mac);
    hash = mac[47:40] ^ {mac[39:32], 2'b0} ^ {mac[31:24], 1'b0} ^ mac[23:16] ^ mac[15:8] ^ mac[7:0];
  endfunction

  integer i;
  reg [47:0] to, source;
  always @* begin
    to = 0;
    answer = 0;
    for (i = 0; i < PORTS; i = i + 1) begin
      to = header[i*96 +: 48];
      answer[i*PORTS +: PORTS] = {PORTS{1'b1}};
      if (!to[0] && used[hash(to)] && address[hash(to)] == to)
        answer[i*PORTS +: PORTS] = {{PORTS-1{1'b0}}, 1'b1} << place_port[hash(to)];
      answer[i*PORTS + i] = 1'b0;
    end
  end

  reg [TABLE_BITS-1:0] place;
  always @(posedge clk) begin
    for (i = 0; i < PORTS; i = i + 1) begin
      source = header[i*96 + 48 +: 48];
      if (ask[i] && !source[0]) begin
        place = hash(source);
        used[place] <= 1'b1;
        address[place] <= source;
        place_port[place] <= i[$clog2(PORTS)-1:0];
      end
    end
    if (rst)
      used <= 0;
  end
endmodule
