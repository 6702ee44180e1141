// SPDX-License-Identifier: Apache-2.0
// The core under Icarus Verilog, for tools/bench: port 0 and port 1 wired to each other, both sending frames of
// +frame_octets=N at line rate for +clocks=N clocks, set up over AXI4-Lite as a host would do it. Prints one line:
// frames sent and received by both ports. It measures speed; correctness is tested elsewhere.
`timescale 1ns / 1ps
module tb_icarus;
  `include "fpgauge_regs.vh"
  localparam PORTS = 2;
  localparam GROUPS = 8;

  reg         clk = 1'b0, rst = 1'b1;
  reg  [16:0] awaddr = 17'd0, araddr = 17'd0;
  reg         awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
  reg  [31:0] wdata = 32'd0;
  wire        awready, wready, bvalid, arready, rvalid;
  wire [31:0] rdata;
  wire [PORTS*64*GROUPS-1:0] tx_data;
  wire [PORTS*8*GROUPS-1:0]  tx_ctrl;

  fpgauge_core #(.PORTS(PORTS), .GROUPS(GROUPS)) core (
    .clk(clk), .rst(rst),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_wdata(wdata),
    .s_axil_wstrb(4'hf), .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_bresp(), .s_axil_bvalid(bvalid),
    .s_axil_bready(1'b1), .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
    .line_tx_data(tx_data), .line_tx_ctrl(tx_ctrl),
    .line_rx_data({tx_data[64*GROUPS-1:0], tx_data[2*64*GROUPS-1:64*GROUPS]}),
    .line_rx_ctrl({tx_ctrl[8*GROUPS-1:0], tx_ctrl[2*8*GROUPS-1:8*GROUPS]}),
    .skip_words(32'd0), .idle(), .idle_words(), .word_time());

  always #2.56 clk = !clk;

  task write(input [16:0] address, input [31:0] value);
    reg address_taken, data_taken, answered;
    begin
      awaddr <= address;
      wdata <= value;
      awvalid <= 1'b1;
      wvalid <= 1'b1;
      answered = 1'b0;
      while (!answered) begin
        @(posedge clk);
        address_taken = awvalid && awready;
        data_taken = wvalid && wready;
        answered = bvalid;
        if (address_taken) awvalid <= 1'b0;
        if (data_taken) wvalid <= 1'b0;
      end
    end
  endtask

  task read(input [16:0] address, output [31:0] value);
    reg answered;
    begin
      araddr <= address;
      arvalid <= 1'b1;
      answered = 1'b0;
      while (!answered) begin
        @(posedge clk);
        answered = rvalid;
        if (answered) value = rdata;
        if (arvalid && arready) arvalid <= 1'b0;
      end
    end
  endtask

  function [16:0] port_address(input integer port, input [11:0] offset);
    port_address = 17'h1000 + (port << 12) + offset;
  endfunction

  integer    port, word;
  reg [31:0] frame_octets, clocks, value, sent, received;
  initial begin
    if (!$value$plusargs("frame_octets=%d", frame_octets)) frame_octets = 32'd64;
    if (!$value$plusargs("clocks=%d", clocks)) clocks = 32'd1000;
    repeat (16) @(posedge clk);
    rst <= 1'b0;
    @(posedge clk);
    for (port = 0; port < PORTS; port = port + 1) begin
      write(port_address(port, PORT_TX_ENABLE), 32'd1);
      write(port_address(port, PORT_TX_FRAME_OCTETS), frame_octets);
      write(port_address(port, PORT_TX_GAP_OCTETS), 32'd12);
      write(port_address(port, PORT_TX_GAP_OCTETS) + 17'd4, 32'd0);
      write(port_address(port, PORT_TX_GAP_NUMERATOR), 32'd0);
      write(port_address(port, PORT_TX_GAP_DENOMINATOR), 32'd1);
      write(port_address(port, PORT_TX_FLOWS), 32'd1);
      write(port_address(port, PORT_RX_MAX_FRAME_OCTETS), 32'd9216);
      write(port_address(port, PORT_TX_FLOW_INDEX), 32'd0);
      write(port_address(port, PORT_TX_FLOW_PAYLOAD), 32'd42);
      write(port_address(port, PORT_RX_EXPECTED) + 32 * (port ^ 1), 32'd1);
      for (word = 0; word < 16; word = word + 1)
        write(port_address(port, PORT_TX_HEADER) + 4 * word, 32'h01020304 * word);
    end
    write({5'd0, GLOBAL_CONTROL}, 32'h4);
    value = 32'h2;
    while (value[1]) read({5'd0, GLOBAL_STATUS}, value);
    write({5'd0, GLOBAL_CONTROL}, 32'h1);
    repeat (clocks) @(posedge clk);
    write({5'd0, GLOBAL_CONTROL}, 32'h8);
    sent = 32'd0;
    received = 32'd0;
    for (port = 0; port < PORTS; port = port + 1) begin
      read(port_address(port, MAP_COUNTER_BASE + 12'd8 * COUNTER_TX_FRAMES), value);
      sent = sent + value;
      read(port_address(port, MAP_COUNTER_BASE + 12'd8 * COUNTER_RX_RECEIVED_FRAMES), value);
      received = received + value;
    end
    $display("%0d %0d", sent, received);
    $finish;
  end
endmodule
