/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the errored frames benchmark, RFC 2889 section 5.9, their checks, and how long it takes. */
#ifndef FPGAUGE_BENCH_RFC2889_ERRORED_FRAMES_KEYS_H
#define FPGAUGE_BENCH_RFC2889_ERRORED_FRAMES_KEYS_H

#include "host/bench/extent.h"
#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/bench/shorter.h"

struct errored_frames_settings {
	struct rfc2889_settings rfc2889;
	struct plan_counts loads;     /* percent of line rate */
	struct plan_counts undersize; /* octets */
	struct plan_counts oversize;
	unsigned max_frame_octets; /* longest frame that the device is to forward */
	bool tagged, fcs, code;
};

extern const struct key_slice ERRORED_FRAMES_KEYS;

static inline const struct errored_frames_settings *errored_frames_settings(const struct plan_test *test)
{
	return test->settings;
}

/* Functions for struct benchmark. */
int errored_frames_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                          struct error *error);
const char *errored_frames_cannot_send(const struct plan_test *test, uint32_t sends);
struct extent errored_frames_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double errored_frames_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void errored_frames_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
