// SPDX-License-Identifier: Apache-2.0
/* The twin alone: long trials against closed forms, jumps against playing, what it refuses, how much memory it takes.
 * tests/differential tests that it equals the RTL. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum {
	MS_OT = 12500000, /* a millisecond at 100G */
	PERIOD_OT = 84,   /* 64 octets at line rate */
	SETTLE_OT = 4 * MS_OT,
	PORTS = 2,
};

static uint64_t counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

static struct device *open_twin(const char *const *options)
{
	return traffic_open(TWIN_LIBRARY, options);
}

/* Sends for a time and waits until everything has come through. */
static void play(struct device *device, uint64_t duration_ot)
{
	traffic_start(device);
	traffic_wait(device, duration_ot + SETTLE_OT);
	traffic_snapshot(device);
}

/* -- long trials --------------------------------------------------------------------------------------------------- */

Test(twin, a_minute_at_line_rate_through_a_wire_comes_whole)
{
	const uint64_t duration_ot = UINT64_C(60000) * MS_OT;
	const uint64_t frames = (duration_ot + PERIOD_OT - 1) / PERIOD_OT;
	const struct sent_traffic traffic = {.frame_octets = 64, .duration_ot = duration_ot};
	struct device *device = open_twin((const char *const[]){"dut.model=wire", "dut.latency_ns=800", NULL});

	traffic_prepare(device, &traffic);
	play(device, duration_ot);
	for (unsigned port = 0; port < PORTS; port++) {
		uint64_t first_ot = counter(device, port, FPGAUGE_COUNTER_TX_FIRST_TIME);

		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_FRAMES), frames);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), frames);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_OCTETS), 64 * frames);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_MIN), 10000);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_SUM), 10000 * frames);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_LAST_TIME) - first_ot,
		             (frames - 1) * PERIOD_OT / 8 * 8);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LAST_TIME) - first_ot,
		             (frames - 1) * PERIOD_OT / 8 * 8 + 10000);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS), 8);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS), 16);
	}
	device_close(device);
}

/* Service takes 125 octet times: a lossy FIFO lets through one frame in each, plus its buffer at the end. */
Test(twin, a_minute_into_a_slow_fifo_loses_what_it_cannot_serve)
{
	const uint64_t duration_ot = UINT64_C(60000) * MS_OT;
	const struct sent_traffic traffic = {.frame_octets = 64, .duration_ot = duration_ot};
	struct device *device = open_twin(
	        (const char *const[]){"dut.model=fifo", "dut.service_fps=100M", "dut.buffer_frames=500", NULL});

	traffic_prepare(device, &traffic);
	play(device, duration_ot);
	for (unsigned port = 0; port < PORTS; port++) {
		uint64_t received = counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES);

		/* The last arrival may or may not find a free slot; the server has never been idle. */
		cr_expect(received >= duration_ot / 125 + 498 && received <= duration_ot / 125 + 501, "%llu",
		          (unsigned long long)received);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS),
		             counter(device, port, FPGAUGE_COUNTER_RX_LAST_TIME) -
		                     counter(device, port, FPGAUGE_COUNTER_RX_FIRST_TIME) - 72 * (received - 1));
	}
	device_close(device);
}

/* The reset benchmark of RFC 2544 section 26.6 relies on this. */
Test(twin, a_reset_on_command_is_seen_as_silence_of_its_length)
{
	const uint64_t dark_ot = 10 * MS_OT;
	const struct sent_traffic traffic = {.frame_octets = 64};
	struct device *device = open_twin((const char *const[]){"dut.model=reset", "dut.dark_for_ns=10000000", NULL});
	struct error error;

	traffic_prepare(device, &traffic);
	traffic_start(device);
	traffic_wait(device, UINT64_C(500) * MS_OT);
	cr_assert_eq(device_reset_dut(device, &error), 0, "%s", error.text);
	traffic_wait(device, UINT64_C(500) * MS_OT);
	traffic_stop(device);
	traffic_wait(device, SETTLE_OT);
	traffic_snapshot(device);
	for (unsigned port = 0; port < PORTS; port++) {
		const uint64_t silence_ot = counter(device, port, FPGAUGE_COUNTER_RX_SILENCE_MAX);

		cr_expect(silence_ot >= dark_ot && silence_ot < dark_ot + 3 * PERIOD_OT, "%" PRIu64, silence_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LOST_FRAMES),
		             counter(device, port, FPGAUGE_COUNTER_TX_FRAMES) -
		                     counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES));
	}
	device_close(device);
}

