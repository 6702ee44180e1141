// SPDX-License-Identifier: Apache-2.0
/* Tests how the simulated core counts the faults that a DUT model makes: each kind as what it is, and nothing else. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum { US_OT = 12500, FRAMES = 2050, OCTETS = 64, EVERY = 100, HITS = FRAMES / EVERY };

/* 64 octets of preamble to gap more than needed, so that there is room for copies. */
static const struct sent_traffic HALF = {.frame_octets = OCTETS, .gap_octets = 100, .stop_frames = FRAMES};

static struct device *open_rtl(const char *const *options)
{
	const char *library = getenv("FPGAUGE_TEST_LIBRARY");

	return traffic_open(library != NULL ? library : "rtl", options);
}

/* One trial; the device stays open for its counters. */
static struct device *run_traffic(const char *const *options, const struct sent_traffic *traffic)
{
	struct device *device = open_rtl(options);

	traffic_prepare(device, traffic);
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, 10 * US_OT, 100000 * (uint64_t)US_OT));
	traffic_wait(device, 100 * US_OT);
	traffic_snapshot(device);
	return device;
}

static struct device *run(const char *const *options)
{
	return run_traffic(options, &HALF);
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
	EXPECT(device, RX_BAD_PAYLOAD_FRAMES, 0);
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

/* octets: of the frames; found: of those that the device alters. */
static void expect_altered(uint32_t octets, uint32_t rx_payload_offset, uint64_t found)
{
	struct device *device = run_traffic(OPTIONS("dut.model=faults", "dut.alter_every=100"),
	                                    &(struct sent_traffic){.frame_octets = octets,
	                                                           .gap_octets = 100,
	                                                           .stop_frames = FRAMES,
	                                                           .rx_payload_offset = rx_payload_offset});

	EXPECT(device, TX_FRAMES, FRAMES);
	EXPECT(device, RX_FRAMES, FRAMES);
	EXPECT(device, RX_BAD_FRAMES, 0);
	EXPECT(device, RX_BAD_PAYLOAD_FRAMES, found);
	EXPECT(device, RX_RECEIVED_FRAMES, FRAMES - found);
	EXPECT(device, RX_LOST_FRAMES, found);
	device_close(device);
}

Test(rtl_faults, an_altered_frame_has_a_bad_payload_and_is_lost)
{
	expect_altered(100, 42, HITS);
	expect_altered(1518, 42, HITS);
	expect_altered(66, 42, HITS);
}

/* The octet that is altered is the one before the signature. At 64 octets the header ends there. */
Test(rtl_faults, an_altered_octet_is_found_behind_the_first_that_counts)
{
	expect_altered(65, 42, 0);
	expect_altered(64, 42, 0);
	expect_altered(100, 76, HITS);
	expect_altered(100, 77, 0);
}

Test(rtl_faults, an_altered_frame_is_received_where_payloads_are_not_checked)
{
	expect_altered(100, 0, 0);
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
