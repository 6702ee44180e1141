// SPDX-License-Identifier: Apache-2.0
/* Line rate and other rates, on the line: what the hardware counts and measures of its own sending against what the
 * link allows, over frame sizes and many rates. Both ports send at once over a wire. With FPGAUGE_LONG=1 (tools/test
 * --long) every frame size is sent; otherwise all that are common, and of the larger ones, which take nearly all of the
 * time, every 13th: so many meet every octet of a word and every group of it. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum {
	PREAMBLE_OCTETS = 8,
	GROUP_OCTETS = 8, /* frames start on a group from 40 Gb/s up */
	MIN_OCTETS = 64,
	COMMON_OCTETS = 1600,
	STEP_OCTETS = 13,
	MAX_OCTETS = 9216,
	DRAIN_OT = 25000,
	RATES = 200,
};

static const uint64_t LINK_OCTETS_PER_S = UINT64_C(12500000000);

struct sent {
	uint64_t frames, octets, first_ot, last_ot, gaps, gap_min, gap_max, gap_sum, received, lost;
};

static void send(struct device *device, const struct sent_traffic *traffic, uint64_t length_ot)
{
	traffic_prepare(device, traffic);
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, length_ot, 4 * length_ot + DRAIN_OT));
	traffic_wait(device, DRAIN_OT);
	traffic_snapshot(device);
}

static struct sent read_sent(struct device *device, unsigned port)
{
#define COUNT(name) traffic_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_##name))
	return (struct sent){
	        .frames = COUNT(TX_FRAMES),
	        .octets = COUNT(TX_OCTETS),
	        .first_ot = COUNT(TX_FIRST_TIME),
	        .last_ot = COUNT(TX_LAST_TIME),
	        .gaps = COUNT(TX_GAPS),
	        .gap_min = COUNT(TX_GAP_MIN_OCTETS),
	        .gap_max = COUNT(TX_GAP_MAX_OCTETS),
	        .gap_sum = COUNT(TX_GAP_SUM_OCTETS),
	        .received = traffic_read64(device, FPGAUGE_COUNTER(port ^ 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES)),
	        .lost = traffic_read64(device, FPGAUGE_COUNTER(port ^ 1, FPGAUGE_COUNTER_RX_LOST_FRAMES)),
	};
#undef COUNT
}

/* Two patterns of eight gaps and the frame that ends them: starts repeat after eight frames of any size, so their
 * average must be exactly the gap. */
static void expect_exact_average(struct device *device, uint32_t frame_octets, uint64_t gap_octets)
{
	const uint64_t gaps = 16, period_ot = frame_octets + PREAMBLE_OCTETS + gap_octets;
	const struct sent_traffic traffic = {
	        .frame_octets = frame_octets, .gap_octets = gap_octets, .duration_ot = gaps * period_ot + GROUP_OCTETS};

	send(device, &traffic, traffic.duration_ot);
	for (unsigned port = 0; port < device_identity(device)->ports; port++) {
		const struct sent sent = read_sent(device, port);

		cr_assert(sent.frames == gaps + 1 && sent.gaps == gaps, "%u octets, port %u: %" PRIu64 " frames",
		          frame_octets, port, sent.frames);
		cr_assert_eq(sent.octets, (gaps + 1) * frame_octets);
		cr_assert_eq(sent.last_ot - sent.first_ot, gaps * period_ot, "%u octets", frame_octets);
		cr_assert_eq(sent.gap_sum, gaps * gap_octets, "%u octets: gaps sum up to %" PRIu64, frame_octets,
		             sent.gap_sum);
		cr_assert(sent.gap_min > gap_octets - GROUP_OCTETS && sent.gap_max < gap_octets + GROUP_OCTETS,
		          "%u octets: gaps from %" PRIu64 " to %" PRIu64, frame_octets, sent.gap_min, sent.gap_max);
		cr_assert(sent.received == sent.frames && sent.lost == 0, "%u octets: %" PRIu64 " received",
		          frame_octets, sent.received);
	}
}

