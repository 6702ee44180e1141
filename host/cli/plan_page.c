/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the table of plan keys; what a key means and allows stands in host/plan/plan_keys.c only. */
#include "host/cli/plan_page.h"

#include <string.h>

#include "host/plan/plan_keys.h"

static void print_key(FILE *out, const struct plan_key *key)
{
	char limits[200];

	fprintf(out, "- `%s`: %s", key->name, key->doc);
	if (key->type != KEY_TEXT && key->type != KEY_NAME && key->type != KEY_WORDS && key->type != KEY_GOALS)
		fprintf(out, " M%s.", plan_key_limits(key, limits, sizeof(limits)) + strlen("m"));
	if (key->default_text)
		fprintf(out, " Default: %s.", key->default_text);
	fprintf(out, "\n");
}

void plan_page_print(FILE *out)
{
	static const struct {
		const char *heading;
		enum plan_section section;
		unsigned tests;
	} PARTS[] = {
	        {"At the top, beside device, link, dut and run", SECTION_PLAN, 0},
	        {"device = { ... }", SECTION_DEVICE, BACKEND_ALL},
	        {"device = { backend = \"sim\", \"xrt\" or \"pci\"; ... }: further keys", SECTION_DEVICE,
	         BACKEND_REGISTERS},
	        {"device = { backend = \"sim\"; ... }: further keys", SECTION_DEVICE, BACKEND_SIM},
	        {"device = { backend = \"xrt\" or \"pci\"; ... }: further keys", SECTION_DEVICE, BACKEND_CARDS},
	        {"device = { backend = \"xrt\"; ... }: further keys", SECTION_DEVICE, BACKEND_XRT},
	        {"device = { backend = \"pci\"; ... }: further keys", SECTION_DEVICE, BACKEND_PCI},
	        {"device = { backend = \"exec\"; ... }: further keys", SECTION_DEVICE, BACKEND_EXEC},
	        {"link = { ... }", SECTION_LINK, 0},
	        {"run = ( { ... }, ... ): keys of every test", SECTION_TEST, TEST_ALL},
	        {"run = ( ... ): further keys of throughput and back_to_back", SECTION_TEST, TEST_BISECTS},
	        {"run = ( ... ): further keys of throughput and mlrsearch", SECTION_TEST, TEST_LOADS},
	        {"run = ( { test = \"throughput\"; ... } ): further keys", SECTION_TEST, TEST_THROUGHPUT},
	        {"run = ( { test = \"mlrsearch\"; ... } ): further keys", SECTION_TEST, TEST_MLRSEARCH},
	        {"goals = ( { ... }, ... ): keys of a goal", SECTION_GOAL, 0},
	        {"run = ( { test = \"back_to_back\"; ... } ): further keys", SECTION_TEST, TEST_BACK_TO_BACK},
	};

	for (size_t part = 0; part < sizeof(PARTS) / sizeof(PARTS[0]); part++) {
		fprintf(out, "%s### %s\n\n", part ? "\n" : "", PARTS[part].heading);
		for (size_t i = 0; i < PLAN_KEY_COUNT; i++) {
			if (PLAN_KEYS[i].section == PARTS[part].section && PLAN_KEYS[i].tests == PARTS[part].tests)
				print_key(out, &PLAN_KEYS[i]);
		}
	}
}
