/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of layer 1 and layer 2, against the bits of each frame counted by hand. */
#include <stdlib.h>
#include <time.h>

#include "bench_case.h"
#include "host/bench/layers.h"
#include "host/bench/rfc2544/frame_loss_rate.h"
#include "host/bench/rfc9971/mlrsearch.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);
static struct bench_case c;
static const uint32_t SIZES[] = {64, 9216};

static void begin(void)
{
	case_begin(&c, SIZES, 2);
	c.plan.test_count = 1;
	fifo_begin(&c.fifo, 50, 371, 1000);
}

static void end(void)
{
	case_end(&c);
}

TestSuite(layers, .init = begin, .fini = end);

static void check(const json_t *object, const char *prefix, double fps, uint32_t octets)
{
	char key[64];

	snprintf(key, sizeof(key), "%slayer_1_gbps", prefix);
	cr_expect_float_eq(number(object, key), fps * 8 * (octets + 20) / 1e9, 1e-6, "%s of %u", key, octets);
	snprintf(key, sizeof(key), "%slayer_2_gbps", prefix);
	cr_expect_float_eq(number(object, key), fps * 8 * octets / 1e9, 1e-6, "%s of %u", key, octets);
}

Test(layers, of_a_frame_are_its_octets_and_20_more_on_the_line)
{
	for (uint32_t octets = 64; octets <= 9216; octets += 13)
		for (double part = 0; part <= 16; part += 0.37) { /* rates of several ports */
			const struct rate line = rate_max_theoretical(LINK_BPS, octets);
			const double fps = part * rate_fps(line);
			const struct layers layers = layers_of(fps, line, LINK_BPS);

			cr_assert_float_eq(layers.layer_1_gbps, 100 * part, 1e-6);
			cr_assert_float_eq(layers.layer_2_gbps, fps * 8 * octets / 1e9, 1e-6);
		}
	cr_assert(isnan(layers_of(NAN, rate_max_theoretical(LINK_BPS, 64), LINK_BPS).layer_1_gbps));
}

Test(layers, are_beside_the_rates_of_throughput_mlrsearch_and_frame_loss_rate)
{
	static struct frame_loss_rate_settings settings = {.trial_duration_ns = 10000000,
	                                                   .step = {QUANTITY_PERCENT, 1, 10}};
	const json_t *result, *row;
	size_t j;

	cr_assert_eq(case_run(&c), 0);
	for (unsigned i = 0; i < 2; i++) {
		result = case_result(&c, "throughput", SIZES[i]);
		check(result, "", number(result, "throughput_fps"), SIZES[i]);
	}
	c.tests[0].benchmark = &MLRSEARCH.plan;
	c.tests[0].search = PLAN_SEARCH_MLRSEARCH;
	cr_assert_eq(case_run(&c), 0);
	for (unsigned i = 0; i < 2; i++) {
		result = case_result(&c, "mlrsearch", SIZES[i]);
		check(result, "", number(result, "conditional_throughput_fps"), SIZES[i]);
	}
	c.tests[0].benchmark = &FRAME_LOSS_RATE.plan;
	c.tests[0].settings = &settings;
	cr_assert_eq(case_run(&c), 0);
	for (unsigned i = 0; i < 2; i++) {
		result = case_result(&c, "frame_loss_rate", SIZES[i]);
		check(result, "loss_free_load_", number(result, "loss_free_load_fps"), SIZES[i]);
		json_array_foreach(json_object_get(result, "points"), j, row)
		        check(row, "", number(row, "load_fps"), SIZES[i]);
	}
}
