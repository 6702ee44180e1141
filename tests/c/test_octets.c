/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in octets; sums, hashes and draws against the values that their authors print. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/base/fnv1a.h"
#include "host/base/internet_checksum.h"
#include "host/base/octets.h"
#include "host/base/splitmix64.h"

Test(octets, numbers_are_read_and_written_with_the_octet_first_that_the_name_says)
{
	static const uint8_t OCTETS[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};
	uint8_t written[9] = {0};

	cr_expect_eq(get_be16(OCTETS), 0x1234);
	cr_expect_eq(get_be(OCTETS, 6), UINT64_C(0x123456789abc));
	cr_expect_eq(get_be(OCTETS, 8), UINT64_C(0x123456789abcdef0));
	cr_expect_eq(get_le(OCTETS, 3), 0x563412);
	cr_expect_eq(get_le(OCTETS, 8), UINT64_C(0xf0debc9a78563412));
	cr_expect_eq(get_be(OCTETS, 0) + get_le(OCTETS, 0), 0);
	put_be16(written, 0xab1234);
	put_be(written + 2, UINT64_C(0xff56789abc), 4);
	put_le(written + 6, 0xfff0de, 2);
	cr_expect_arr_eq(written, ((uint8_t[]){0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0}), 9);
}

/* RFC 1071 section 3; and a header of which the checksum is worked out by hand in many a text. */
Test(internet_checksum, is_that_of_the_examples)
{
	static const uint8_t RFC[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
	uint8_t ip[] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
	                0,    0,    0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};

	cr_expect_eq(internet_sum(RFC, sizeof(RFC), 0), 0xddf2);
	cr_expect_eq(internet_checksum(RFC, sizeof(RFC), 0), 0x220d);
	cr_expect_eq(internet_checksum(ip, sizeof(ip), 0), 0xb861);
	put_be16(ip + 10, 0xb861);
	cr_expect_eq(internet_sum(ip, sizeof(ip), 0), 0xffff);
}

/* RFC 1071 section 2: an odd octet is followed by one of 0; parts may be summed in any order, and with halves swapped.
 */
Test(internet_checksum, of_parts_is_that_of_the_whole)
{
	static const uint8_t OCTETS[] = {0xff, 0xfe, 0x80, 0x01, 0xfd, 0xfc, 0xfb, 0x7a, 0x99, 0};
	const uint32_t whole = internet_sum(OCTETS, 9, 0);

	cr_expect_eq(whole, internet_sum(OCTETS, 10, 0));
	for (unsigned first = 0; first <= 9; first++) {
		const uint32_t rest = internet_sum(OCTETS + first, 9 - first, 0);

		cr_expect_eq(internet_fold((uint64_t)internet_sum(OCTETS, first, 0) +
		                           (first % 2 ? internet_swap(rest) : rest)),
		             whole, "%u octets first", first);
	}
	cr_expect_eq(internet_sum(OCTETS, 0, 0), 0);
	cr_expect_eq(internet_fold(UINT64_MAX), 0xffff);
}

/* The values of the authors' page for 64 bits. */
Test(fnv1a, is_that_of_its_authors)
{
	cr_expect_eq(fnv1a(FNV1A_OF_NOTHING, "", 0), UINT64_C(0xcbf29ce484222325));
	cr_expect_eq(fnv1a(FNV1A_OF_NOTHING, "a", 1), UINT64_C(0xaf63dc4c8601ec8c));
	cr_expect_eq(fnv1a(FNV1A_OF_NOTHING, "foobar", 6), UINT64_C(0x85944171f73967e8));
	cr_expect_eq(fnv1a(fnv1a(FNV1A_OF_NOTHING, "foo", 3), "bar", 3), UINT64_C(0x85944171f73967e8));
}

/* The first outputs that the author's program prints for this seed. */
Test(splitmix64, is_that_of_its_author)
{
	uint64_t state = 1234567;

	cr_expect_eq(splitmix64(&state), UINT64_C(6457827717110365317));
	cr_expect_eq(splitmix64(&state), UINT64_C(3203168211198807973));
	cr_expect_eq(splitmix64(&state), UINT64_C(9817491932198370423));
}
