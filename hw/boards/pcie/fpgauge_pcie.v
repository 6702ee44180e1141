// SPDX-License-Identifier: Apache-2.0
// A card without XRT: for your own block design or top around any PCIe bridge that is an AXI4-Lite master (AMD XDMA
// with its AXI-Lite interface, or another). Give the bridge a 32-bit memory BAR of 128 KiB, not prefetchable,
// translated to address 0; higher address bits are ignored. axil_aresetn comes from the bridge: low while the link is
// down.
module fpgauge_pcie #(
  parameter PORTS = 2,
  parameter [PORTS-1:0] LOCKED = 1
) (
  input          axil_aclk,
  input          axil_aresetn,
  input  [31:0]  s_axil_awaddr,
  input          s_axil_awvalid,
  output         s_axil_awready,
  input  [31:0]  s_axil_wdata,
  input  [3:0]   s_axil_wstrb,
  input          s_axil_wvalid,
  output         s_axil_wready,
  output [1:0]   s_axil_bresp,
  output         s_axil_bvalid,
  input          s_axil_bready,
  input  [31:0]  s_axil_araddr,
  input          s_axil_arvalid,
  output         s_axil_arready,
  output [31:0]  s_axil_rdata,
  output [1:0]   s_axil_rresp,
  output         s_axil_rvalid,
  input          s_axil_rready,
  input          init_clk,         // free running, 50 to 125 MHz
  input  [PORTS-1:0]   gt_refclk_p,
  input  [PORTS-1:0]   gt_refclk_n,
  input  [4*PORTS-1:0] gt_rxp_in,
  input  [4*PORTS-1:0] gt_rxn_in,
  output [4*PORTS-1:0] gt_txp_out,
  output [4*PORTS-1:0] gt_txn_out,
  output [PORTS-1:0]   link_up
);
  fpgauge_card #(.PORTS(PORTS), .LOCKED(LOCKED)) u_card (
    .async_rst(!axil_aresetn), .axil_clk(axil_aclk),
    .s_axil_awaddr(s_axil_awaddr[16:0]), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr[16:0]), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .init_clk(init_clk), .gt_refclk_p(gt_refclk_p), .gt_refclk_n(gt_refclk_n), .gt_rxp_in(gt_rxp_in),
    .gt_rxn_in(gt_rxn_in), .gt_txp_out(gt_txp_out), .gt_txn_out(gt_txn_out), .link_up(link_up));
  wire unused = &{1'b0, s_axil_awaddr[31:17], s_axil_araddr[31:17]};
endmodule
