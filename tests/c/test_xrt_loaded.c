/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a card, from XRT's document of its dynamic regions: whole, in part, and damaged. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/xrt_loaded.h"
#include "tests/seed.h"

/* The document as XRT 2.13 writes it. */
static const char DOCUMENT[] =
        "{\"dynamic_regions\": [{\"xclbin_uuid\": \"12345678-9abc-def0-1234-56789abcdef0\", \"compute_units\": ["
        "{\"name\": \"fpgauge:fpgauge_0\", \"base_address\": \"0x800000\", \"usage\": \"0\", \"type\": \"PL\", "
        "\"status\": {\"bit_mask\": \"0x4\"}}, {\"name\": \"vadd:vadd_1\", \"type\": \"PL\"}]}]}";

static void expect(const char *document, const char *kernels)
{
	char found[XRT_LOADED_KERNELS];

	xrt_loaded_kernels(document, found);
	cr_expect_str_eq(found, kernels);
}

Test(xrt_loaded, kernels_are_named_in_their_order)
{
	expect(DOCUMENT, "fpgauge:fpgauge_0, vadd:vadd_1");
	expect("{\"dynamic_regions\": [{\"compute_units\": [{\"name\": \"a\"}]}, {\"compute_units\": [{\"name\": "
	       "\"b\"}]}]}",
	       "a, b");
}

Test(xrt_loaded, a_document_that_names_none_has_none)
{
	static const char *const documents[] = {"",
	                                        "null",
	                                        "[]",
	                                        "{\"dynamic_regions\": \"\"}",
	                                        "{\"dynamic_regions\": [1, {\"compute_units\": 3}]}",
	                                        "{\"dynamic_regions\": [{\"compute_units\": [{}, {\"name\": 5}]}]}"};

	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		expect(documents[i], "");
}

Test(xrt_loaded, what_there_is_no_room_for_is_left_out)
{
	char document[4096], found[XRT_LOADED_KERNELS], name[XRT_LOADED_KERNELS + 1];
	size_t used = (size_t)snprintf(document, sizeof(document), "{\"dynamic_regions\": [{\"compute_units\": [");

	memset(name, 'x', XRT_LOADED_KERNELS);
	name[XRT_LOADED_KERNELS] = '\0';
	used += (size_t)snprintf(document + used, sizeof(document) - used, "{\"name\": \"%s\"}", name);
	for (unsigned i = 0; i < 60; i++)
		used += (size_t)snprintf(document + used, sizeof(document) - used, ", {\"name\": \"k%02u\"}", i);
	snprintf(document + used, sizeof(document) - used, "]}]}");
	xrt_loaded_kernels(document, found);
	cr_expect(strncmp(found, "k00, k01, k02", 13) == 0, "%s", found);
	cr_expect_lt(strlen(found), sizeof(found));
	cr_expect_gt(strlen(found), sizeof(found) - 10);
}

/* Any octets changed, and cut: never a crash, never more than there is room for. */
Test(xrt_loaded, damaged_documents_are_read_as_far_as_they_go)
{
	unsigned seed = (unsigned)test_seed();
	char document[sizeof(DOCUMENT)], found[XRT_LOADED_KERNELS];

	for (unsigned i = 0; i < 20000; i++) {
		memcpy(document, DOCUMENT, sizeof(document));
		for (int n = rand_r(&seed) % 4; n >= 0; n--)
			document[(size_t)rand_r(&seed) % (sizeof(document) - 1)] = (char)rand_r(&seed);
		document[(size_t)rand_r(&seed) % sizeof(document)] = '\0';
		xrt_loaded_kernels(document, found);
		cr_expect_lt(strlen(found), sizeof(found));
	}
}
