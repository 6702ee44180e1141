// SPDX-License-Identifier: Apache-2.0
/* A full mesh through a switch, in jumps over what repeats and frame by frame, with one thread and with two: the
 * answers are the same, to the last counter of every stream, whatever repeats or does not. tests/differential does the
 * same with random scripts. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <time.h>

#include "host/base/clock.h"
#include "host/base/splitmix64.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/mesh.h"

enum { STREAMS = 256, MOST_OPTIONS = 10, SIDES = 4, OWN_OPTIONS = 2, LOOKS = 3, WORD_OT = 64 };

static uint64_t draw(uint64_t *state, uint64_t below)
{
	return splitmix64(state) % below;
}

/* Ways to play the same. The first one is what the others must equal. */
static const char *const ways[SIDES][OWN_OPTIONS] = {{"device.jumps=false", "device.threads=1"},
                                                     {"device.jumps=false", "device.threads=2"},
                                                     {"device.jumps=true", "device.threads=1"},
                                                     {"device.jumps=true", "device.threads=2"}};

/* Everything that a port counts, and its streams, as a sum in which places matter. */
static uint64_t answers_of(struct device *device, unsigned port, unsigned ports)
{
	static const uint32_t tables[] = {FPGAUGE_PORT_RX_STREAM_RECEIVED(0),    FPGAUGE_PORT_RX_STREAM_LOST(0),
	                                  FPGAUGE_PORT_RX_STREAM_REORDERED(0),   FPGAUGE_PORT_RX_STREAM_NEXT(0),
	                                  FPGAUGE_PORT_RX_STREAM_UNEXPECTED(0),  FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(0),
	                                  FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(0), FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(0)};
	const uint32_t base = FPGAUGE_COUNTER(port, 0) - FPGAUGE_COUNTER(0, 0);
	uint64_t sum = 0;

	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
		sum = sum * 31 + traffic_read64(device, FPGAUGE_COUNTER(port, i));
	for (unsigned stream = 0; stream < ports * ports; stream++) {
		traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(port), stream / ports * STREAMS + stream % ports);
		for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
			sum = sum * 31 + traffic_read64(device, tables[i] + base);
	}
	for (unsigned bin = 0; bin < 64; bin++) {
		traffic_write32(device, FPGAUGE_PORT_RX_HISTOGRAM_INDEX(port), bin);
		sum = sum * 31 + traffic_read64(device, FPGAUGE_PORT_RX_HISTOGRAM_COUNT(port));
		traffic_write32(device, FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(port), bin);
		sum = sum * 31 + traffic_read64(device, FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(port));
		traffic_write32(device, FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX(port), bin);
		sum = sum * 31 + traffic_read64(device, FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(port));
	}
	return sum;
}

struct settings {
	unsigned ports;
	char text[MOST_OPTIONS][64];
	size_t count;
	struct sent_traffic traffic;
	bool one_receiver;
	bool silent; /* the last port, after it has shown its address: the switch forgets it during the trial */
};

#define OPTION(settings, ...) snprintf((settings)->text[(settings)->count++], sizeof((settings)->text[0]), __VA_ARGS__)

/* Buffers that overflow, tables that forget, loads that repeat after a few frames or thousands. */
static void draw_settings(uint64_t *state, struct settings *settings)
{
	bool shared;

	*settings = (struct settings){.ports = 2 + (unsigned)draw(state, 6)};
	OPTION(settings, "device.ports=%u", settings->ports);
	OPTION(settings, "dut.model=switch");
	shared = draw(state, 2) == 0;
	OPTION(settings, shared ? "dut.shared_buffer_frames=%u" : "dut.buffer_frames=%u",
	       1 + (unsigned)draw(state, draw(state, 3) ? 60 : 900));
	if (shared && draw(state, 2) == 0)
		OPTION(settings, "dut.alpha=%u", 1 + (unsigned)draw(state, 4));
	if (draw(state, 2) == 0) /* slower than the line, by little or much: outputs lose more or less */
		OPTION(settings, "dut.gap_octets=%u", 12 + (unsigned)draw(state, draw(state, 2) ? 8 : 90));
	if (draw(state, 3) == 0)
		OPTION(settings, "dut.ageing=%" PRIu64 "us", 1 + draw(state, 2) * 300 + draw(state, 600));
	if (draw(state, 3) == 0)
		OPTION(settings, "dut.head_of_line_blocking=true");
	if (draw(state, 2) == 0)
		OPTION(settings, "dut.latency_ns=%" PRIu64, draw(state, 9000));
	if (draw(state, 4) == 0)
		OPTION(settings, "dut.learning_fps=%" PRIu64, 1000 + draw(state, 1000000));
	settings->one_receiver = draw(state, 4) == 0;
	settings->silent = draw(state, 3) == 0;
	settings->traffic =
	        (struct sent_traffic){.frame_octets = 60 + (uint32_t)draw(state, draw(state, 2) ? 12 : 600),
	                              .gap_octets = 11 + draw(state, draw(state, 2) ? 2 : 90),
	                              .gap_denominator = 1 + (uint32_t)draw(state, draw(state, 2) ? 5 : 211),
	                              .bad_fcs_every = draw(state, 5) == 0 ? 3 : 0,
	                              .duration_ot = 1500000 + draw(state, 4000000)};
	if (draw(state, 3) == 0) /* it never repeats */
		settings->traffic.gap_denominator = UINT32_MAX - (uint32_t)draw(state, 1000000);
	settings->traffic.gap_numerator = (uint32_t)draw(state, settings->traffic.gap_denominator);
}