/* 2^34 frames, one every 2,000,000 octet times, over a wire of 0.1 s: the trial crosses 2^54 octet times, and the sum
 * of the latencies has more than 64 bits. */
Test(twin, a_trial_of_a_month_adds_up_beyond_64_bits)
{
	const uint64_t frames = UINT64_C(1) << 34, period_ot = 2000000, latency_ot = 100 * (uint64_t)MS_OT;
	const uint128 sum_ot = (uint128)frames * latency_ot;
	const struct sent_traffic traffic = {.frame_octets = 64, .gap_octets = period_ot - 72, .stop_frames = frames};
	struct device *device = open_twin((const char *const[]){"dut.model=wire", "dut.latency_ns=100000000", NULL});
	uint64_t start_ot, last_ot;

	traffic_prepare(device, &traffic);
	play(device, frames * period_ot + latency_ot);
	start_ot = traffic_read64(device, FPGAUGE_GLOBAL_START_TIME);
	last_ot = start_ot + (frames - 1) * period_ot;
	cr_assert(last_ot >> 54 != 0 && sum_ot >> 64 != 0);
	cr_expect(traffic_read64(device, FPGAUGE_GLOBAL_SNAPSHOT_TIME) > last_ot);
	for (unsigned port = 0; port < PORTS; port++) {
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_FRAMES), frames);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_LAST_TIME), last_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS), (frames - 1) * (period_ot - 72));
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), frames);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LAST_TIME), last_ot + latency_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_MAX), latency_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_SUM), (uint64_t)sum_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH), (uint64_t)(sum_ot >> 64));
	}
	device_close(device);
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

struct scene {
	const char *name;
	struct sent_traffic traffic;
	const char *options[8];
	uint32_t burst_frames;
	uint64_t burst_gap_octets;
	uint64_t tag_interval;
};

static const struct scene SCENES[] = {
        {.name = "seven destinations through a wire",
         .traffic = {.frame_octets = 65, .gap_octets = 15, .gap_numerator = 3, .gap_denominator = 7, .destinations = 7},
         .options = {"dut.model=wire", "dut.latency_ns=100000"}},
        {.name = "tags through a lossy fifo",
         .traffic = {.frame_octets = 64},
         .options = {"dut.model=fifo", "dut.service_fps=100M", "dut.buffer_frames=700"},
         .tag_interval = MS_OT / 3},
        {.name = "a joint period of load and service",
         .traffic = {.frame_octets = 64, .gap_octets = 15, .gap_numerator = 123, .gap_denominator = 401},
         .options = {"dut.model=fifo", "dut.service_fps=67.2%", "dut.buffer_frames=40"}},
        {.name = "bursts, and a wrong FCS now and then",
         .traffic = {.frame_octets = 128, .bad_fcs_every = 91},
         .options = {"dut.model=fifo", "dut.service_fps=60%", "dut.buffer_frames=64"},
         .burst_frames = 200,
         .burst_gap_octets = 20011},
        {.name = "faults that count, before a fifo",
         .traffic = {.frame_octets = 200, .gap_octets = 100},
         .options = {"dut.model=faults,fifo", "dut.drop_every=32000", "dut.reorder_every=400",
                     "dut.duplicate_every=100", "dut.corrupt_every=500", "dut.delay_every=800", "dut.service_fps=90%"}},
        {.name = "a loss now and then",
         .traffic = {.frame_octets = 64},
         .options = {"dut.model=faults", "dut.drop_every=32000"}},
        {.name = "faults that hold frames",
         .traffic = {.frame_octets = 64, .gap_octets = 30, .destinations = 5},
         .options = {"dut.model=faults", "dut.reorder_every=16", "dut.reorder_frames=900", "dut.drop_every=320",
                     "dut.reorder_wait_ns=20000"},
         .tag_interval = MS_OT / 4},
        {.name = "stalls at an interval",
         .traffic = {.frame_octets = 64, .gap_octets = 60},
         .options = {"dut.model=stall", "dut.stall_every_ns=700000", "dut.stall_ns=5000", "dut.service_fps=90%"}},
        {.name = "stalls at random",
         .traffic = {.frame_octets = 64, .gap_octets = 60, .destinations = 3},
         .options = {"dut.model=stall", "dut.stall_mean_ns=900000", "dut.stall_ns=20000", "dut.buffer_frames=300"}},
        {.name = "a device that goes dark",
         .traffic = {.frame_octets = 64, .gap_octets = 44},
         .options = {"dut.model=fifo,reset", "dut.dark_at_ns=3000000", "dut.dark_for_ns=4000000",
                     "dut.service_fps=80%"}},
};

