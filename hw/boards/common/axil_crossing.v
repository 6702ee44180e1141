// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite from the clock of a host bridge to the clock of the core, one access at a time. A request is stable in its
// register while a toggle crosses through sync_bit, and so is the answer; nothing else crosses.
//
// The host side always answers, because a bridge that waits hangs its machine: while the core is in reset or has no
// clock, a read gives all ones and a write is dropped, both OKAY. The host takes all ones as a card that is gone. An
// access in progress when the core goes down is answered in the same way. One in progress when the host's side is reset
// is finished by the core and not answered; the next one is taken after that.
// m_rst must be high for at least 8 clocks of s_clk. A read takes about 4 clocks of each side longer than in the core.
module axil_crossing #(
  parameter ADDR_W = 17
) (
  input                   s_clk,
  input                   s_rst,
  input      [ADDR_W-1:0] s_axil_awaddr,
  input                   s_axil_awvalid,
  output                  s_axil_awready,
  input      [31:0]       s_axil_wdata,
  input      [3:0]        s_axil_wstrb,
  input                   s_axil_wvalid,
  output                  s_axil_wready,
  output reg [1:0]        s_axil_bresp,
  output reg              s_axil_bvalid,
  input                   s_axil_bready,
  input      [ADDR_W-1:0] s_axil_araddr,
  input                   s_axil_arvalid,
  output                  s_axil_arready,
  output reg [31:0]       s_axil_rdata,
  output reg [1:0]        s_axil_rresp,
  output reg              s_axil_rvalid,
  input                   s_axil_rready,

  input                   m_clk,
  input                   m_rst,          // comes from a register in m_clk, or asynchronous
  output     [ADDR_W-1:0] m_axil_awaddr,
  output reg              m_axil_awvalid,
  input                   m_axil_awready,
  output     [31:0]       m_axil_wdata,
  output     [3:0]        m_axil_wstrb,
  output reg              m_axil_wvalid,
  input                   m_axil_wready,
  input      [1:0]        m_axil_bresp,
  input                   m_axil_bvalid,
  output                  m_axil_bready,
  output     [ADDR_W-1:0] m_axil_araddr,
  output reg              m_axil_arvalid,
  input                   m_axil_arready,
  input      [31:0]       m_axil_rdata,
  input      [1:0]        m_axil_rresp,
  input                   m_axil_rvalid,
  output                  m_axil_rready
);
  // Registers that the other side reads: they are stable from the toggle until its answer.
  reg [ADDR_W-1:0] address_reg;
  reg [31:0]       wdata_reg, rdata_reg;
  reg [3:0]        wstrb_reg;
  reg              write_reg, request_reg;    // request: a change is a request
  reg [1:0]        resp_reg;
  reg              answer_reg;                // answer: equal to request once answered

  // ---------------------------------------------------------------- host side
  wire down, answer_here;
  sync_bit u_down   (.clk(s_clk), .d(m_rst), .q(down));
  sync_bit u_answer (.clk(s_clk), .d(answer_reg), .q(answer_here));

  reg  waiting_reg, read_turn_reg, gone_reg;
  wire rest       = !waiting_reg && !s_axil_bvalid && !s_axil_rvalid && !s_rst && (answer_here == request_reg || down);
  wire can_write  = s_axil_awvalid && s_axil_wvalid;
  wire take_write = rest && can_write && !(read_turn_reg && s_axil_arvalid);
  wire take_read  = rest && s_axil_arvalid && !take_write;
  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  wire gone = gone_reg || down;
  always @(posedge s_clk) begin
    if (s_axil_bvalid && s_axil_bready) s_axil_bvalid <= 1'b0;
    if (s_axil_rvalid && s_axil_rready) s_axil_rvalid <= 1'b0;
    if (take_write || take_read) begin
      write_reg     <= take_write;
      address_reg   <= take_write ? s_axil_awaddr : s_axil_araddr;
      wdata_reg     <= s_axil_wdata;
      wstrb_reg     <= s_axil_wstrb;
      read_turn_reg <= take_write;
      waiting_reg   <= 1'b1;
      if (!down) request_reg <= !request_reg;
      gone_reg      <= down;
    end else if (waiting_reg && (gone_reg || answer_here == request_reg || down)) begin
      // The answer is taken into registers here, so that the crossing ends inside this module.
      waiting_reg   <= 1'b0;
      s_axil_bvalid <= write_reg;
      s_axil_rvalid <= !write_reg;
      s_axil_rdata  <= gone ? 32'hFFFF_FFFF : rdata_reg;
      s_axil_rresp  <= gone ? 2'd0 : resp_reg;
      s_axil_bresp  <= gone ? 2'd0 : resp_reg;
    end
    if (down) request_reg <= 1'b0;        // cleared like answer_reg; a reset of this side alone leaves both as they are
    if (s_rst) begin
      waiting_reg   <= 1'b0;
      read_turn_reg <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- core side
  wire request_here;
  sync_bit u_request (.clk(m_clk), .d(request_reg), .q(request_here));
  reg  busy_reg;
  assign m_axil_awaddr = address_reg;
  assign m_axil_araddr = address_reg;
  assign m_axil_wdata  = wdata_reg;
  assign m_axil_wstrb  = wstrb_reg;
  assign m_axil_bready = busy_reg;
  assign m_axil_rready = busy_reg;
  always @(posedge m_clk) begin
    if (m_axil_awready) m_axil_awvalid <= 1'b0;
    if (m_axil_wready)  m_axil_wvalid  <= 1'b0;
    if (m_axil_arready) m_axil_arvalid <= 1'b0;
    if (!busy_reg && request_here != answer_reg) begin
      busy_reg       <= 1'b1;
      m_axil_awvalid <= write_reg;
      m_axil_wvalid  <= write_reg;
      m_axil_arvalid <= !write_reg;
    end else if (busy_reg && (m_axil_bvalid || m_axil_rvalid)) begin
      busy_reg   <= 1'b0;
      rdata_reg  <= m_axil_rdata;
      resp_reg   <= m_axil_bvalid ? m_axil_bresp : m_axil_rresp;
      answer_reg <= request_here;
    end
    if (m_rst) begin
      busy_reg       <= 1'b0;
      answer_reg     <= 1'b0;
      m_axil_awvalid <= 1'b0;
      m_axil_wvalid  <= 1'b0;
      m_axil_arvalid <= 1'b0;
    end
  end
`ifdef FORMAL
`include "axil_crossing_properties.vh"
`endif
endmodule
