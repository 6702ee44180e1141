/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput on a FIFO whose answer is known. */
#include "bench_case.h"

static struct bench_case c;
static const uint32_t SIZES[] = {64, 128, 256, 512, 1024, 1280, 1518};

static void begin(void)
{
	case_begin(&c, SIZES, 7);
	c.plan.test_count = 1;
}

static void end(void)
{
	case_end(&c);
}

TestSuite(throughput, .init = begin, .fini = end);

static double line_fps(uint32_t frame_octets)
{
	return 1e11 / (8.0 * (frame_octets + 20));
}

/* The closed form itself, against a queue simulated frame by frame in integers. */
Test(throughput, the_fifo_of_these_tests_loses_what_a_played_queue_loses)
{
	for (unsigned arrival = 2; arrival <= 12; arrival++)
		for (unsigned service = 2; service <= 25; service++)
			for (unsigned buffer = 1; buffer <= 9; buffer++)
				for (unsigned frames = 1; frames <= 50; frames += 7) {
					uint64_t ends[64], lost = 0, accepted = 0, free_at = 0;

					for (unsigned k = 0; k < frames; k++) {
						uint64_t now = (uint64_t)k * arrival, inside = 0;

						for (uint64_t i = 0; i < accepted; i++)
							inside += ends[i] > now; /* a slot frees when service ends */
						if (inside >= buffer) {
							lost++;
							continue;
						}
						free_at = (free_at > now ? free_at : now) + service;
						ends[accepted++] = free_at;
					}
					/* A buffer of one frame leaves the server idle between frames once it loses:
					 * then it only tells whether there is loss. No search asks for more. */
					uint64_t formula = fifo_lost(frames, buffer, (struct rate){1, arrival},
					                             (struct rate){1, service});

					cr_assert(buffer == 1 ? !formula == !lost : formula == lost,
					          "A %u S %u B %u N %u", arrival, service, buffer, frames);
				}
}

