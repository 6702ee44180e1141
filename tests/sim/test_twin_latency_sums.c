// SPDX-License-Identifier: Apache-2.0
/* Sums of latencies that have more than 64 bits, through registers: of every frame on a wire the latency is the same,
 * so the sum is known. The twin reaches them in days of its own time; the core, which does not, in
 * tests/rtl/tb_core_frames.cpp. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/uint128.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/random.h"
#include "tests/seed.h"
#include "tests/sim/traffic.h"

enum { TRIALS = 6, FRAME_OCTETS = 64, PERIOD_OT = 84, OT_PER_80_NS = 1000 };

static const uint64_t DAY_OT = UINT64_C(86400) * 12500000000;

static void expect_sum(uint128 sum, uint64_t low, uint64_t high, const char *what)
{
	cr_expect(low == (uint64_t)sum && high == (uint64_t)(sum >> 64),
	          "%s: %" PRIx64 " %016" PRIx64 ", expected %" PRIx64 " %016" PRIx64, what, high, low,
	          (uint64_t)(sum >> 64), (uint64_t)sum);
}

static uint64_t counter(struct device *device, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(1, which));
}

/* Plays line rate for one to three days, with thousands of frames on the wire. */
static uint64_t expect_sums(uint64_t latency_ot, uint64_t frames)
{
	const struct sent_traffic traffic = {.frame_octets = FRAME_OCTETS, .stop_frames = frames, .one_way = true};
	uint128 sum = (uint128)frames * latency_ot;
	char latency[64];
	struct device *device;

	snprintf(latency, sizeof(latency), "dut.latency_ns=%" PRIu64, latency_ot / OT_PER_80_NS * 80);
	device = traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=wire", latency, NULL});
	traffic_prepare(device, &traffic);
	traffic_start(device);
	traffic_wait(device, frames * PERIOD_OT + latency_ot + 100000);
	traffic_snapshot(device);
	cr_assert_eq(counter(device, FPGAUGE_COUNTER_RX_LATENCY_FRAMES), frames);
	cr_expect_eq(counter(device, FPGAUGE_COUNTER_RX_LATENCY_MIN), latency_ot);
	cr_expect_eq(counter(device, FPGAUGE_COUNTER_RX_LATENCY_MAX), latency_ot);
	expect_sum(sum, counter(device, FPGAUGE_COUNTER_RX_LATENCY_SUM),
	           counter(device, FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH), "counters");
	traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(1), 0);
	expect_sum(sum, traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(1)),
	           traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(1)), "stream");
	device_close(device);
	return (uint64_t)(sum >> 64);
}

Test(twin_latency_sums, a_sum_of_more_than_64_bits_is_whole_in_two_registers)
{
	struct random random = {test_seed()};
	uint64_t most = 0;

	for (unsigned i = 0; i < TRIALS; i++) {
		/* The sum of the first trial passes 2^64 whatever is drawn. */
		const uint64_t latency_ot = OT_PER_80_NS * random_between(&random, i == 0 ? 1750 : 1, 3000);
		const uint64_t high = expect_sums(
		        latency_ot, DAY_OT / PERIOD_OT * random_between(&random, i == 0 ? 1000 : 1, 3000) / 1000);

		most = high > most ? high : most;
	}
	cr_expect_gt(most, 0);
}
