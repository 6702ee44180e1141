/* SPDX-License-Identifier: Apache-2.0 */
/* The device tester on a fake device: the histograms of latencies and of gaps. */
#include <criterion/criterion.h>
#include <string.h>

#include "fake_device.h"
#include "host/trial/device/tester.h"

static struct device device;
static struct tester *tester;
static struct trial_result result;
static _Atomic int cancel;

static void open_tester(void)
{
	struct error error;

	fake_begin(&device);
	device.cancel_flag = &cancel;
	device.cancel_at_ot = UINT64_MAX;
	cr_assert_eq(device_tester_open(&device, &cancel, &tester, &error), 0, "%s", error.text);
}

static void close_tester(void)
{
	tester_close(tester);
}

TestSuite(device_histograms, .init = open_tester, .fini = close_tester);

static void run_for(enum trial_kind kind, uint64_t drain_ot)
{
	const struct trial_request request = {.kind = kind,
	                                      .shape = traffic_shape_plain(64),
	                                      .gap_octets = 12,
	                                      .load = {UINT64_C(3125000000), 42}, /* half of line rate */
	                                      .duration_ot = 168000,
	                                      .burst_frames = 1000,
	                                      .drain_ot = drain_ot,
	                                      .settle_ot = 5000};
	struct error error;

	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
}

static void run(enum trial_kind kind)
{
	run_for(kind, 1000000);
}

/* Does as run() of a load does, with a minimum gap of 11 octets. */
static void run_pressing(void)
{
	const struct trial_request request = {.kind = TRIAL_LOAD,
	                                      .shape = traffic_shape_plain(64),
	                                      .gap_octets = 11,
	                                      .load = {UINT64_C(3125000000), 42},
	                                      .duration_ot = 168000,
	                                      .drain_ot = 1000000,
	                                      .settle_ot = 5000};
	struct error error;

	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
}

static enum fake_fate the_last_are_slow(unsigned port, uint64_t frame)
{
	(void)port;
	return frame >= 900 ? FAKE_SLOW : FAKE_FORWARD;
}

static enum fake_fate the_fifth_is_lost(unsigned port, uint64_t frame)
{
	(void)port;
	return frame == 4 ? FAKE_DROP : FAKE_FORWARD;
}

Test(device_histograms, of_a_load_without_loss_come_bin_by_bin)
{
	const struct histogram *histogram = &result.port[1].latency_histogram;

	device.fate = the_last_are_slow;
	run(TRIAL_LOAD);
	cr_assert(result.valid && result.lost_frames == 0, "%s", result.why_invalid);
	cr_assert(FAKE_LATENCY_OT >= histogram->first && FAKE_LATENCY_OT < histogram->first + histogram->width);
	cr_assert_eq(histogram_total(histogram), result.port[1].latency.frames);
	/* the slow ones are beyond the device's bins */
	cr_assert_eq(histogram->beyond, 100);
	cr_assert_eq(histogram->count[0], result.port[1].latency.frames - histogram->beyond);
}

/* Bins are counted as in docs/registers.md: 640 octet times are 80 groups, 300640 are 37580. */
Test(device_histograms, of_latencies_that_equal_bins_are_too_wide_for_come_by_octaves_too)
{
	const struct octaves *octaves = &result.port[1].latency_octaves;
	uint64_t accesses;

	device.fate = the_last_are_slow;
	run(TRIAL_LOAD);
	cr_assert_eq(octaves->first, (6 - 4) * 32 + 80 / 2 - 32);
	cr_assert_eq(octaves->first + octaves->bins - 1, (15 - 4) * 32 + 37580 / 1024 - 32);
	cr_assert_eq(octaves->count[0], result.port[1].latency.frames - 100);
	cr_assert_eq(octaves->count[octaves->bins - 1], 100);
	cr_assert_eq(octaves_total(octaves), result.port[1].latency.frames);
	device.octave_short = 1;
	run(TRIAL_LOAD);
	cr_assert(!result.valid);
	cr_assert(strstr(result.why_invalid, "the histogram of latencies by octaves holds 998, but 1000 were measured"),
	          "%s", result.why_invalid);
	/* the slowest frame of the 64 log bins of a second later: 26 doublings more, 32 bins each, 3 accesses, 2 ports
	 */
	device.octave_short = 0;
	accesses = device.reads + device.writes;
	run(TRIAL_LOAD);
	accesses = device.reads + device.writes - accesses;
	cr_assert_lt(accesses, 2u * 3 * (1023 + OCTAVE_BINS) + 1000, "%lu accesses", (unsigned long)accesses);
}

