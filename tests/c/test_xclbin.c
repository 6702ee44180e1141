/* SPDX-License-Identifier: Apache-2.0 */
/* Bitstream files as they come: whatever one contains, it is read without going beyond its end. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/xclbin.h"
#include "tests/seed.h"

enum { MAX_OCTETS = 1 << 16, ROUNDS = 2000, HEADERS = 496 + 3 * 40 };

static struct xclbin xclbin;
static unsigned char whole[MAX_OCTETS];
static size_t size;
static struct error error;

static void begin(void)
{
	char command[600];
	FILE *file;
	int made;

	strcpy(xclbin.path, "/tmp/fpgauge-test-xclbin-XXXXXX");
	strcpy(xclbin.ip, "fpgauge:{fpgauge_0}");
	made = mkstemp(xclbin.path);
	cr_assert_geq(made, 0);
	close(made);
	snprintf(command, sizeof(command), "%s %.200s", FPGAUGE_MAKE_XCLBIN, xclbin.path);
	cr_assert_eq(system(command), 0);
	file = fopen(xclbin.path, "rb");
	size = fread(whole, 1, sizeof(whole), file);
	fclose(file);
	cr_assert(size > HEADERS && size < sizeof(whole));
}

static void end(void)
{
	unlink(xclbin.path);
}

TestSuite(xclbin, .init = begin, .fini = end);

static void write_file(const unsigned char *octets, size_t count)
{
	FILE *file = fopen(xclbin.path, "wb");

	cr_assert_eq(fwrite(octets, 1, count, file), count);
	fclose(file);
}

Test(xclbin, a_good_one_passes)
{
	cr_assert_eq(xclbin_check(&xclbin, &error), 0, "%s", error.text);
	strcpy(xclbin.ip, "fpgauge:fpgauge_0");
	cr_assert_eq(xclbin_check(&xclbin, &error), 0, "%s", error.text);
}

Test(xclbin, no_length_but_the_whole_passes)
{
	for (size_t length = 0; length < size; length += 7) {
		write_file(whole, length);
		cr_expect_eq(xclbin_check(&xclbin, &error), ERROR_DEVICE, "%zu octets", length);
	}
}

/* Every bit in the header of an xclbin belongs to some offset, size or count. The sanitizers catch a read beyond the
 * end. */
Test(xclbin, headers_with_wrong_bits_do_no_harm)
{
	unsigned char wrong[MAX_OCTETS];

	srand((unsigned)test_seed());
	for (int round = 0; round < ROUNDS; round++) {
		memcpy(wrong, whole, size);
		for (int flips = 1 + rand() % 8; flips > 0; flips--)
			wrong[8 + (size_t)rand() % (HEADERS - 8)] = (unsigned char)(rand() % 3 ? rand() : 0xff);
		write_file(wrong, size);
		error.text[0] = '\0';
		if (xclbin_check(&xclbin, &error) != 0)
			cr_expect_neq(error.text[0], '\0');
	}
}

Test(xclbin, a_list_of_ips_with_any_count_does_no_harm)
{
	static const unsigned char counts[][4] = {{0xff, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0x80}};
	unsigned char wrong[MAX_OCTETS];
	const char *name = "fpgauge:fpgauge_0";
	size_t at = HEADERS;

	while (at + 80 < size && memcmp(whole + at, name, strlen(name)) != 0)
		at++;
	cr_assert_lt(at + 80, size);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		memcpy(wrong, whole, size);
		wrong[at] = 'x';                           /* so that it keeps looking */
		memcpy(wrong + at - 16 - 8, counts[i], 4); /* m_count is 8 octets before the entry, the name 16 in it */
		write_file(wrong, size);
		cr_expect_eq(xclbin_check(&xclbin, &error), ERROR_DEVICE);
		cr_expect(strstr(error.text, "it has no IP") != NULL, "%s", error.text);
	}
}