static void set_up(struct device *device, const struct scene *scene)
{
	traffic_prepare(device, &scene->traffic);
	for (unsigned port = 0; port < PORTS; port++) {
		traffic_write32(device, FPGAUGE_PORT_TX_BURST_FRAMES(port), scene->burst_frames);
		traffic_write64(device, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(port), scene->burst_gap_octets);
		traffic_write32(device, FPGAUGE_PORT_TX_TAG_ENABLE(port), scene->tag_interval != 0);
		traffic_write64(device, FPGAUGE_PORT_TX_TAG_FIRST(port), scene->tag_interval);
		traffic_write64(device, FPGAUGE_PORT_TX_TAG_INTERVAL(port), scene->tag_interval);
	}
}

static void expect_same(struct device *a, struct device *b, uint32_t address, const char *what)
{
	uint64_t played = traffic_read64(a, address), jumped = traffic_read64(b, address);

	cr_expect_eq(played, jumped, "%s: register 0x%05x: %llu played, %llu jumped", what, address,
	             (unsigned long long)played, (unsigned long long)jumped);
}

static void expect_same_tables(struct device *a, struct device *b, unsigned port, const char *what)
{
	for (uint32_t i = 0; i < 1024; i++) {
		traffic_write32(a, FPGAUGE_PORT_RX_HISTOGRAM_INDEX(port), i);
		traffic_write32(b, FPGAUGE_PORT_RX_HISTOGRAM_INDEX(port), i);
		expect_same(a, b, FPGAUGE_PORT_RX_HISTOGRAM_COUNT(port), what);
	}
	for (uint32_t i = 0; i < 8; i++) {
		traffic_write32(a, FPGAUGE_PORT_RX_STREAM_INDEX(port), (port ^ 1) * 256 + i);
		traffic_write32(b, FPGAUGE_PORT_RX_STREAM_INDEX(port), (port ^ 1) * 256 + i);
		for (uint32_t count = 0; count < 7; count++)
			expect_same(a, b, FPGAUGE_PORT_RX_STREAM_RECEIVED(port) + 8 * count, what);
	}
	for (uint32_t i = 0; i < 40; i++) {
		traffic_write32(a, FPGAUGE_PORT_RX_TAG_INDEX(port), i);
		traffic_write32(b, FPGAUGE_PORT_RX_TAG_INDEX(port), i);
		expect_same(a, b, FPGAUGE_PORT_RX_TAG_LATENCY(port), what);
		expect_same(a, b, FPGAUGE_PORT_RX_TAG_TIME(port), what);
	}
}

static void expect_same_counters(struct device *a, struct device *b, const char *what)
{
	for (unsigned port = 0; port < PORTS; port++)
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			expect_same(a, b, FPGAUGE_COUNTER(port, i), what);
}

static void compare(const struct scene *scene)
{
	const char *played[10] = {"device.jumps=false"};
	struct device *a, *b;

	for (size_t i = 0; scene->options[i] != NULL; i++)
		played[i + 1] = scene->options[i];
	a = open_twin(played);
	b = open_twin(scene->options);
	set_up(a, scene);
	set_up(b, scene);
	traffic_start(a);
	traffic_start(b);
	/* Looks in at odd times, so that jumps end anywhere in a period. */
	for (uint64_t slice_ot = 77777; slice_ot < UINT64_C(15) * MS_OT; slice_ot *= 3) {
		const uint64_t part_ot = slice_ot / 3 / 64 * 64; /* waits are rounded up to words of 64 */

		traffic_wait(a, slice_ot);
		traffic_wait(b, part_ot);
		traffic_wait(b, slice_ot - part_ot);
		traffic_snapshot(a);
		traffic_snapshot(b);
		expect_same(a, b, FPGAUGE_GLOBAL_SNAPSHOT_TIME, scene->name);
		expect_same_counters(a, b, scene->name);
	}
	cr_expect(counter(b, 0, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) > 10000, "%s: hardly a frame", scene->name);
	for (unsigned port = 0; port < PORTS; port++)
		expect_same_tables(a, b, port, scene->name);
	device_close(a);
	device_close(b);
}