Test(throughput, of_a_wire_is_exactly_line_rate_at_every_size)
{
	fifo_begin(&c.fifo, 100, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	for (unsigned i = 0; i < 7; i++) {
		json_t *result = case_result(&c, "throughput", SIZES[i]);

		cr_assert(is_true(result, "valid"));
		cr_assert_eq(number(result, "throughput_percent"), 100, "exactly");
		cr_assert_eq(number(result, "throughput_fps"), number(result, "max_theoretical_fps"));
		cr_assert_float_eq(number(result, "throughput_fps"), line_fps(SIZES[i]), 1e-3);
		cr_assert(isnan(number(result, "first_lossy_fps")), "no load lost anything");
		cr_assert_eq(number(result, "trials"), 1);
	}
}

Test(throughput, of_a_slow_device_is_within_the_resolution)
{
	const uint64_t per_mille[] = {1, 333, 500, 672, 900, 999};

	for (unsigned p = 0; p < 6; p++) {
		fifo_begin(&c.fifo, 100, per_mille[p] * 1000 + 1, 1000000);
		cr_assert_eq(case_run(&c), 0);
		for (unsigned i = 0; i < 7; i++) {
			json_t *result = case_result(&c, "throughput", SIZES[i]);
			double truth = number(json_object_get(result, "truth"), "throughput_fps");
			double got = number(result, "throughput_fps"), step = number(result, "resolution_fps");

			cr_assert(is_true(result, "valid"));
			cr_assert_float_eq(step, line_fps(SIZES[i]) / 1000, 1e-3);
			cr_assert(got > truth - step && got <= truth + 100 / 1.0 + 1e-3, "%u octets: %f, truth %f",
			          SIZES[i], got, truth);
			cr_assert_float_eq(number(result, "first_lossy_fps") - got, step, 1e-3);
			cr_assert_leq(number(result, "trials"), 11);
			cr_assert_eq(number(json_object_get(result, "counters"), "lost_frames"), 0);
			cr_assert_gt(number(json_object_get(result, "counters"), "offered_frames"), 0);
		}
	}
}

Test(throughput, a_resolution_in_frames_a_second_counts_down_from_line_rate)
{
	json_t *result;

	c.throughput.resolution = (struct quantity){QUANTITY_PLAIN, 1000000, 1};
	fifo_begin(&c.fifo, 1, 1, 2);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_assert_float_eq(number(result, "resolution_fps"), 1e6, 1e-3);
	/* 148809523.8 - 75 x 10^6 is the first at or below 74404761.9 */
	cr_assert_float_eq(number(result, "throughput_fps"), 73809523.809524, 1e-3);
}

Test(throughput, the_final_determination_is_made_with_full_length_trials)
{
	json_t *result;

	/* 1 ms hides 2,000,000 fps in a buffer of 2000 frames: the search alone would be 13 steps too high. */
	c.throughput.search_trial_duration_ns = 1000000;
	c.throughput.trial_duration_ns = UINT64_C(60000000000);
	fifo_begin(&c.fifo, 2000, 672, 1000);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_assert_float_eq(number(result, "throughput_percent"), 67.2, 1e-9);
	cr_assert_float_eq(number(result, "final_trial_duration_s"), 60, 1e-6);
	cr_assert_not(flagged(result, "latency grew"));
	cr_assert_eq(c.fifo.last.duration_ot, UINT64_C(750000000000));
	cr_assert_float_eq(number(result, "first_lossy_fps") / line_fps(64), 0.673, 1e-9);
}

Test(throughput, a_short_final_trial_stands_when_it_is_as_long_as_asked)
{
	fifo_begin(&c.fifo, 2000, 672, 1000);
	c.throughput.trial_duration_ns = c.throughput.search_trial_duration_ns = 1000000;
	cr_assert_eq(case_run(&c), 0);
	/* (L - T0) t <= B: 2000 frames in 1 ms are 1.344% of line rate */
	cr_assert_float_eq(number(case_result(&c, "throughput", 64), "throughput_percent"), 68.5, 1e-9);
}

Test(throughput, a_buffer_that_fills_during_the_final_trial_is_seen_by_its_latency)
{
	json_t *result;
	double truth, off;

	fifo_begin(&c.fifo, 2000, 900, 1000);
	c.throughput.trial_duration_ns = c.throughput.search_trial_duration_ns = 100000;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	truth = number(json_object_get(result, "truth"), "throughput_fps");
	off = number(result, "throughput_fps") - truth;
	cr_assert_eq(number(result, "throughput_percent"), 100, "a trial of 0.1 ms is deceived");
	cr_assert(flagged(result, "latency grew during the final trial"));
	cr_assert_float_eq(number(result, "queue_growth_fps") / off, 1, 0.01, "and says by how much");
}

Test(throughput, a_device_that_always_loses_has_throughput_zero)
{
	json_t *result;

	fifo_begin(&c.fifo, 100, 1, 1);
	c.fifo.noise_one_in = 1;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_assert(is_true(result, "valid"), "RFC 2544 9.4: reported as zero");
	cr_assert_eq(number(result, "throughput_fps"), 0);
	cr_assert(flagged(result, "even at the lowest load"));
}

Test(throughput, an_invalid_trial_is_repeated_and_never_believed)
{
	json_t *result;

	fifo_begin(&c.fifo, 100, 1, 1);
	c.fifo.invalid_trials = 3;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_assert(is_true(result, "valid"), "%s", text(result, "why_invalid"));
	cr_assert_eq(number(result, "throughput_percent"), 100);
	cr_assert_eq(number(result, "invalid_trials"), 3);
	cr_assert_eq(number(result, "trials"), 4);
}

Test(throughput, a_trial_that_stays_invalid_gives_an_invalid_result_and_the_next_size_runs)
{
	json_t *result;

	fifo_begin(&c.fifo, 100, 1, 1);
	c.fifo.invalid_trials = 4;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_assert_not(is_true(result, "valid"));
	cr_assert(strstr(text(result, "why_invalid"), "offered 1 frames, intended 2"));
	cr_assert(isnan(number(result, "throughput_fps")), "never an answer about the DUT");
	cr_assert(is_true(case_result(&c, "throughput", 128), "valid"));
}

Test(throughput, loss_verification_forgives_noise_that_plain_binary_search_does_not)
{
	double plain, verified;

	fifo_begin(&c.fifo, 100, 8, 10);
	c.fifo.noise_one_in = 4;
	cr_assert_eq(case_run(&c), 0);
	plain = number(case_result(&c, "throughput", 64), "throughput_percent");
	for (unsigned i = 1; i < 7; i++) /* the lowest over all sizes */
		plain = fmin(plain, number(case_result(&c, "throughput", SIZES[i]), "throughput_percent"));
	c.tests[0].search = PLAN_SEARCH_LOSS_VERIFICATION;
	c.tests[0].max_trials = 6;
	c.tests[0].loss_verification_z = (struct quantity){QUANTITY_PERCENT, 1, 1000};
	cr_assert_eq(case_run(&c), 0);
	verified = number(case_result(&c, "throughput", 64), "throughput_percent");
	cr_assert_float_eq(verified, 80, 1e-9);
	cr_assert_lt(plain, 79.9, "%f", plain);
	cr_assert_eq(number(json_object_get(case_result(&c, "throughput", 64), "parameters"), "max_trials"), 6);
}

static struct {
	double load_fps;
	bool lossy;
} looked[1000];
static unsigned looked_count;

static void note_trial(void *user, const struct bench_trial *trial)
{
	(void)user;
	cr_assert_lt(looked_count, sizeof(looked) / sizeof(looked[0]));
	looked[looked_count].load_fps = trial->load_fps;
	looked[looked_count++].lossy = trial->lost_frames != 0;
}

/* RFC 2544 would not have accepted such a load: a reader must be told. */
Test(throughput, loss_that_a_repetition_overruled_is_flagged_with_the_number_of_trials)
{
	unsigned overruled = 0;

	case_begin(&c, SIZES, 1);
	c.plan.test_count = 1;
	c.tests[0].search = PLAN_SEARCH_LOSS_VERIFICATION;
	c.tests[0].max_trials = 6;
	c.throughput.search_trial_duration_ns = 1000000;
	c.context.trace = note_trial;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		unsigned trials = 0, lossy = 0;
		char says[64];
		json_t *result;

		fifo_begin(&c.fifo, 1, 8, 10);
		c.fifo.noise_one_in = 3;
		c.fifo.random = seed * 0x9e3779b97f4a7c15;
		looked_count = 0;
		cr_assert_eq(case_run(&c), 0);
		result = case_result(&c, "throughput", 64);
		for (unsigned i = 0; i < looked_count; i++) {
			bool here = fabs(looked[i].load_fps - number(result, "throughput_fps")) < 0.01;

			trials += here;
			lossy += here && looked[i].lossy;
		}
		snprintf(says, sizeof(says), "frames were lost in %u of %u trials at this load", lossy, trials);
		cr_expect_eq(flagged(result, says), lossy > 0, "seed %lu: %s", (unsigned long)seed, says);
		cr_expect_eq(flagged(result, "frames were lost in"), lossy > 0, "seed %lu", (unsigned long)seed);
		overruled += lossy > 0;
	}
	cr_expect(overruled > 0 && overruled < 20, "%u of 20: shows nothing", overruled);
}