static struct device *open_mesh(const struct settings *settings, const char *const *way)
{
	const char *options[MOST_OPTIONS + OWN_OPTIONS + 1] = {way[0], way[1]};
	struct device *device;

	for (size_t i = 0; i < settings->count; i++)
		options[OWN_OPTIONS + i] = settings->text[i];
	device = traffic_open(TWIN_LIBRARY, options);
	mesh_prepare(device, &settings->traffic);
	for (unsigned port = 0; port < settings->ports; port++) {
		if (settings->one_receiver)
			traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(port), 1);
		if (settings->one_receiver && port > 1) /* all to the port after this one */
			mesh_address(device, port, 1, 0);
	}
	if (settings->silent)
		traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(settings->ports - 1), 0);
	traffic_start(device);
	return device;
}

/* One side waits in one piece, the next one in several, down to so short ones that nothing that a queue holds has left:
 * the same whole words of the line in all. */
static void wait_in_pieces(struct device *device, uint64_t wait_ot, uint64_t piece_ot)
{
	uint64_t left_ot = wait_ot;

	for (; left_ot > piece_ot; left_ot -= piece_ot)
		traffic_wait(device, piece_ot);
	traffic_wait(device, left_ot);
}

static uint64_t draw_piece_ot(uint64_t *state)
{
	return WORD_OT * (1 + draw(state, UINT64_C(1) << (6 + draw(state, 9))));
}

/* Looks at all of them at the same times. */
static void expect_equal(const struct settings *settings, uint64_t seed, uint64_t *state)
{
	struct device *device[SIDES];

	for (unsigned side = 0; side < SIDES; side++)
		device[side] = open_mesh(settings, ways[side]);
	for (unsigned look = 0; look < LOOKS; look++) {
		const uint64_t wait_ot = look + 1 < LOOKS ? draw(state, 2000000) : settings->traffic.duration_ot;
		const uint64_t piece_ot = draw(state, 2) ? draw_piece_ot(state) : wait_ot;
		uint64_t answers[SIDES] = {0}, sent[SIDES];

		for (unsigned side = 0; side < SIDES; side++) {
			wait_in_pieces(device[side], wait_ot, side == 0 || wait_ot == 0 ? wait_ot : piece_ot);
			traffic_snapshot(device[side]);
			for (unsigned port = 0; port < settings->ports; port++)
				answers[side] = answers[side] * 37 + answers_of(device[side], port, settings->ports);
			sent[side] = mesh_sum(device[side], FPGAUGE_COUNTER_TX_FRAMES);
			cr_assert(answers[0] == answers[side],
			          "seed %" PRIu64 ", look %u, %u ports, %s, %s %s: %" PRIu64 " and %" PRIu64
			          " frames sent",
			          seed, look, settings->ports, settings->text[2], ways[side][0], ways[side][1], sent[0],
			          sent[side]);
		}
	}
	cr_expect(mesh_sum(device[0], FPGAUGE_COUNTER_TX_FRAMES) > 1000);
	for (unsigned side = 0; side < SIDES; side++)
		device_close(device[side]);
}

Test(twin_mesh, neither_jumps_over_what_a_mesh_repeats_nor_a_second_thread_change_an_answer)
{
	enum { TRIALS = 60 };
	const uint64_t first = (uint64_t)clock_ns();

	printf("seeds from %" PRIu64 " on\n", first);
	for (uint64_t seed = first; seed < first + TRIALS; seed++) {
		struct settings settings;
		uint64_t state = seed;

		draw_settings(&state, &settings);
		expect_equal(&settings, seed, &state);
	}
}

static double processor_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seven ports send to one that loses a quarter. 187 frames take 1,538,000 octet times, and a frame leaves every 1542,
 * so that it all repeats after 771 times 187 frames, 95 ms: far longer than a wait. */
