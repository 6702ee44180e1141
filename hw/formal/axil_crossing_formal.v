// files: ../boards/common/axil_crossing.v ../boards/common/sync_bit.v
// with: sync_bit
// see: dut.f_request_first = dut.u_request.f_first
// see: dut.f_answer_first = dut.u_answer.f_first
// mode: induction depth=2 base=8 cover=26 mutants=20 clocks=free
// deep: base=14 mutants=26
// size: addresses of 2 bits, data of 2 bits, the others constant; the core is up
// slow b_dropped_before_it_is_taken: s/if (s_axil_bvalid \&\& s_axil_bready) s_axil_bvalid <= 1'b0;/s_axil_bvalid <= 1'b0;/
// slow r_dropped_before_it_is_taken: s/if (s_axil_rvalid \&\& s_axil_rready) s_axil_rvalid <= 1'b0;/s_axil_rvalid <= 1'b0;/
// mutant taken_while_waiting: s/rest       = !waiting_reg \&\& /rest       = /
// mutant answered_at_once: s/(gone_reg || answer_here == request_reg || down)/1'b1/
// slow write_answered_as_read: s/s_axil_bvalid <= write_reg;/s_axil_bvalid <= !write_reg;/
// mutant core_valid_dropped: s/if (m_axil_arready) m_axil_arvalid <= 1'b0;/m_axil_arvalid <= 1'b0;/
// mutant core_valid_stays: s/if (m_axil_wready)  m_axil_wvalid  <= 1'b0;//
// slow answer_inverts_data: s/rdata_reg  <= m_axil_rdata;/rdata_reg <= ~m_axil_rdata;/
// mutant answer_before_the_core: s/else if (busy_reg \&\& (m_axil_bvalid || m_axil_rvalid))/else if (busy_reg)/
// mutant no_answer_toggle: s/answer_reg <= request_here;//
// slow read_all_ones: s/gone ? 32'hFFFF_FFFF : rdata_reg/32'hFFFF_FFFF/
// SPDX-License-Identifier: Apache-2.0
// axil_crossing with free clocks (in every step each may or may not rise), after both resets, with a core that is up and
// any master and core that keep the AXI4-Lite rules. What happens when the core goes down: tests/rtl/tb_axil_crossing.cpp.
module axil_crossing_formal (
  input         s_clk,
  input         m_clk,
  input  [1:0]  s_axil_awaddr,
  input         s_axil_awvalid,
  input  [1:0]  s_axil_wdata,
  input         s_axil_wstrb,
  input         s_axil_wvalid,
  input         s_axil_bready,
  input  [1:0]  s_axil_araddr,
  input         s_axil_arvalid,
  input         s_axil_rready,
  input         m_axil_awready,
  input         m_axil_wready,
  input  [1:0]  m_axil_bresp,
  input         m_axil_bvalid,
  input         m_axil_arready,
  input  [1:0]  m_axil_rdata,
  input  [1:0]  m_axil_rresp,
  input         m_axil_rvalid
);
  axil_crossing #(.ADDR_W(2)) dut (
    .s_clk(s_clk), .s_rst(1'b0), .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(),
    .s_axil_wdata({30'd0, s_axil_wdata}), .s_axil_wstrb({3'd7, s_axil_wstrb}), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(),
    .s_axil_bresp(), .s_axil_bvalid(), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(), .s_axil_rdata(), .s_axil_rresp(), .s_axil_rvalid(),
    .s_axil_rready(s_axil_rready), .m_clk(m_clk), .m_rst(1'b0), .m_axil_awaddr(), .m_axil_awvalid(),
    .m_axil_awready(m_axil_awready), .m_axil_wdata(), .m_axil_wstrb(), .m_axil_wvalid(), .m_axil_wready(m_axil_wready),
    .m_axil_bresp(m_axil_bresp), .m_axil_bvalid(m_axil_bvalid), .m_axil_bready(), .m_axil_araddr(), .m_axil_arvalid(),
    .m_axil_arready(m_axil_arready), .m_axil_rdata({30'd0, m_axil_rdata}), .m_axil_rresp(m_axil_rresp),
    .m_axil_rvalid(m_axil_rvalid), .m_axil_rready());
endmodule
