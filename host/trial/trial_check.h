/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a trial: from what was programmed and what the hardware counted to a trial result. Pure. Device data are not
 * trusted: any counter may hold anything, and an impossible value is reported as such, never as loss of the DUT. */
#ifndef FPGAUGE_TRIAL_TRIAL_CHECK_H
#define FPGAUGE_TRIAL_TRIAL_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "host/trial/pacing.h"
#include "host/trial/tester.h"
#include "hw/regs/fpgauge_regs.h"

/* The frozen counters of a port, each under the name of the register map. */
struct port_counters {
#define FPGAUGE_COUNTER_FIELD(NAME, name) uint64_t name;
	FPGAUGE_COUNTERS(FPGAUGE_COUNTER_FIELD)
#undef FPGAUGE_COUNTER_FIELD
};

/* One stream: a flow of a sending port, and what a receiver counted for it. */
struct stream_counters {
	unsigned source_port, entry, receiver_port;
	uint64_t sent;
	uint64_t received, lost, duplicated, late, next;
};

enum { TRIAL_MAX_STREAMS_READ = 8 }; /* per sending port; tables are large and a register access on a card is slow */

struct trial_counters {
	unsigned ports;
	struct port_counters port[TRIAL_MAX_PORTS];
	size_t stream_count;
	struct stream_counters stream[TRIAL_MAX_PORTS * TRIAL_MAX_STREAMS_READ];
};

/* Fills *result: sums, ports, and valid or the first reason why not. The request has traffic. */
void trial_judge(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps,
                 const struct trial_counters *counters, struct trial_result *result);

/* Makes the trial invalid if a histogram was read and does not hold as many values as were measured. */
void trial_judge_histograms(struct trial_result *result);

#endif
