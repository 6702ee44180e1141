// SPDX-License-Identifier: Apache-2.0
/* Trials through a switch, as the host makes them, against a second, plain switch that gets the same frames: with
 * random settings, patterns and frames, each port must count what the plain one lets out there. So what is not known is
 * flooded and counted as unexpected at the right ports, what is known is not, and buffers lose the frames that they
 * should. A failure prints the settings. FPGAUGE_TEST_LIBRARY: the path of a library, of 4 ports, in place of the twin.
 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/traffic/learning.h"
#include "host/trial/device/tester.h"
#include "host/trial/traffic.h"
#include "tests/c/traffic_walk.h"
#include "tests/seed.h"
#include "tests/sim/plain_switch.h"

enum { ROUNDS = 500, SLOW_ROUNDS = 20, MAX_SETTINGS = 16, MOST_FRAMES = PLAIN_SWITCH_FRAMES, TRIALS = 2 };
enum { DRAIN_OT = 300000, SETTLE_OT = 60000, LEARNING_OCTETS = 64, SHORTEST_PERIOD_OT = 10 * (64 + 20) };

/* A frame that is sent: which trial it is of, and where it must arrive. */
struct sent {
	int trial; /* -1: a learning frame */
	uint16_t arrives;
};

static struct {
	struct plain_switch plain;
	struct traffic_shape shape;
	uint64_t burst_frames;
	char names[MAX_SETTINGS][40], values[MAX_SETTINGS][40], text[1024];
	struct device_option options[MAX_SETTINGS];
	size_t count;
} made;

static struct plain_switch_frame in[MOST_FRAMES], out[PLAIN_SWITCH_OUT];
static struct sent sent[MOST_FRAMES];
static size_t in_count, out_count;
static struct plain_switch_counts happened;
static struct traffic traffic;
static struct traffic_learning learning;
static struct trial_result results[TRIALS];
static struct error error;
static uint64_t seed;
static const uint64_t *starts;
static unsigned *start_count;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static bool one_in(uint64_t n)
{
	return draw(n) == 0;
}

__attribute__((format(printf, 2, 3))) static void set(const char *name, const char *format, ...)
{
	const size_t i = made.count++;
	va_list arguments;

	cr_assert(i < MAX_SETTINGS);
	snprintf(made.names[i], sizeof(made.names[i]), "%s", name);
	va_start(arguments, format);
	vsnprintf(made.values[i], sizeof(made.values[i]), format, arguments);
	va_end(arguments);
	made.options[i] = (struct device_option){made.names[i], made.values[i]};
	snprintf(made.text + strlen(made.text), sizeof(made.text) - strlen(made.text), "%s=%s ", name, made.values[i]);
}

/* -- random settings ---------------------------------------------------------------------------------------------- */

static void make_buffer(void)
{
	struct plain_switch *plain = &made.plain;

	plain->shared = one_in(2);
	plain->buffer = 1 + draw(one_in(2) ? 40 : 8);
	if (one_in(3)) {
		plain->cell_octets = 32 + draw(300);
		plain->buffer *= 1 + draw(20);
		set("dut.cell_octets", "%" PRIu64, plain->cell_octets);
	}
	set(plain->shared ? "dut.shared_buffer_frames" : "dut.buffer_frames", "%" PRIu64, plain->buffer);
	if (!plain->shared || one_in(2))
		return;
	plain->alpha_thousandths = 1 + draw(one_in(2) ? 1000 : 8000);
	set("dut.alpha", "%" PRIu64 ".%03" PRIu64, plain->alpha_thousandths / 1000, plain->alpha_thousandths % 1000);
}

/* The time from learning to the end of a trial is some 700000 octet times: 56 us. */
static void make_table(void)
{
	struct plain_switch *plain = &made.plain;
	const uint64_t ageing_ns = one_in(2) ? 1000000 : 20000 + draw(80000);

	plain->table_addresses = one_in(2) ? PLAIN_SWITCH_ADDRESSES : 1 + draw(12);
	set("dut.table_addresses", "%" PRIu64, plain->table_addresses);
	plain->ageing_ot = (ageing_ns * 25 + 1) / 2;
	set("dut.ageing", "%" PRIu64 "ns", ageing_ns);
	if (one_in(3)) {
		plain->learning_fps = 1000000 + draw(40000000);
		set("dut.learning_fps", "%" PRIu64, plain->learning_fps);
	}
	if (one_in(4)) { /* learning frames go to everybody */
		plain->broadcast_fps = 10000 + draw(600000);
		set("dut.broadcast_fps", "%" PRIu64, plain->broadcast_fps);
	}
}