static enum fake_fate all_are_slow(unsigned port, uint64_t frame)
{
	(void)port, (void)frame;
	return FAKE_SLOW;
}

/* Bins of equal width are narrow enough from 34 bins on, up to their end. */
Test(device_histograms, of_latencies_for_which_equal_bins_are_narrow_enough_come_in_these_alone)
{
	static const struct {
		uint64_t latency_ot;
		bool octaves;
	} CASES[] = {{4344, true}, {4352, false}, {130808, false}, {130816, true}, {UINT64_C(550000000000), true}};

	device.fate = all_are_slow;
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		device.slow_ot = CASES[i].latency_ot - FAKE_LATENCY_OT;
		run_for(TRIAL_LOAD, 2 * CASES[i].latency_ot);
		cr_assert(result.valid && result.lost_frames == 0, "%s", result.why_invalid);
		cr_assert_eq(result.latency.min_ot, CASES[i].latency_ot);
		cr_assert_eq(result.port[0].latency_octaves.bins, CASES[i].octaves, "%lu: %lu bins",
		             (unsigned long)CASES[i].latency_ot, (unsigned long)result.port[0].latency_octaves.bins);
	}
}

static struct trial_request bursts_with_gap(uint64_t gap_octets)
{
	return (struct trial_request){.kind = TRIAL_BURST,
	                              .shape = traffic_shape_plain(64),
	                              .gap_octets = 12,
	                              .burst_frames = 20,
	                              .bursts = 50,
	                              .burst_gap_octets = gap_octets,
	                              .drain_ot = 1000000,
	                              .settle_ot = 5000};
}

/* Bursts of 20 frames each have 19 gaps: as many bursts begin with a gap of 8 as with one of 16, if a burst and the gap
 * to the next are an odd number of halves of a group. */
Test(device_histograms, of_several_bursts_are_read_for_the_gaps_within_them)
{
	const struct histogram *gaps = &result.port[0].tx_gap_histogram;
	const struct trial_request request = bursts_with_gap(100000);
	uint64_t accesses = device.reads + device.writes;
	struct error error;

	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
	accesses = device.reads + device.writes - accesses;
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.offered_frames, 2 * 1000);
	cr_expect_eq(result.tx_gap.gaps, 2 * 999);
	cr_expect_eq(result.tx_gap.sum_octets, 2 * (950 * 12 + 49 * 100000));
	cr_expect_eq(histogram_total(gaps), 950);
	cr_expect_eq(gaps->beyond, 0);
	cr_expect_lt(accesses, 1000, "%lu: not all the bins up to the largest gap", (unsigned long)accesses);
	device.histogram_short = 1;
	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
	cr_expect(!result.valid && strstr(result.why_invalid, "the histogram of gaps holds"), "%s", result.why_invalid);
}

/* All gaps are read where those within bursts cannot be told from those between them. */
Test(device_histograms, of_bursts_that_are_close_to_each_other_are_read_for_all_gaps)
{
	const struct trial_request request = bursts_with_gap(27);
	struct error error;

	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(histogram_total(&result.port[0].tx_gap_histogram), 999);
}

