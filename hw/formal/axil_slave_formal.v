// files: csr/axil_slave.v
// mode: induction depth=14
// mutant: s/grant_write && partial_reg) || (active_reg/active_reg \&\& partial_reg) || (active_reg/
// mutant: s/aw_taken || (aw_full_reg \&\& !b_taken)/aw_taken || (aw_full_reg \&\& !s_axil_bvalid)/
// mutant: s/!rvalid_reg && !(active_reg && !bus_write)/!(active_reg \&\& !bus_write)/
// mutant: s/grant_write ? awaddr_reg : araddr_reg/s_axil_awvalid ? s_axil_awaddr : araddr_reg/
// mutant: s/partial_reg <= s_axil_wstrb != 4'hf/partial_reg <= s_axil_wstrb == 4'h0/
// SPDX-License-Identifier: Apache-2.0
// axil_slave against any master that keeps the AXI4-Lite rules and any bus that acknowledges within 3 clocks. The
// proven properties are in axil_slave_properties.vh, which the module includes so that helper invariants can see its
// registers.
module axil_slave_formal (
  input         clk,
  input  [4:0]  s_axil_awaddr,
  input         s_axil_awvalid,
  input  [31:0] s_axil_wdata,
  input  [3:0]  s_axil_wstrb,
  input         s_axil_wvalid,
  input         s_axil_bready,
  input  [4:0]  s_axil_araddr,
  input         s_axil_arvalid,
  input         s_axil_rready,
  input         bus_ack,
  input  [31:0] bus_rdata,
  input         bus_error
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  axil_slave #(.ADDR_W(5)) dut (
    .clk(clk), .rst(rst), .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(),
    .s_axil_bresp(), .s_axil_bvalid(), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(), .s_axil_rdata(), .s_axil_rresp(), .s_axil_rvalid(),
    .s_axil_rready(s_axil_rready), .bus_req(), .bus_write(), .bus_addr(), .bus_wdata(), .bus_ack(bus_ack),
    .bus_rdata(bus_rdata), .bus_error(bus_error), .busy());
endmodule
