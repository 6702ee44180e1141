// files: csr/axil_slave.v
// mode: induction depth=14 base=14 cover=24 mutants=18
// deep: base=30 mutants=30
// size: addresses of 5 bits
// mutant partial_write_is_answered_late: s/grant_write && partial_reg) || (active_reg/active_reg \&\& partial_reg) || (active_reg/
// mutant address_taken_again_before_the_answer_is: s/aw_taken || (aw_full_reg \&\& !b_taken)/aw_taken || (aw_full_reg \&\& !s_axil_bvalid)/
// mutant read_granted_twice: s/!rvalid_reg && !(active_reg && !bus_write)/!(active_reg \&\& !bus_write)/
// mutant read_address_of_the_port: s/grant_write ? awaddr_reg : araddr_reg/s_axil_awvalid ? s_axil_awaddr : araddr_reg/
// mutant partial_only_without_strobes: s/partial_reg <= s_axil_wstrb != 4'hf/partial_reg <= s_axil_wstrb == 4'h0/
// mutant response_dropped_at_once: s/(bvalid_reg \&\& !b_taken)/1'b0/
// mutant error_not_passed_on: s/rerror_reg <= bus_error/rerror_reg <= 1'b0/
// mutant read_before_the_acknowledge: s/rvalid_reg <= (active_reg \&\& bus_ack/rvalid_reg <= (active_reg/
// mutant never_active_again: s/end else if (bus_ack) begin/end else if (1'b0) begin/
// mutant busy_without_read: s/aw_full_reg || w_full_reg || ar_full_reg;/aw_full_reg || w_full_reg;/
// mutant failed_read_gives_data: s/bus_error ? 32'd0 : bus_rdata/bus_rdata/
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
