// SPDX-License-Identifier: Apache-2.0
/* A device of pairs gives what its models give alone, at the same times, however frames and promises are cut into
 * calls. Models are checked in test_models.c. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "sim/dut/device.h"
#include "tests/sim/random_dut.h"

enum { MAX_OUT = 2 * PLAIN_MAX_OUT };

static const uint64_t LINK_BPS = UINT64_C(100000000000);

struct line {
	struct dut_frame in[PLAIN_MAX_FRAMES], expected[MAX_OUT], given[MAX_OUT];
	size_t in_count, put, expected_count, given_count;
};

static struct line lines[DUT_MAX_PORTS];

static void expect(struct dut *dut, struct line *line)
{
	size_t given;

	line->expected_count = 0;
	for (size_t taken = 0;; taken = line->in_count) {
		size_t count = line->in_count - taken;
		const size_t room = MAX_OUT - line->expected_count;

		given = dut_pass(dut, line->in + taken, &count, UINT64_MAX, line->expected + line->expected_count,
		                 room);
		cr_assert(given < room && count == line->in_count - taken);
		line->expected_count += given;
		if (count == 0)
			return;
	}
}

static void take(struct dut_device *device, unsigned port, uint64_t none_before_ot, size_t room, const char *text)
{
	struct line *line = &lines[port ^ 1];
	struct dut_frame out[64];
	size_t got;

	do {
		got = dut_device_take(device, port, out, room);
		for (size_t i = 0; i < got; i++) {
			cr_assert(out[i].start_ot >= none_before_ot && out[i].from == (port ^ 1), "%s", text);
			cr_assert(line->given_count < MAX_OUT);
			out[i].from = 0;
			line->given[line->given_count++] = out[i];
		}
	} while (got == room);
}

static void play(struct dut_device *device, unsigned ports, uint64_t *seed, const char *text)
{
	const uint64_t mean_ot = random_draw(seed, 2) ? 500 : 20000;
	uint64_t known_ot = 0, promised_ot = 0, delay_ot;
	bool more = true;

	while (more || known_ot < UINT64_MAX) {
		known_ot = more ? known_ot + random_draw(seed, mean_ot) : UINT64_MAX;
		more = false;
		for (unsigned port = 0; port < ports; port++) {
			struct line *line = &lines[port];
			const uint64_t ahead_ot = random_draw(seed, 3) == 0 ? 2000 : 0;

			while (line->put < line->in_count &&
			       dut_frame_end_ot(&line->in[line->put]) < known_ot + ahead_ot)
				dut_device_put(device, port, &line->in[line->put++], NULL);
			more = more || line->put < line->in_count;
		}
		dut_device_known(device, known_ot);
		for (unsigned port = 0; port < ports; port++)
			take(device, port,
			     dut_delays_line(dut_device_direction(device, 0), &delay_ot) ? 0 : promised_ot,
			     1 + random_draw(seed, 64), text);
		promised_ot = known_ot;
	}
	cr_assert(!device->failed);
}

static void compare(const struct line *line, unsigned port, const char *text)
{
	cr_assert(line->given_count == line->expected_count, "%s: port %u: %zu frames, not %zu", text, port,
	          line->given_count, line->expected_count);
	for (size_t i = 0; i < line->given_count; i++) {
		const struct dut_frame *a = &line->expected[i], *b = &line->given[i];

		cr_assert(a->start_ot == b->start_ot && a->id == b->id && a->octets == b->octets &&
		                  a->flags == b->flags,
		          "%s: port %u: frame %zu: %" PRIu64 " at %" PRIu64 ", not %" PRIu64 " at %" PRIu64, text, port,
		          i, b->id, b->start_ot, a->id, a->start_ot);
	}
}

Test(dut_device, of_pairs_gives_what_its_models_give_at_the_same_times)
{
	uint64_t seed = 88172645463325252u;
	size_t frames = 0;

	for (unsigned round = 0; round < 500; round++) {
		const unsigned ports = 2 + (unsigned)random_draw(&seed, 4);
		struct dut *duts[DUT_MAX_PORTS];
		struct dut_device *device = NULL;
		struct random_dut made;
		const char *bad = NULL;
		char error[256] = "";
		struct sim_options options;

		random_dut_make(&seed, false, &made);
		options = (struct sim_options){made.options, made.option_count, &bad, error, sizeof(error)};
		cr_assert(dut_create(&options, NULL, 0, LINK_BPS, duts, ports) == 0, "%s: %s", made.text, error);
		cr_assert(dut_device_create(&options, NULL, 0, LINK_BPS, ports, &device) == 0, "%s: %s", made.text,
		          error);
		for (unsigned port = 0; port < ports; port++) {
			struct line *line = &lines[port];

			line->put = line->given_count = 0;
			line->in_count = random_frames(&seed, line->in);
			expect(duts[port], line);
			/* The last of an odd number leads nowhere. */
			if ((port ^ 1) >= ports)
				line->expected_count = 0;
			dut_destroy(duts[port]);
		}
		play(device, ports, &seed, made.text);
		for (unsigned port = 0; port < ports; port++) {
			compare(&lines[port], port, made.text);
			frames += lines[port].given_count;
		}
		dut_device_destroy(device);
	}
	cr_assert(frames > 100000, "%zu frames: this proves little", frames);
}