Test(twin_mesh, what_repeats_is_jumped_over_in_waits_much_shorter_than_its_period_too)
{
	enum { SECONDS = 2 };
	static const uint64_t second_ot = UINT64_C(12500000000), piece_ot = UINT64_C(64) * 195312;
	struct settings settings = {.ports = 8, .one_receiver = true};
	double seconds[SIDES];
	uint64_t answers[SIDES] = {0};

	OPTION(&settings, "device.ports=8");
	OPTION(&settings, "dut.model=switch");
	OPTION(&settings, "dut.buffer_frames=500");
	OPTION(&settings, "dut.gap_octets=16");
	settings.traffic = (struct sent_traffic){.frame_octets = 1518,
	                                         .gap_octets = 6698,
	                                         .gap_numerator = 112,
	                                         .gap_denominator = 187,
	                                         .duration_ot = SECONDS * second_ot};
	for (unsigned side = 0; side < SIDES; side += 2) { /* even sides have one thread */
		struct device *device = open_mesh(&settings, ways[side]);

		seconds[side] = processor_s();
		wait_in_pieces(device, SECONDS * second_ot, piece_ot);
		traffic_snapshot(device);
		seconds[side] = processor_s() - seconds[side];
		for (unsigned port = 0; port < settings.ports; port++)
			answers[side] = answers[side] * 37 + answers_of(device, port, settings.ports);
		device_close(device);
	}
	cr_expect_eq(answers[2], answers[0]);
	cr_expect_lt(seconds[2], seconds[0] / 2, "%g s, and %g s where every frame is played", seconds[2], seconds[0]);
}

/* Moments are compared every 24,432 octet times where four ports send a frame every 4072 octet times to three others in
 * turn, but in a short trial there are too few frames for that to be worth it. If they were compared in the silence as
 * well, three hours of it would not end. */
Test(twin_mesh, a_silence_behind_frames_of_which_no_period_was_found_takes_no_time)
{
	static const uint64_t silence_ot = UINT64_C(125000000000000);
	struct settings settings = {.ports = 4};
	struct device *device;

	OPTION(&settings, "device.ports=4");
	OPTION(&settings, "dut.model=switch");
	settings.traffic = (struct sent_traffic){.frame_octets = 64, .gap_octets = 4000, .duration_ot = 120000};
	device = open_mesh(&settings, ways[2]);
	traffic_wait(device, 2 * settings.traffic.duration_ot);
	traffic_wait(device, silence_ot);
	traffic_snapshot(device);
	cr_expect_eq(mesh_sum(device, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), mesh_sum(device, FPGAUGE_COUNTER_TX_FRAMES));
	device_close(device);
}

/* It learns every port before the trial, about 0.2 ms. */
Test(twin_mesh, a_port_that_is_silent_is_forgotten_in_time_however_far_a_jump_could_go)
{
	struct settings settings = {.ports = 4, .silent = true};
	struct device *device;
	uint64_t state = 1;

	OPTION(&settings, "device.ports=4");
	OPTION(&settings, "dut.model=switch");
	OPTION(&settings, "dut.ageing=900us");
	settings.traffic = (struct sent_traffic){.frame_octets = 64, .gap_octets = 300, .duration_ot = 15000000};
	expect_equal(&settings, 1, &state);

	device = open_mesh(&settings, ways[SIDES - 1]);
	traffic_wait(device, 4000000);
	traffic_snapshot(device);
	cr_expect_eq(mesh_sum(device, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES), 0);
	traffic_wait(device, settings.traffic.duration_ot);
	traffic_snapshot(device);
	cr_expect(mesh_sum(device, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES) > 1000);
	device_close(device);
}

static size_t memory(void)
{
	const struct mallinfo2 now = mallinfo2();

	return now.uordblks + now.hblkhd;
}

/* Expects a mesh at line rate to take no more memory after all of the time than after a part of it. */
static void expect_same_memory(const char *const *options, uint64_t part_ot, uint64_t all_ot, bool loses)
{
	const struct sent_traffic line_rate = {.frame_octets = 64};
	struct device *device = traffic_open(TWIN_LIBRARY, options);
	size_t after_part;

	mesh_prepare(device, &line_rate);
	traffic_start(device);
	traffic_wait(device, part_ot);
	traffic_snapshot(device);
	after_part = memory();
	traffic_wait(device, all_ot - part_ot);
	traffic_snapshot(device);
	cr_expect(memory() <= after_part, "%zu octets, then %zu", after_part, memory());
	cr_expect(mesh_sum(device, FPGAUGE_COUNTER_TX_FRAMES) / 16 >= (all_ot - 10000) / 84);
	cr_expect_eq(mesh_sum(device, FPGAUGE_COUNTER_RX_LOST_FRAMES) != 0, loses);
	device_close(device);
}

/* The mesh runs without loss, and with more than the switch may send. */
Test(twin_mesh, a_mesh_of_sixteen_ports_takes_no_more_memory_in_a_second_than_in_a_hundredth_of_it)
{
	static const char *const gaps[] = {"dut.gap_octets=12", "dut.gap_octets=20"};
	const uint64_t second_ot = UINT64_C(12500000000);

	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++)
		expect_same_memory((const char *const[]){"device.ports=16", "device.threads=1", "dut.model=switch",
		                                         "dut.buffer_frames=50", gaps[i], NULL},
		                   second_ot / 100, second_ot, i != 0);
}

Test(twin_mesh, two_threads_take_no_more_memory_for_five_milliseconds_of_frames_than_for_one)
{
	const uint64_t millisecond_ot = 12500000;

	expect_same_memory((const char *const[]){"device.ports=16", "device.threads=2", "device.jumps=false",
	                                         "dut.model=switch", "dut.buffer_frames=50", "dut.gap_octets=20", NULL},
	                   millisecond_ot, 5 * millisecond_ot, true);
}
