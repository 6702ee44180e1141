/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a test of TCP incast, and where their values are kept. */
#ifndef FPGAUGE_BENCH_RFC8239_INCAST_KEYS_H
#define FPGAUGE_BENCH_RFC8239_INCAST_KEYS_H

#include "host/bench/rfc8239/rfc8239_common.h"

struct incast_settings {
	struct rfc8239_settings common; /* first, for its keys */
	unsigned connections;           /* connections of each stateful port */
	unsigned mss, window, window_scale, initial_window, ack_every, connection_octets;
	uint64_t ack_delay_ns, min_rto_ns, initial_rto_ns, lead_ns, trial_duration_ns;
	struct quantity burst, intensity;
	unsigned stateful, stateless; /* how many ports; both 0: all variations */
	unsigned positions;           /* how often all ports move on by one; 0: until each was first */
};

static inline const struct incast_settings *incast_settings(const struct plan_test *test)
{
	return test->settings;
}

extern const struct key_slice INCAST_KEYS;

/* Refuses settings that contradict one another. */
int incast_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);

#endif
