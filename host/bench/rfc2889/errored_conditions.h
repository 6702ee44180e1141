/* SPDX-License-Identifier: Apache-2.0 */
/* The errors that frames have on purpose, RFC 2889 section 5.9.3. */
#ifndef FPGAUGE_BENCH_RFC2889_ERRORED_CONDITIONS_H
#define FPGAUGE_BENCH_RFC2889_ERRORED_CONDITIONS_H

#include "host/plan/plan.h"
#include "host/traffic/traffic.h"

enum errored_kind { ERRORED_OVERSIZE, ERRORED_TAGGED, ERRORED_UNDERSIZE, ERRORED_FCS, ERRORED_CODE };

/* The rule of the clause for a device that receives such frames. */
enum errored_rule {
	ERRORED_MUST_FILTER,
	ERRORED_SHOULD_FILTER, /* "oversized frames should not be forwarded": forwarded is a fail, too */
	ERRORED_MAY_FORWARD,   /* either is a pass */
};

/* An error condition. */
struct errored_condition {
	enum errored_kind kind;
	uint32_t frame_octets;
};

/* Condition number `index` of a test at a frame size; false behind the last. */
bool errored_condition(const struct plan_test *test, uint32_t frame_octets, unsigned index,
                       struct errored_condition *condition);

const char *errored_name(enum errored_kind kind); /* "oversize" ... */
enum errored_rule errored_rule(enum errored_kind kind);

/* Makes all frames of traffic such frames. */
void errored_make(struct traffic *traffic, const struct errored_condition *condition);

#endif
