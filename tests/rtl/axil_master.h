// SPDX-License-Identifier: Apache-2.0
// An AXI4-Lite master for testbenches of modules with an s_axil_* port. One access at a time; valid and ready come with
// configurable delays. It knows nothing about registers.
#pragma once
#include <cstdint>
#include <functional>

namespace tb {

struct AxilTiming {
  unsigned address_delay = 0;   // clocks before awvalid or arvalid
  unsigned data_delay = 0;      // clocks before wvalid
  unsigned response_delay = 0;  // clocks with a response before bready or rready
};

struct AxilResult {
  bool answered;
  unsigned response;  // 0 OKAY, 2 SLVERR
  uint32_t data;
  unsigned clocks;
};

template <class Dut> class AxilMaster {
 public:
  // clock() advances everything by one clock; an access that takes more than `limit` clocks is given up.
  AxilMaster(Dut &dut, std::function<void()> clock, unsigned limit = 20000)
      : dut_(dut), clock_(clock), limit_(limit) {}

  AxilResult write(uint32_t address, uint32_t data, unsigned strobes = 0xf, AxilTiming timing = AxilTiming()) {
    bool address_done = false, data_done = false;
    unsigned waited = 0;
    for (unsigned n = 0; n < limit_; n++) {
      dut_.s_axil_awaddr = address;
      dut_.s_axil_awvalid = !address_done && n >= timing.address_delay;
      dut_.s_axil_wdata = data;
      dut_.s_axil_wstrb = strobes;
      dut_.s_axil_wvalid = !data_done && n >= timing.data_delay;
      dut_.s_axil_bready = dut_.s_axil_bvalid && waited++ >= timing.response_delay;
      dut_.eval();
      const bool take_address = dut_.s_axil_awvalid && dut_.s_axil_awready;
      const bool take_data = dut_.s_axil_wvalid && dut_.s_axil_wready;
      const bool done = dut_.s_axil_bvalid && dut_.s_axil_bready;
      const unsigned response = dut_.s_axil_bresp;
      clock_();
      address_done = address_done || take_address;
      data_done = data_done || take_data;
      if (done) {
        rest();
        return {true, response, 0, n + 1};
      }
    }
    rest();
    return {false, 0, 0, limit_};
  }

  AxilResult read(uint32_t address, AxilTiming timing = AxilTiming()) {
    bool address_done = false;
    unsigned waited = 0;
    for (unsigned n = 0; n < limit_; n++) {
      dut_.s_axil_araddr = address;
      dut_.s_axil_arvalid = !address_done && n >= timing.address_delay;
      dut_.s_axil_rready = dut_.s_axil_rvalid && waited++ >= timing.response_delay;
      dut_.eval();
      const bool take_address = dut_.s_axil_arvalid && dut_.s_axil_arready;
      const bool done = dut_.s_axil_rvalid && dut_.s_axil_rready;
      const AxilResult result = {true, dut_.s_axil_rresp, dut_.s_axil_rdata, n + 1};
      clock_();
      address_done = address_done || take_address;
      if (done) {
        rest();
        return result;
      }
    }
    rest();
    return {false, 0, 0, limit_};
  }

 private:
  Dut &dut_;
  std::function<void()> clock_;
  unsigned limit_;

  void rest() {
    dut_.s_axil_awvalid = dut_.s_axil_wvalid = dut_.s_axil_bready = 0;
    dut_.s_axil_arvalid = dut_.s_axil_rready = 0;
    dut_.eval();
  }
};

}  // namespace tb
