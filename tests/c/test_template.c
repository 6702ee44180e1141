/* SPDX-License-Identifier: Apache-2.0 */
/* Report lines made from texts with values in braces. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "host/report/template.h"

static void expect(const char *text, const char *first, const char *second, const char *wanted)
{
	json_t *one = json_loads(first, 0, NULL), *other = json_loads(second, 0, NULL);
	char *got = template_text(text, one, other);

	cr_assert_not_null(one);
	cr_assert_not_null(other);
	if (wanted)
		cr_expect_str_eq(got ? got : "(nothing)", wanted, "%s: %s", text, got);
	else
		cr_expect_null(got, "%s: %s", text, got);
	free(got);
	json_decref(one);
	json_decref(other);
}

Test(template, values_are_shown_by_the_unit_that_ends_their_key)
{
	expect("{settle_s}, {load_percent}, {loss_ratio}, {rate_fps}, {latency_ns}, {burst_frames}, {name}, {regular}",
	       "{\"settle_s\": 0.002, \"load_percent\": 67.2, \"loss_ratio\": 0.005, \"rate_fps\": 148809523.81, "
	       "\"latency_ns\": 1500.0, \"burst_frames\": 683, \"name\": \"doubling\", \"regular\": true}",
	       "{}", "2.00 ms, 67.200%, 0.500%, 148809523.8, 1.50 us, 683, doubling, yes");
}

Test(template, a_form_behind_a_colon_says_how_a_value_is_shown)
{
	expect("{a:3} {b:%} {c:fps}", "{\"a\": 1.0, \"b\": 0.25, \"c\": 148809523.8}", "{}",
	       "1.000 25.000% 148.81 Mfps");
}

Test(template, a_value_is_looked_up_in_the_first_object_and_then_in_the_second)
{
	expect("{a}, {b}, {c}", "{\"a\": 1, \"b\": null}", "{\"a\": 2, \"b\": 3, \"c\": 4}", "1, 3, 4");
}

Test(template, what_stands_in_brackets_is_left_out_where_a_value_is_not_known)
{
	const char *text = "{search}[, at most {max_trials} trials, z {z}][ of {traffic_s}]";

	expect(text, "{\"search\": \"binary\", \"max_trials\": 1, \"z\": null}", "{}", "binary");
	expect(text, "{\"search\": \"binary\", \"max_trials\": 2, \"z\": \"10%\", \"traffic_s\": 60}", "{}",
	       "binary, at most 2 trials, z 10% of 60.00 s");
}

Test(template, a_question_mark_asks_for_more_than_zero)
{
	expect("[?warm_up_s {warm_up_s} at the highest load]", "{\"warm_up_s\": 1}", "{}",
	       "1.00 s at the highest load");
	expect("[?warm_up_s {warm_up_s} at the highest load]", "{\"warm_up_s\": 0}", "{}", NULL);
	expect("[?warm_up_s {warm_up_s} at the highest load]", "{}", "{}", NULL);
}

Test(template, one_unknown_value_is_a_dash_and_a_line_of_none_is_left_out)
{
	expect("settle {settle_s}, drain {drain_s}", "{\"settle_s\": 1}", "{}", "settle 1.00 s, drain -");
	expect("settle {settle_s}, drain {drain_s}", "{\"settle_s\": null}", "{}", NULL);
	expect("Search", "{}", "{}", "Search");
}

/* Descriptions are ours, but values may hold anything. */
Test(template, what_looks_like_a_template_in_a_value_is_text)
{
	expect("{name}", "{\"name\": \"{name} [?x {y}]%s\"}", "{}", "{name} [?x {y}]%s");
	expect("open { and [ are text", "{}", "{}", "open { and [ are text");
}

Test(template, a_part_may_be_for_one_value_or_for_all_others)
{
	const char *text = "[pattern!pairs {pattern}, ]{way}[pattern=pairs : {n} each][pattern!pairs : {n} a pair]";

	expect(text, "{\"pattern\": \"pairs\", \"way\": \"out\", \"n\": 2}", "{}", "out: 2 each");
	expect(text, "{\"pattern\": \"mesh\", \"way\": \"out\"}", "{\"n\": 3}", "mesh, out: 3 a pair");
	expect(text, "{\"pattern\": \"pair\", \"way\": \"out\", \"n\": 3}", "{}", "pair, out: 3 a pair");
	expect(text, "{\"way\": \"out\", \"n\": 1}", "{}", "out: 1 each");
	expect("[a, b = {b}]", "{\"b\": 1}", "{}", "a, b = 1");
}
