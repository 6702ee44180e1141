/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with units: what is read, what is refused, and that nothing is rounded. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/quantity.h"

struct good_case {
	const char *text;
	enum quantity_unit unit;
	uint64_t numerator, denominator;
};

static const struct good_case GOOD[] = {
        {"0", QUANTITY_PLAIN, 0, 1},
        {"64", QUANTITY_PLAIN, 64, 1},
        {" 64 ", QUANTITY_PLAIN, 64, 1},
        {"+64", QUANTITY_PLAIN, 64, 1},
        {"0064", QUANTITY_PLAIN, 64, 1},
        {"148809523", QUANTITY_PLAIN, 148809523, 1},
        {"100G", QUANTITY_PLAIN, 100000000000, 1},
        {"148.8M", QUANTITY_PLAIN, 148800000, 1},
        {"2.5k", QUANTITY_PLAIN, 2500, 1},
        {"1T", QUANTITY_PLAIN, 1000000000000, 1},
        {"0.5", QUANTITY_PLAIN, 1, 2},
        {".5", QUANTITY_PLAIN, 1, 2},
        {"5.", QUANTITY_PLAIN, 5, 1},
        {"1e8", QUANTITY_PLAIN, 100000000, 1},
        {"1.5E+3", QUANTITY_PLAIN, 1500, 1},
        {"25e-1", QUANTITY_PLAIN, 5, 2},
        {"18446744073709551615", QUANTITY_PLAIN, UINT64_MAX, 1},
        {"1.000000000000000000000000000000", QUANTITY_PLAIN, 1, 1},
        {"0.0000000000000000001", QUANTITY_PLAIN, 1, 10000000000000000000u},
        {"0.1%", QUANTITY_PERCENT, 1, 1000},
        {"100 %", QUANTITY_PERCENT, 1, 1},
        {"0.5%", QUANTITY_PERCENT, 1, 200},
        {"60s", QUANTITY_TIME, 60, 1},
        {"2ms", QUANTITY_TIME, 1, 500},
        {"24 us", QUANTITY_TIME, 3, 125000},
        {"800ns", QUANTITY_TIME, 1, 1250000},
        {"1 frame", QUANTITY_FRAMES, 1, 1},
        {"1500 frames", QUANTITY_FRAMES, 1500, 1},
        {"1500frames", QUANTITY_FRAMES, 1500, 1},
        {"2M frames", QUANTITY_FRAMES, 2000000, 1},
        {"10Gbps", QUANTITY_BIT_RATE, 10000000000, 1},
        {"10 Gbit/s", QUANTITY_BIT_RATE, 10000000000, 1},
        {"2.5gb/s", QUANTITY_BIT_RATE, 2500000000, 1},
        {"100Mbps", QUANTITY_BIT_RATE, 100000000, 1},
        {"64kbps", QUANTITY_BIT_RATE, 64000, 1},
        {"64Kbit/s", QUANTITY_BIT_RATE, 64000, 1},
        {"9600bps", QUANTITY_BIT_RATE, 9600, 1},
        {"0.1Tbps", QUANTITY_BIT_RATE, 100000000000, 1},
        {"1.5Mpps", QUANTITY_FRAME_RATE, 1500000, 1},
        {"1.5mpps", QUANTITY_FRAME_RATE, 1500000, 1},
        {"1.5 MPPS", QUANTITY_FRAME_RATE, 1500000, 1},
        {"7kpps", QUANTITY_FRAME_RATE, 7000, 1},
        {"7pps", QUANTITY_FRAME_RATE, 7, 1},
        {"148.8Mfps", QUANTITY_FRAME_RATE, 148800000, 1},
        {"1000 fps", QUANTITY_FRAME_RATE, 1000, 1},
        {"3k frames/s", QUANTITY_FRAME_RATE, 3000, 1},
};

Test(quantity, reads_numbers_with_units_exactly)
{
	for (size_t i = 0; i < sizeof(GOOD) / sizeof(GOOD[0]); i++) {
		struct quantity quantity = {0};
		const char *why = NULL;

		cr_expect_eq(quantity_parse(GOOD[i].text, &quantity, &why), 0, "%s: %s", GOOD[i].text, why);
		cr_expect(quantity.unit == GOOD[i].unit && quantity.numerator == GOOD[i].numerator &&
		                  quantity.denominator == GOOD[i].denominator,
		          "%s: read as unit %d, %" PRIu64 "/%" PRIu64, GOOD[i].text, (int)quantity.unit,
		          quantity.numerator, quantity.denominator);
	}
}

static const char *const BAD[][2] = {
        {"", "not a number"},
        {" ", "not a number"},
        {"x", "not a number"},
        {".", "not a number"},
        {"+", "not a number"},
        {"%", "not a number"},
        {"inf", "not a number"},
        {"nan", "not a number"},
        {"-1", "negative"},
        {"-0.5%", "negative"},
        {"0x10", "unknown unit"},
        {"1,000", "unknown unit"},
        {"1 2", "unknown unit"},
        {"1e", "unknown unit"},
        {"1K", "unknown unit"},
        {"1m", "unknown unit"},
        {"1Mb", "unknown unit"},
        {"1G%", "unknown unit"},
        {"1ks", "unknown unit"},
        {"1kframes", "unknown unit"},
        {"1GBps", "unknown unit"},
        {"1GB/s", "unknown unit"},
        {"1xbps", "unknown unit"},
        {"1kMbps", "unknown unit"},
        {"1G  bps", "unknown unit"},
        {"1ps", "unknown unit"},
        {"18446744073709551616", "too large"},
        {"18446744073709551615k", "too large"},
        {"100000000T", "too large"},
        {"1e20", "too large"},
        {"1e400", "too large"},
        {"1e99999999999", "too large"},
        {"1e-400", "too precise"},
        {"0.00000000000000000001", "too precise"},
        {"1.00000000000000000001", "too precise"},
};

Test(quantity, refuses_with_the_reason_and_leaves_the_result_alone)
{
	for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
		struct quantity quantity = {QUANTITY_TIME, 7, 9};
		const char *why = "nothing";

		cr_expect_eq(quantity_parse(BAD[i][0], &quantity, &why), -1, "%s was taken", BAD[i][0]);
		cr_expect_eq(strncmp(why, BAD[i][1], strlen(BAD[i][1])), 0, "%s: %s", BAD[i][0], why);
		cr_expect(quantity.unit == QUANTITY_TIME && quantity.numerator == 7 && quantity.denominator == 9);
	}
}

Test(quantity, survives_random_text_and_never_divides_by_zero)
{
	static const char ALPHABET[] = "0123456789999....eE+-% kMGTsmunframesbpit/\t";
	unsigned seed = 9004;
	unsigned taken = 0;

	for (unsigned i = 0; i < 200000; i++) {
		char text[24];
		struct quantity quantity;
		const char *why = NULL;
		size_t length = (size_t)rand_r(&seed) % (sizeof(text) - 1);

		for (size_t k = 0; k < length; k++)
			text[k] = ALPHABET[(size_t)rand_r(&seed) % (sizeof(ALPHABET) - 1)];
		text[length] = 0;
		if (quantity_parse(text, &quantity, &why) == 0) {
			taken++;
			cr_assert_gt(quantity.denominator, 0, "%s", text);
		} else {
			cr_assert_not_null(why, "%s", text);
		}
	}
	cr_expect_gt(taken, 1000, "only %u texts were numbers: the test is not testing", taken);
}
