/* SPDX-License-Identifier: Apache-2.0 */
#include "host/plan/plan_test.h"

#include <stdio.h>

#include "host/plan/plan_benchmark.h"
#include "host/traffic/modifiers.h"

const char *plan_test_name(const struct plan_test *test)
{
	return test->benchmark->keys.name;
}

struct rate plan_load(const struct quantity *load, struct rate line)
{
	return load->unit == QUANTITY_PERCENT ? rate_scale(line, load->numerator, load->denominator)
	                                      : (struct rate){load->numerator, load->denominator};
}

unsigned plan_runs(const struct plan_test *test)
{
	return test->each_alone ? 1 + (unsigned)__builtin_popcount(test->shape.modifiers) : 1;
}

uint32_t plan_modifiers(const struct plan_test *test, unsigned run)
{
	uint32_t left = test->shape.modifiers;

	if (!test->each_alone)
		return left;
	if (run == 0)
		return 0;
	while (--run)
		left &= left - 1; /* drops the lowest modifier */
	return left & ~(left - 1);
}

const char *plan_frames_text(const struct plan_test *test, uint32_t frame_octets, char *text, size_t size)
{
	if (!frame_octets)
		return traffic_sizes_text(&test->shape.sizes, text, size);
	snprintf(text, size, "%u octets", frame_octets);
	return text;
}

struct rate plan_max_rate(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return frame_octets ? rate_max_theoretical(link_bps, frame_octets)
	                    : traffic_sizes_max_rate(&test->shape.sizes, link_bps);
}

int plan_check_with_modifiers(const struct plan_test *test, uint32_t more, struct error *error)
{
	struct traffic_shape shape = test->shape;
	int status = 0;

	for (unsigned run = 0; run < plan_runs(test) && status == 0; run++) {
		shape.modifiers = plan_modifiers(test, run) | more;
		status = traffic_modifiers_check(&shape, error);
	}
	return status;
}