/* 84 octets per frame, starts on groups of 8: gaps alternate between 8 and 16. */
Test(device_histograms, of_a_burst_are_not_read_but_its_gaps_are)
{
	const struct histogram *gaps = &result.port[0].tx_gap_histogram;

	run(TRIAL_BURST);
	cr_assert(result.valid && result.port[1].latency_histogram.width == 0, "%s", result.why_invalid);
	cr_assert(gaps->first == 8 && gaps->width == 1 && gaps->bins == 9 && gaps->beyond == 0);
	cr_assert(gaps->count[0] == 500 && gaps->count[8] == 499);
	cr_assert_eq(histogram_total(gaps), result.port[0].tx_gap.gaps);
	device.histogram_short = 1;
	run(TRIAL_BURST);
	cr_assert(!result.valid);
	cr_assert(strstr(result.why_invalid, "the histogram of gaps holds 997, but 999 were measured"), "%s",
	          result.why_invalid);
}

static void gaps_came(uint64_t gaps, uint64_t min_octets, uint64_t max_octets)
{
	device.override_count = 0;
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_GAPS, gaps);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS, min_octets);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_GAP_MAX_OCTETS, max_octets);
}

/* Gaps from 5 to 2000 octets: what is longer than 5 + 63 is kept together, the bin of the longest included. */
Test(device_histograms, of_gaps_received_are_read_octet_by_octet_where_the_load_presses)
{
	const struct histogram *came = &result.port[1].rx_gap_histogram;

	device.came[1][5] = 3;
	device.came[1][12] = 40;
	device.came[1][68] = 5;
	device.came[1][69] = 7;
	device.came[1][FAKE_BINS - 1] = 9;
	gaps_came(64, 5, 2000);
	run_pressing();
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect(came->first == 5 && came->width == 1 && came->bins == 64);
	cr_expect(came->count[0] == 3 && came->count[7] == 40 && came->count[63] == 5 && came->beyond == 7 + 9);
	cr_expect_eq(histogram_total(came), 64);
	cr_expect_eq(result.port[0].rx_gap_histogram.width, 0, "nothing came there");
	gaps_came(65, 5, 2000);
	run_pressing();
	cr_expect(!result.valid &&
	                  strstr(result.why_invalid, "port 1: the histogram of gaps received holds 64, but 65"),
	          "%s", result.why_invalid);
}

Test(device_histograms, of_gaps_received_cost_nothing_where_the_load_is_a_usual_one)
{
	gaps_came(64, 5, 2000);
	run(TRIAL_LOAD);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.port[1].rx_gap_histogram.width, 0);
}

Test(device_histograms, cost_no_accesses_where_they_are_no_answer)
{
	device.fate = the_fifth_is_lost;
	run(TRIAL_LOAD);
	cr_assert(result.valid && result.lost_frames == 2, "%s", result.why_invalid);
	cr_assert_eq(result.port[1].latency_histogram.width, 0);
}

Test(device_histograms, that_do_not_hold_the_frames_make_a_trial_invalid)
{
	device.histogram_short = 1;
	run(TRIAL_LOAD);
	cr_assert(!result.valid);
	cr_assert(strstr(result.why_invalid, "the histogram of latencies holds 999, but 1000 were measured"), "%s",
	          result.why_invalid);
}

Test(device_histograms, are_shifted_by_what_a_calibration_subtracts)
{
	const struct latency_ways ways = {.ot = {[0][1] = 128}};

	run(TRIAL_LOAD);
	cr_assert_eq(result.port[1].latency_histogram.first, FAKE_LATENCY_OT);
	device_tester_calibrate(tester, &ways);
	run(TRIAL_LOAD);
	cr_assert_eq(result.port[0].latency_histogram.first, FAKE_LATENCY_OT);
	cr_assert_eq(result.port[1].latency_histogram.first, FAKE_LATENCY_OT - 128);
	cr_assert_eq(result.port[0].latency_octaves.offset, 0);
	cr_assert_eq(result.port[1].latency_octaves.offset, 128);
	cr_assert_eq(result.port[1].latency.min_ot, FAKE_LATENCY_OT - 128);
}
