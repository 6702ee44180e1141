/* SPDX-License-Identifier: Apache-2.0 */
/* The judge against counters that no hardware would report: it never crashes, and it never calls nonsense valid. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/trial/judging/check.h"
#include "host/trial/traffic.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);
static struct traffic traffic; /* traffic of pairs: the same for all requests here */
static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Small, large, all ones and everything between: the numbers that break arithmetic. */
static uint64_t nasty(void)
{
	switch (next_random() % 6) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return UINT64_MAX - next_random() % 3;
	case 3:
		return next_random() % 1000;
	case 4:
		return UINT64_C(1) << next_random() % 64;
	default:
		return next_random();
	}
}

static struct trial_request burst_of(uint64_t frames)
{
	return (struct trial_request){
	        .kind = TRIAL_BURST, .shape = traffic_shape_plain(64), .gap_octets = 12, .burst_frames = frames};
}

static struct pacing pacing_of(const struct trial_request *request)
{
	struct pacing pacing;
	struct error error = {0};

	cr_assert_eq(pacing_of_request(request, LINK_BPS, &pacing, &error), 0);
	return pacing;
}

/* Returns what a wire gives for a burst of n, both directions. */
static struct trial_counters of_a_wire(uint64_t n)
{
	struct trial_counters counters = {.ports = 2, .stream_count = 2};

	for (unsigned port = 0; port < 2; port++) {
		struct port_counters *c = &counters.port[port];

		c->tx_frames = c->rx_frames = c->rx_received_frames = c->rx_latency_frames = n;
		c->tx_octets = c->rx_octets = 64 * n;
		c->tx_first_time = c->rx_first_time = 800;
		c->tx_last_time = c->rx_last_time = 800 + (n - 1) * 84;
		c->tx_gaps = n - 1;
		c->tx_gap_sum_octets = 12 * (n - 1);
		c->tx_gap_min_octets = 8;
		c->tx_gap_max_octets = 16;
		c->rx_latency_min = c->rx_latency_max = 8;
		c->rx_latency_sum = 8 * n;
		counters.stream[port] = (struct stream_counters){
		        .source_port = port, .receiver_port = 1 - port, .sent = n, .received = n, .next = n};
	}
	return counters;
}

static struct trial_result judged(const struct trial_request *request, const struct trial_counters *counters)
{
	const struct device_identity identity = {.name = "wire", .ports = 2, .destinations = 256};
	struct trial_request with_traffic = *request;
	struct pacing pacing = pacing_of(request);
	struct trial_result result;
	struct error error = {0};

	if (traffic.ports == 0)
		cr_assert_eq(trial_traffic_of_shape(&request->shape, &identity, &traffic, &error), 0, "%s", error.text);
	with_traffic.traffic = &traffic;
	trial_judge(&with_traffic, &pacing, LINK_BPS, counters, &result);
	return result;
}

Test(trial_check, a_wire_is_valid)
{
	struct trial_request request = burst_of(1001);
	struct trial_counters counters = of_a_wire(1001);
	struct trial_result result = judged(&request, &counters);

	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 0);
}

Test(trial_check, random_counters_are_never_valid_and_never_crash)
{
	struct trial_request request = burst_of(1001);

	for (unsigned i = 0; i < 50000; i++) {
		struct trial_counters counters = of_a_wire(1001);
		struct trial_result result;
		uint64_t *values = (uint64_t *)&counters.port[next_random() % 2];

		for (unsigned j = 0; j < FPGAUGE_COUNTER_COUNT; j++)
			values[j] = nasty();
		result = judged(&request, &counters);
		cr_assert_not(result.valid);
		cr_assert_gt(strlen(result.why_invalid), 0);
	}
}

