/* SPDX-License-Identifier: Apache-2.0 */
/* Mixes of frame lengths: text to lengths and back, averages, shares, the rate of a link. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"
#include "host/traffic/sizes.h"
#include "tests/seed.h"

static struct traffic_sizes right(const char *text)
{
	struct traffic_sizes sizes;
	struct error error;

	cr_assert_eq(traffic_sizes_parse(text, &sizes, &error), 0, "%s: %s", text, error.text);
	return sizes;
}

static void expect_text(const struct traffic_sizes *sizes, const char *expected)
{
	char text[TRAFFIC_SIZES_TEXT];

	cr_expect_str_eq(traffic_sizes_text(sizes, text, sizeof(text)), expected);
}

/* The letters of RFC 6985 section 4, from its table. */
Test(traffic_sizes, the_letters_of_a_genome_are_those_of_rfc_6985)
{
	static const uint16_t TABLE[] = {64, 128, 256, 512, 1024, 1280, 1518, 2112, 9000};
	struct traffic_sizes sizes = right("genome:abcdefghi");

	cr_assert_eq(sizes.count, 9);
	cr_expect(!memcmp(sizes.octets, TABLE, sizeof(TABLE)));
	sizes = right("genome:aaafg"); /* the RFC's example: 64,64,64,1280,1518 */
	cr_assert_eq(sizes.count, 5);
	cr_expect(sizes.octets[0] == 64 && sizes.octets[2] == 64 && sizes.octets[3] == 1280 && sizes.octets[4] == 1518);
}

Test(traffic_sizes, the_mtu_is_a_frame_of_1518_octets_and_written_as_its_letter)
{
	struct traffic_sizes sizes = right("genome:aabbz");

	cr_assert_eq(sizes.count, 5);
	cr_expect_eq(sizes.octets[4], 1518);
	expect_text(&sizes, "genome:aabbg");
}

Test(traffic_sizes, an_imix_is_seven_four_and_one_of_twelve_with_the_longer_frames_apart)
{
	struct traffic_sizes sizes = right("imix");
	struct traffic_share shares[TRAFFIC_MAX_SIZES];
	struct traffic_average average = traffic_sizes_average(&sizes);
	unsigned since = 0, before_first = 0;
	bool any = false;

	cr_assert_eq(sizes.count, 12);
	cr_assert_eq(traffic_sizes_shares(&sizes, shares), 3);
	cr_expect(shares[0].octets == 64 && shares[0].frames == 7);
	cr_expect(shares[1].octets == 570 && shares[1].frames == 4);
	cr_expect(shares[2].octets == 1518 && shares[2].frames == 1);
	cr_expect_eq(traffic_sizes_round_octets(&sizes), 4246);
	cr_expect(average.octets == 2123 && average.frames == 6, "353.83 octets, as FD.io CSIT says of IMIX_v4_1");
	/* Five longer frames in twelve places are 2 or 3 apart, also from one round to the next. */
	for (unsigned i = 0; i < sizes.count; i++, since++) {
		if (sizes.octets[i] == 64)
			continue;
		if (any)
			cr_expect(since == 2 || since == 3, "place %u", i);
		else
			before_first = i;
		any = true;
		since = 0;
	}
	cr_expect(since + before_first == 2 || since + before_first == 3);
}

Test(traffic_sizes, equal_mixes_have_one_text)
{
	static const struct {
		const char *text, *is;
	} TEXTS[] = {
	        {"imix", "imix"},          {"[64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 64, 570]", "imix"},
	        {"genome:a", "genome:a"},  {"genome:zg", "genome:gg"},
	        {"[64,128]", "genome:ab"}, {"[ 9216 , 64 ,64]", "[9216, 64, 64]"},
	        {"[65]", "[65]"},          {"[64, 570, 1518]", "[64, 570, 1518]"},
	};
	const struct traffic_sizes none = {0};

	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		struct traffic_sizes sizes = right(TEXTS[i].text);

		expect_text(&sizes, TEXTS[i].is);
	}
	expect_text(&none, "");
}

