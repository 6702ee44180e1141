/* SPDX-License-Identifier: Apache-2.0 */
/* Request ids go up by one from query to query, so that of an answer its query is known. */
#include "host/trial/device/management_watch.h"

#include <inttypes.h>

#include "host/trial/judging/verdict.h"

enum { SEEN = 64, MOST_QUERIES = 1 << 24 };

void management_watch_begin(struct management_watch *watch, const struct traffic *traffic,
                            const struct traffic_shape *shape)
{
	*watch = (struct management_watch){0};
	watch->active = trial_protocols_query(traffic, shape, &watch->port, &watch->query);
}

/* True if the answer to a query, by its number from 0, is read for the first time. Nothing is known of queries more
 * than a minute before the last one answered. */
static bool is_first(struct management_watch *watch, uint64_t number)
{
	uint64_t before;

	if (number >= watch->next) {
		const uint64_t steps = number + 1 - watch->next;

		watch->seen = steps < SEEN ? watch->seen << steps | 1 : 1;
		watch->next = number + 1;
		return true;
	}
	before = watch->next - 1 - number;
	if (before >= SEEN || watch->seen >> before & 1)
		return false;
	watch->seen |= UINT64_C(1) << before;
	return true;
}

void management_watch_hear(struct management_watch *watch, unsigned port, const uint8_t *octets, unsigned count)
{
	struct management_answer answer;
	enum management_verdict verdict;

	if (!watch->active || port != watch->port)
		return;
	verdict = management_read(&watch->query, MOST_QUERIES, octets, count, &answer);
	if (verdict == MANAGEMENT_ANOTHER_FRAME)
		return;
	if (verdict == MANAGEMENT_ANSWERED && is_first(watch, answer.request_id - watch->query.request_id)) {
		watch->answers++;
		return;
	}
	if (watch->wrong++ == 0) /* a second answer is one to another request than those that are open */
		watch->first_wrong = verdict == MANAGEMENT_ANSWERED ? MANAGEMENT_OTHER_REQUEST : verdict;
}

void management_watch_report(const struct management_watch *watch, struct trial_result *result)
{
	struct trial_port *port;

	if (!watch->active)
		return;
	port = &result->port[watch->port];
	port->management_answers = watch->answers;
	port->management_wrong_frames = watch->wrong;
	port->management_verdict = watch->first_wrong;
	if (watch->next > port->management_queries) { /* answers a query that was never sent */
		port->management_answers -= watch->next - port->management_queries < watch->answers
		                                    ? watch->next - port->management_queries
		                                    : watch->answers;
		port->management_wrong_frames += watch->answers - port->management_answers;
		if (watch->wrong == 0)
			port->management_verdict = MANAGEMENT_OTHER_REQUEST;
	}
	if (port->management_answers < port->management_queries && port->foreign_unread_frames)
		trial_invalid(result,
		              "port %u: %" PRIu64
		              " frames of the device had no room, so it is not known whether %" PRIu64 " of %" PRIu64
		              " management queries were answered",
		              watch->port, port->foreign_unread_frames,
		              port->management_queries - port->management_answers, port->management_queries);
}
