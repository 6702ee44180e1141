/* SPDX-License-Identifier: Apache-2.0 */
/* Tests and results in words. */
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/rate_words.h"
#include "host/report/value.h"

const char *html_test_title(const char *test)
{
	if (!strcmp(test, "throughput"))
		return "Throughput";
	if (!strcmp(test, "back_to_back"))
		return "Back-to-back frames";
	if (!strcmp(test, "mlrsearch"))
		return "MLRsearch";
	return test;
}

const char *html_result_title(const json_t *result)
{
	const char *test = value_string(result, "test");

	return !strcmp(test, "throughput") ? rate_words(result)->name : html_test_title(test);
}