static void make_forwarding(void)
{
	struct plain_switch *plain = &made.plain;
	uint64_t latency_ns = draw(300);

	plain->cut_through = one_in(3);
	if (plain->cut_through) {
		latency_ns += 733;
		set("dut.forwarding", "cut_through");
	}
	plain->latency_ot = (latency_ns * 25 + 1) / 2;
	set("dut.latency_ns", "%" PRIu64, latency_ns);
	plain->head_of_line_blocking = one_in(3);
	set("dut.head_of_line_blocking", "%s", plain->head_of_line_blocking ? "true" : "false");
	plain->gap_octets = one_in(2) ? 12 : 8 + draw(40);
	set("dut.gap_octets", "%" PRIu64, plain->gap_octets);
}

static void make_shape(void)
{
	struct traffic_shape *shape = &made.shape;
	const unsigned ports = made.plain.ports;

	*shape = traffic_shape_plain(96 + (uint32_t)draw(one_in(3) ? 1400 : 100));
	do
		shape->pattern = (enum traffic_pattern)draw(TRAFFIC_SNAKE + 1);
	while (pattern_least_ports(shape->pattern) > ports || pattern_check(shape->pattern, ports, &error));
	shape->bidirectional =
	        shape->pattern == TRAFFIC_MESH || (shape->pattern != TRAFFIC_UNIDIRECTIONAL_MESH && one_in(2));
	shape->frame = (enum traffic_frame)draw(3);
	shape->vlan = one_in(2) ? TRAFFIC_NO_VLAN : (unsigned)draw(4095);
	shape->addresses = 1 + (unsigned)draw(ports > 8 ? 1 : ports > 4 ? 3 : 12);
	shape->seed = 1 + (uint32_t)draw(1000);
	snprintf(made.text + strlen(made.text), sizeof(made.text) - strlen(made.text), "%s %s %u octets %u addresses ",
	         TRAFFIC_PATTERN_NAMES[shape->pattern], shape->bidirectional ? "both" : "one way", shape->frame_octets,
	         shape->addresses);
}

static void make(unsigned ports)
{
	memset(&made, 0, sizeof(made));
	made.plain.ports = ports;
	snprintf(made.text, sizeof(made.text), "seed %" PRIu64 ", %u ports ", seed, ports);
	set("dut.model", "switch");
	make_buffer();
	make_table();
	make_forwarding();
	make_shape();
}

/* -- what is sent -------------------------------------------------------------------------------------------------- */

/* Frames of all ports from one start on: frame n of a port starts n periods later, on a group of 8 octets. */
static void add_frames(const struct traffic *of, uint64_t frames, uint64_t start_ot, uint64_t period_ot, int trial)
{
	for (unsigned port = 0; port < of->ports; port++) {
		struct walk walk = {.port = &of->port[port]};

		for (uint64_t n = 0; n < frames && traffic_sends(of, port); n++) {
			const struct walked frame = walk_next(&walk);
			const struct traffic_flow *flow = &walk.port->flow[frame.flow];

			cr_assert(in_count < MOST_FRAMES, "%s: more frames than the plain switch takes", made.text);
			cr_assert(flow->field[0].count == 0, "%s: addresses vary", made.text);
			sent[in_count] = (struct sent){trial, flow->arrives};
			in[in_count] = (struct plain_switch_frame){.port = port,
			                                           .start_ot = start_ot + n * period_ot / 8 * 8,
			                                           .id = in_count,
			                                           .octets = frame.octets};
			memcpy(in[in_count].destination, flow->packet.octets, 6);
			memcpy(in[in_count++].source, flow->packet.octets + 6, 6);
		}
	}
}

