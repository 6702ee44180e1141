/* SPDX-License-Identifier: Apache-2.0 */
/* docs/results.md contains the tables that `fpgauge help results` prints, word for word, between marks. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/help/results_page.h"

/* The function is not inlined: gcc 12 mistakes what open_memstream() fills in for a pointer to the variable itself, and
 * warns. benchmark NULL: the counters. */
__attribute__((noinline)) static char *table_of(const struct benchmark *benchmark)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (benchmark)
		results_page_print_benchmark(out, benchmark);
	else
		results_page_print_counters(out);
	fclose(out);
	return text;
}

static void expect_in_page(const char *page, const char *name, char *table)
{
	char mark[100];
	const char *begin, *end;

	snprintf(mark, sizeof(mark), "<!-- %s: fpgauge help results -->\n", name);
	begin = strstr(page, mark);
	end = begin ? strstr(begin, "<!-- end of keys -->") : NULL;
	cr_assert(begin && end, "docs/results.md has no table of %s", name);
	begin += strlen(mark);
	cr_expect(strlen(table) == (size_t)(end - begin) && !strncmp(table, begin, strlen(table)),
	          "docs/results.md is stale: put what `fpgauge help results` prints of %s between its marks", name);
	free(table);
}

Test(results_page, the_tables_of_the_page_are_the_descriptions)
{
	FILE *file = fopen(FPGAUGE_DOCS "/results.md", "r");
	char page[262144] = {0};

	cr_assert_not_null(file);
	cr_assert_lt(fread(page, 1, sizeof(page) - 1, file), sizeof(page) - 1);
	fclose(file);
	expect_in_page(page, "counters", table_of(NULL));
	for (size_t i = 0; i < BENCHMARK_COUNT; i++)
		expect_in_page(page, benchmark_name(BENCHMARKS[i]), table_of(BENCHMARKS[i]));
}
