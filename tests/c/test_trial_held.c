/* SPDX-License-Identifier: Apache-2.0 */
/* A trial whose ports were held by pause frames is judged by what they can have sent besides: whatever the load and the
 * holds, what a port sends that was held is valid, and each count that the pauses do not explain is INVALID by name. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/trial/judging/check.h"
#include "host/trial/traffic.h"
#include "tests/seed.h"

enum { OCTETS = 64, GROUP = 8, FIRST = 800, PORTS = 2, MOST_PAUSE_OT = 65535 * 64, DRAWS = 2000 };

static const uint64_t LINK_BPS = UINT64_C(100000000000);
static struct traffic traffic;
static uint64_t state;

static uint64_t below(uint64_t limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % limit;
}

struct trial {
	struct trial_request request;
	struct pacing pacing;
	struct trial_counters counters;
};

/* Makes what a port of the hardware sends (hw/rtl/tx): starts are ideal starts rounded down to a group; one that is
 * held is put off by whole words, as is all that follows, and none comes at the end of the trial or later. */
static void send_held(const struct trial *trial, unsigned chance, struct port_counters *c)
{
	const struct pacing *pacing = &trial->pacing;
	const uint64_t word = (uint64_t)64 << below(2); /* 8 groups, or 16 */
	const uint64_t end = (trial->request.duration_ot + GROUP - 1) / GROUP * GROUP;
	uint64_t last = 0;

	*c = (struct port_counters){.tx_gap_min_octets = UINT64_MAX};
	for (uint64_t n = 0;; n++) {
		const uint64_t ideal =
		        n * (OCTETS + 8 + pacing->gap_octets) + n * pacing->numerator / pacing->denominator;
		uint64_t words = below(100) < chance ? 1 + below(300) : 0, start;

		for (; words && (ideal + c->tx_held_time) / GROUP * GROUP < end; words--)
			c->tx_held_time += word;
		start = (ideal + c->tx_held_time) / GROUP * GROUP;
		if (start >= end)
			break;
		if (n == 0)
			c->tx_first_time = FIRST + start;
		if (n) {
			const uint64_t gap = start - last - OCTETS - 8;

			c->tx_gaps++;
			c->tx_gap_sum_octets += gap;
			c->tx_gap_min_octets = gap < c->tx_gap_min_octets ? gap : c->tx_gap_min_octets;
			c->tx_gap_max_octets = gap > c->tx_gap_max_octets ? gap : c->tx_gap_max_octets;
		}
		last = start;
		c->tx_frames++;
	}
	c->tx_octets = c->tx_frames * OCTETS;
	c->tx_last_time = FIRST + last;
	c->rx_resume_frames = below(5);
	c->rx_pause_frames = c->rx_resume_frames + (c->tx_held_time + MOST_PAUSE_OT - 1) / MOST_PAUSE_OT + below(3);
}

/* Counts what a wire brings to the other port, with the pause frames. */
static void receive(struct trial_counters *counters)
{
	for (unsigned port = 0; port < PORTS; port++) {
		struct port_counters *c = &counters->port[port];
		const uint64_t frames = counters->port[port ^ 1].tx_frames;

		c->rx_received_frames = c->rx_latency_frames = frames;
		c->rx_foreign_frames = c->rx_pause_frames;
		c->rx_frames = frames + c->rx_foreign_frames;
		c->rx_first_time = FIRST;
		c->rx_last_time = counters->port[port ^ 1].tx_last_time;
		c->rx_latency_min = c->rx_latency_max = 8;
		c->rx_latency_sum = 8 * frames;
		counters->stream[port ^ 1] = (struct stream_counters){.source_port = port ^ 1,
		                                                      .receiver_port = port,
		                                                      .sent = frames,
		                                                      .received = frames,
		                                                      .next = frames};
	}
	counters->stream_count = PORTS;
}

/* chance: percent of starts that are held. */
static struct trial drawn(unsigned chance)
{
	const struct device_identity identity = {.name = "wire", .ports = PORTS, .destinations = 256};
	const uint64_t line = LINK_BPS / 8, percent = 1 + below(100);
	struct trial trial = {.request = {.kind = TRIAL_LOAD,
	                                  .shape = traffic_shape_plain(OCTETS),
	                                  .gap_octets = 12,
	                                  .load = {line * percent, UINT64_C(84) * 100},
	                                  .duration_ot = 20000 + below(200000),
	                                  .obeys_pause = true},
	                      .counters = {.ports = PORTS}};
	struct error error = {0};

	if (traffic.ports == 0)
		cr_assert_eq(trial_traffic_of_shape(&trial.request.shape, &identity, &traffic, &error), 0, "%s",
		             error.text);
	trial.request.traffic = &traffic;
	cr_assert_eq(pacing_of_request(&trial.request, LINK_BPS, &trial.pacing, &error), 0, "%s", error.text);
	for (unsigned port = 0; port < PORTS; port++)
		send_held(&trial, chance, &trial.counters.port[port]);
	receive(&trial.counters);
	return trial;
}

static const char *why(const struct trial *trial)
{
	static struct trial_result result;

	trial_judge(&trial->request, &trial->pacing, LINK_BPS, &trial->counters, &result);
	return result.valid ? "" : result.why_invalid;
}