/* None of the counters that the answer depends on can be changed alone without being noticed. */
Test(trial_check, no_counter_of_the_answer_can_lie_alone)
{
	static const enum fpgauge_counter answer[] = {FPGAUGE_COUNTER_TX_FRAMES,
	                                              FPGAUGE_COUNTER_TX_OCTETS,
	                                              FPGAUGE_COUNTER_TX_GAPS,
	                                              FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS,
	                                              FPGAUGE_COUNTER_TX_FIRST_TIME,
	                                              FPGAUGE_COUNTER_TX_LAST_TIME,
	                                              FPGAUGE_COUNTER_TX_BAD_FCS_FRAMES,
	                                              FPGAUGE_COUNTER_RX_FRAMES,
	                                              FPGAUGE_COUNTER_RX_RECEIVED_FRAMES,
	                                              FPGAUGE_COUNTER_RX_LOST_FRAMES,
	                                              FPGAUGE_COUNTER_RX_LATENCY_FRAMES,
	                                              FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH,
	                                              FPGAUGE_COUNTER_RX_BAD_FRAMES,
	                                              FPGAUGE_COUNTER_RX_OTHER_RUN_FRAMES};
	struct trial_request request = burst_of(1001);

	for (unsigned port = 0; port < 2; port++)
		for (size_t i = 0; i < sizeof(answer) / sizeof(*answer); i++)
			for (unsigned k = 0; k < 200; k++) {
				struct trial_counters counters = of_a_wire(1001);
				uint64_t *value = (uint64_t *)&counters.port[port] + answer[i];
				uint64_t lie = k == 0 ? *value + 1 : k == 1 ? *value - 1 : nasty();
				struct trial_result result;

				if (lie == *value)
					continue;
				*value = lie;
				result = judged(&request, &counters);
				cr_assert_not(result.valid, "port %u counter %u = %lu", port, (unsigned)answer[i],
				              (unsigned long)lie);
			}
}

/* Bursts of 7 frames, 143 of them, so 1001 frames as above; 500 octets between them. */
static struct trial_request bursts(void)
{
	struct trial_request request = burst_of(7);

	request.bursts = 143;
	request.burst_gap_octets = 500;
	return request;
}

static struct trial_counters bursts_of_a_wire(void)
{
	struct trial_counters counters = of_a_wire(1001);

	for (unsigned port = 0; port < 2; port++) {
		counters.port[port].tx_gap_sum_octets = UINT64_C(858) * 12 + UINT64_C(142) * 500;
		counters.port[port].tx_last_time = 800 + 1000 * 72 + counters.port[port].tx_gap_sum_octets;
		counters.port[port].tx_gap_max_octets = 504;
	}
	return counters;
}

Test(trial_check, several_bursts_must_have_just_the_gaps_that_were_asked_for)
{
	const struct trial_request request = bursts();
	const struct {
		uint64_t min, max;
		int64_t longer;
		const char *why;
	} CASES[] = {{5, 493, 0, NULL},
	             {19, 507, 7, NULL},
	             {8, 504, -7, NULL},
	             {8, 504, 8, "average gap"},
	             {8, 504, -8, "average gap"},
	             {4, 504, 0, "smallest gap"},
	             {20, 504, 0, "smallest gap 20 octets, requested 12 within bursts"},
	             {8, 508, 0, "largest gap 508 octets, at most 507 possible"},
	             {8, 492, 0, "largest gap 492 octets, requested 500 between bursts"},
	             /* all gaps alike: the average of those asked for */
	             {80, 88, 0, "smallest gap 80 octets, requested 12 within bursts"}};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct trial_counters counters = bursts_of_a_wire();
		struct port_counters *c = &counters.port[1];
		struct trial_result result;

		c->tx_gap_min_octets = CASES[i].min;
		c->tx_gap_max_octets = CASES[i].max;
		c->tx_gap_sum_octets += (uint64_t)CASES[i].longer;
		c->tx_last_time += (uint64_t)CASES[i].longer;
		result = judged(&request, &counters);
		cr_expect_eq(result.valid, CASES[i].why == NULL, "case %zu: %s", i, result.why_invalid);
		cr_expect(!CASES[i].why || strstr(result.why_invalid, CASES[i].why), "case %zu: %s", i,
		          result.why_invalid);
		cr_expect(CASES[i].why || result.offered_frames == 2002);
	}
}

