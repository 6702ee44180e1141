/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a result: sums over trials. */
#include <inttypes.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/bench/result.h"

/* A sum is unknown as soon as one of its parts is. */
static void add(uint64_t *sum, uint64_t count)
{
	*sum = *sum == COUNT_UNKNOWN || count == COUNT_UNKNOWN ? COUNT_UNKNOWN : *sum + count;
}

#define ADD_OF_TRIAL(name, ...) add(&sums->name, result->name);
#define ADD_OF_PORT(name, ...) add(&sums->name, port->name);
#define COUNT(name) result_count(counters, #name, sums->name)
#define COUNT_ROW(name, ...) COUNT(name);

void counters_add(struct counter_sums *sums, const struct trial_result *result)
{
	sums->trials++;
	sums->offered_frames += result->offered_frames;
	sums->received_frames += result->received_frames;
	sums->lost_frames += result->lost_frames;
	FLOW_COUNTERS(ADD_OF_TRIAL)
	sums->far_reordered_frames += result->far_reordered_frames;
	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &result->port[i];

		RECEIVER_COUNTERS(ADD_OF_PORT)
		for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++)
			add(&sums->foreign[kind], port->foreign[kind]);
		add(&sums->foreign_unread_frames, port->foreign_unread_frames);
		add(&sums->host_frames, port->host_frames);
		sums->broadcast_offered_frames += port->broadcast_offered_frames;
		sums->broadcast_expected_frames += port->broadcast_expected_frames;
		sums->broadcast_received_frames += port->broadcast_received_frames;
		sums->management_queries += port->management_queries;
		sums->management_answers += port->management_answers;
		sums->management_wrong_frames += port->management_wrong_frames;
		sums->routing_updates += port->routing_updates;
	}
}

static bool known_and_some(uint64_t count)
{
	return count != COUNT_UNKNOWN && count != 0;
}

/* Written only where there are unexpected frames, since most results have none. */
static void count_kinds(json_t *counters, const struct counter_sums *sums)
{
	for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++) {
		char key[40];

		snprintf(key, sizeof(key), "foreign_%s_frames", FOREIGN_KIND_NAMES[kind]);
		result_count(counters, key, sums->foreign[kind]);
	}
}

/* Written only for a test with this modifier, as is the next one. */
static void count_broadcast(json_t *counters, const struct counter_sums *sums)
{
	result_count(counters, "broadcast_offered_frames", sums->broadcast_offered_frames);
	result_count(counters, "broadcast_expected_frames", sums->broadcast_expected_frames);
	result_count(counters, "broadcast_received_frames", sums->broadcast_received_frames);
	result_count(counters, "broadcast_lost_frames",
	             sums->broadcast_expected_frames - sums->broadcast_received_frames);
}

static void count_management(json_t *counters, const struct counter_sums *sums)
{
	result_count(counters, "management_queries", sums->management_queries);
	result_count(counters, "management_answers", sums->management_answers);
	result_count(counters, "management_unanswered", sums->management_queries - sums->management_answers);
	result_count(counters, "management_wrong_frames", sums->management_wrong_frames);
}

const char *result_foreign_text(const struct counter_sums *sums, char text[RESULT_FOREIGN_TEXT])
{
	size_t length = 0;

	text[0] = 0;
	for (unsigned kind = 0; kind <= FOREIGN_KINDS; kind++) {
		const uint64_t count = kind < FOREIGN_KINDS ? sums->foreign[kind] : sums->foreign_unread_frames;

		if (known_and_some(count))
			length += (size_t)snprintf(text + length, RESULT_FOREIGN_TEXT - length, "%s%" PRIu64 " %s",
			                           length ? ", " : " (", count,
			                           kind < FOREIGN_KINDS ? FOREIGN_KIND_NAMES[kind] : "not read");
	}
	if (length)
		snprintf(text + length, RESULT_FOREIGN_TEXT - length, ")");
	return text;
}

void result_counters(json_t *object, const char *key, const struct counter_sums *sums)
{
	json_t *counters = json_object();

	result_count(counters, "trials", sums->trials);
	COUNT(offered_frames);
	COUNT(received_frames);
	COUNT(lost_frames);
	PORT_COUNTERS(COUNT_ROW)
	if (sums->far_reordered_frames)
		COUNT(far_reordered_frames);
	if (known_and_some(sums->host_frames))
		COUNT(host_frames);
	if (sums->broadcast_offered_frames)
		count_broadcast(counters, sums);
	if (sums->management_queries)
		count_management(counters, sums);
	if (sums->routing_updates)
		COUNT(routing_updates);
	if (known_and_some(sums->foreign_frames)) {
		count_kinds(counters, sums);
		COUNT(foreign_unread_frames);
	}
	json_put(object, key, counters);
}

void result_count_none(const struct session *session, json_t *counters)
{
	static const struct counter_sums NONE;

	if (traffic_has(&session->shape, TRAFFIC_BROADCAST) && !json_object_get(counters, "broadcast_offered_frames"))
		count_broadcast(counters, &NONE);
	if (traffic_has(&session->shape, TRAFFIC_MANAGEMENT) && !json_object_get(counters, "management_queries"))
		count_management(counters, &NONE);
	if (traffic_has(&session->shape, TRAFFIC_ROUTING) && !json_object_get(counters, "routing_updates"))
		result_count(counters, "routing_updates", 0);
}
