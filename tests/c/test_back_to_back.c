/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 9004 on a FIFO whose buffer and longest burst are known. */
#include "bench_case.h"

static struct bench_case c;
static const uint32_t SIZES[] = {64, 128, 256};

static void begin(void)
{
	case_begin(&c, SIZES, 3);
}

static void end(void)
{
	case_end(&c);
}

TestSuite(back_to_back, .init = begin, .fini = end);

static double result_corrected_frames(const json_t *result)
{
	if (is_true(result, "skipped"))
		return NAN;
	return number(result, "corrected_buffer_s") * number(result, "max_theoretical_fps");
}

static void check_one(uint64_t buffer, uint32_t frame_octets)
{
	json_t *result = case_result(&c, "back_to_back", frame_octets);
	json_t *before = case_result(&c, "throughput", frame_octets);
	double longest = (double)fifo_longest_burst(&c.fifo, frame_octets);
	double corrected = result_corrected_frames(result);
	double truth = number(json_object_get(result, "truth"), "throughput_fps");
	double off = number(before, "throughput_fps") - truth;

	if (is_true(result, "skipped")) { /* the buffer absorbed the whole overload of the trial */
		cr_assert(flagged(before, "latency grew") && flagged(result, "latency grew"));
		return;
	}
	cr_assert(is_true(result, "valid"), "%s", text(result, "why_invalid"));
	cr_assert_leq(fabs(number(result, "average_frames") - longest), 1);
	cr_assert_leq(fabs(corrected - (double)buffer), number(result, "corrected_buffer_error_frames") + 1e-6,
	              "B %lu at %u octets: %f within %f", (unsigned long)buffer, frame_octets, corrected,
	              number(result, "corrected_buffer_error_frames"));
	cr_assert(fabs(off) <= number(before, "resolution_fps") || flagged(before, "throughput may be too high"),
	          "B %lu at %u octets: throughput %f fps off and not a word", (unsigned long)buffer, frame_octets, off);
	cr_assert_eq(flagged(before, "throughput may be too high"), flagged(result, "throughput may be too high"));
	cr_assert_geq(number(before, "hidden_overload_fps"), off - 1e-3, "the overload stated covers the one there");
	/* The second estimate ignores the throughput and is at most a frame low, apart from the time grid. */
	cr_assert(number(result, "latency_buffer_frames") <= (double)buffer + 0.5 &&
	                  number(result, "latency_buffer_frames") > (double)buffer - 1.5,
	          "%f", number(result, "latency_buffer_frames"));
	cr_assert_not(flagged(result, "not a single queue"));
}

static void check_matrix(uint64_t trial_ns)
{
	const uint64_t buffers[] = {1, 64, 500, 2000}, per_mille[] = {500, 672, 900};

	c.throughput.trial_duration_ns = c.throughput.search_trial_duration_ns = trial_ns;
	for (unsigned b = 0; b < 4; b++)
		for (unsigned p = 0; p < 3; p++) {
			fifo_begin(&c.fifo, buffers[b], per_mille[p], 1000);
			cr_assert_eq(case_run(&c), 0, "%s", c.error.text);
			for (unsigned s = 0; s < 3; s++)
				check_one(buffers[b], SIZES[s]);
		}
}

Test(back_to_back, corrected_time_is_the_buffer_of_a_fifo)
{
	check_matrix(UINT64_C(60000000000));
}

Test(back_to_back, short_throughput_trials_are_flagged_and_the_bound_still_holds)
{
	check_matrix(1000000);
	check_matrix(100000);
}

Test(back_to_back, off_grid_service_rates_stay_within_the_bound)
{
	for (uint64_t service = 50001; service < 99999; service += 4567) {
		fifo_begin(&c.fifo, 777, service, 100000);
		cr_assert_eq(case_run(&c), 0);
		for (unsigned s = 0; s < 3; s++)
			check_one(777, SIZES[s]);
	}
}

Test(back_to_back, with_enough_time_and_a_rate_on_the_grid_the_buffer_is_within_one_frame)
{
	json_t *result;

	fifo_begin(&c.fifo, 2000, 672, 1000);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_float_eq(number(result, "buffer_frames"), 2000, 1.672);
	cr_assert_float_eq(number(result, "buffer_octets"), 64 * number(result, "buffer_frames"), 1e-6);
	cr_assert_not(flagged(result, "throughput may be too high"));
	/* RFC 9004 4 item 4: filling the buffer takes as long as the burst lasts. */
	cr_assert_float_eq(number(result, "fill_time_s") / number(result, "implied_buffer_s"), 1, 1e-3);
}

