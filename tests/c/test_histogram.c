/* SPDX-License-Identifier: Apache-2.0 */
/* Device bins folded into ours: nothing is lost, and nothing ends up in a bin it does not belong to. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "host/trial/octaves.h"

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

/* Every bin of every range of device bins, with its own count, is found where its values are. */
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

/* -- log bins ------------------------------------------------------------------------------------------------------ */

/* The text of rx_octave_histogram_index in docs/registers.md, word by word. */
static uint64_t bin_of_manual(uint64_t v)
{
	uint64_t e = 0, bin;

	if (v < 32)
		return v;
	while (v >> (e + 1) != 0)
		e++;
	bin = (e - 4) * 32 + v / (UINT64_C(1) << (e - 5)) - 32;
	return bin < 1023 ? bin : 1023;
}

Test(octaves, are_the_bins_of_the_manual)
{
	uint64_t state = 1;

	for (uint64_t v = 0; v < 5000; v++)
		cr_assert_eq(octave_bin(8 * v + v % 8), bin_of_manual(v), "%" PRIu64 " groups", v);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t latency_ot;

		state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
		latency_ot = state >> (i % 64);
		cr_assert_eq(octave_bin(latency_ot), bin_of_manual(latency_ot / 8), "%" PRIu64, latency_ot);
	}
}

Test(octaves, follow_one_another_and_none_is_wider_than_a_32nd_of_its_latencies)
{
	for (uint64_t bin = 0; bin < OCTAVE_BINS; bin++) {
		const uint64_t low_ot = octave_low_ot(bin), high_ot = octave_low_ot(bin + 1);

		cr_assert_eq(octave_bin(low_ot), bin);
		if (bin == OCTAVE_BINS - 1) {
			cr_assert_eq(high_ot, UINT64_MAX);
			break;
		}
		cr_assert_eq(octave_bin(high_ot - 1), bin);
		cr_assert(bin < 32 || (high_ot - low_ot) * 32 <= low_ot, "bin %" PRIu64, bin);
	}
	cr_assert_eq(octave_bin(UINT64_MAX), OCTAVE_BINS - 1);
	cr_assert_eq(octave_low_ot(UINT64_MAX), UINT64_MAX);
	/* the last bin begins just below 2^36 groups: 43.98 s at 100 Gb/s */
	cr_assert_eq(octave_low_ot(OCTAVE_BINS - 1), (UINT64_C(1) << 39) / 64 * 63);
}

/* Bins of one width serve from 34 times their width up to their end. */
Test(octaves, are_needed_where_bins_of_one_width_are_too_wide_or_end)
{
	const uint64_t end = UINT64_C(1022) * 128;
	struct histogram histogram;
	uint32_t first, last;

	histogram_begin(&histogram, &SOURCE, 34 * 128, 34 * 128 + 60 * 128, &first, &last);
	cr_expect(!octaves_needed(&histogram, 34 * 128, 34 * 128 + 60 * 128));
	cr_expect(octaves_needed(&histogram, 34 * 128 - 1, 34 * 128 + 60 * 128));
	/* twice as wide: from twice as far on */
	histogram_begin(&histogram, &SOURCE, 34 * 128, 34 * 128 + 70 * 128, &first, &last);
	cr_expect(octaves_needed(&histogram, 34 * 128, 34 * 128 + 70 * 128));
	histogram_begin(&histogram, &SOURCE, end - 128, end - 1, &first, &last);
	cr_expect(!octaves_needed(&histogram, end - 128, end - 1));
	histogram_begin(&histogram, &SOURCE, end - 128, end, &first, &last);
	cr_expect(octaves_needed(&histogram, end - 128, end));
	histogram_begin(&histogram, &SOURCE, end + 5, end + 5, &first, &last);
	cr_expect(octaves_needed(&histogram, end + 5, end + 5));
}