/* Learning frames leave evenly over the time of drain, at a tenth of the line at most (docs/trial.md). */
static void add_trial(int trial, unsigned first_start)
{
	const uint64_t period_ot = learning.frames ? DRAIN_OT / learning.frames : 0;
	const unsigned begun = *start_count - first_start;

	cr_assert(begun == 1 || (begun == 2 && learning.frames), "%s: %u starts", made.text, begun);
	if (begun == 2)
		add_frames(&learning.traffic, learning.frames, starts[first_start],
		           period_ot < SHORTEST_PERIOD_OT ? SHORTEST_PERIOD_OT : period_ot, -1);
	add_frames(&traffic, made.burst_frames, starts[*start_count - 1], made.shape.frame_octets + 20, trial);
}

static void run_trials(struct tester *tester, unsigned trials)
{
	const struct trial_request request = {.kind = TRIAL_BURST,
	                                      .traffic = &traffic,
	                                      .gap_octets = 12,
	                                      .burst_frames = made.burst_frames,
	                                      .drain_ot = DRAIN_OT,
	                                      .settle_ot = SETTLE_OT};

	for (unsigned trial = 0; trial < trials; trial++) {
		const unsigned first_start = *start_count;

		cr_assert_eq(tester_run(tester, &request, &results[trial], &error), 0, "%s: %s", made.text, error.text);
		cr_assert(results[trial].valid, "%s: %s", made.text, results[trial].why_invalid);
		add_trial((int)trial, first_start);
	}
}

/* -- what must be counted ------------------------------------------------------------------------------------------ */

struct truth {
	uint64_t received, unexpected, least_unexpected; /* least: there when the last expected one came */
	uint64_t latency_min_ot, latency_max_ot;
};

static struct truth truth_of(int trial, unsigned port, uint64_t judged_ot)
{
	struct truth truth = {.latency_min_ot = UINT64_MAX};

	for (size_t i = 0; i < out_count; i++) {
		const struct plain_switch_frame *frame = &out[i];
		const uint64_t latency_ot = frame->start_ot - in[frame->id].start_ot;

		if (frame->port != port || sent[frame->id].trial != trial)
			continue;
		if (!(sent[frame->id].arrives >> port & 1)) {
			truth.unexpected++;
			truth.least_unexpected += frame->start_ot + 8 + frame->octets <= judged_ot;
			continue;
		}
		truth.received++;
		truth.latency_min_ot = latency_ot < truth.latency_min_ot ? latency_ot : truth.latency_min_ot;
		truth.latency_max_ot = latency_ot > truth.latency_max_ot ? latency_ot : truth.latency_max_ot;
	}
	return truth;
}

/* Returns when the last frame came that had to: a trial that loses none ends soon after, and what was flooded may still
 * come. */
static uint64_t last_expected_ot(int trial)
{
	uint64_t last_ot = 0;

	for (size_t i = 0; i < out_count; i++)
		if (sent[out[i].id].trial == trial && sent[out[i].id].arrives >> out[i].port & 1 &&
		    out[i].start_ot + 8 + out[i].octets > last_ot)
			last_ot = out[i].start_ot + 8 + out[i].octets;
	return last_ot;
}

static void check_port(int trial, unsigned port, const struct truth *truth)
{
	const struct trial_result *result = &results[trial];
	const struct trial_port *counted = &result->port[port];
	const uint64_t least = result->lost_frames ? truth->unexpected : truth->least_unexpected;

	cr_assert_eq(counted->received_frames, truth->received,
	             "%s: trial %d, port %u: %" PRIu64 " received, not %" PRIu64, made.text, trial, port,
	             counted->received_frames, truth->received);
	cr_assert(counted->wrong_port_frames >= least && counted->wrong_port_frames <= truth->unexpected,
	          "%s: trial %d, port %u: %" PRIu64 " unexpected, not %" PRIu64 " to %" PRIu64, made.text, trial, port,
	          counted->wrong_port_frames, least, truth->unexpected);
	cr_assert_eq(counted->foreign_frames + counted->other_run_frames + counted->bad_frames +
	                     counted->duplicated_frames + counted->reordered_frames,
	             0, "%s: trial %d, port %u", made.text, trial, port);
	if (truth->received == 0)
		return;
	cr_assert_eq(counted->latency.min_ot, truth->latency_min_ot, "%s: trial %d, port %u", made.text, trial, port);
	cr_assert_eq(counted->latency.max_ot, truth->latency_max_ot, "%s: trial %d, port %u", made.text, trial, port);
}