Test(trial_check, a_burst_too_few_or_an_answer_among_them_is_not_what_was_asked_for)
{
	const struct trial_request request = bursts();
	struct trial_counters counters = of_a_wire(994);

	cr_expect(strstr(judged(&request, &counters).why_invalid, "offered 994 frames, intended 1001 (within 0)"));
	counters = bursts_of_a_wire();
	counters.host_frames[1] = 1;
	cr_expect(strstr(judged(&request, &counters).why_invalid, "answers to neighbours took places of the burst"));
}

/* One-frame bursts have no gap within them. */
Test(trial_check, bursts_of_one_frame_have_only_gaps_between_them)
{
	struct trial_request request = bursts();
	struct trial_counters counters = of_a_wire(1001);

	request.burst_frames = 1;
	request.bursts = 1001;
	for (unsigned port = 0; port < 2; port++) {
		struct port_counters *c = &counters.port[port];

		c->tx_gap_sum_octets = 500 * 1000;
		c->tx_last_time = 800 + 1000 * 572;
		c->tx_gap_min_octets = 496;
		c->tx_gap_max_octets = 504;
	}
	cr_expect(judged(&request, &counters).valid, "%s", judged(&request, &counters).why_invalid);
	counters.port[0].tx_gap_min_octets = 492;
	cr_expect_not(judged(&request, &counters).valid);
}

Test(trial_check, gaps_within_bursts_are_as_many_and_as_long_as_asked_for)
{
	const struct trial_request request = bursts();
	/* Counts of gaps of 8 and of 16 octets, of 858 in all; each burst may be 7 octets off. */
	const struct {
		uint64_t eights, sixteens;
		bool valid;
	} CASES[] = {{429, 429, true},  {554, 304, true},  {555, 303, false}, {304, 554, true},
	             {303, 555, false}, {429, 428, false}, {429, 430, false}};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		const struct trial_counters counters = bursts_of_a_wire();
		struct trial_result result = judged(&request, &counters);

		result.port[0].tx_gap_histogram = (struct histogram){.first = 8, .width = 1, .bins = 9};
		result.port[0].tx_gap_histogram.count[0] = CASES[i].eights;
		result.port[0].tx_gap_histogram.count[8] = CASES[i].sixteens;
		trial_judge_histograms(&request, &result);
		cr_expect_eq(result.valid, CASES[i].valid, "case %zu: %s", i, result.why_invalid);
	}
}

Test(trial_check, streams_that_do_not_add_up_are_named)
{
	struct trial_request request = burst_of(1001);

	for (unsigned k = 0; k < 2000; k++) {
		struct trial_counters counters = of_a_wire(1001);
		struct stream_counters *stream = &counters.stream[k % 2];
		uint64_t *fields[] = {&stream->sent,       &stream->received, &stream->lost,
		                      &stream->duplicated, &stream->late,     &stream->next};
		uint64_t *field = fields[k / 2 % 6], lie = nasty();
		struct trial_result result;

		if (lie == *field)
			continue;
		*field = lie;
		result = judged(&request, &counters);
		cr_assert_not(result.valid, "field %u = %lu", k / 2 % 6, (unsigned long)lie);
	}
}

Test(trial_check, identity_of_received_lost_duplicated_and_late_frames)
{
	/* The first 90 of 100 frames arrived, except 10 lost in between; 3 of them arrived twice; 2 arrived too late to
	 * be classified. */
	struct trial_request request = burst_of(100);
	struct trial_counters counters = of_a_wire(100);
	struct port_counters *rx = &counters.port[1];
	struct trial_result result;

	rx->rx_frames = rx->rx_received_frames = rx->rx_latency_frames = 80 + 3 + 2;
	rx->rx_latency_sum = 85 * 8;
	rx->rx_duplicated_frames = 3;
	rx->rx_late_frames = 2;
	rx->rx_lost_frames = 10;
	counters.stream[0] = (struct stream_counters){
	        .receiver_port = 1, .sent = 100, .received = 85, .lost = 10, .duplicated = 3, .late = 2, .next = 90};
	result = judged(&request, &counters);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 20, "10 passed over and 10 after the last one");
	cr_assert_eq(result.received_frames, 180);
	cr_assert_eq(result.duplicated_frames, 3);
	cr_assert_eq(result.late_frames, 2);
}

