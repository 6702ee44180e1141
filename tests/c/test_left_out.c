/* SPDX-License-Identifier: Apache-2.0 */
/* A result that is not what the schema says does not take the other results of its run along. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/report/load.h"
#include "store_case.h"

TestSuite(left_out, .init = store_case_enter, .fini = store_case_leave);

#define RESULT(octets, throughput)                                                                                     \
	{                                                                                                              \
		.test_number = 1, .test = "throughput", .rfc = "RFC 2544 26.1", .frame_octets = (octets),              \
		.valid = true,                                                                                         \
		.document = "{\"test\": \"throughput\", \"test_number\": 1, \"frame_octets\": " #octets                \
		            ", \"valid\": true, \"throughput_fps\": " throughput "}"                                   \
	}

static json_t *report_of(struct store_result *results, size_t count, size_t *left_out, struct error *error)
{
	struct store *store = store_case_create();
	json_t *report = NULL, *strict = NULL;
	struct error why = {0};

	cr_assert_eq(store_results_put(store, results, count, error), 0, "%s", error->text);
	cr_assert_eq(store_event(store, "finished", NULL, error), 0);
	cr_assert_eq(report_load_most(store, &report, left_out, error), 0, "%s", error->text);
	/* a comparison must have all of them */
	cr_expect_eq(report_load(store, &strict, &why), *left_out ? ERROR_STORE : 0);
	cr_expect_eq(!strict, *left_out != 0);
	json_decref(strict);
	store_close(store);
	return report;
}

static void check_left_out(struct store_result odd, const char *why)
{
	struct store_result results[] = {RESULT(64, "1e6"), odd, RESULT(128, "2e6")};
	struct error error = {0};
	size_t left_out = 0;
	json_t *report = report_of(results, 3, &left_out, &error), *kept = json_object_get(report, "results");
	const char *incomplete = json_string_value(json_object_get(report, "incomplete"));

	cr_expect_eq(left_out, 1);
	cr_assert_eq(json_array_size(kept), 2);
	cr_expect_eq(json_integer_value(json_object_get(json_array_get(kept, 0), "frame_octets")), 64);
	cr_expect_eq(json_integer_value(json_object_get(json_array_get(kept, 1), "frame_octets")), 128);
	cr_expect(incomplete && strstr(incomplete, "1 of 3 results cannot be shown: ") && strstr(incomplete, why), "%s",
	          incomplete);
	cr_expect(strstr(error.text, why), "%s", error.text);
	cr_expect(!report_passes(report));
	json_decref(report);
}

Test(left_out, a_result_with_an_unknown_answer_leaves_the_report_of_the_others_and_is_named_with_its_key)
{
	struct store_result odd = RESULT(512, "1e6");

	odd.test = "frame_loss_rate";
	odd.document = "{\"test\": \"frame_loss_rate\", \"test_number\": 1, \"frame_octets\": 512, \"valid\": true, "
	               "\"max_loss_percent\": null}";
	check_left_out(odd, "/results/1/max_loss_percent = null: must be of type \"number\"");
}

Test(left_out, a_result_whose_document_is_damaged_leaves_the_report_of_the_others)
{
	struct store_result odd = RESULT(512, "1e6");

	odd.document = "[1]";
	check_left_out(odd, "the document of result 2 is not a JSON object");
}

Test(left_out, a_result_whose_columns_say_something_else_leaves_the_report_of_the_others)
{
	struct store_result odd = RESULT(512, "1e6");

	odd.frame_octets = 1024;
	check_left_out(odd, "the column frame_octets of result 2 is not what its document says");
}

Test(left_out, nothing_is_left_out_of_a_run_whose_results_are_as_the_schema_says)
{
	struct store_result results[] = {RESULT(64, "1e6"), RESULT(128, "2e6")};
	struct error error = {0};
	size_t left_out = 7;
	json_t *report = report_of(results, 2, &left_out, &error);

	cr_expect_eq(left_out, 0);
	cr_expect_eq(json_array_size(json_object_get(report, "results")), 2);
	cr_expect_eq(error.code, 0, "%s", error.text);
	json_decref(report);
}