#define INVALID_BY(trial, text)                                                                                        \
	do {                                                                                                           \
		const char *reason = why(&(trial));                                                                    \
                                                                                                                       \
		cr_assert(strstr(reason, text), "not \"%s\": \"%s\"", text, reason);                                   \
	} while (0)

Test(trial_held, what_a_held_port_sends_is_valid)
{
	state = test_seed();
	for (unsigned i = 0; i < DRAWS; i++) {
		const struct trial trial = drawn((unsigned)below(40));

		cr_assert_str_empty(why(&trial), "draw %u: %s", i, why(&trial));
	}
}

/* One that was really held, with room for what is taken away. */
static struct trial held(void)
{
	for (;;) {
		const struct trial trial = drawn(10);

		if (trial.counters.port[0].tx_held_time && trial.counters.port[1].tx_held_time > 20000 &&
		    trial.counters.port[1].tx_frames > 10)
			return trial;
	}
}

Test(trial_held, nothing_holds_a_port_that_obeys_nothing)
{
	state = test_seed();
	for (unsigned i = 0; i < DRAWS / 10; i++) {
		struct trial trial = held();

		trial.request.obeys_pause = false;
		INVALID_BY(trial, "port 0: held for ");
		INVALID_BY(trial, "octet times by pause frames, which this trial does not obey");
		trial = drawn(0);
		trial.counters.port[0].rx_pause_frames = trial.counters.port[0].rx_resume_frames = 0;
		trial.counters.port[1].rx_pause_frames = 1 + trial.counters.port[1].rx_resume_frames;
		trial.request.obeys_pause = false;
		INVALID_BY(trial, "port 1: ");
		INVALID_BY(trial, " pause frames obeyed, in a trial that obeys none");
	}
}

Test(trial_held, the_time_that_a_port_was_held_is_what_pause_frames_asked_for)
{
	state = test_seed();
	for (unsigned i = 0; i < DRAWS / 10; i++) {
		struct trial trial = held();
		struct port_counters *c = &trial.counters.port[1];

		c->rx_pause_frames = c->rx_resume_frames;
		INVALID_BY(trial, "octet times without a pause frame");
		c->rx_pause_frames = c->rx_resume_frames + 1;
		c->tx_held_time = MOST_PAUSE_OT + 8;
		INVALID_BY(trial, "longer than 1 pause frames can ask for, 4194240 each");
		c->rx_resume_frames = c->rx_pause_frames + 1;
		INVALID_BY(trial, "of which");
	}
}

/* Frames that left are those of the time that was not held, to within one. */
Test(trial_held, neither_more_nor_fewer_frames_leave_than_the_holds_leave_time_for)
{
	state = test_seed();
	for (unsigned i = 0; i < DRAWS / 10; i++) {
		const struct trial right = held();
		const uint64_t period = OCTETS + 8 + right.pacing.gap_octets + 1, off = 3 * period;
		struct trial trial = right;
		struct port_counters *c = &trial.counters.port[1];

		if (c->tx_held_time + off < trial.request.duration_ot) {
			c->tx_held_time += off;
			c->rx_pause_frames++;
			INVALID_BY(trial, "port 1: offered");
		}
		trial = right;
		if (c->tx_held_time > off) {
			c->tx_held_time -= off;
			INVALID_BY(trial, "port 1: offered");
		}
	}
}

/* Gaps are longer by the holds and by nothing else. A hold after the last frame is in none of them. */
Test(trial_held, gaps_are_longer_by_the_holds_and_no_more)
{
	state = test_seed();
	for (unsigned i = 0; i < DRAWS / 10; i++) {
		const struct trial right = held();
		struct trial trial = right;
		struct port_counters *c = &trial.counters.port[1];
		const uint64_t longer = c->tx_held_time + 2 * GROUP;

		c->tx_gap_sum_octets += longer;
		c->tx_last_time += longer;
		INVALID_BY(trial, "port 1: average gap");
		trial = right;
		if (c->tx_gap_sum_octets >= longer) {
			c->tx_gap_sum_octets -= longer;
			c->tx_last_time -= longer;
			INVALID_BY(trial, "port 1: average gap");
		}
		trial = right;
		c->tx_gap_max_octets = trial.pacing.gap_octets + c->tx_held_time + 2 * GROUP;
		INVALID_BY(trial, "port 1: largest gap");
	}
}

Test(trial_held, pauses_are_obeyed_in_a_constant_load_only)
{
	struct trial_request request = {.kind = TRIAL_BURST,
	                                .shape = traffic_shape_plain(OCTETS),
	                                .gap_octets = 12,
	                                .burst_frames = 10,
	                                .obeys_pause = true};
	struct pacing pacing;
	struct error error = {0};

	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	cr_expect_str_eq(error.text, "pause frames are obeyed in a constant load only");
	request = (struct trial_request){.kind = TRIAL_LOAD,
	                                 .shape = traffic_shape_plain(OCTETS),
	                                 .gap_octets = 12,
	                                 .load = {1000000, 1},
	                                 .duration_ot = 1000000,
	                                 .next_load_ot = 500000,
	                                 .next_load = {2000000, 1},
	                                 .obeys_pause = true};
	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
}
