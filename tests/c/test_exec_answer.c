/* SPDX-License-Identifier: Apache-2.0 */
/* Lines from an external tester: which are an answer, an INVALID trial, or a named error. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/trial/exec/check.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

/* 1,000,000 frames per second for 2 s. */
static struct trial_request load(void)
{
	return (struct trial_request){.kind = TRIAL_LOAD,
	                              .shape = traffic_shape_plain(64),
	                              .gap_octets = 12,
	                              .load = {1000000, 1},
	                              .duration_ot = UINT64_C(25000000000)};
}

static struct trial_request burst(void)
{
	return (struct trial_request){
	        .kind = TRIAL_BURST, .shape = traffic_shape_plain(64), .gap_octets = 12, .burst_frames = 26000};
}

static int read_line(const char *line, enum trial_kind kind, struct exec_answer *answer, struct error *error)
{
	return exec_answer_read(line, strlen(line), 7, kind, answer, error);
}

static struct trial_result judged(const char *line, const struct trial_request *request, unsigned senders,
                                  struct rate tolerance)
{
	const struct exec_terms terms = {LINK_BPS, senders, tolerance};
	struct trial_result result;
	struct exec_answer answer;
	struct error error = {0};

	cr_assert_eq(read_line(line, request->kind, &answer, &error), 0, "%s", error.text);
	exec_judge(&terms, request, &answer, &result);
	return result;
}

static struct trial_result judged_load(const char *line)
{
	const struct trial_request request = load();

	return judged(line, &request, 1, (struct rate){0, 1});
}

Test(exec_answer, the_four_keys_of_the_contract_are_a_valid_trial)
{
	struct trial_result result =
	        judged_load("{\"trial\":7,\"offered_frames\":2000000,\"received_frames\":1999990,\"duration_s\":2.0}");

	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.intended_frames, 2000000);
	cr_assert_eq(result.offered_frames, 2000000);
	cr_assert_eq(result.received_frames, 1999990);
	cr_assert_eq(result.lost_frames, 10);
	cr_assert_eq(result.duplicated_frames, COUNT_UNKNOWN, "not said is not known");
	cr_assert_eq(result.port[0].foreign_frames, COUNT_UNKNOWN);
	cr_assert_eq(result.port[0].bad_payload_frames, COUNT_UNKNOWN, "a tester that does not know the key");
	cr_assert_eq(result.latency.frames, 0);
	cr_assert(result.gaps_unproven);
}

Test(exec_answer, numbers_may_be_written_as_any_json_writes_them)
{
	struct trial_result result =
	        judged_load(" {\t\"received_frames\" : 2e6, \"offered_frames\":2000000.0,\"duration_s\":2,"
	                    "\"trial\":7.0, \"latency_min_ns\":null, \"late_frames\":null }\r");

	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 0);
	cr_assert_eq(result.late_frames, COUNT_UNKNOWN);
}

Test(exec_answer, a_load_may_be_off_by_one_frame_a_sender_for_the_edges_of_its_time)
{
	const struct trial_request request = load();
	const int64_t off[] = {-3, -2, -1, 0, 1, 2, 3};

	for (unsigned senders = 1; senders <= 2; senders++)
		for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
			char line[200];
			struct trial_result result;
			bool fits = off[i] >= -(int64_t)senders && off[i] <= (int64_t)senders;

			snprintf(line, sizeof(line),
			         "{\"trial\":7,\"offered_frames\":%lld,\"received_frames\":0,\"duration_s\":2}",
			         2000000LL * senders + (long long)off[i]);
			result = judged(line, &request, senders, (struct rate){0, 1});
			cr_assert_eq(result.valid, fits, "senders %u, off by %lld", senders, (long long)off[i]);
		}
}

Test(exec_answer, a_burst_may_not_be_off_by_a_frame)
{
	const struct trial_request request = burst();

	for (int off = -1; off <= 1; off++) {
		char line[200];

		snprintf(line, sizeof(line), "{\"trial\":7,\"offered_frames\":%d,\"received_frames\":5}", 26000 + off);
		cr_assert_eq(judged(line, &request, 1, (struct rate){0, 1}).valid, off == 0, "off by %d", off);
	}
}

Test(exec_answer, what_was_not_offered_as_asked_is_invalid_and_says_both_numbers)
{
	struct trial_result result =
	        judged_load("{\"trial\":7,\"offered_frames\":1900000,\"received_frames\":0,\"duration_s\":2}");

	cr_assert_not(result.valid);
	cr_assert_str_eq(result.why_invalid, "offered 1900000 frames, intended 2000000 (within 1)");
}

