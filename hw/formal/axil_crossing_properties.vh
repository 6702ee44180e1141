// SPDX-License-Identifier: Apache-2.0
// The guarantees of axil_crossing (AMBA AXI specification, handshake A3.2.1, dependencies A3.3.1) while the core is up.
// Included inside the module, by hw/formal only. The state after both resets is where it begins.
  initial assume (!waiting_reg && !read_turn_reg && !request_reg && !s_axil_bvalid && !s_axil_rvalid && !busy_reg
                  && !answer_reg && !m_axil_awvalid && !m_axil_wvalid && !m_axil_arvalid && !gone_reg);

  // ---- host side: what was accepted and not answered
  reg              f_write = 0, f_read = 0, f_b_stays = 0, f_r_stays = 0;
  reg [ADDR_W-1:0] f_addr;
  reg [31:0]       f_wdata, f_rdata_last;
  reg [3:0]        f_wstrb;
  reg [1:0]        f_bresp_last, f_rresp_last, f_answered = 0;
  reg              f_turn = 0;                  // changes with every accepted access
  always @(posedge s_clk) begin
    if (s_axil_awready && s_axil_awvalid) begin
      {f_write, f_turn} <= {1'b1, !f_turn};
      {f_addr, f_wdata, f_wstrb} <= {s_axil_awaddr, s_axil_wdata, s_axil_wstrb};
    end
    if (s_axil_arready && s_axil_arvalid) begin
      {f_read, f_turn} <= {1'b1, !f_turn};
      f_addr <= s_axil_araddr;
    end
    if (s_axil_bvalid && s_axil_bready) f_write <= 1'b0;
    if (s_axil_rvalid && s_axil_rready) f_read <= 1'b0;
    f_b_stays    <= s_axil_bvalid && !s_axil_bready;
    f_r_stays    <= s_axil_rvalid && !s_axil_rready;
    f_bresp_last <= s_axil_bresp;
    f_rresp_last <= s_axil_rresp;
    f_rdata_last <= s_axil_rdata;
    if (f_answered != 3 && (s_axil_bvalid && s_axil_bready || s_axil_rvalid && s_axil_rready)) f_answered <= f_answered + 1'b1;
  end

  // ---- core side: the access there, and its answer
  reg        f_aw = 0, f_w = 0, f_ar = 0;       // taken by the core, not answered
  reg        f_core_turn = 0;                   // changes with every answer of the core
  reg        f_aw_stays = 0, f_w_stays = 0, f_ar_stays = 0;
  reg [31:0] f_core_rdata;
  reg [1:0]  f_core_resp;
  wire       f_core_answer = (m_axil_bvalid && m_axil_bready) || (m_axil_rvalid && m_axil_rready);
  always @(posedge m_clk) begin
    f_aw_stays <= m_axil_awvalid && !m_axil_awready;
    f_w_stays  <= m_axil_wvalid && !m_axil_wready;
    f_ar_stays <= m_axil_arvalid && !m_axil_arready;
    if (m_axil_awvalid && m_axil_awready) f_aw <= 1'b1;
    if (m_axil_wvalid && m_axil_wready)   f_w <= 1'b1;
    if (m_axil_arvalid && m_axil_arready) f_ar <= 1'b1;
    if (f_core_answer) begin
      {f_aw, f_w, f_ar} <= 3'd0;
      f_core_turn       <= !f_core_turn;
      f_core_rdata      <= m_axil_rdata;
      f_core_resp       <= m_axil_bvalid ? m_axil_bresp : m_axil_rresp;
    end
  end
  // The core answers what it has taken, and one access at a time.
  always @* begin
    assume (!m_axil_bvalid || (f_aw && f_w));
    assume (!m_axil_rvalid || f_ar);
  end
  wire f_at_core = f_turn != f_core_turn;       // accepted from the host, not answered by the core

  // ---- guarantees
  always @* begin
    // A write response stays, with the same payload, until it is taken.
    b_stays: assert (!f_b_stays || (s_axil_bvalid && s_axil_bresp == f_bresp_last));
    // A read response stays, with the same payload, until it is taken.
    r_stays: assert (!f_r_stays || (s_axil_rvalid && s_axil_rresp == f_rresp_last && s_axil_rdata == f_rdata_last));
    // One access at a time: nothing is accepted while one is unanswered.
    one_access_at_a_time: assert (!(f_write && f_read) && !((f_write || f_read) && (s_axil_awready || s_axil_arready)));
    // A write takes address and data together.
    write_takes_both: assert (s_axil_awready == s_axil_wready && (!s_axil_awready || (s_axil_awvalid && s_axil_wvalid)));
    // No response without an access of its kind that the core has answered.
    answer_has_an_access: assert (!(s_axil_bvalid && !(f_write && !f_at_core)) && !(s_axil_rvalid && !(f_read && !f_at_core)));
    // A read gives what the core answered.
    read_gives_the_cores_data: assert (!s_axil_rvalid || (s_axil_rdata == f_core_rdata && s_axil_rresp == f_core_resp));
    // A write response is the core's.
    write_gives_the_cores_response: assert (!s_axil_bvalid || s_axil_bresp == f_core_resp);
    // Address and data stay until the core takes them.
    valid_stays_at_core: assert ((!f_aw_stays || m_axil_awvalid) && (!f_w_stays || m_axil_wvalid) && (!f_ar_stays || m_axil_arvalid));
    // An access at the core is the one that the host waits for, of the same kind: none is invented or repeated.
    core_access_is_the_hosts: assert (!(m_axil_awvalid && (f_aw || !f_write || !f_at_core))
      && !(m_axil_wvalid && (f_w || !f_write || !f_at_core)) && !(m_axil_arvalid && (f_ar || !f_read || !f_at_core)));
    // It has the address that the host gave.
    core_address_is_the_hosts: assert (!(m_axil_awvalid || m_axil_arvalid)
                                       || ((m_axil_awvalid ? m_axil_awaddr : m_axil_araddr) == f_addr));
    // It has the data and strobes that the host gave.
    core_data_are_the_hosts: assert (!m_axil_wvalid || {m_axil_wdata, m_axil_wstrb} == {f_wdata, f_wstrb});

    // A write is answered.
    write_is_answered: cover (s_axil_bvalid && f_answered == 0);
    // A read is answered.
    read_is_answered: cover (s_axil_rvalid && s_axil_rdata == 32'd2 && f_answered == 0);
    // It rests again after an access.
    rests_again: cover (f_answered == 1 && rest);
  end
  (* keep *) wire f_request_first, f_answer_first;
`ifdef FORMAL_HELPERS
  always @* begin
    assert (!down && !gone_reg);
    assert (waiting_reg == ((f_write && !s_axil_bvalid) || (f_read && !s_axil_rvalid)));
    assert (!(s_axil_bvalid && s_axil_rvalid));
    if (waiting_reg) assert (write_reg == f_write && address_reg == f_addr);
    if (waiting_reg && f_write) assert ({wdata_reg, wstrb_reg} == {f_wdata, f_wstrb});
    assert (request_reg == f_turn && answer_reg == f_core_turn);
    if (!waiting_reg) assert (!f_at_core);
    // A toggle crosses: what the other side sees is the old or the new level.
    if (!f_at_core) assert (request_here == request_reg && f_request_first == request_reg);
    if (f_at_core && busy_reg) assert (request_here == request_reg && f_request_first == request_reg);
    if (f_request_first == answer_reg) assert (request_here == answer_reg);
    if (f_at_core || !waiting_reg) assert (answer_here == answer_reg && f_answer_first == answer_reg);
    if (f_answer_first != answer_reg) assert (answer_here != answer_reg);
    // The core's side
    assert (busy_reg == (m_axil_awvalid || m_axil_wvalid || m_axil_arvalid || f_aw || f_w || f_ar));
    if (busy_reg) assert (f_at_core && (write_reg ? (m_axil_awvalid != f_aw && m_axil_wvalid != f_w) : m_axil_arvalid != f_ar));
    if (busy_reg && write_reg) assert (!m_axil_arvalid && !f_ar);
    if (busy_reg && !write_reg) assert (!m_axil_awvalid && !f_aw && !m_axil_wvalid && !f_w);
    if (!f_at_core && (waiting_reg || s_axil_bvalid || s_axil_rvalid)) assert (resp_reg == f_core_resp && rdata_reg == f_core_rdata);
  end
`endif
