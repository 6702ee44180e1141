/* SPDX-License-Identifier: Apache-2.0 */
/* Errored frames filtering (RFC 2889 5.9): whether a device forwards frames that it must not. errored_frames_keys.c has
 * its keys and what is known before the first trial, errored_conditions.c the errors and their frames,
 * errored_frames_description.c what it reports. */
#ifndef FPGAUGE_BENCH_RFC2889_ERRORED_FRAMES_H
#define FPGAUGE_BENCH_RFC2889_ERRORED_FRAMES_H

#include "host/bench/benchmark.h"
#include "host/bench/rfc2889/rfc2889_common.h"

struct errored_frames_settings {
	struct rfc2889_settings rfc2889;
	struct plan_counts loads;     /* percent of line rate */
	struct plan_counts undersize; /* octets */
	struct plan_counts oversize;
	unsigned max_frame_octets; /* that the device is to forward */
	bool tagged, code;
};

extern const struct key_slice ERRORED_FRAMES_KEYS;
extern const struct result_description ERRORED_FRAMES_RESULTS;
extern const struct benchmark RFC2889_ERRORED_FRAMES;

static inline const struct errored_frames_settings *errored_frames_settings(const struct plan_test *test)
{
	return test->settings;
}

enum errored_kind { ERRORED_OVERSIZE, ERRORED_TAGGED, ERRORED_UNDERSIZE, ERRORED_FCS, ERRORED_CODE };

/* What the clause says of a device that receives such frames. */
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

/* For struct benchmark. */
int errored_frames_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                          struct error *error);
struct extent errored_frames_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double errored_frames_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void errored_frames_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
