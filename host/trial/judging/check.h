/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a trial: from what was programmed and what the hardware counted to a trial result. Pure. Device data are not
 * trusted: any counter may hold anything, and an impossible value is reported as such, never as loss of the DUT. */
#ifndef FPGAUGE_TRIAL_JUDGING_CHECK_H
#define FPGAUGE_TRIAL_JUDGING_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "host/traffic/traffic.h"
#include "host/trial/pacing/pacing.h"
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

/* A verdict reads all flows if they are few; of more, so many of each sending port: tables are large and a register
 * access on a card is slow. */
enum { TRIAL_ALL_STREAMS = TRIAL_MAX_FLOWS, TRIAL_MAX_STREAMS_READ = 8 };

/* Frames received of the streams that are counted apart, over all of them. */
struct apart_counters {
	uint64_t received, duplicated, late;
};

struct trial_counters {
	unsigned ports;
	struct port_counters port[TRIAL_MAX_PORTS];
	uint32_t link_status[TRIAL_MAX_PORTS]; /* the register: fields FPGAUGE_PORT_LINK_STATUS_... */
	uint64_t tcp_frames[TRIAL_MAX_PORTS];  /* sent by TCP connections, on ports that send nothing else */
	uint64_t host_frames[TRIAL_MAX_PORTS]; /* sent by the slow path, each NEIGHBOUR_FRAME_OCTETS long */
	uint64_t rule_frames[TRIAL_MAX_PORTS][TRAFFIC_RULES]; /* sent by each rule of the traffic */
	struct apart_counters apart[TRIAL_MAX_PORTS];         /* received, counted apart */
	struct apart_counters at_tag[TRIAL_MAX_PORTS];        /* received, from rules at tags */
	uint64_t at_tag_arrived[TRIAL_MAX_PORTS]; /* arrived anywhere, by the port that sent them, without duplicates */
	size_t stream_count;
	struct stream_counters stream[TRIAL_ALL_STREAMS];
};

/* Fills *result: sums, ports, and valid or the first reason why not. The request has traffic. */
void trial_judge(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps,
                 const struct trial_counters *counters, struct trial_result *result);

/* Makes the trial invalid if all flows were read and are not, all together, what the ports counted. */
void trial_judge_flows(const struct traffic *traffic, struct trial_result *result);

/* Notes the latency of a tagged frame at the port that sent it: the least where it arrived at several ports, less that
 * of its way, way_ot. Makes the trial invalid if it is not among the latencies that the receiving port measured. Octet
 * times. */
void trial_note_tag(struct trial_result *result, unsigned from, unsigned to, uint64_t latency_ot, uint64_t way_ot);

/* Makes the trial invalid if a tagged frame of a port with a rule at its tag is of another flow than that one. */
void trial_check_tag_flow(const struct traffic *traffic, unsigned from, unsigned flow, struct trial_result *result);

/* Makes the trial invalid if no frame was lost, and yet the tagged frame of a port did not come back. */
void trial_judge_tags(const struct trial_request *request, struct trial_result *result);

/* Makes the trial invalid if a histogram was read and does not hold as many values as were measured; for several
 * bursts, if there are not as many gaps within them as there must be, or of another average. */
void trial_judge_histograms(const struct trial_request *request, struct trial_result *result);

#endif