Test(exec_answer, a_tolerance_is_of_the_frames_asked_for)
{
	const struct trial_request request = load();
	const char *off_by_2001 = "{\"trial\":7,\"offered_frames\":1997999,\"received_frames\":0,\"duration_s\":2}";
	const char *off_by_2002 = "{\"trial\":7,\"offered_frames\":1997998,\"received_frames\":0,\"duration_s\":2}";

	/* 0.1% of 2,000,000 is 2000, plus one frame at the edge. */
	cr_assert(judged(off_by_2001, &request, 1, (struct rate){1, 1000}).valid);
	cr_assert_not(judged(off_by_2002, &request, 1, (struct rate){1, 1000}).valid);
}

Test(exec_answer, a_load_that_took_another_time_is_invalid)
{
	const char *line = "{\"trial\":7,\"offered_frames\":2000000,\"received_frames\":2000000,\"duration_s\":%g}";
	const struct {
		double duration_s;
		bool valid;
	} cases[] = {{2, true}, {2.019, true}, {1.981, true}, {2.021, false}, {1.979, false}, {0, false}, {4, false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200];

		snprintf(text, sizeof(text), line, cases[i].duration_s);
		cr_assert_eq(judged_load(text).valid, cases[i].valid, "%g s", cases[i].duration_s);
	}
}

Test(exec_answer, frames_asked_for_are_load_times_duration_rounded_up)
{
	struct trial_request request = load();
	struct trial_result result;

	request.load = rate_max_theoretical(LINK_BPS, 64); /* 148809523.8... */
	result = judged("{\"trial\":7,\"offered_frames\":297619048,\"received_frames\":1,\"duration_s\":2}", &request,
	                1, (struct rate){0, 1});
	cr_assert_eq(result.intended_frames, 297619048);
	cr_assert(result.valid, "%s", result.why_invalid);
}

/* 100 bursts of 260 frames, as many frames as above; 25900 gaps within them and 99 of 1000 octets. */
Test(exec_answer, several_bursts_have_both_gaps_and_the_average_that_follows)
{
	struct trial_request request = burst();
	const double mean = (25900 * 12.0 + 99 * 1000.0) / 25999;
	const struct {
		double mean;
		unsigned min, max;
		bool valid;
	} CASES[] = {{mean, 8, 1000, true},
	             {mean, 5, 993, true},
	             {mean, 12, 1007, true},
	             {mean + 0.00030, 12, 1000, true},
	             {mean + 0.00031, 12, 1000, false},
	             {12, 12, 1000, false},
	             {mean, 4, 1000, false},
	             {mean, 15, 992, false},
	             {mean, 15, 1008, false}};

	request.burst_frames = 260;
	request.bursts = 100;
	request.burst_gap_octets = 1000;
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct trial_result result;
		char line[300];

		snprintf(line, sizeof(line),
		         "{\"trial\":7,\"offered_frames\":26000,\"received_frames\":26000,\"gap_min_octets\":%u,"
		         "\"gap_mean_octets\":%.12g,\"gap_max_octets\":%u}",
		         CASES[i].min, CASES[i].mean, CASES[i].max);
		result = judged(line, &request, 1, (struct rate){0, 1});
		cr_expect_eq(result.valid, CASES[i].valid, "case %zu: %s", i, result.why_invalid);
		cr_expect_eq(result.intended_frames, 26000);
	}
}

