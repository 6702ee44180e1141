// SPDX-License-Identifier: Apache-2.0
// The kernel for an Alveo U200 under XRT: two QSFP28 ports. package_kernel.tcl makes interfaces from the port names,
// and the connectivity file connects them to the shell. Nobody has checked that the reference clocks of the two QSFPs
// come from one oscillator, so port 1 is taken to have another than the core (docs/boards.md, Clocks).
module fpgauge_u200 (
  input          ap_clk,
  input          ap_rst_n,
  input  [16:0]  s_axil_awaddr,
  input          s_axil_awvalid,
  output         s_axil_awready,
  input  [31:0]  s_axil_wdata,
  input  [3:0]   s_axil_wstrb,
  input          s_axil_wvalid,
  output         s_axil_wready,
  output [1:0]   s_axil_bresp,
  output         s_axil_bvalid,
  input          s_axil_bready,
  input  [16:0]  s_axil_araddr,
  input          s_axil_arvalid,
  output         s_axil_arready,
  output [31:0]  s_axil_rdata,
  output [1:0]   s_axil_rresp,
  output         s_axil_rvalid,
  input          s_axil_rready,
  input          clk_gt_freerun,   // 100 MHz, free running
  input          gt_refclk0_p,     // 156.25 MHz, QSFP 0
  input          gt_refclk0_n,
  input  [3:0]   gt_serial_port0_grx_p,
  input  [3:0]   gt_serial_port0_grx_n,
  output [3:0]   gt_serial_port0_gtx_p,
  output [3:0]   gt_serial_port0_gtx_n,
  input          gt_refclk1_p,     // 156.25 MHz, QSFP 1
  input          gt_refclk1_n,
  input  [3:0]   gt_serial_port1_grx_p,
  input  [3:0]   gt_serial_port1_grx_n,
  output [3:0]   gt_serial_port1_gtx_p,
  output [3:0]   gt_serial_port1_gtx_n
);
  wire [1:0] link_up_unused;        // a kernel has no LED
  fpgauge_card #(.PORTS(2), .LOCKED(2'b01)) u_card (
    .async_rst(!ap_rst_n), .axil_clk(ap_clk),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .init_clk(clk_gt_freerun), .gt_refclk_p({gt_refclk1_p, gt_refclk0_p}), .gt_refclk_n({gt_refclk1_n, gt_refclk0_n}),
    .gt_rxp_in({gt_serial_port1_grx_p, gt_serial_port0_grx_p}),
    .gt_rxn_in({gt_serial_port1_grx_n, gt_serial_port0_grx_n}),
    .gt_txp_out({gt_serial_port1_gtx_p, gt_serial_port0_gtx_p}),
    .gt_txn_out({gt_serial_port1_gtx_n, gt_serial_port0_gtx_n}), .link_up(link_up_unused));
endmodule
