// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave to the register bus: one access at a time, answered in the order of acceptance on its channel.
//
// Bus: bus_req lasts one clock; bus_write, bus_addr and bus_wdata are stable from bus_req until bus_ack (one clock, any
// number of clocks later, with bus_rdata and bus_error). A write needs address and data, in any order. If a read and a
// write are both waiting the write goes first; no other can come before the read is served. A write that does not cover
// all four octets never reaches the bus and gets SLVERR, as does every access with bus_error; a failed read gives 0.
// Ready is low in reset, so that no accepted access can be lost.
//
// Every input is captured in a register before it is used. It does not: queue, burst, check protection bits, time out
// (a bus that never acknowledges stalls the master; hw/rtl/csr always acknowledges).
module axil_slave #(
  parameter ADDR_W = 17
) (
  input                   clk,
  input                   rst,
  input      [ADDR_W-1:0] s_axil_awaddr,
  input                   s_axil_awvalid,
  output                  s_axil_awready,
  input      [31:0]       s_axil_wdata,
  input      [3:0]        s_axil_wstrb,
  input                   s_axil_wvalid,
  output                  s_axil_wready,
  output     [1:0]        s_axil_bresp,
  output                  s_axil_bvalid,
  input                   s_axil_bready,
  input      [ADDR_W-1:0] s_axil_araddr,
  input                   s_axil_arvalid,
  output                  s_axil_arready,
  output     [31:0]       s_axil_rdata,
  output     [1:0]        s_axil_rresp,
  output                  s_axil_rvalid,
  input                   s_axil_rready,

  output reg              bus_req,
  output reg              bus_write,
  output reg [ADDR_W-1:0] bus_addr,
  output     [31:0]       bus_wdata,
  input                   bus_ack,
  input      [31:0]       bus_rdata,
  input                   bus_error,

  output                  busy      // an access is accepted and not yet answered
);
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  // One slot per channel; a slot is free again when its response has been taken.
  reg              aw_full_reg, w_full_reg, ar_full_reg;
  reg              open_reg;                  // out of reset
  reg [ADDR_W-1:0] awaddr_reg, araddr_reg;
  reg [31:0]       wdata_reg;
  reg              partial_reg;
  assign s_axil_awready = open_reg && !aw_full_reg;
  assign s_axil_wready  = open_reg && !w_full_reg;
  assign s_axil_arready = open_reg && !ar_full_reg;

  wire aw_taken = s_axil_awvalid && s_axil_awready;
  wire w_taken  = s_axil_wvalid && s_axil_wready;
  wire ar_taken = s_axil_arvalid && s_axil_arready;
  wire b_taken  = s_axil_bvalid && s_axil_bready;
  wire r_taken  = s_axil_rvalid && s_axil_rready;

  // The access on the bus. For the bus, an access whose response waits to be taken is over.
  reg active_reg;
  reg bvalid_reg, rvalid_reg;
  reg berror_reg, rerror_reg;
  reg [31:0] rdata_reg;
  assign bus_wdata = wdata_reg;

  // One block, which a simulator passes by while there is no access: what is on its way has a full slot. What comes last
  // stands first, so that it needs no copies.
  reg  write_waits, read_waits, grant_write, grant_read;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (busy || s_axil_awvalid || s_axil_wvalid || s_axil_arvalid || !open_reg || rst) begin
      write_waits = aw_full_reg && w_full_reg && !bvalid_reg && !(active_reg && bus_write);
      read_waits  = ar_full_reg && !rvalid_reg && !(active_reg && !bus_write);
      grant_write = write_waits && !active_reg;
      grant_read  = read_waits && !active_reg && !grant_write;

      bvalid_reg <= (grant_write && partial_reg) || (active_reg && bus_ack && bus_write) || (bvalid_reg && !b_taken);
      rvalid_reg <= (active_reg && bus_ack && !bus_write) || (rvalid_reg && !r_taken);
      if (grant_write && partial_reg) berror_reg <= 1'b1;
      else if (active_reg && bus_ack && bus_write) berror_reg <= bus_error;
      if (active_reg && bus_ack && !bus_write) begin
        rerror_reg <= bus_error;
        rdata_reg  <= bus_error ? 32'd0 : bus_rdata;
      end

      bus_req <= (grant_write && !partial_reg) || grant_read;
      if (grant_write || grant_read) begin
        bus_addr   <= grant_write ? awaddr_reg : araddr_reg;
        active_reg <= grant_read || !partial_reg;
        bus_write  <= grant_write;
      end else if (bus_ack) begin
        active_reg <= 1'b0;
      end

      open_reg    <= !rst;
      aw_full_reg <= !rst && (aw_taken || (aw_full_reg && !b_taken));
      w_full_reg  <= !rst && (w_taken || (w_full_reg && !b_taken));
      ar_full_reg <= !rst && (ar_taken || (ar_full_reg && !r_taken));
      if (aw_taken) awaddr_reg <= s_axil_awaddr;
      if (ar_taken) araddr_reg <= s_axil_araddr;
      if (w_taken) begin
        wdata_reg   <= s_axil_wdata;
        partial_reg <= s_axil_wstrb != 4'hf;
      end
      if (rst) begin
        active_reg <= 1'b0;
        bus_req    <= 1'b0;
        bus_write  <= 1'b0;
        bvalid_reg <= 1'b0;
        rvalid_reg <= 1'b0;
      end
    end
  /* verilator lint_on BLKSEQ */

  assign s_axil_bvalid = bvalid_reg;
  assign s_axil_bresp  = berror_reg ? SLVERR : OKAY;
  assign s_axil_rvalid = rvalid_reg;
  assign s_axil_rresp  = rerror_reg ? SLVERR : OKAY;
  assign s_axil_rdata  = rdata_reg;
  assign busy          = aw_full_reg || w_full_reg || ar_full_reg;
`ifdef FORMAL
`include "axil_slave_properties.vh"
`endif
endmodule
