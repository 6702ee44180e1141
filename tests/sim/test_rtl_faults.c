// SPDX-License-Identifier: Apache-2.0
/* How the simulated core counts the faults that a DUT model makes: each kind as what it is, and nothing else. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum { US_OT = 12500, FRAMES = 2050, OCTETS = 64, EVERY = 100, HITS = FRAMES / EVERY };

/* 64 octets of preamble to gap more than needed, so that there is room for copies. */
static const struct traffic HALF = {.frame_octets = OCTETS, .gap_octets = 100, .stop_frames = FRAMES};

static struct device *open_rtl(const char *const *options)
{
	const char *library = getenv("FPGAUGE_TEST_LIBRARY");

	return traffic_open(library != NULL ? library : "rtl", options);
}

/* One trial; the device stays open for its counters. */
static struct device *run(const char *const *options)
{
	struct device *device = open_rtl(options);

	traffic_prepare(device, &HALF);
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, 10 * US_OT, 100000 * (uint64_t)US_OT));
	traffic_wait(device, 100 * US_OT);
	traffic_snapshot(device);
	return device;
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void expect(struct device *device, const char *name, unsigned counter, uint64_t value)
{
	for (unsigned port = 0; port < device_identity(device)->ports; port++) {
		const uint64_t counted = traffic_read64(device, FPGAUGE_COUNTER(port, counter));

		cr_expect(counted == value, "port %u %s = %" PRIu64 ", not %" PRIu64, port, name, counted, value);
	}
}

#define EXPECT(device, counter, value) expect(device, #counter, FPGAUGE_COUNTER_##counter, value)

/* Checks all counters of things that may go wrong. */
static void expect_wrong(struct device *device, uint64_t bad_fcs, uint64_t lost, uint64_t duplicated,
                         uint64_t reordered)
{
	EXPECT(device, TX_FRAMES, FRAMES);
	EXPECT(device, RX_BAD_FRAMES, bad_fcs);
	EXPECT(device, RX_BAD_FCS_FRAMES, bad_fcs);
	EXPECT(device, RX_LOST_FRAMES, lost);
	EXPECT(device, RX_DUPLICATED_FRAMES, duplicated);
	EXPECT(device, RX_REORDERED_FRAMES, reordered);
	EXPECT(device, RX_LATE_FRAMES, 0);
	EXPECT(device, RX_FOREIGN_FRAMES, 0);
	EXPECT(device, RX_OTHER_RUN_FRAMES, 0);
	EXPECT(device, RX_WRONG_LENGTH_FRAMES, 0);
	EXPECT(device, RX_WRONG_PORT_FRAMES, 0);
	device_close(device);
}

Test(rtl_faults, without_any_every_frame_is_delayed_by_its_own_length)
{
	struct device *device = run(OPTIONS("dut.model=reset", "dut.dark_at_ns=1000000000000"));

	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES);
	EXPECT(device, RX_LATENCY_MIN, 72);
	EXPECT(device, RX_LATENCY_MAX, 72);
	expect_wrong(device, 0, 0, 0, 0);
}

Test(rtl_faults, dropped_frames_are_lost)
{
	struct device *device = run(OPTIONS("dut.model=faults", "dut.drop_every=100"));

	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES - HITS);
	expect_wrong(device, 0, HITS, 0, 0);
}

Test(rtl_faults, corrupt_frames_have_a_bad_fcs_and_are_lost)
{
	struct device *device = run(OPTIONS("dut.model=faults", "dut.corrupt_every=100"));

	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES - HITS);
	expect_wrong(device, HITS, HITS, 0, 0);
}

Test(rtl_faults, copies_are_duplicates)
{
	struct device *device = run(OPTIONS("dut.model=faults", "dut.duplicate_every=100"));

	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES + HITS);
	expect_wrong(device, 0, 0, HITS, 0);
}

Test(rtl_faults, frames_that_others_overtake_are_reordered)
{
	struct device *device = run(OPTIONS("dut.model=faults", "dut.reorder_every=100", "dut.reorder_frames=3"));

	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES);
	/* Put aside when it is complete, and sent behind the third one after it. */
	EXPECT(device, RX_LATENCY_MAX, 72 + 3 * (8 + OCTETS + 100) / 8 * 8 + 88);
	expect_wrong(device, 0, 0, 0, HITS);
}

Test(rtl_faults, a_delay_is_seen_as_latency_alone)
{
	struct device *device = run(OPTIONS("dut.model=faults", "dut.delay_every=100", "dut.delay_ns=1000"));

	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES);
	EXPECT(device, RX_LATENCY_MIN, 72);
	EXPECT(device, RX_LATENCY_MAX, 12576); /* 72 + 12500, next group */
	expect_wrong(device, 0, 0, 0, 0);
}