Test(trial_check, a_single_frame_of_an_earlier_trial_makes_this_one_invalid)
{
	struct trial_request request = burst_of(100);

	request.drain_ot = octet_times_from_ns(2000, LINK_BPS);
	request.settle_ot = octet_times_from_ns(5000, LINK_BPS);
	for (unsigned port = 0; port < 2; port++) {
		struct trial_counters counters = of_a_wire(100);
		char why[192];
		struct trial_result result;

		counters.port[port].rx_frames++;
		counters.port[port].rx_other_run_frames = 1;
		result = judged(&request, &counters);
		cr_assert_not(result.valid);
		snprintf(
		        why, sizeof(why),
		        "port %u: 1 frames of an earlier trial arrived in this one, after its drain and settle time of "
		        "7.00 us: they were not lost; a drain of more than that is needed",
		        port);
		cr_expect_str_eq(result.why_invalid, why);
	}
}

Test(trial_check, a_single_frame_has_no_gap_to_prove)
{
	struct trial_request request = burst_of(1);
	struct trial_counters counters = of_a_wire(1);
	struct trial_result result;

	for (unsigned port = 0; port < 2; port++) {
		counters.port[port].tx_gap_min_octets = UINT64_MAX;
		counters.port[port].tx_gap_max_octets = 0;
	}
	result = judged(&request, &counters);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.tx_gap.gaps, 0);
	cr_assert_float_eq(result.forwarding_rate_fps, 0, 0);
}

/* Port 0 sends 99 frames in turn to ports 1, 2 and 3, over a switch that loses none. */
static struct trial_counters of_one_to_many(void)
{
	struct trial_counters counters = {.ports = 4, .stream_count = 3};
	const struct trial_counters wire = of_a_wire(99);

	for (unsigned port = 0; port < 4; port++) {
		struct port_counters *c = &counters.port[port];

		*c = wire.port[0];
		if (port == 0) {
			c->rx_frames = c->rx_received_frames = c->rx_latency_frames = c->rx_latency_sum = 0;
			continue;
		}
		c->tx_frames = c->tx_octets = c->tx_gaps = c->tx_gap_sum_octets = 0;
		c->rx_frames = c->rx_received_frames = c->rx_latency_frames = 33;
		c->rx_latency_sum = 33 * 8;
		counters.stream[port - 1] = (struct stream_counters){
		        .entry = port - 1, .receiver_port = port, .sent = 33, .received = 33, .next = 33};
	}
	return counters;
}

Test(trial_check, each_port_expects_its_share)
{
	const struct traffic_limits limits = {256, 512, 54, 16383};
	struct trial_request request = burst_of(99);
	struct trial_counters counters = of_one_to_many();
	struct port_counters *rx = &counters.port[1];
	struct trial_result result;
	struct error error = {0};

	request.shape.pattern = TRAFFIC_ONE_TO_MANY;
	request.shape.bidirectional = false;
	cr_assert_eq(traffic_build(&request.shape, 4, &limits, &traffic, &error), 0, "%s", error.text);
	result = judged(&request, &counters);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.offered_frames, 99);
	cr_expect_eq(result.lost_frames, 0);

	rx->rx_lost_frames = 1;
	result = judged(&request, &counters);
	cr_expect_str_eq(result.why_invalid, "port 1: received 33 and lost 1 of 33 frames offered");
	rx->rx_lost_frames = 0;
	rx->rx_frames = rx->rx_received_frames = rx->rx_latency_frames = 34;
	rx->rx_latency_sum = 34 * 8;
	result = judged(&request, &counters);
	cr_expect_str_eq(result.why_invalid, "port 1: received 34 frames without duplicates, but 33 were offered");
	rx->rx_frames = rx->rx_received_frames = rx->rx_latency_frames = 30;
	rx->rx_latency_sum = 30 * 8;
	counters.stream[0].received = counters.stream[0].next = 30;
	result = judged(&request, &counters);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.lost_frames, 3);
	counters.stream[0].received = counters.stream[0].next = 29;
	result = judged(&request, &counters);
	cr_expect_str_eq(result.why_invalid, "port 1: streams received 29 and lost 0, the totals are 30 and 0");
	counters.stream[0].received = counters.stream[0].next = 30;
	counters.port[2].tx_frames = 1;
	result = judged(&request, &counters);
	cr_expect_str_eq(result.why_invalid, "port 2: offered 1 frames, but it does not send in this trial");
	traffic_free(&traffic);
}