Test(back_to_back, the_trial_length_named_settles_the_hidden_overload)
{
	json_t *result;
	double settles_s;

	c.throughput.trial_duration_ns = c.throughput.search_trial_duration_ns = 1000000;
	fifo_begin(&c.fifo, 2000, 672, 1000);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert(flagged(result, "throughput may be too high"));
	settles_s = number(result, "hidden_overload_trial_s");
	c.throughput.trial_duration_ns = c.throughput.search_trial_duration_ns = (uint64_t)(settles_s * 1.001e9);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_not(flagged(result, "throughput may be too high"), "%g s", settles_s);
	cr_assert_leq(number(result, "hidden_overload_fps"),
	              number(case_result(&c, "throughput", 64), "resolution_fps"));
}

Test(back_to_back, no_size_of_a_wire_qualifies)
{
	fifo_begin(&c.fifo, 100, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	for (unsigned s = 0; s < 3; s++) {
		json_t *result = case_result(&c, "back_to_back", SIZES[s]);

		cr_assert(is_true(result, "skipped"));
		cr_assert_not(is_true(result, "valid"));
		cr_assert(strstr(text(result, "why_invalid"), "RFC 9004 section 6.1"));
		cr_assert_eq(number(result, "trials"), 0);
	}
}

Test(back_to_back, all_sizes_may_be_tested_and_are_then_marked_invalid)
{
	json_t *result;

	fifo_begin(&c.fifo, 100, 1, 1);
	c.burst.test_all_sizes = true;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_not(is_true(result, "valid"));
	cr_assert_not(is_true(result, "skipped"));
	cr_assert(strstr(text(result, "why_invalid"), "section 6.1"));
	cr_assert_gt(number(result, "trials"), 0);
	cr_assert(isnan(number(result, "corrected_buffer_error_frames")));
}

Test(back_to_back, without_throughput_the_forwarding_rate_stands_in_and_says_so)
{
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.plan.tests = &c.tests[1];
	c.plan.test_count = 1;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert(is_true(result, "valid"), "%s", text(result, "why_invalid"));
	cr_assert_str_eq(text(result, "throughput_source"), "forwarding_rate");
	cr_assert(flagged(result, "stands in (RFC 9004 section 6.4)"));
	cr_assert_float_eq(number(result, "throughput_fps") / (1e11 / 672 * 0.672), 1, 1e-3);
	cr_assert_leq(fabs(number(result, "buffer_frames") - 500), number(result, "corrected_buffer_error_frames"));
	cr_assert(isnan(number(result, "hidden_overload_fps")));
}

Test(back_to_back, throughput_of_another_direction_or_of_other_flows_does_not_count)
{
	fifo_begin(&c.fifo, 500, 672, 1000);
	c.tests[1].shape.bidirectional = false;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_str_eq(text(case_result(&c, "back_to_back", 64), "throughput_source"), "forwarding_rate");
	c.tests[1].shape.bidirectional = true;
	c.tests[1].shape.addresses = 2;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_str_eq(text(case_result(&c, "back_to_back", 64), "throughput_source"), "forwarding_rate");
	c.tests[1].shape.addresses = 1;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_str_eq(text(case_result(&c, "back_to_back", 64), "throughput_source"), "throughput");
}

Test(back_to_back, a_value_near_the_limit_is_invalid)
{
	uint64_t longest;
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	longest = fifo_longest_burst(&c.fifo, 64);
	c.burst.max_burst = (struct quantity){QUANTITY_FRAMES, longest - 10, 1}; /* never fails */
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_not(is_true(result, "valid"));
	cr_assert(strstr(text(result, "why_invalid"), "raise max_burst and repeat (RFC 9004 section 6.2)"));
	c.burst.max_burst = (struct quantity){QUANTITY_FRAMES, longest + 10, 1}; /* fails, but close to the limit */
	cr_assert_eq(case_run(&c), 0);
	cr_assert_not(is_true(case_result(&c, "back_to_back", 64), "valid"));
	c.burst.max_burst = (struct quantity){QUANTITY_FRAMES, longest * 100 / 99 + 2, 1};
	cr_assert_eq(case_run(&c), 0);
	cr_assert(is_true(case_result(&c, "back_to_back", 64), "valid"));
}

/* The one burst that is left to try is the longest, whichever search would begin elsewhere. */
Test(back_to_back, a_step_and_a_first_burst_beyond_the_longest_burst_are_the_longest_burst)
{
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.burst.max_burst = (struct quantity){QUANTITY_FRAMES, 7, 1};
	c.burst.resolution = (struct quantity){QUANTITY_FRAMES, 10, 1};
	c.burst.first_burst_frames = 64;
	cr_assert_eq(case_run(&c), 0, "%s", c.error.text);
	result = case_result(&c, "back_to_back", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect(strstr(text(result, "why_invalid"), "raise max_burst and repeat (RFC 9004 section 6.2)"), "%s",
	          text(result, "why_invalid"));
	cr_expect_eq(number(json_object_get(result, "parameters"), "first_burst_frames"), 7);
}

/* RFC 9004 has no duration of trials; its longest burst takes as long as a trial. */
Test(back_to_back, a_plan_gets_shorter_by_a_shorter_longest_burst)
{
	struct shorter settings = {.test_index = 1};

	c.tests[1].frame_sizes = c.sizes;
	c.burst.max_burst = (struct quantity){QUANTITY_TIME, 30, 1};
	BACK_TO_BACK.shorten(&c.tests[1], 0.1, UINT64_C(100000000000), &settings);
	cr_assert_eq(settings.count, 1);
	cr_expect_str_eq(settings.text[0], "run[1].max_burst=2s", "30 s x 0.1, rounded down to 1, 2 or 5: %s",
	                 settings.text[0]);
}

Test(back_to_back, both_brackets_find_the_same_and_say_which_they_were)
{
	json_t *result;

	fifo_begin(&c.fifo, 2000, 672, 1000);
	c.burst.first_burst_frames = 0;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_str_eq(text(result, "search_bracket"), "limit");
	cr_assert_eq(number(result, "average_frames"), (double)fifo_longest_burst(&c.fifo, 64));
	cr_assert_eq(number(json_object_get(result, "parameters"), "first_burst_frames"),
	             number(result, "max_burst_frames"));
	c.burst.first_burst_frames = 64;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_str_eq(text(result, "search_bracket"), "doubling");
	cr_assert_eq(number(result, "average_frames"), (double)fifo_longest_burst(&c.fifo, 64));
	cr_assert_leq(number(result, "trials"), 3 * 21);
}

Test(back_to_back, a_coarse_step_is_reported_and_covered_by_the_bound)
{
	json_t *result;

	fifo_begin(&c.fifo, 2000, 672, 1000);
	c.burst.resolution = (struct quantity){QUANTITY_FRAMES, 100, 1};
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_eq(number(result, "step_frames"), 100);
	cr_assert_eq(fmod(number(result, "average_frames"), 100), 0);
	cr_assert_leq(fabs(number(result, "buffer_frames") - 2000), number(result, "corrected_buffer_error_frames"));
}

Test(back_to_back, every_repetition_is_a_search_of_its_own_and_every_value_is_kept)
{
	json_t *result, *values;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.fifo.noise_one_in = 6;
	c.tests[0].search = PLAN_SEARCH_LOSS_VERIFICATION;
	c.tests[0].max_trials = 9;
	c.burst.repetitions = 50;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	values = json_object_get(result, "values_frames");
	cr_assert_eq(json_array_size(values), 50);
	cr_assert_eq(number(result, "repetitions"), 50);
	cr_assert_lt(number(result, "min_frames"), number(result, "max_frames"));
	cr_assert_gt(number(result, "stddev_frames"), 0);
	cr_assert_leq(number(result, "max_frames"), (double)fifo_longest_burst(&c.fifo, 64));
	cr_assert(number(result, "confidence95_low_frames") < number(result, "average_frames") &&
	          number(result, "average_frames") < number(result, "confidence95_high_frames"));
}

Test(back_to_back, loss_verification_sees_through_noise)
{
	double plain, verified;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.fifo.noise_one_in = 6;
	c.plan.tests = &c.tests[1];
	c.plan.test_count = 1;
	c.burst.repetitions = 20;
	cr_assert_eq(case_run(&c), 0);
	plain = number(case_result(&c, "back_to_back", 64), "average_frames");
	c.tests[1].search = PLAN_SEARCH_LOSS_VERIFICATION;
	c.tests[1].max_trials = 8;
	cr_assert_eq(case_run(&c), 0);
	verified = number(case_result(&c, "back_to_back", 64), "average_frames");
	cr_assert_float_eq(verified, (double)fifo_longest_burst(&c.fifo, 64), 1);
	cr_assert_lt(plain, verified - 5, "plain %f, verified %f", plain, verified);
}

Test(back_to_back, invalid_trials_are_repeated_and_counted)
{
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.fifo.invalid_every = 5;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert(is_true(result, "valid"));
	cr_assert_eq(number(result, "average_frames"), (double)fifo_longest_burst(&c.fifo, 64));
	cr_assert_gt(number(result, "invalid_trials"), 0);
	cr_assert_eq(number(result, "bursts_proven"), number(result, "trials") - number(result, "invalid_trials"));
}

Test(back_to_back, a_trial_that_stays_invalid_ends_in_an_invalid_result)
{
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.fifo.invalid_trials = 1000000;
	cr_assert_eq(case_run(&c), 0, "the run goes on: other sizes may do better");
	result = case_result(&c, "back_to_back", 64);
	cr_assert_not(is_true(result, "valid"));
	cr_assert(strstr(text(result, "why_invalid"), "offered 1 frames, intended 2"), "%s",
	          text(result, "why_invalid"));
	cr_assert(isnan(number(result, "average_frames")) && isnan(number(result, "max_frames")));
	cr_assert(isnan(number(result, "buffer_frames")));
}

Test(back_to_back, a_device_that_loses_every_burst_has_no_value)
{
	fifo_begin(&c.fifo, 500, 672, 1000);
	c.fifo.noise_one_in = 1;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_not(is_true(case_result(&c, "back_to_back", 64), "valid"));
	cr_assert(flagged(case_result(&c, "throughput", 64), "lowest load"));
}

Test(back_to_back, a_cancel_keeps_the_repetitions_that_are_done)
{
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.burst.repetitions = 50;
	c.fifo.cancel_after = 33 + 100; /* throughput takes 11 trials per size */
	cr_assert_eq(case_run(&c), ERROR_CANCELLED);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_not(is_true(result, "valid"));
	cr_assert(strstr(text(result, "why_invalid"), "of 50 repetitions: stopped by the user"));
	cr_assert_gt(json_array_size(json_object_get(result, "values_frames")), 2);
	cr_assert_eq(number(result, "average_frames"), (double)fifo_longest_burst(&c.fifo, 64));
}

Test(back_to_back, bursts_leave_with_the_minimum_gap_and_waits_as_section_6_2_asks)
{
	const struct trial_request *burst = &c.fifo.longest_burst;
	const uint64_t second = UINT64_C(12500000000);
	uint64_t frames;

	fifo_begin(&c.fifo, 200000000, 500, 1000); /* 1.3 s of buffer: bursts longer than 2 s */
	c.throughput.trial_duration_ns = c.throughput.search_trial_duration_ns = UINT64_C(60000000000);
	c.sizes[0] = 64;
	c.tests[0].frame_size_count = c.tests[1].frame_size_count = 1;
	cr_assert_eq(case_run(&c), 0);
	frames = burst->burst_frames;
	cr_assert_eq(burst->kind, TRIAL_BURST);
	cr_assert_eq(burst->gap_octets, 12);
	cr_assert_gt(frames * 84, 2 * second, "the test reaches beyond 2 s");
	cr_assert_geq(burst->settle_ot, frames * 84, "longer than 2 s when the burst is");
	/* the burst takes twice its own time to come back at 50% */
	cr_assert_geq(burst->drain_ot, 2 * second + frames * 84 * 99 / 100);
	cr_assert(is_true(case_result(&c, "back_to_back", 64), "valid"));
}

/* A program may report any number: 10^-300 frames per second would mean a wait that no integer holds. */
Test(back_to_back, a_wait_is_never_longer_than_eleven_days_whatever_rate_was_reported)
{
	fifo_begin(&c.fifo, 500, 672, 1000);
	c.fifo.false_rate_fps = 1e-300;
	c.plan.tests = &c.tests[1];
	c.plan.test_count = 1;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_geq(c.fifo.last.drain_ot, UINT64_C(12500000000) * 1000000);
	cr_assert_leq(c.fifo.last.drain_ot, UINT64_C(12500000000) * 1000003);
}

Test(back_to_back, a_short_burst_settles_two_seconds)
{
	fifo_begin(&c.fifo, 500, 672, 1000);
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(c.fifo.last.settle_ot, UINT64_C(25000000000));
	cr_assert_not(flagged(case_result(&c, "back_to_back", 64), "asks for 2 s"));
	c.tests[1].settle_ns = 1000;
	cr_assert_eq(case_run(&c), 0);
	cr_assert(flagged(case_result(&c, "back_to_back", 64), "asks for 2 s"));
}

Test(back_to_back, actual_buffer_time_is_for_the_rate_asked)
{
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	c.burst.has_actual_rate = true;
	c.burst.actual_rate = (struct quantity){QUANTITY_PLAIN, 50000000, 1};
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	cr_assert_float_eq(number(result, "actual_rate_fps"), 5e7, 1e-6);
	cr_assert_float_eq(number(result, "actual_buffer_s"), number(result, "buffer_frames") / 5e7, 1e-15);
	c.burst.actual_rate = (struct quantity){QUANTITY_PERCENT, 9, 10};
	cr_assert_eq(case_run(&c), 0);
	cr_assert(flagged(case_result(&c, "back_to_back", 64), "not below throughput"));
}

Test(back_to_back, a_result_has_every_key_that_is_promised)
{
	static const char *const keys[] = {"test",
	                                   "rfc",
	                                   "frame_octets",
	                                   "valid",
	                                   "why_invalid",
	                                   "parameters",
	                                   "trials",
	                                   "average_frames",
	                                   "min_frames",
	                                   "max_frames",
	                                   "stddev_frames",
	                                   "values_frames",
	                                   "repetitions",
	                                   "step_frames",
	                                   "max_burst_frames",
	                                   "throughput_fps",
	                                   "max_theoretical_fps",
	                                   "implied_buffer_s",
	                                   "corrected_buffer_s",
	                                   "actual_buffer_s",
	                                   "actual_rate_fps",
	                                   "search_bracket",
	                                   "confidence95_low_frames",
	                                   "confidence95_high_frames",
	                                   "buffer_frames",
	                                   "buffer_octets",
	                                   "gap_min_octets",
	                                   "gap_mean_octets",
	                                   "gap_max_octets",
	                                   "bursts_proven",
	                                   "latency_buffer_frames",
	                                   "filling_rate_fps",
	                                   "fill_time_s",
	                                   "forwarding_rate_fps",
	                                   "throughput_source",
	                                   "hidden_overload_fps",
	                                   "hidden_overload_trial_s",
	                                   "corrected_buffer_error_frames",
	                                   "flags",
	                                   "counters",
	                                   "truth",
	                                   "skipped"};
	static const char *const parameter_keys[] = {
	        "repetitions",        "step_frames", "search",  "max_trials", "z",         "max_burst_frames",
	        "first_burst_frames", "settle_s",    "drain_s", "direction",  "addresses", "gap_octets"};
	json_t *result;

	fifo_begin(&c.fifo, 500, 672, 1000);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "back_to_back", 64);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		cr_expect(json_object_get(result, keys[i]), "no %s", keys[i]);
	for (size_t i = 0; i < sizeof(parameter_keys) / sizeof(*parameter_keys); i++)
		cr_expect(json_object_get(json_object_get(result, "parameters"), parameter_keys[i]), "no parameter %s",
		          parameter_keys[i]);
	cr_assert_eq(number(result, "gap_mean_octets"), 12);
	cr_assert_eq(number(json_object_get(result, "counters"), "lost_frames"), 0);
	cr_assert_gt(number(json_object_get(result, "upper_counters"), "lost_frames"), 0);
}

/* -- other traffic ------------------------------------------------------------------------------------------------- */

static const char *source_with(const struct traffic_shape *shape)
{
	c.tests[1].shape = *shape;
	fifo_begin(&c.fifo, 500, 672, 1000);
	cr_assert_eq(case_run(&c), 0);
	return text(case_result(&c, "back_to_back", 64), "throughput_source");
}

Test(back_to_back, takes_the_throughput_of_the_same_traffic_only)
{
	const struct traffic_shape plain = traffic_shape_plain(0);
	struct traffic_shape other = plain;

	cr_expect_str_eq(source_with(&plain), "throughput");
	other.vlan = 100;
	cr_expect_str_eq(source_with(&other), "forwarding_rate");
	cr_expect(flagged(case_result(&c, "back_to_back", 64), "of this size and traffic"));
	other = plain;
	other.frame = TRAFFIC_ETHERNET;
	cr_expect_str_eq(source_with(&other), "forwarding_rate");
	other = plain;
	other.addresses = 2;
	cr_expect_str_eq(source_with(&other), "forwarding_rate");
	other = plain;
	other.pattern = TRAFFIC_MESH;
	cr_expect_str_eq(source_with(&other), "forwarding_rate");
	other = plain;
	other.seed = 2; /* the seed matters only where something is drawn */
	cr_expect_str_eq(source_with(&other), "throughput");
	c.tests[0].shape.pattern = other.pattern = TRAFFIC_MESH;
	c.tests[0].shape.addresses = other.addresses = 4;
	cr_expect_str_eq(source_with(&other), "forwarding_rate");
	c.tests[0].shape.seed = 2;
	cr_expect_str_eq(source_with(&other), "throughput");
}
