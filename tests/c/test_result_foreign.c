/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a result says of unexpected frames: by kind, and only where there were some. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/bench/result.h"

static const char *text_of(const struct counter_sums *sums)
{
	static char text[RESULT_FOREIGN_TEXT];

	return result_foreign_text(sums, text);
}

static json_t *counters_of(const struct counter_sums *sums)
{
	static json_t *result;

	json_decref(result);
	result = json_object();
	result_counters(result, "counters", sums);
	return json_object_get(result, "counters");
}

Test(result_foreign, kinds_are_named_with_their_counts)
{
	struct counter_sums sums = {.foreign_frames = 9, .foreign_unread_frames = 2};

	sums.foreign[FOREIGN_ARP] = 3;
	sums.foreign[FOREIGN_PAUSE] = 4;
	cr_expect_str_eq(text_of(&sums), " (3 arp, 4 pause, 2 not read)");
}

Test(result_foreign, what_did_not_come_and_what_is_not_known_is_not_named)
{
	struct counter_sums sums = {.foreign_frames = 1, .foreign_unread_frames = COUNT_UNKNOWN};

	cr_expect_str_eq(text_of(&sums), "");
	sums.foreign[FOREIGN_LLDP] = 1;
	sums.foreign[FOREIGN_OTHER] = COUNT_UNKNOWN;
	cr_expect_str_eq(text_of(&sums), " (1 lldp)");
}

Test(result_foreign, the_largest_counts_of_all_kinds_have_room)
{
	struct counter_sums sums = {.foreign_unread_frames = COUNT_UNKNOWN - 1};
	const char *text;

	for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++)
		sums.foreign[kind] = COUNT_UNKNOWN - 1;
	text = text_of(&sums);
	cr_expect(strlen(text) < RESULT_FOREIGN_TEXT - 1 && text[strlen(text) - 1] == ')', "%s", text);
}

Test(result_foreign, counters_have_the_kinds_where_foreign_frames_came)
{
	struct counter_sums sums = {.foreign_frames = 7, .foreign_unread_frames = 1, .host_frames = 2};
	const json_t *counters;

	sums.foreign[FOREIGN_ND] = 6;
	counters = counters_of(&sums);
	cr_expect_eq(json_integer_value(json_object_get(counters, "foreign_nd_frames")), 6);
	cr_expect(json_is_integer(json_object_get(counters, "foreign_arp_frames")));
	cr_expect_eq(json_integer_value(json_object_get(counters, "foreign_arp_frames")), 0);
	cr_expect_eq(json_integer_value(json_object_get(counters, "foreign_unread_frames")), 1);
	cr_expect_eq(json_integer_value(json_object_get(counters, "host_frames")), 2);
	sums = (struct counter_sums){.trials = 1};
	counters = counters_of(&sums);
	cr_expect_null(json_object_get(counters, "foreign_nd_frames"));
	cr_expect_null(json_object_get(counters, "host_frames"));
}
