// SPDX-License-Identifier: Apache-2.0
/* Tests what receivers of the twin count by stream and by log bin: against closed forms, and jumps against playing at
 * random settings. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/seed.h"
#include "tests/sim/traffic.h"

enum {
	MS_OT = 12500000, /* a millisecond at 100G */
	SETTLE_OT = 4 * MS_OT,
	PORTS = 2,
	STREAMS_A_PORT = 256,
	STREAM_WORDS = STREAMS_A_PORT / 32,
	BINS = 1024,
	LATENCY_OT = 10000, /* 800 ns at 100G */
};

static uint64_t counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

static struct device *open_wire(void)
{
	return traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=wire", "dut.latency_ns=800", NULL});
}

static void play(struct device *device, uint64_t duration_ot)
{
	traffic_start(device);
	traffic_wait(device, duration_ot + SETTLE_OT);
	traffic_snapshot(device);
}

/* The streams of its partner that a port expects, 32 of them. */
static void expect_streams(struct device *device, unsigned port, unsigned word, uint32_t streams)
{
	traffic_write32(device, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * ((port ^ 1) * STREAM_WORDS + word), streams);
}

static void select_stream(struct device *device, unsigned port, unsigned entry)
{
	traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(port), (port ^ 1) * STREAMS_A_PORT + entry);
	traffic_write32(device, FPGAUGE_PORT_TX_STREAM_INDEX(port ^ 1), entry);
}

/* -- closed forms -------------------------------------------------------------------------------------------------- */

static void check_stream(struct device *device, unsigned port, unsigned entry, bool expected)
{
	uint64_t sent, received;

	select_stream(device, port, entry);
	sent = traffic_read64(device, FPGAUGE_PORT_TX_STREAM_FRAMES(port ^ 1));
	received = expected ? sent : 0;
	cr_assert(sent > 1000000);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(port)), received, "stream %u", entry);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_NEXT(port)), received);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LOST(port)), 0);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_UNEXPECTED(port)), sent - received);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(port)),
	             expected ? LATENCY_OT : UINT64_MAX);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(port)), expected ? LATENCY_OT : 0);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(port)), received * LATENCY_OT);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(port)), 0);
}

/* Port 0 expects every second stream, port 1 only the first one. */
Test(twin_receive, frames_of_a_stream_that_is_not_expected_count_as_unexpected_and_as_nothing_else)
{
	const uint64_t duration_ot = UINT64_C(10000) * MS_OT;
	const struct sent_traffic traffic = {.frame_octets = 64, .duration_ot = duration_ot, .destinations = 40};
	static const uint32_t expected[PORTS][2] = {{0x55555555, 0x55}, {1, 0}};
	struct device *device = open_wire();

	traffic_prepare(device, &traffic);
	for (unsigned port = 0; port < PORTS; port++)
		for (unsigned word = 0; word < 2; word++)
			expect_streams(device, port, word, expected[port][word]);
	play(device, duration_ot);
	for (unsigned port = 0; port < PORTS; port++) {
		const uint64_t frames = counter(device, port, FPGAUGE_COUNTER_RX_FRAMES);
		const uint64_t received = counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES);

		cr_expect_eq(frames, counter(device, port ^ 1, FPGAUGE_COUNTER_TX_FRAMES));
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES), frames - received);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_FRAMES), received);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LOST_FRAMES), 0);
		for (unsigned entry = 0; entry < traffic.destinations; entry++)
			check_stream(device, port, entry, expected[port][entry / 32] >> entry % 32 & 1);
	}
	device_close(device);
}

Test(twin_receive, a_clear_leaves_what_is_expected)
{
	const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 10};
	struct device *device = open_wire();

	traffic_prepare(device, &traffic);
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	traffic_wait(device, MS_OT);
	play(device, MS_OT);
	cr_expect_eq(counter(device, 0, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), 10);
	select_stream(device, 0, 0);
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(0)), UINT64_MAX);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(0)), 0);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(0)), 0);
	device_close(device);
}

static uint64_t octave_count(struct device *device, unsigned port, uint32_t bin)
{
	traffic_write32(device, FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX(port), bin);
	return traffic_read64(device, FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(port));
}

/* Bins by hand from the text of rx_octave_histogram_index. */
Test(twin_receive, a_latency_is_counted_in_its_octave)
{
	static const struct {
		const char *latency;
		uint64_t latency_ot;
		uint32_t bin;
	} cases[] = {
	        {"dut.latency_ns=0", 0, 0},
	        {"dut.latency_ns=16", 200, 25},           /* 25 groups: bins of 1 */
	        {"dut.latency_ns=32", 400, 50},           /* 50, still */
	        {"dut.latency_ns=64", 800, 82},           /* 100: bins of 2 from 64, which is bin 64, on */
	        {"dut.latency_ns=80", 1000, 94},          /* 125 */
	        {"dut.latency_ns=96", 1200, 101},         /* 150: bins of 4 from 128, bin 96, on */
	        {"dut.latency_ns=1000000", 12500000, 527} /* 1562500: e is 20, and 1562500 / 2^15 is 47 */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 1000000};
		struct device *device =
		        traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=wire", cases[i].latency, NULL});

		traffic_prepare(device, &traffic);
		play(device, 10 * MS_OT);
		cr_expect_eq(counter(device, 0, FPGAUGE_COUNTER_RX_LATENCY_MAX), cases[i].latency_ot, "%s",
		             cases[i].latency);
		cr_expect_eq(octave_count(device, 0, cases[i].bin), 1000000, "%s", cases[i].latency);
		cr_expect_eq(octave_count(device, 0, cases[i].bin + 1), 0, "%s", cases[i].latency);
		device_close(device);
	}
}