Test(twin, jumps_change_nothing)
{
	for (size_t i = 0; i < sizeof(SCENES) / sizeof(SCENES[0]); i++)
		compare(&SCENES[i]);
}

/* -- late ---------------------------------------------------------------------------------------------------------- */

static bool is_time(unsigned counter)
{
	return counter == FPGAUGE_COUNTER_TX_FIRST_TIME || counter == FPGAUGE_COUNTER_TX_LAST_TIME ||
	       counter == FPGAUGE_COUNTER_RX_FIRST_TIME || counter == FPGAUGE_COUNTER_RX_LAST_TIME ||
	       counter == FPGAUGE_COUNTER_RX_LAST_LOSS_TIME || counter == FPGAUGE_COUNTER_RX_SILENCE_TIME;
}

/* Everything but a time that is not 0 is the same. */
static void expect_later(struct device *early, struct device *late, uint32_t address, bool time, uint64_t by_ot)
{
	uint64_t value = traffic_read64(early, address), other = traffic_read64(late, address);

	cr_expect_eq(other - value, time && value != 0 ? by_ot : 0,
	             "register 0x%05x: %" PRIu64 ", %" PRIu64 " later: %" PRIu64, address, value, by_ot, other);
}

static void compare_late(const struct scene *scene, uint64_t by_ot)
{
	struct device *early = open_twin(scene->options), *late = open_twin(scene->options);

	traffic_wait(late, by_ot);
	set_up(early, scene);
	set_up(late, scene);
	traffic_start(early);
	traffic_start(late);
	traffic_wait(early, UINT64_C(5) * MS_OT);
	traffic_wait(late, UINT64_C(5) * MS_OT);
	traffic_snapshot(early);
	traffic_snapshot(late);
	expect_later(early, late, FPGAUGE_GLOBAL_START_TIME, true, by_ot);
	expect_later(early, late, FPGAUGE_GLOBAL_SNAPSHOT_TIME, true, by_ot);
	for (unsigned port = 0; port < PORTS; port++) {
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			expect_later(early, late, FPGAUGE_COUNTER(port, i), is_time(i), by_ot);
		for (uint32_t tag = 0; tag < 40; tag++) {
			traffic_write32(early, FPGAUGE_PORT_RX_TAG_INDEX(port), tag);
			traffic_write32(late, FPGAUGE_PORT_RX_TAG_INDEX(port), tag);
			expect_later(early, late, FPGAUGE_PORT_RX_TAG_TIME(port), true, by_ot);
			expect_later(early, late, FPGAUGE_PORT_RX_TAG_LATENCY(port), false, by_ot);
		}
	}
	cr_expect(counter(late, 0, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) > 10000, "%s: hardly a frame", scene->name);
	device_close(early);
	device_close(late);
}

/* Trials that run across 2^32, 2^43 (where the time in a signature wraps), 2^54 (where 48 bits of words would) and 2^62
 * octet times give the counters of one at the beginning, with times that are later by the same. */
Test(twin, the_same_trial_later_has_the_same_counters)
{
	const uint64_t boundaries[] = {UINT64_C(1) << 32, UINT64_C(1) << 43, UINT64_C(1) << 54, UINT64_C(1) << 62};

	for (size_t scene = 0; strncmp(SCENES[scene].name, "stalls", 6) != 0; scene++) /* stalls go by the time */
		for (size_t i = 0; i < sizeof(boundaries) / sizeof(boundaries[0]); i++)
			compare_late(&SCENES[scene], boundaries[i] - 2 * (uint64_t)MS_OT);
}