Test(throughput, a_cancel_ends_the_run_and_keeps_what_is_there)
{
	fifo_begin(&c.fifo, 100, 1, 1);
	c.fifo.cancel_after = 3;
	cr_assert_eq(case_run(&c), ERROR_CANCELLED);
	cr_assert_eq(json_array_size(c.context.results), 4);
	cr_assert(is_true(case_result(&c, "throughput", 256), "valid"));
	cr_assert_not(is_true(case_result(&c, "throughput", 512), "valid"));
	cr_assert(strstr(
	        text(case_result(&c, "throughput", 512), "why_invalid"),
	        "stopped by the user in trial 1 of throughput of 512 octets; bounds so far: lower none, upper none"));
}

Test(throughput, a_cancel_says_between_which_loads_the_answer_lies)
{
	const char *why;
	double lower_fps, upper_fps, truth_fps = 0.6 * line_fps(64);

	fifo_begin(&c.fifo, 1, 3, 5);
	c.fifo.cancel_after = 6;
	cr_assert_eq(case_run(&c), ERROR_CANCELLED);
	why = text(case_result(&c, "throughput", 64), "why_invalid");
	cr_assert(strstr(why, "in trial 7 of throughput of 64 octets"), "%s", why);
	why = strstr(why, "bounds so far: ");
	cr_assert(why && sscanf(why, "bounds so far: lower %lf fps, upper %lf fps", &lower_fps, &upper_fps) == 2);
	cr_assert(lower_fps <= truth_fps && truth_fps <= upper_fps, "%f %f %f", lower_fps, truth_fps, upper_fps);
	/* The first trial is at line rate; each of the five after it halves what is left. */
	cr_assert_float_eq(upper_fps - lower_fps, line_fps(64) / 32, line_fps(64) / 500);
}

