/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the tests of buffers (RFC 8239 section 3.2). */
#ifndef FPGAUGE_BENCH_RFC8239_PORT_BUFFER_KEYS_H
#define FPGAUGE_BENCH_RFC8239_PORT_BUFFER_KEYS_H

#include "host/bench/rfc8239/rfc8239_common.h"

struct port_buffer_settings {
	struct rfc8239_settings common; /* first, for its keys */
	struct quantity oversubscription;
	uint64_t max_frames;
	unsigned positions; /* how many egress ports, or places of all ports; 0: all */
	unsigned dscp, cos;
};

static inline const struct port_buffer_settings *port_buffer_settings(const struct plan_test *test)
{
	return test->settings;
}

extern const struct key_slice PORT_BUFFER_KEYS;
/* `positions`, each of one meaning and default. */
extern const struct key_slice BUFFER_ALL_PORTS_KEYS, BUFFER_ONE_PORT_KEYS, BUFFER_LAST_PORTS_KEYS, BUFFER_PLACES_KEYS;

/* finish() of procedures 1 to 3, and of procedure 4, whose oversubscription is added to 99.98% of line rate. */
int port_buffer_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);
int device_buffer_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                         struct error *error);

#endif