#define FORMS "must be \"imix\", \"genome:\" and 1 to 64 letters (RFC 6985 section 4), or a list of 1 to 64 lengths"
#define LETTERS_64 "abcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefgh"
#define TEN "64,64,64,64,64,64,64,64,64,64,"

Test(traffic_sizes, what_is_no_mix_is_refused_with_what_is_wrong_and_the_limit)
{
	static const struct {
		const char *text, *why;
	} WRONG[] = {
	        {"", FORMS},
	        {"IMIX", FORMS},
	        {"imix ", FORMS},
	        {"aabbz", FORMS},
	        {"genome", FORMS},
	        {"genome:", FORMS},
	        {"genome:aAb",
	         "letter 2, A: must be a to i or z; write a custom IMIX (RFC 6985 section 5) as a list of "
	         "lengths"},
	        {"genome:aak", "letter 3, k: must be a to i or z (RFC 6985 section 4)"},
	        {"genome: a", "letter 1,  : must be a to i or z (RFC 6985 section 4)"},
	        {"genome:\xc3\xa4", "letter 1, ?: must be a to i or z (RFC 6985 section 4)"},
	        {"genome:aj", "letter 2, j for 16000 octets: must be 64 to 9216 (octets, FCS included)"},
	        {"genome:" LETTERS_64 "a", "letter 65, a for 64 octets: must have at most 64 entries"},
	        {"[]", FORMS},
	        {"[", FORMS},
	        {"[64", FORMS},
	        {"[64,]", FORMS},
	        {"[64 65]", FORMS},
	        {"[64]]", FORMS},
	        {"[064]", FORMS},
	        {"[-64]", FORMS},
	        {"[64.0]", FORMS},
	        {"[9999999999999999999]", FORMS},
	        {"[63]", "entry 1: must be 64 to 9216 (octets, FCS included)"},
	        {"[64, 9217]", "entry 2: must be 64 to 9216 (octets, FCS included)"},
	        {"[64, 0]", "entry 2: must be 64 to 9216 (octets, FCS included)"},
	        {"[65600]", "entry 1: must be 64 to 9216 (octets, FCS included)"}, /* 64 in 16 bits */
	        {"[" TEN TEN TEN TEN TEN TEN "64,64,64,64,64]", "entry 65: must have at most 64 entries"},
	};

	for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
		struct traffic_sizes sizes = {.count = 3};
		struct error error = {0};

		cr_expect_eq(traffic_sizes_parse(WRONG[i].text, &sizes, &error), ERROR_PLAN, "%s", WRONG[i].text);
		cr_expect_str_eq(error.text, WRONG[i].why, "%s:\n  got:      %s\n  expected: %s", WRONG[i].text,
		                 error.text, WRONG[i].why);
		cr_expect_eq(sizes.count, 0, "%s", WRONG[i].text);
	}
}

