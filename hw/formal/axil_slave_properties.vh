// SPDX-License-Identifier: Apache-2.0
// The guarantees of axil_slave (AMBA AXI specification, AXI4-Lite: handshake A3.2.1, dependencies A3.3.1). Included
// inside the module, by hw/formal only.
  localparam F_BUS_CLOCKS = 3;       // the bus acknowledges within this many clocks of the request
  localparam F_ANSWER_CLOCKS = 13;   // then an access is answered within this many clocks of its acceptance
  reg f_past = 1'b0;
  always @(posedge clk) f_past <= 1'b1;
  initial assume (rst);

  // ---- the master: what it offers stays until it is taken
  // (Assumptions are not clocked: yosys delays clocked ones by a step, so the last step would have none.)
  reg              f_aw_held = 0, f_w_held = 0, f_ar_held = 0;
  reg [ADDR_W-1:0] f_aw_last, f_ar_last;
  reg [35:0]       f_w_last;
  always @(posedge clk) begin
    f_aw_held <= !rst && s_axil_awvalid && !s_axil_awready;
    f_w_held  <= !rst && s_axil_wvalid && !s_axil_wready;
    f_ar_held <= !rst && s_axil_arvalid && !s_axil_arready;
    f_aw_last <= s_axil_awaddr;
    f_w_last  <= {s_axil_wstrb, s_axil_wdata};
    f_ar_last <= s_axil_araddr;
  end
  always @* begin
    assume (!f_aw_held || (s_axil_awvalid && s_axil_awaddr == f_aw_last));
    assume (!f_w_held || (s_axil_wvalid && {s_axil_wstrb, s_axil_wdata} == f_w_last));
    assume (!f_ar_held || (s_axil_arvalid && s_axil_araddr == f_ar_last));
  end

  // ---- the bus: one acknowledge per request
  reg       f_pending = 1'b0;
  reg [1:0] f_wait = 2'd0;
  always @(posedge clk) begin
    f_pending <= !rst && (bus_req || f_pending) && !bus_ack;
    f_wait    <= (rst || bus_ack || !(bus_req || f_pending)) ? 2'd0 : f_wait + 2'd1;
  end
  always @* assume (!bus_ack || bus_req || f_pending);
  always @* if (f_wait == F_BUS_CLOCKS) assume (bus_ack);

  // ---- ghosts: what was accepted, requested and answered
  reg f_aw = 0, f_w = 0, f_ar = 0;            // accepted, response not yet taken
  reg f_wreq = 0, f_wack = 0, f_werror = 0;   // the write's request, its acknowledge, its error
  reg f_rreq = 0, f_rack = 0, f_rerror = 0;
  reg [ADDR_W-1:0] f_awaddr, f_araddr;
  reg [31:0]       f_wdata, f_rdata;
  reg [3:0]        f_wstrb;
  reg [3:0]        f_wage = 0, f_rage = 0;    // clocks for which an accepted access has had no response
  always @(posedge clk) begin
    if (aw_taken) begin f_aw <= 1; f_awaddr <= s_axil_awaddr; end
    if (w_taken)  begin f_w <= 1; f_wdata <= s_axil_wdata; f_wstrb <= s_axil_wstrb; end
    if (ar_taken) begin f_ar <= 1; f_araddr <= s_axil_araddr; end
    if (bus_req && bus_write)  f_wreq <= 1;
    if (bus_req && !bus_write) f_rreq <= 1;
    if (bus_ack && bus_write)  begin f_wack <= 1; f_werror <= bus_error; end
    if (bus_ack && !bus_write) begin f_rack <= 1; f_rerror <= bus_error; f_rdata <= bus_rdata; end
    if (b_taken) {f_aw, f_w, f_wreq, f_wack} <= 0;
    if (r_taken) {f_ar, f_rreq, f_rack} <= 0;
    f_wage <= (f_aw && f_w && !s_axil_bvalid) ? f_wage + 4'd1 : 4'd0;
    f_rage <= (f_ar && !s_axil_rvalid) ? f_rage + 4'd1 : 4'd0;
    if (rst) {f_aw, f_w, f_ar, f_wreq, f_wack, f_rreq, f_rack, f_wage, f_rage} <= 0;
  end
  wire f_partial = f_wstrb != 4'hf;

  // ---- what happened in the clock before, for promises about two clocks
  reg        f_b_stays = 0, f_r_stays = 0, f_open = 0;
  reg [1:0]  f_bresp_last, f_rresp_last;
  reg [31:0] f_rdata_last;
  reg [2:0]  f_writes = 0, f_reads = 0;       // accesses answered, for covers
  always @(posedge clk) begin
    f_b_stays    <= s_axil_bvalid && !s_axil_bready && !rst;
    f_r_stays    <= s_axil_rvalid && !s_axil_rready && !rst;
    f_open       <= !rst;
    f_bresp_last <= s_axil_bresp;
    f_rresp_last <= s_axil_rresp;
    f_rdata_last <= s_axil_rdata;
    if (b_taken && !(&f_writes)) f_writes <= f_writes + 1'b1;
    if (r_taken && !(&f_reads))  f_reads <= f_reads + 1'b1;
  end

  // ---- guarantees
  always @*
    if (!rst && f_past) begin
      // A write response stays, with the same payload, until it is taken (A3.2.1).
      b_stays: assert (!f_b_stays || (s_axil_bvalid && s_axil_bresp == f_bresp_last));
      // A read response stays, with the same payload, until it is taken (A3.2.1).
      r_stays: assert (!f_r_stays || (s_axil_rvalid && s_axil_rresp == f_rresp_last && s_axil_rdata == f_rdata_last));
      // The next access can be accepted with nothing outstanding on a channel; ready does not wait for valid.
      ready_when_free: assert (!f_open || ((f_aw || s_axil_awready) && (f_w || s_axil_wready) && (f_ar || s_axil_arready)));
      // One access at a time: nothing is accepted on a channel while one is unanswered.
      one_access_at_a_time: assert (!(s_axil_awready && f_aw) && !(s_axil_wready && f_w) && !(s_axil_arready && f_ar));
      // No write response without address and data, or before the bus has acknowledged.
      b_has_a_write: assert (!s_axil_bvalid || (f_aw && f_w && (f_partial || f_wack)));
      // A write that does not cover all four octets never reaches the bus.
      partial_write_stays_out: assert (!(f_partial && f_aw && f_w) || !(f_wreq || (bus_req && bus_write)));
      // A write response is an error for a partial write or an error of the bus, else OKAY.
      bresp_is_right: assert (!s_axil_bvalid || s_axil_bresp == ((f_partial || f_werror) ? SLVERR : OKAY));
      // No read response without an address, or before the bus has acknowledged.
      r_has_a_read: assert (!s_axil_rvalid || (f_ar && f_rack));
      // A read response is an error exactly if the bus gave one.
      rresp_is_right: assert (!s_axil_rvalid || s_axil_rresp == (f_rerror ? SLVERR : OKAY));
      // A read gives what the bus gave; 0 with an error.
      rdata_is_right: assert (!s_axil_rvalid || s_axil_rdata == (f_rerror ? 32'd0 : f_rdata));
      // One bus access at a time.
      one_bus_access_at_a_time: assert (!(bus_req && f_pending));
      // A write on the bus belongs to an accepted one that was not there yet.
      bus_write_has_a_write: assert (!(bus_req && bus_write) || (f_aw && f_w && !f_wreq));
      // A read on the bus belongs to an accepted one that was not there yet.
      bus_read_has_a_read: assert (!(bus_req && !bus_write) || (f_ar && !f_rreq));
      // A bus write keeps the address and the data that were accepted until its acknowledge.
      bus_write_is_stable: assert (!((bus_req || f_pending) && bus_write) || (bus_addr == f_awaddr && bus_wdata == f_wdata));
      // A bus read keeps the address that was accepted until its acknowledge.
      bus_read_is_stable: assert (!((bus_req || f_pending) && !bus_write) || bus_addr == f_araddr);
      // Every write is answered within 13 clocks if the bus acknowledges within 3.
      writes_are_answered: assert (f_wage <= F_ANSWER_CLOCKS);
      // Every read is answered within 13 clocks if the bus acknowledges within 3.
      reads_are_answered: assert (f_rage <= F_ANSWER_CLOCKS);
      // busy says that an access is accepted and not answered.
      busy_is_right: assert (busy == (f_aw || f_w || f_ar));

      // Two writes and two reads are answered.
      answers: cover (f_writes == 2 && f_reads == 2);
      // It rests again after an access.
      busy_falls: cover (f_writes != 0 && f_reads != 0 && !busy);
      // A partial write is answered with an error while a read is on the bus.
      partial_write_is_refused: cover (s_axil_bvalid && s_axil_bresp == SLVERR && f_partial && f_pending && !bus_write);
    end

  // ---- helper invariants for the induction
`ifdef FORMAL_HELPERS
  always @*
    if (!rst && f_past) begin
      assert (aw_full_reg == f_aw && w_full_reg == f_w && ar_full_reg == f_ar);
      if (f_aw) assert (awaddr_reg == f_awaddr);
      if (f_w)  assert (wdata_reg == f_wdata && partial_reg == f_partial);
      if (f_ar) assert (araddr_reg == f_araddr);
      assert (active_reg == (bus_req || f_pending));
      assert (f_wreq == ((f_pending && bus_write) || f_wack));
      assert (f_rreq == ((f_pending && !bus_write) || f_rack));
      if (f_pending && bus_write)  assert (f_aw && f_w && !f_wack && !f_partial);
      if (f_pending && !bus_write) assert (f_ar && !f_rack);
      if (f_wack) assert (bvalid_reg);
      if (f_rack) assert (rvalid_reg);
      if (bus_req && bus_write)  assert (!bvalid_reg);
      if (bus_req && !bus_write) assert (!rvalid_reg);
      if (bus_req) assert (f_wait == 0);
      if (f_pending) assert (f_wait >= 1 && f_wait <= F_BUS_CLOCKS);
      if (!bus_req && !f_pending) assert (f_wait == 0);
    end
`endif