static uint32_t next_size(uint32_t size)
{
	const char *chosen = getenv("FPGAUGE_LONG");
	const bool all = chosen != NULL && strcmp(chosen, "1") == 0;

	return all || size < COMMON_OCTETS || size + STEP_OCTETS > MAX_OCTETS ? size + 1 : size + STEP_OCTETS;
}

Test(pace, frames_of_any_size_are_sent_at_line_rate_with_gaps_of_12_on_average_and_5_at_least)
{
	struct device *device = traffic_open("rtl", (const char *const[]){"dut.model=wire", NULL});

	for (uint32_t size = MIN_OCTETS; size <= MAX_OCTETS; size = next_size(size))
		expect_exact_average(device, size, 12);
	device_close(device);
}

Test(pace, frames_of_any_size_are_sent_with_gaps_of_11_on_average_when_asked)
{
	struct device *device = traffic_open("rtl", (const char *const[]){"dut.model=wire", NULL});

	for (uint32_t size = MIN_OCTETS; size <= MAX_OCTETS; size = next_size(size))
		expect_exact_average(device, size, 11);
	device_close(device);
}

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % limit;
}

/* A whole number of frames per second, as a gap in fractions of an octet with that denominator. */
static void expect_no_drift(struct device *device, uint32_t frame_octets, uint64_t fps, uint64_t frames)
{
	const uint64_t period_whole = LINK_OCTETS_PER_S / fps, period_rest = LINK_OCTETS_PER_S % fps;
	const uint128 span = (uint128)frames * LINK_OCTETS_PER_S; /* octet times of all periods, times fps */
	const struct sent_traffic traffic = {.frame_octets = frame_octets,
	                                     .gap_octets = period_whole - frame_octets - PREAMBLE_OCTETS,
	                                     .gap_numerator = (uint32_t)period_rest,
	                                     .gap_denominator = (uint32_t)fps,
	                                     .duration_ot = (uint64_t)(span / fps)};
	const uint64_t last_ideal_ot = (uint64_t)((uint128)(frames - 1) * LINK_OCTETS_PER_S / fps);

	send(device, &traffic, traffic.duration_ot);
	for (unsigned port = 0; port < device_identity(device)->ports; port++) {
		const struct sent sent = read_sent(device, port);

		/* A start just after the end of the duration may be rounded down into it. */
		cr_assert(sent.frames == frames || sent.frames == frames + 1,
		          "%u octets at %" PRIu64 " fps: %" PRIu64 " frames, not %" PRIu64, frame_octets, fps,
		          sent.frames, frames);
		if (sent.frames == frames)
			cr_assert_eq(sent.last_ot - sent.first_ot, last_ideal_ot / GROUP_OCTETS * GROUP_OCTETS,
			             "%u octets at %" PRIu64 " fps: the last start drifted", frame_octets, fps);
		cr_assert(sent.received == sent.frames && sent.lost == 0);
	}
}

Test(pace, two_hundred_random_rates_are_met_without_drift)
{
	struct device *device = traffic_open("rtl", (const char *const[]){"dut.model=wire", NULL});
	uint64_t random = UINT64_C(0x9004254428898239);

	for (unsigned i = 0; i < RATES; i++) {
		const uint32_t size = (uint32_t)(MIN_OCTETS + random_below(&random, 1518 - MIN_OCTETS + 1));
		const uint64_t most = LINK_OCTETS_PER_S / (size + PREAMBLE_OCTETS + 12);
		/* Three in four near line rate, the rest down to a thousandth of it. */
		const uint64_t divisor = i % 4 == 3 ? 1 + random_below(&random, 1000) : 1;
		const uint64_t fps = (most - random_below(&random, most / 2)) / divisor;

		expect_no_drift(device, size, fps, 500 + random_below(&random, 2000));
	}
	device_close(device);
}