static uint64_t check_trial(int trial)
{
	const uint64_t judged_ot = last_expected_ot(trial);
	uint64_t must = 0, received = 0;

	for (size_t i = 0; i < in_count; i++)
		must += sent[i].trial == trial ? (unsigned)__builtin_popcount(sent[i].arrives) : 0;
	for (unsigned port = 0; port < made.plain.ports; port++) {
		const struct truth truth = truth_of(trial, port, judged_ot);

		check_port(trial, port, &truth);
		received += truth.received;
	}
	cr_assert_eq(results[trial].lost_frames, must - received, "%s: trial %d", made.text, trial);
	return must - received;
}

/* -- rounds -------------------------------------------------------------------------------------------------------- */

/* Plans as many trials and frames as the plain switch takes with its learning frames. */
static unsigned plan_trials(void)
{
	const uint64_t ports = made.plain.ports, taught = learning.frames * ports;
	const unsigned trials = taught * TRIALS + 30 * ports * TRIALS <= MOST_FRAMES ? TRIALS : 1;
	const uint64_t room = (MOST_FRAMES - taught * trials) / (ports * trials);

	made.burst_frames = 1 + draw(room < 150 ? room : 150);
	return trials;
}

/* Returns how many frames were lost. */
static uint64_t play_round(const char *library)
{
	const struct device_config config = {.backend = "sim",
	                                     .library = library,
	                                     .ports = made.plain.ports,
	                                     .options = made.options,
	                                     .option_count = made.count};
	struct device *device;
	struct tester *tester;
	const char *bad_option;
	struct traffic_limits limits;
	unsigned trials;
	uint64_t lost = 0;

	cr_assert_eq(device_open(&config, &device, &bad_option, &error), 0, "%s: %s", made.text, error.text);
	cr_assert_eq(device_tester_open(device, NULL, &tester, &error), 0, "%s", error.text);
	limits = trial_traffic_limits(device_identity(device));
	cr_assert_eq(traffic_build(&made.shape, made.plain.ports, &limits, &traffic, &error), 0, "%s: %s", made.text,
	             error.text);
	cr_assert_eq(traffic_learning(&traffic, &learning, &error), 0, "%s", error.text);
	in_count = *start_count = 0;
	trials = plan_trials();
	run_trials(tester, trials);
	out_count = plain_switch_play(&made.plain, in, in_count, out, &happened);
	for (unsigned trial = 0; trial < trials; trial++)
		lost += check_trial((int)trial);
	traffic_learning_free(&learning);
	traffic_free(&traffic);
	tester_close(tester);
	device_close(device);
	return lost;
}

static void check_counts(unsigned rounds, uint64_t lost)
{
	const uint64_t counts[] = {happened.flooded,
	                           happened.known,
	                           happened.learned,
	                           happened.aged,
	                           happened.table_full,
	                           happened.learner_busy,
	                           happened.lost,
	                           happened.threshold,
	                           happened.too_many_broadcasts,
	                           happened.blocked,
	                           lost};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]) && rounds >= ROUNDS; i++)
		cr_expect(counts[i] > 10, "count %zu is %" PRIu64 ": this proves little", i, counts[i]);
	cr_expect(happened.flooded && happened.known && lost);
}

static void *symbol(void *library, const char *name)
{
	void *found = dlsym(library, name);

	cr_assert(found != NULL, "%s", name);
	return found;
}

Test(switch_trials, count_at_each_port_what_a_plain_switch_lets_out_there)
{
	const char *slow = getenv("FPGAUGE_TEST_LIBRARY"), *all = getenv("FPGAUGE_LONG");
	const unsigned rounds = slow != NULL && (all == NULL || strcmp(all, "1") != 0) ? SLOW_ROUNDS : ROUNDS;
	uint64_t lost = 0;
	void *library;

	setenv("FPGAUGE_WATCHED_LIBRARY", slow != NULL ? slow : TWIN_LIBRARY, 1);
	library = dlopen(WATCHED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	cr_assert(library != NULL, "%s", dlerror());
	starts = symbol(library, "watched_starts");
	start_count = symbol(library, "watched_start_count");
	seed = test_seed() | 1;
	for (unsigned round = 0; round < rounds; round++) {
		make(slow != NULL ? 4 : 2 + (unsigned)draw(15));
		lost += play_round(WATCHED_LIBRARY);
	}
	check_counts(rounds, lost);
	dlclose(library);
}