Test(exec_answer, gaps_that_the_program_measured_prove_a_burst_or_refute_it)
{
	const struct trial_request request = burst();
	/* 25999 gaps: 8 octets over all of them are 0.000307 per gap. */
	const struct {
		double mean;
		bool valid;
	} cases[] = {{12, true}, {12.0003, true}, {11.9997, true}, {12.00031, false}, {11.9, false}, {20, false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trial_result result;
		char line[300];

		snprintf(line, sizeof(line),
		         "{\"trial\":7,\"offered_frames\":26000,\"received_frames\":26000,\"gap_min_octets\":8,"
		         "\"gap_mean_octets\":%.9g,\"gap_max_octets\":20}",
		         cases[i].mean);
		result = judged(line, &request, 1, (struct rate){0, 1});
		cr_assert_eq(result.valid, cases[i].valid, "%g: %s", cases[i].mean, result.why_invalid);
		cr_assert_not(result.gaps_unproven);
		cr_assert_eq(result.tx_gap.gaps, 25999);
	}
}

Test(exec_answer, times_become_octet_times_of_the_link)
{
	struct trial_result result = judged_load("{\"trial\":7,\"offered_frames\":2000000,\"received_frames\":2000000,"
	                                         "\"duration_s\":2,\"latency_min_ns\":800,\"latency_mean_ns\":900.04,"
	                                         "\"latency_max_ns\":1000,\"forwarding_rate_fps\":1000000.5}");

	cr_assert_eq(result.latency.frames, 2000000);
	cr_assert_eq(result.latency.min_ot, 10000); /* 0.08 ns at 100G */
	cr_assert_float_eq(result.latency.mean_ot, 11250.5, 1e-9);
	cr_assert_eq(result.latency.max_ot, 12500);
	cr_assert_eq(result.forwarding_rate_fps, 1000000.5);
}

/* The largest numbers accepted, on the fastest link, keep their value. Meant for -fsanitize=float-cast-overflow. */
Test(exec_answer, the_largest_numbers_are_converted_as_they_are)
{
	const struct exec_terms terms = {UINT64_C(800000000000), 1, {0, 1}};
	const struct trial_request request = load();
	struct exec_answer answer;
	struct trial_result result;
	struct error error = {0};

	cr_assert_eq(read_line("{\"trial\":7,\"offered_frames\":2000000,\"received_frames\":1,\"duration_s\":1e9,"
	                       "\"forwarding_rate_fps\":1e18,\"gap_min_octets\":0,\"gap_mean_octets\":5e11,"
	                       "\"gap_max_octets\":1152921504606846848,\"latency_min_ns\":1e15,"
	                       "\"latency_mean_ns\":1e15,\"latency_max_ns\":1e15}",
	                       TRIAL_LOAD, &answer, &error),
	             0, "%s", error.text);
	exec_judge(&terms, &request, &answer, &result);
	cr_expect_eq(result.latency.max_ot, UINT64_C(100000000000000000));
	cr_expect_eq(result.tx_gap.sum_octets, UINT64_C(500000000000) * 1999999);
	cr_expect_eq(result.tx_gap.max_octets, UINT64_C(1152921504606846848));
}

Test(exec_answer, a_program_may_call_its_own_trial_invalid_and_need_count_nothing_then)
{
	struct trial_result result =
	        judged_load("{\"trial\":7,\"valid\":false,\"why_invalid\":\"no carrier\\u001b[2J\\u00e9\"}");

	cr_assert_not(result.valid);
	cr_assert_str_eq(result.why_invalid, "the tester says \"no carrier\\x1b[2J\\xc3\\xa9\"");
	cr_assert_eq(result.lost_frames, 0);
	cr_assert_not(judged_load("{\"trial\":7,\"valid\":false}").valid);
}

#define F "\"offered_frames\":2000000,\"received_frames\":2000000"
static const struct {
	const char *line, *says;
} WRONG[] = {
        {"", "not JSON: "},
        {"ok", "not JSON: "},
        {"{\"trial\":7," F ",\"duration_s\":2", "not JSON: "},
        {"{\"trial\":7," F ",\"duration_s\":2} {}", "not JSON: \"end of file expected"},
        {"[7]", "not a JSON object"},
        {"{" F ",\"duration_s\":2}", "trial must be given: 7"},
        {"{\"trial\":8," F ",\"duration_s\":2}", "trial 8 answered, trial 7 asked"},
        {"{\"trial\":8,\"valid\":false}", "trial 8 answered, trial 7 asked"},
        {"{\"trial\":\"7\"," F ",\"duration_s\":2}", "trial must be a whole number, 0 to 2^60"},
        {"{\"trial\":7,\"received_frames\":1,\"duration_s\":2}", "offered_frames must be given"},
        {"{\"trial\":7,\"offered_frames\":1,\"duration_s\":2}", "received_frames must be given"},
        {"{\"trial\":7," F "}", "duration_s must be given"},
        {"{\"trial\":7," F ",\"duration_s\":NaN}", "not JSON: "},
        {"{\"trial\":7," F ",\"duration_s\":-0.1}", "duration_s must be a number of seconds, 0 to 1e9"},
        {"{\"trial\":7," F ",\"duration_s\":1e10}", "duration_s must be a number of seconds, 0 to 1e9"},
        {"{\"trial\":7," F ",\"duration_s\":\"2\"}", "duration_s must be a number of seconds, 0 to 1e9"},
        {"{\"trial\":7,\"offered_frames\":5,\"received_frames\":6,\"duration_s\":2}",
         "received_frames = 6 is more than offered_frames = 5"},
        {"{\"trial\":7,\"offered_frames\":-5,\"received_frames\":6,\"duration_s\":2}",
         "offered_frames must be a whole number, 0 to 2^60"},
        {"{\"trial\":7,\"offered_frames\":5.5,\"received_frames\":5,\"duration_s\":2}",
         "offered_frames must be a whole number, 0 to 2^60"},
        {"{\"trial\":7,\"offered_frames\":1152921504606846976,\"received_frames\":5,\"duration_s\":2}",
         "offered_frames must be a whole number, 0 to 2^60"},
        {"{\"trial\":7,\"offered_frames\":true,\"received_frames\":5,\"duration_s\":2}",
         "offered_frames must be a whole number, 0 to 2^60"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"lost\":0}", "unknown key \"lost\""},
        {"{\"trial\":7," F ",\"duration_s\":2,\"\\u001b[2J\":0}", "unknown key \"\\x1b[2J\""},
        {"{\"trial\":7," F ",\"duration_s\":2,\"valid\":\"yes\"}", "valid must be true or false"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"why_invalid\":5}", "why_invalid must be text"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"gap_min_octets\":5}", "must be given together, in order"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"latency_min_ns\":5,\"latency_mean_ns\":4,\"latency_max_ns\":9}",
         "must be given together, in order"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"forwarding_rate_fps\":1e19}", "forwarding_rate_fps must be a number"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"latency_min_ns\":0,\"latency_mean_ns\":5,\"latency_max_ns\":1.1e15}",
         "latency_max_ns must be a number of nanoseconds, 0 to 1e15"},
        {"{\"trial\":7," F
         ",\"duration_s\":2,\"latency_min_ns\":1e18,\"latency_mean_ns\":1e18,\"latency_max_ns\":1e18}",
         "must be a number of nanoseconds, 0 to 1e15"},
        {"{\"trial\":7," F ",\"duration_s\":2,\"latency_min_ns\":1e999,\"latency_mean_ns\":1,\"latency_max_ns\":1}",
         "not JSON: "},
        {"{\"trial\":7," F ",\"duration_s\":2,\"gap_min_octets\":12,\"gap_mean_octets\":1e12,\"gap_max_octets\":1e15}",
         "gap_mean_octets = 1e+12 after each of 2000000 frames must be at most 2^60 octets in all"},
};

Test(exec_answer, every_other_line_is_an_error_that_names_what_is_wrong_and_quotes_it)
{
	for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
		struct exec_answer answer;
		struct error error = {0};
		char quote[EXEC_QUOTE_SIZE];

		cr_expect_eq(read_line(WRONG[i].line, TRIAL_LOAD, &answer, &error), ERROR_DEVICE, "%s", WRONG[i].line);
		cr_expect(strstr(error.text, WRONG[i].says), "%s\n  got: %s", WRONG[i].says, error.text);
		cr_expect(strstr(error.text, exec_quote(WRONG[i].line, strlen(WRONG[i].line), quote)), "%s",
		          error.text);
	}
}