Test(dut_device, of_pairs_has_the_truth_and_the_reset_of_its_models)
{
	static const struct fpgauge_sim_option given[] = {{"dut.model", "fifo, reset"}, {"dut.buffer_frames", "70"}};
	const char *bad = NULL;
	char error[256] = "";
	const struct sim_options options = {given, 2, &bad, error, sizeof(error)};
	const struct sim_options plain = {given + 1, 0, &bad, error, sizeof(error)};
	struct dut_load load = {.frame_octets = 64, .senders = 1, .receivers = 4};
	struct fpgauge_sim_truth truth, of_model;
	struct dut_device *device = NULL;

	cr_assert(dut_device_create(&options, NULL, 0, LINK_BPS, 4, &device) == 0, "%s", error);
	dut_device_truth(device, &load, &truth);
	dut_truth(dut_device_direction(device, 0), 64, &of_model);
	cr_expect_str_eq(truth.model, "fifo, reset");
	cr_expect(truth.buffer_frames == 70 && truth.throughput_fps == of_model.throughput_fps &&
	          truth.longest_burst_frames == of_model.longest_burst_frames);
	load.senders = 2;
	dut_device_truth(device, &load, &truth);
	cr_expect(truth.longest_burst_frames == FPGAUGE_SIM_TRUTH_NONE && truth.throughput_fps != truth.throughput_fps);
	cr_expect(dut_device_reset(device, 100000));
	dut_device_destroy(device);

	cr_assert(dut_device_create(&plain, NULL, 0, LINK_BPS, 2, &device) == 0, "%s", error);
	cr_expect(!dut_device_reset(device, 100000));
	dut_device_destroy(device);
}

Test(dut_device, a_switch_is_refused_by_name_where_only_directions_are_simulated)
{
	static const struct fpgauge_sim_option given[] = {{"dut.model", "switch"}};
	const char *bad = NULL;
	char error[256] = "";
	const struct sim_options options = {given, 1, &bad, error, sizeof(error)};
	struct dut *dut;

	cr_expect(dut_create(&options, NULL, 0, LINK_BPS, &dut, 1) == -1);
	cr_expect_str_eq(error, "\"switch\": a switch has no directions: it is one device between all ports");
	cr_expect_str_eq(bad, "dut.model");
}

/* Puts a burst of frames of 64 octets at port 0 and takes what leaves at port 1: the time at which the line out is free
 * again after the last. */
static uint64_t burst(struct dut_device *device, uint64_t start_ot, unsigned frames)
{
	struct dut_frame out[64];
	uint64_t free_ot = 0;
	size_t got;

	for (unsigned i = 0; i < frames; i++) {
		const struct dut_frame frame = {.start_ot = start_ot + i * 88, .id = i, .octets = 64};

		dut_device_put(device, 0, &frame, NULL);
	}
	dut_device_known(device, start_ot + frames * 88);
	while ((got = dut_device_take(device, 1, out, 64)) != 0)
		free_ot = dut_frame_end_ot(&out[got - 1]) + DUT_MIN_GAP_OCTETS;
	return free_ot;
}

Test(dut_device, of_pairs_is_at_rest_as_soon_as_all_has_left_and_never_if_it_remembers_or_draws)
{
	static const struct {
		struct fpgauge_sim_option options[3];
		size_t count;
		bool rests;
	} CASES[] = {
	        {{{"dut.model", "fifo"}, {"dut.service_fps", "12345678"}}, 2, true},
	        {{{"dut.model", "fifo, overload"}, {"dut.service_fps", "33%"}, {"dut.buffer_frames", "17"}}, 3, true},
	        {{{"dut.model", "fifo, reset"}}, 1, true},
	        {{{"dut.model", "fifo, reset"}, {"dut.dark_at_ns", "1000000000"}}, 2, false},
	        {{{"dut.model", "fifo, faults"}, {"dut.drop_every", "1000"}}, 2, false},
	        {{{"dut.model", "fifo, faults"}, {"dut.drop_probability", "0.0001%"}}, 2, false},
	        {{{"dut.model", "stall"}, {"dut.stall_every_ns", "100000000"}}, 2, false},
	        {{{"dut.model", "switch"}}, 1, false},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		const char *bad = NULL, *model = CASES[i].options[0].value;
		char error[256] = "";
		const struct sim_options options = {CASES[i].options, CASES[i].count, &bad, error, sizeof(error)};
		struct dut_device *device;
		uint64_t start_ot = 8000;

		cr_assert(dut_device_create(&options, NULL, 0, LINK_BPS, 2, &device) == 0, "%s", error);
		if (CASES[i].rests)
			cr_expect(dut_device_at_rest(device, 0), "%s", model);
		for (unsigned round = 0; CASES[i].rests && round < 3; round++) {
			const uint64_t free_ot = burst(device, start_ot, 40 + round);

			cr_assert_gt(free_ot, start_ot);
			cr_expect_not(dut_device_at_rest(device, start_ot + 41 * 88 + 8), "%s", model);
			cr_expect_not(dut_device_at_rest(device, free_ot / 8 * 8 - 8), "%s", model);
			start_ot = dut_group_up(free_ot);
			cr_expect(dut_device_at_rest(device, start_ot), "%s", model);
		}
		if (!CASES[i].rests && !device->reads_frames)
			burst(device, start_ot, 40);
		if (!CASES[i].rests)
			cr_expect_not(dut_device_at_rest(device, 1000000), "%s", model);
		dut_device_destroy(device);
	}
}