/* -- jumps against playing ----------------------------------------------------------------------------------------- */

/* A setting for both devices. */
static void write_both(struct device *const pair[2], uint32_t address, uint32_t value)
{
	traffic_write32(pair[0], address, value);
	traffic_write32(pair[1], address, value);
}

/* The two devices are both read, so that they stay at the same time. */
static uint64_t expect_same(struct device *const pair[2], uint32_t address, unsigned seed, const char *what,
                            uint32_t index)
{
	const uint64_t played = traffic_read64(pair[0], address), jumped = traffic_read64(pair[1], address);

	cr_assert_eq(played, jumped, "seed %u: %s %u: %" PRIu64 " played, %" PRIu64 " jumped", seed, what, index,
	             played, jumped);
	return jumped;
}

static void expect_same_port(struct device *const pair[2], unsigned port, unsigned flows, unsigned seed)
{
	uint64_t in_octaves = 0;

	for (uint32_t bin = 0; bin < BINS; bin++) {
		write_both(pair, FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX(port), bin);
		in_octaves += expect_same(pair, FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(port), seed, "octave bin", bin);
	}
	for (uint32_t i = 0; i < FPGAUGE_COUNTER_COUNT; i++) {
		const uint64_t value = expect_same(pair, FPGAUGE_COUNTER(port, i), seed, "counter", i);

		cr_assert(i != FPGAUGE_COUNTER_RX_LATENCY_FRAMES || value == in_octaves, "seed %u", seed);
	}
	for (uint32_t entry = 0; entry < flows; entry++) {
		write_both(pair, FPGAUGE_PORT_RX_STREAM_INDEX(port), (port ^ 1) * STREAMS_A_PORT + entry);
		for (uint32_t address = FPGAUGE_PORT_RX_STREAM_RECEIVED(port);
		     address <= FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(port); address += 8)
			expect_same(pair, address, seed, "stream", entry);
	}
}

/* Marsaglia 2003. */
static uint32_t draw(uint32_t *state, uint32_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state % below;
}

static const char *const DEVICES[][4] = {
        {"dut.model=wire", "dut.latency_ns=70000"},
        {"dut.model=fifo", "dut.service_fps=100M", "dut.buffer_frames=300"},
        {"dut.model=fifo", "dut.service_fps=67.2%", "dut.buffer_frames=40"},
        {"dut.model=faults", "dut.reorder_every=160", "dut.duplicate_every=100"},
        {"dut.model=stall", "dut.stall_every_ns=700000", "dut.stall_ns=5000"},
};

/* Half of the streams are expected, one in two trials all of them; in mid-trial a word changes. */
static void play_at_random(unsigned seed, uint64_t *unexpected)
{
	uint32_t state = seed + 1;
	const char *const *const dut = DEVICES[draw(&state, sizeof(DEVICES) / sizeof(DEVICES[0]))];
	const struct sent_traffic traffic = {.frame_octets = 64 + draw(&state, 200),
	                                     .gap_octets = 12 + draw(&state, 60),
	                                     .gap_numerator = draw(&state, 5),
	                                     .gap_denominator = 5,
	                                     .destinations = draw(&state, 2) ? 1 + draw(&state, 40) : 1,
	                                     .bad_fcs_every = draw(&state, 3) ? 0 : 80};
	struct device *const pair[2] = {
	        traffic_open(TWIN_LIBRARY, (const char *const[]){"device.jumps=false", dut[0], dut[1], dut[2], NULL}),
	        traffic_open(TWIN_LIBRARY, dut)};

	for (unsigned i = 0; i < 2; i++)
		traffic_prepare(pair[i], &traffic);
	if (draw(&state, 2))
		for (unsigned word = 0; word < PORTS * STREAM_WORDS; word++)
			write_both(pair, FPGAUGE_PORT_RX_EXPECTED(word % 2) + 4 * (word / 2), draw(&state, UINT32_MAX));
	for (unsigned i = 0; i < 2; i++)
		traffic_start(pair[i]);
	for (unsigned part = 0; part < 3; part++) {
		const uint64_t part_ot = 64 * (uint64_t)(1 + draw(&state, MS_OT / 16));
		const unsigned port = draw(&state, PORTS);
		const uint32_t streams = draw(&state, UINT32_MAX);

		for (unsigned i = 0; i < 2; i++) {
			traffic_wait(pair[i], part_ot);
			traffic_snapshot(pair[i]);
		}
		for (unsigned p = 0; p < PORTS; p++)
			expect_same_port(pair, p, traffic.destinations, seed);
		for (unsigned i = 0; i < 2; i++)
			expect_streams(pair[i], port, 0, streams);
	}
	for (unsigned port = 0; port < PORTS; port++)
		*unexpected += counter(pair[1], port, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES);
	for (unsigned i = 0; i < 2; i++)
		device_close(pair[i]);
}

Test(twin_receive, jumps_change_nothing_at_random_settings)
{
	enum { TRIALS = 25 };
	const unsigned first = (unsigned)(test_seed() % 1000000);
	uint64_t unexpected = 0;

	for (unsigned seed = first; seed < first + TRIALS; seed++)
		play_at_random(seed, &unexpected);
	cr_expect(unexpected > 10000, "%" PRIu64 " unexpected frames prove little", unexpected);
}
