// SPDX-License-Identifier: Apache-2.0
// cmac_bringup: the order required by AMD PG203. Nothing is sent before the receiver is aligned, a remote fault is sent
// until then, also while the receiver alone is in reset, and there is no link while the far end reports one. Without
// alignment the receiver is restarted.
#include "tests/rtl/tb.h"

using tb::check;

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vdut dut;
	tb::Random random(3);
	const auto reset = [&dut] {
		dut.tx_hold = dut.rx_hold = 1;
		dut.eval(); // a model sees no edge in its first evaluation
		for (int i = 0; i < 4; i++)
			tb::tick(dut);
		dut.tx_hold = dut.rx_hold = 0;
	};
	reset();
	check(!dut.ctl_rx_enable && !dut.ctl_tx_enable && !dut.ctl_tx_send_rfi && !dut.link_up, "not at rest in reset");
	tb::tick(dut);
	tb::tick(dut);
	check(dut.ctl_rx_enable && dut.ctl_tx_send_rfi && !dut.ctl_tx_enable, "not aligned: a remote fault, no frames");
	dut.rx_hold = 1;
	for (int i = 0; i < 200; i++) {
		dut.stat_rx_aligned = random.one_in(2);
		tb::tick(dut);
		check(dut.ctl_tx_send_rfi && !dut.ctl_tx_enable && !dut.ctl_rx_enable && !dut.link_up,
		      "the receiver alone in reset");
	}
	dut.rx_hold = 0;
	dut.stat_rx_aligned = 1;
	for (int i = 0; i < 3; i++)
		tb::tick(dut);
	check(dut.ctl_rx_enable && !dut.ctl_tx_send_rfi && dut.ctl_tx_enable && dut.link_up, "aligned: frames");
	dut.stat_rx_remote_fault = 1;
	tb::tick(dut);
	check(dut.ctl_tx_enable && !dut.link_up, "the far end reports a fault: no link");
	dut.stat_rx_remote_fault = 0;
	for (int i = 0; i < 2000; i++) { // never frames and a remote fault together, and no link without frames
		dut.stat_rx_aligned = !random.one_in(10);
		dut.stat_rx_remote_fault = random.one_in(10);
		if (random.one_in(200))
			reset();
		tb::tick(dut);
		check(!(dut.ctl_tx_enable && dut.ctl_tx_send_rfi), "frames and a remote fault");
		check(!dut.link_up || dut.ctl_rx_enable, "a link without a receiver");
		if (!dut.stat_rx_aligned)
			check(!dut.ctl_tx_enable && !dut.link_up, "frames while not aligned");
	}
	// No alignment: the receiver is restarted again and again, also while its reset holds the rest; with it, never.
	for (int round = 0; round < 20; round++) {
		dut.stat_rx_aligned = 1;
		dut.rx_hold = 0;
		unsigned restarts = 0, high = 0, first = 0, since = 0;
		for (unsigned i = 0; i < 5000; i++) {
			tb::tick(dut);
			check(i < 2 || !dut.rx_restart, "restarted although it is aligned");
			check(i < 3 || !dut.keep_lanes, "lanes are kept although they are aligned");
		}
		dut.stat_rx_aligned = 0;
		const unsigned clocks = 4 << TB_WATCHDOG_LOG2;
		for (unsigned i = 0, was = 0; i < clocks; i++) {
			dut.rx_hold = dut.rx_restart || random.one_in(3);
			dut.tx_hold = 0;
			tb::tick(dut);
			if (dut.rx_restart && !was && !restarts++)
				first = i;
			high += dut.rx_restart;
			since = dut.rx_restart ? 0 : since + 1;
			check(dut.keep_lanes == (restarts > 0 && !(dut.rx_restart && !was) &&
			                         since <= 1u << (TB_WATCHDOG_LOG2 - 1)),
			      "lanes kept: %u, %u clocks after restart %u", dut.keep_lanes, since, restarts);
			was = dut.rx_restart;
		}
		check(restarts == 4 && high == 4 << TB_PULSE_LOG2, "%u restarts, %u clocks", restarts, high);
		check(first > (1u << TB_WATCHDOG_LOG2) - (2u << TB_PULSE_LOG2), "restarted after %u clocks", first);
	}
	return tb::finish("cmac_bringup");
}
