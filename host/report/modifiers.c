/* SPDX-License-Identifier: Apache-2.0 */
/* Results have the names of modifiers only; what they do is said by the table of host/traffic. */
#include "host/report/modifiers.h"

#include <stdio.h>
#include <string.h>

#include "host/report/value.h"
#include "host/traffic/modifiers.h"

static uint32_t modifiers_of(const json_t *result)
{
	const char *text = json_string_value(json_object_get(result, "modifier"));
	uint32_t modifiers;

	return text && traffic_modifiers_parse(text, &modifiers) ? modifiers : 0;
}

void modifiers_each(const struct part *part, void (*each)(void *user, const char *name, const char *words), void *user)
{
	uint32_t any = 0;

	for (size_t i = 0; i < part->count; i++)
		any |= modifiers_of(part->results[i]);
	for (unsigned row = 0; traffic_modifier_name(row); row++)
		if (any >> row & 1)
			each(user, traffic_modifier_name(row), traffic_modifier_words(row));
}

static bool broadcasts(const json_t *result, char text[MODIFIERS_TEXT])
{
	const json_t *counters = json_object_get(result, "counters");

	if (!value_known(counters, "broadcast_offered_frames"))
		return false;
	snprintf(text, MODIFIERS_TEXT,
	         "%s broadcast frames sent; of %s that had to arrive at ports, %s did, and %s were lost: these are "
	         "counted "
	         "apart, and are no loss of the test frames (RFC 2544 section 11.1)",
	         value_text(counters, "broadcast_offered_frames", 0).text,
	         value_text(counters, "broadcast_expected_frames", 0).text,
	         value_text(counters, "broadcast_received_frames", 0).text,
	         value_text(counters, "broadcast_lost_frames", 0).text);
	return true;
}

static bool management(const json_t *result, char text[MODIFIERS_TEXT])
{
	const json_t *counters = json_object_get(result, "counters");

	if (!value_known(counters, "management_queries"))
		return false;
	snprintf(text, MODIFIERS_TEXT,
	         "%s management queries sent, %s answered and verified, %s not answered; %s wrong answers: these "
	         "frames are "
	         "counted apart (RFC 2544 section 11.2)",
	         value_text(counters, "management_queries", 0).text, value_text(counters, "management_answers", 0).text,
	         value_text(counters, "management_unanswered", 0).text,
	         value_text(counters, "management_wrong_frames", 0).text);
	return true;
}

static bool routing(const json_t *result, char text[MODIFIERS_TEXT])
{
	const json_t *counters = json_object_get(result, "counters");

	if (!value_known(counters, "routing_updates"))
		return false;
	snprintf(text, MODIFIERS_TEXT, "%s routing updates sent, counted apart (RFC 2544 section 11.3); %s",
	         value_text(counters, "routing_updates", 0).text,
	         value_known(json_object_get(result, "parameters"), "routing_wait_s")
	                 ? "test frames went to networks of which only an update before each trial told (section 13)"
	                 : "whether the device processed them was not verified");
	return true;
}

static bool filters(const json_t *result, char text[MODIFIERS_TEXT])
{
	const json_t *object = json_object_get(result, "filters");

	if (!value_known(object, "blocked_sent_frames"))
		return false;
	snprintf(text, MODIFIERS_TEXT,
	         "before and after these trials, %s frames were sent that the filters must block; %s of them arrived "
	         "(RFC 2544 "
	         "section 11.4). The filters are in the results in JSON, and `fpgauge check` prints them",
	         value_text(object, "blocked_sent_frames", 0).text,
	         value_text(object, "blocked_arrived_frames", 0).text);
	return true;
}

bool modifiers_remark(const json_t *result, unsigned remark, char text[MODIFIERS_TEXT])
{
	static bool (*const REMARKS[MODIFIERS_REMARKS])(const json_t *result, char text[MODIFIERS_TEXT]) = {
	        broadcasts, management, routing, filters};

	return REMARKS[remark](result, text);
}