Test(traffic_sizes, sixty_four_entries_are_allowed_and_one_more_changes_nothing)
{
	struct traffic_sizes sizes = right("genome:" LETTERS_64), before;
	struct error error = {0};

	cr_expect_eq(sizes.count, 64);
	expect_text(&sizes, "genome:" LETTERS_64);
	before = sizes;
	cr_expect_eq(traffic_sizes_add(&sizes, 64, &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "must have at most 64 entries");
	cr_expect(traffic_sizes_equal(&sizes, &before));
}

static void expect_sums(const struct traffic_sizes *sizes)
{
	struct traffic_average average = traffic_sizes_average(sizes);
	struct traffic_share shares[TRAFFIC_MAX_SIZES];
	const unsigned count = traffic_sizes_shares(sizes, shares);
	struct rate rate = traffic_sizes_max_rate(sizes, 100000000000);
	uint64_t octets = 0, shared = 0, frames = 0;

	for (unsigned i = 0; i < sizes->count; i++)
		octets += sizes->octets[i];
	cr_expect_eq(traffic_sizes_round_octets(sizes), octets);
	cr_expect_eq((uint64_t)average.octets * sizes->count, octets * average.frames);
	for (uint32_t k = 2; k <= average.frames; k++)
		cr_expect(average.frames % k || average.octets % k, "%u / %u", average.octets, average.frames);
	for (unsigned i = 0; i < count; i++) {
		unsigned seen = 0;

		cr_expect(i == 0 || shares[i - 1].octets < shares[i].octets);
		for (unsigned k = 0; k < sizes->count; k++)
			seen += sizes->octets[k] == shares[i].octets;
		cr_expect_eq(shares[i].frames, seen);
		frames += shares[i].frames;
		shared += (uint64_t)shares[i].frames * shares[i].octets;
	}
	cr_expect(frames == sizes->count && shared == octets);
	/* Frames at this rate fill 12.5 octets a nanosecond. */
	cr_expect_eq((uint128)rate.numerator * (octets + 20 * (uint64_t)sizes->count),
	             (uint128)rate.denominator * sizes->count * 12500000000u);
}

Test(traffic_sizes, a_mix_of_one_length_has_the_rate_of_that_length)
{
	static const char *const ONE[] = {"[64]", "genome:ggg", "[9216, 9216]"};

	for (size_t i = 0; i < sizeof(ONE) / sizeof(ONE[0]); i++) {
		struct traffic_sizes sizes = right(ONE[i]);
		struct traffic_average average = traffic_sizes_average(&sizes);
		struct traffic_share shares[TRAFFIC_MAX_SIZES];

		cr_expect(average.octets == sizes.octets[0] && average.frames == 1);
		cr_expect_eq(traffic_sizes_shares(&sizes, shares), 1);
		cr_expect_eq(shares[0].frames, sizes.count);
		cr_expect_eq(rate_compare(traffic_sizes_max_rate(&sizes, 100000000000),
		                          rate_max_theoretical(100000000000, sizes.octets[0])),
		             0);
		expect_sums(&sizes);
	}
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (*state >> 33) % below;
}

/* Writes a list as a person would, not as the code does. */
static void write_list(const struct traffic_sizes *sizes, char *text, size_t size)
{
	size_t length = (size_t)snprintf(text, size, "[");

	for (unsigned i = 0; i < sizes->count; i++)
		length += (size_t)snprintf(text + length, size - length, i ? ",%u" : "%u", sizes->octets[i]);
	snprintf(text + length, size - length, "]");
}

Test(traffic_sizes, a_random_mix_survives_its_text_and_its_sums_are_right)
{
	static const uint16_t LETTERED[] = {64, 128, 256, 512, 1024, 1280, 1518, 2112, 9000};
	uint64_t seed = test_seed(), state = seed;

	for (unsigned round = 0; round < 3000; round++) {
		const unsigned count = round % 50 == 0 ? 64 : 1 + (unsigned)draw(&state, 64),
		               kind = (unsigned)draw(&state, 3);
		struct traffic_sizes sizes = {0}, again;
		struct error error = {0};
		char text[TRAFFIC_SIZES_TEXT];

		while (sizes.count < count) {
			uint64_t octets = kind == 0 ? LETTERED[draw(&state, 9)]
			                  : kind == 1
			                          ? 64 + draw(&state, 9153)
			                          : 9216 - draw(&state, 2); /* the longest text, and many duplicates */

			cr_assert_eq(traffic_sizes_add(&sizes, octets, &error), 0, "%s", error.text);
		}
		traffic_sizes_text(&sizes, text, sizeof(text));
		again = right(text);
		cr_assert(traffic_sizes_equal(&again, &sizes), "seed %llu, round %u: %s", (unsigned long long)seed,
		          round, text);
		cr_assert((kind == 0) == !strncmp(text, "genome:", 7) || kind == 1, "%s", text);
		write_list(&sizes, text, sizeof(text));
		again = right(text);
		cr_assert(traffic_sizes_equal(&again, &sizes), "seed %llu, round %u: %s", (unsigned long long)seed,
		          round, text);
		expect_sums(&sizes);
	}
}

Test(traffic_sizes, text_is_cut_to_its_buffer)
{
	struct traffic_sizes sizes = right("[64, 570, 1518]");
	char text[8];

	cr_expect_str_eq(traffic_sizes_text(&sizes, text, sizeof(text)), "[64, 57");
}
