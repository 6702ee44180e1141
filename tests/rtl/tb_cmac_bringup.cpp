// SPDX-License-Identifier: Apache-2.0
// cmac_bringup: the order required by AMD PG203. Nothing is sent before the receiver is aligned, a remote fault is sent
// until then, and there is no link while the far end reports one.
#include "tests/rtl/tb.h"

using tb::check;

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  Vdut dut;
  tb::Random random(3);
  tb::reset(dut);
  check(!dut.ctl_rx_enable && !dut.ctl_tx_enable && !dut.ctl_tx_send_rfi && !dut.link_up, "not at rest in reset");
  tb::tick(dut);
  tb::tick(dut);
  check(dut.ctl_rx_enable && dut.ctl_tx_send_rfi && !dut.ctl_tx_enable, "not aligned: a remote fault, no frames");
  dut.stat_rx_aligned = 1;
  for (int i = 0; i < 3; i++) tb::tick(dut);
  check(dut.ctl_rx_enable && !dut.ctl_tx_send_rfi && dut.ctl_tx_enable && dut.link_up, "aligned: frames");
  dut.stat_rx_remote_fault = 1;
  tb::tick(dut);
  check(dut.ctl_tx_enable && !dut.link_up, "the far end reports a fault: no link");
  dut.stat_rx_remote_fault = 0;
  for (int i = 0; i < 2000; i++) { // never frames and a remote fault together, and no link without frames
    dut.stat_rx_aligned = !random.one_in(10);
    dut.stat_rx_remote_fault = random.one_in(10);
    if (random.one_in(200)) tb::reset(dut);
    tb::tick(dut);
    check(!(dut.ctl_tx_enable && dut.ctl_tx_send_rfi), "frames and a remote fault");
    check(!dut.link_up || dut.ctl_rx_enable, "a link without a receiver");
    if (!dut.stat_rx_aligned) check(!dut.ctl_tx_enable && !dut.link_up, "frames while not aligned");
  }
  return tb::finish("cmac_bringup");
}