/* xorshift64: the same lines every time. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

Test(exec_answer, no_spoilt_line_becomes_loss_of_the_device)
{
	/* Octets of a good line without loss, changed at random: an error, INVALID, or a consistent answer. */
	const char good[] = "{\"trial\":7,\"offered_frames\":2000000,\"received_frames\":2000000,\"duration_s\":2.0}";
	const struct trial_request request = load();
	const struct exec_terms terms = {LINK_BPS, 1, {0, 1}};
	uint64_t state = 88172645463325252u;
	unsigned errors = 0;

	for (unsigned i = 0; i < 200000; i++) {
		char line[sizeof(good)];
		struct exec_answer answer;
		struct trial_result result;
		struct error error = {0};
		size_t length = sizeof(good) - 1;

		memcpy(line, good, sizeof(line));
		for (unsigned change = 1 + (unsigned)(next_random(&state) % 3); change; change--)
			line[next_random(&state) % length] = (char)next_random(&state);
		if (next_random(&state) % 8 == 0)
			length = next_random(&state) % length;
		if (exec_answer_read(line, length, 7, TRIAL_LOAD, &answer, &error)) {
			errors++;
			cr_assert_eq(error.code, ERROR_DEVICE);
			for (const char *c = error.text; *c; c++)
				cr_assert(*c >= 0x20 && *c < 0x7f, "%s", error.text);
			continue;
		}
		exec_judge(&terms, &request, &answer, &result);
		if (result.valid) {
			cr_assert_leq(result.received_frames, result.offered_frames);
			cr_assert_geq(result.offered_frames, 1999999);
			cr_assert_leq(result.offered_frames, 2000001);
		}
	}
	cr_assert_gt(errors, 100000);
}

Test(exec_answer, a_quote_is_printable_and_cut)
{
	char quote[EXEC_QUOTE_SIZE], longer[1000];

	cr_assert_str_eq(exec_quote("a\0b", 3, quote), "\"a\\x00b\"");
	cr_assert_str_eq(exec_quote("", 0, quote), "\"\"");
	memset(longer, 'x', sizeof(longer));
	exec_quote(longer, sizeof(longer), quote);
	cr_assert_lt(strlen(quote), EXEC_QUOTE_SIZE);
	cr_assert_str_eq(quote + strlen(quote) - 5, "x\"...");
	memset(longer, 0xff, sizeof(longer));
	exec_quote(longer, sizeof(longer), quote);
	cr_assert_str_eq(quote + strlen(quote) - 8, "\\xff\"...");
}
