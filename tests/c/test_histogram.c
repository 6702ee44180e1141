/* SPDX-License-Identifier: Apache-2.0 */
/* Device bins folded into ours: nothing is lost, and nothing ends up in a bin it does not belong to. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "host/trial/histogram.h"

static const struct histogram_source SOURCE = {.width = 128, .bins = 1022};

Test(histogram, of_one_value_is_the_bin_of_the_device)
{
	struct histogram histogram;
	uint32_t first, end;

	histogram_begin(&histogram, &SOURCE, 640, 640, &first, &end);
	cr_expect(first == 5 && end == 6);
	cr_expect(histogram.first == 640 && histogram.width == 128 && histogram.bins == 1);
	histogram_add(&histogram, &SOURCE, 5, 7);
	cr_expect(histogram.count[0] == 7 && histogram_total(&histogram) == 7);
}

/* For every range of device bins: each bin, with its own count, is found where its values are. */
Test(histogram, has_every_bin_of_a_range_where_its_values_are)
{
	for (uint64_t least = 0; least < 1022; least += 13) {
		for (uint64_t most = least; most < 1022; most += 29) {
			struct histogram histogram;
			uint64_t expected[HISTOGRAM_BINS] = {0};
			uint32_t first, end;

			histogram_begin(&histogram, &SOURCE, least * 128, most * 128 + 127, &first, &end);
			cr_assert(first == least && end == most + 1);
			cr_assert(histogram.bins >= 1 && histogram.bins <= HISTOGRAM_BINS);
			cr_assert(histogram.width == 128 ||
			                  most / (histogram.width / 256) - least / (histogram.width / 256) + 1 >
			                          HISTOGRAM_BINS,
			          "finer would do");
			for (uint32_t bin = first; bin < end; bin++) {
				const uint64_t place = (bin * 128 - histogram.first) / histogram.width;

				histogram_add(&histogram, &SOURCE, bin, bin + 1);
				cr_assert(place < histogram.bins);
				expected[place] += bin + 1;
			}
			cr_assert_arr_eq(histogram.count, expected, sizeof(expected));
			cr_assert(histogram.beyond == 0);
		}
	}
}

Test(histogram, of_values_beyond_the_bins_of_the_device_has_none_of_its_own)
{
	struct histogram histogram;
	uint32_t first, end;

	histogram_begin(&histogram, &SOURCE, UINT64_C(1022) * 128, UINT64_MAX, &first, &end);
	cr_expect(first == end && histogram.bins == 0 && histogram.width != 0);
	histogram.beyond = 9;
	cr_expect(histogram_total(&histogram) == 9);
}

/* A device may report anything. */
Test(histogram, stands_a_range_that_is_none)
{
	struct histogram histogram;
	uint32_t first, end;

	histogram_begin(&histogram, &SOURCE, UINT64_MAX, 0, &first, &end);
	cr_expect(first == end && histogram.bins == 0);
	histogram_begin(&histogram, &SOURCE, 0, UINT64_MAX, &first, &end);
	cr_expect(first == 0 && end == 1022 && histogram.bins == 64 && histogram.width == 16 * 128);
	histogram_add(&histogram, &SOURCE, UINT32_MAX, 3);
	cr_expect(histogram.beyond == 3);
}

Test(histogram, shifts_to_zero_at_most)
{
	struct histogram histogram = {.first = 640, .width = 128, .bins = 2};

	histogram_shift(&histogram, 600);
	cr_expect(histogram.first == 40);
	histogram_shift(&histogram, 600);
	cr_expect(histogram.first == 0);
}
