/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the device under test answers to the management queries of a trial (RFC 2544 section 11.2: "The
 * response frame SHOULD be verified"). An answer that is missing or wrong is a fact about the device, and no loss of
 * test frames. */
#ifndef FPGAUGE_TRIAL_DEVICE_MANAGEMENT_WATCH_H
#define FPGAUGE_TRIAL_DEVICE_MANAGEMENT_WATCH_H

#include "host/trial/protocols.h"
#include "host/trial/tester.h"

struct management_watch {
	bool active;   /* there are queries */
	unsigned port; /* the port that sends them */
	struct management_query query;
	uint64_t answers; /* distinct and right */
	uint64_t wrong;   /* frames to who asked that are no answer to any query, or a second one to it */
	enum management_verdict first_wrong;
	uint64_t next; /* one more than the highest number of a query that was answered */
	uint64_t seen; /* bit n: the answer to query next - 1 - n was read */
};

void management_watch_begin(struct management_watch *watch, const struct traffic *traffic,
                            const struct traffic_shape *shape);

/* A frame of others came to a port. Whoever asked is told only by its whole octets. */
void management_watch_hear(struct management_watch *watch, unsigned port, const uint8_t *octets, unsigned count);

/* Fills in what was heard. The trial becomes invalid if answers may be among frames that nobody could read. */
void management_watch_report(const struct management_watch *watch, struct trial_result *result);

#endif