static unsigned told;
static double told_clock;

static void note_progress(void *user, const struct bench_progress *progress)
{
	(void)user;
	told++;
	cr_assert_str_eq(benchmark_name(progress->benchmark), "throughput");
	cr_assert_geq(progress->steps_estimate, progress->step);
	cr_assert(progress->low <= progress->point && progress->point <= progress->high);
	cr_assert_leq((double)progress->high, line_fps(progress->frame_octets) + 0.5, "frames a second");
	cr_assert_gt(progress->point, 1000, "and no index into a grid");
	if (progress->step)
		cr_assert_geq(progress->seconds_left, 0);
}

static double note_clock(void *user)
{
	(void)user;
	return told_clock += 0.5;
}

Test(throughput, progress_is_told_before_every_trial)
{
	fifo_begin(&c.fifo, 100, 1, 2);
	c.context.progress = note_progress;
	c.context.now_s = note_clock;
	told = 0;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(told, c.fifo.trials);
}

/* -- a mix of frame sizes ------------------------------------------------------------------------------------------ */

Test(throughput, of_a_mix_is_one_result_with_the_text_of_the_mix_in_place_of_a_size)
{
	static const uint32_t NO_SIZE[] = {0};
	struct error error;
	json_t *result;

	case_end(&c);
	case_begin(&c, NO_SIZE, 1);
	c.plan.test_count = 1;
	cr_assert_eq(traffic_sizes_parse("imix", &c.tests[0].shape.sizes, &error), 0);
	fifo_begin(&c.fifo, 100, 1, 2);
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(json_array_size(c.context.results), 1);
	result = json_array_get(c.context.results, 0);
	cr_expect(json_is_null(json_object_get(result, "frame_octets")));
	cr_expect_str_eq(text(result, "sizes"), "imix");
	cr_expect(json_is_null(json_object_get(result, "truth")), "devices state it for single sizes");
	cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
	/* 12 frames take up 4246 + 12 x 20 octets of the line, 12.5 octets a nanosecond. */
	cr_expect_float_eq(number(result, "max_theoretical_fps"), 12 * 12.5e9 / 4486, 1e-3);
	cr_expect_float_eq(number(result, "throughput_percent"), 50, 0.11);
	cr_expect_eq(c.fifo.last.shape.frame_octets, 0);
	cr_expect(traffic_sizes_equal(&c.fifo.last.shape.sizes, &c.tests[0].shape.sizes));
}

Test(throughput, of_one_size_has_no_mix)
{
	fifo_begin(&c.fifo, 100, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	cr_expect(json_is_null(json_object_get(case_result(&c, "throughput", 64), "sizes")));
	cr_expect(json_object_get(case_result(&c, "throughput", 64), "sizes") != NULL);
}

/* -- other traffic ------------------------------------------------------------------------------------------------- */

static json_t *parameters_with(const struct traffic_shape *shape)
{
	c.tests[0].shape = *shape;
	fifo_begin(&c.fifo, 100, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	return json_object_get(case_result(&c, "throughput", 64), "parameters");
}

Test(throughput, parameters_say_what_was_sent)
{
	struct traffic_shape shape = traffic_shape_plain(0);
	json_t *parameters = parameters_with(&shape);

	cr_expect_str_eq(text(parameters, "pattern"), "pairs");
	cr_expect_str_eq(text(parameters, "frame"), "ipv4_udp");
	cr_expect(json_is_null(json_object_get(parameters, "vlan")));
	cr_expect_eq(number(parameters, "addresses"), 1);
	cr_expect(json_is_null(json_object_get(parameters, "seed")));
	shape.pattern = TRAFFIC_MESH;
	shape.frame = TRAFFIC_ETHERNET;
	shape.vlan = 0;
	shape.addresses = 4;
	shape.seed = 7;
	parameters = parameters_with(&shape);
	cr_expect_str_eq(text(parameters, "pattern"), "mesh");
	cr_expect_str_eq(text(parameters, "frame"), "ethernet");
	cr_expect_eq(number(parameters, "vlan"), 0);
	cr_expect_eq(number(parameters, "addresses"), 4);
	cr_expect_eq(number(parameters, "addresses"), 4);
	cr_expect_eq(number(parameters, "seed"), 7);
	shape.pattern = TRAFFIC_SNAKE;
	cr_expect(json_is_null(json_object_get(parameters_with(&shape), "seed")), "nothing is drawn");
}