/* A start that no port takes leaves the start time. */
Test(twin, a_start_that_no_port_takes_leaves_the_start_time)
{
	const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 1000};
	struct device *device = open_twin(NULL);
	uint64_t start_ot;

	traffic_prepare(device, &traffic);
	traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(1), 0);
	cr_expect_eq(traffic_read64(device, FPGAUGE_GLOBAL_START_TIME), 0);
	traffic_start(device);
	start_ot = traffic_read64(device, FPGAUGE_GLOBAL_START_TIME);
	cr_expect(start_ot > 0);
	traffic_start(device); /* still sending */
	cr_expect_eq(traffic_read64(device, FPGAUGE_GLOBAL_START_TIME), start_ot);
	traffic_wait(device, SETTLE_OT);
	traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(0), 0);
	traffic_start(device); /* no port is enabled */
	cr_expect_eq(traffic_read64(device, FPGAUGE_GLOBAL_START_TIME), start_ot);
	traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(1), 1);
	traffic_start(device);
	cr_expect(traffic_read64(device, FPGAUGE_GLOBAL_START_TIME) > start_ot);
	device_close(device);
}

/* -- memory -------------------------------------------------------------------------------------------------------- */

static size_t memory_after(struct device *device, uint64_t duration_ot)
{
	struct mallinfo2 info;

	traffic_wait(device, duration_ot);
	traffic_snapshot(device);
	info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

Test(twin, memory_does_not_grow_with_the_trial)
{
	const struct sent_traffic traffic = {.frame_octets = 64};
	struct device *device = open_twin(
	        (const char *const[]){"device.jumps=false", "dut.model=faults,fifo", "dut.drop_probability=1%", NULL});
	size_t before;

	traffic_prepare(device, &traffic);
	traffic_start(device);
	before = memory_after(device, MS_OT);
	cr_expect_eq(memory_after(device, UINT64_C(20) * MS_OT), before);
	cr_expect(counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES) > 3000000);
	device_close(device);
}

Test(twin, time_has_an_end)
{
	struct device *device = open_twin(NULL);
	struct error error;

	cr_expect_neq(device_wait(device, UINT64_MAX, &error), 0);
	cr_expect(strstr(error.text, "time ends at 9223372036854775808") != NULL, "%s", error.text);
	device_close(device);
}

/* -- refusals ------------------------------------------------------------------------------------------------------ */

static void expect_refused(const char *name, const char *value, const char *part)
{
	const struct device_option option = {name, value};
	const struct device_config config = {
	        .backend = "sim", .library = TWIN_LIBRARY, .options = &option, .option_count = 1};
	struct device *device;
	const char *bad_option = NULL;
	struct error error;

	cr_assert_neq(device_open(&config, &device, &bad_option, &error), 0, "%s = %s was taken", name, value);
	cr_expect(bad_option != NULL && strcmp(bad_option, name) == 0);
	cr_expect(strstr(error.text, part) != NULL, "%s", error.text);
	cr_expect(strchr(error.text, '\n') == NULL);
}

Test(twin, settings_of_the_line_are_refused)
{
	expect_refused("device.waveform", "core.fst", "no line words or signals; library = \"rtl\" has them");
	expect_refused("device.capture", "line.pcapng", "no line words");
	expect_refused("device.idle_skip", "false", "no line words");
	expect_refused("device.jumps", "no", "\"true\"");
	expect_refused("device.jump", "true", "device.jumps");
	expect_refused("dut.model", "abacus", "wire");
}

/* The RTL would put frames on top of each other; there is no correct behaviour to play. */
static void expect_start_fails(uint32_t address, uint32_t value, const char *part)
{
	const struct sent_traffic traffic = {.frame_octets = 64};
	struct device *device = open_twin(NULL);
	struct error error;

	traffic_prepare(device, &traffic);
	traffic_write32(device, address, value);
	cr_assert_neq(device_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START, &error), 0);
	cr_expect(strstr(error.text, part) != NULL, "%s", error.text);
	device_close(device);
}

Test(twin, a_line_that_is_not_legal_is_refused_at_the_start)
{
	expect_start_fails(FPGAUGE_PORT_TX_FRAME_OCTETS(0), 53, "tx_frame_octets is below 54");
	expect_start_fails(FPGAUGE_PORT_TX_GAP_OCTETS(0), 10, "tx_gap_octets is below 11");
	expect_start_fails(FPGAUGE_PORT_TX_GAP_DENOMINATOR(0), 0, "tx_gap_numerator is not below");
	expect_start_fails(FPGAUGE_PORT_TX_BURST_FRAMES(0), 4, "tx_burst_gap_octets is below 11");
}