enum { LOAD_OT = 84000, TEST_FRAMES = 988 };

/* A load of 64 octets at line rate for 84000 octet times, in which port 0 also sent `host` frames of the host: 94
 * octets, so each takes 114 octet times. With 9 of them (84000 - 9 x 114) / 84 = 987.8 test frames are left. */
static struct trial_counters with_host_frames(uint64_t host)
{
	struct trial_counters counters = of_a_wire(1000);
	struct port_counters *tx = &counters.port[0], *rx = &counters.port[1];

	counters.host_frames[0] = host;
	tx->tx_frames = TEST_FRAMES + host;
	tx->tx_octets = 64 * TEST_FRAMES + 94 * host;
	tx->tx_gaps = tx->tx_frames - 1;
	tx->tx_gap_sum_octets = 12 * tx->tx_gaps;
	tx->tx_last_time = 800 + (TEST_FRAMES - 1) * 84 + host * 114;
	rx->rx_frames = TEST_FRAMES + host;
	rx->rx_foreign_frames = host;
	rx->rx_received_frames = rx->rx_latency_frames = TEST_FRAMES;
	rx->rx_latency_sum = 8 * TEST_FRAMES;
	counters.stream[0].sent = counters.stream[0].received = counters.stream[0].next = TEST_FRAMES;
	return counters;
}

static struct trial_request line_rate(void)
{
	struct trial_request request = burst_of(0);

	request.kind = TRIAL_LOAD;
	request.load = (struct rate){UINT64_C(12500000000), 84};
	request.duration_ot = LOAD_OT;
	return request;
}

Test(trial_check, frames_of_the_host_are_taken_out_of_what_was_offered)
{
	struct trial_request request = line_rate();
	struct trial_counters counters = with_host_frames(9);
	struct trial_result result = judged(&request, &counters);

	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.offered_frames, TEST_FRAMES + 1000);
	cr_expect_eq(result.port[0].host_frames, 9);
	cr_expect_eq(result.lost_frames, 0);
	/* The last one on the line may be one of them: then it ends 30 octets later, and begins where a test frame
	 * would. */
	counters.port[0].tx_last_time -= 94 - 64;
	cr_expect(judged(&request, &counters).valid, "%s", judged(&request, &counters).why_invalid);
	counters.port[0].tx_last_time -= 1;
	cr_expect_not(judged(&request, &counters).valid);
}

Test(trial_check, frames_of_the_host_that_were_not_there_are_noticed)
{
	struct trial_request request = line_rate(), burst = burst_of(TEST_FRAMES + 9);

	for (uint64_t lie = 0; lie < 2000; lie++) {
		struct trial_counters counters = with_host_frames(9);
		const uint64_t host = lie < 1000 ? lie : nasty();

		if (host == 9)
			continue;
		counters.host_frames[0] = host;
		cr_expect_not(judged(&request, &counters).valid, "%lu", (unsigned long)host);
	}
	for (uint64_t host = 10; host < 14; host++) {
		struct trial_counters counters = with_host_frames(host);
		struct trial_result result = judged(&request, &counters);

		cr_expect_not(result.valid);
		cr_expect_not_null(strstr(result.why_invalid, "beside 988 test frames: too many"), "%s",
		                   result.why_invalid);
	}
	{
		struct trial_counters counters = with_host_frames(9);
		struct trial_result result = judged(&burst, &counters);

		cr_expect_not_null(
		        strstr(result.why_invalid, "port 0: 9 answers to neighbours took places of the burst"), "%s",
		        result.why_invalid);
	}
}
