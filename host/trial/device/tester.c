/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a trial on a device: learn, program, send, drain, read, settle. The counters are judged in
 * judging/check.c. */
#include "host/trial/device/tester.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/fnv1a.h"
#include "host/trial/device/apart.h"
#include "host/trial/device/code_errors.h"
#include "host/trial/device/filters.h"
#include "host/trial/device/flows.h"
#include "host/trial/device/gateways.h"
#include "host/trial/device/histograms.h"
#include "host/trial/device/learning.h"
#include "host/trial/device/registers.h"
#include "host/trial/device/routing.h"
#include "host/trial/device/rules.h"
#include "host/trial/device/steps.h"
#include "host/trial/device/stragglers.h"
#include "host/trial/device/tags.h"
#include "host/trial/device/tcp.h"
#include "host/trial/judging/sum.h"
#include "host/trial/new_network.h"
#include "host/trial/protocols.h"
#include "host/trial/tcp_registers.h"
#include "host/trial/traffic.h"

struct device_tester {
	struct tester tester; /* first, so that a struct tester * points to this */
	struct device_steps steps;
	struct device_learning learning;
	struct device_gateways gateways;
	struct device_filters filters;
	bool listens; /* the slow path is in use: the device under test says something of its own */
	struct slow_path slow;
	struct latency_ways ways;
	struct trial_counters counters; /* the running trial's */
	unsigned trials; /* so far, with those that are answered from a record: the next new network has this number */
	_Atomic uint64_t own_sent_ot, *sent_ot; /* progress of this trial; read by the live display */
};

/* Reads what only a trial that can settle a result needs. */
static int read_details(const struct device_tester *tester, const struct trial_request *request,
                        const struct trial_counters *counters, struct trial_result *result, struct error *error)
{
	int status;

	if (!result->valid)
		return 0;
	status = device_flows_read(tester->steps.device, request, counters, &tester->ways, result, error);
	if (status)
		return status;
	if (request->tag_after_ot)
		status = device_tags_read(tester->steps.device, request->traffic, counters, &tester->ways, result,
		                          error);
	if (status)
		return status;
	status = device_histograms_read(tester->steps.device, request, result, error);
	if (status == 0) /* checked again, as after the counters */
		status = registers_check_id(tester->steps.device, error);
	if (status == 0) {
		trial_judge_flows(request->traffic, result);
		trial_judge_tags(request, result);
		trial_judge_histograms(request, result);
	}
	return status;
}

/* A simulation that was late between trials has caught up by this; what was before counts for none. */
static void forget_disturbance(struct device_tester *tester)
{
	char ignored[DEVICE_DISTURBANCE_SIZE];

	device_disturbance(tester->steps.device, ignored);
}

/* Makes the trial invalid if its device was disturbed, whatever the reason so far: anything else that is wrong is a
 * consequence. */
static void judge_disturbance(struct device_tester *tester, struct trial_result *result)
{
	char text[DEVICE_DISTURBANCE_SIZE];

	if (device_disturbance(tester->steps.device, text) != DEVICE_DISTURBED)
		return;
	result->valid = false;
	snprintf(result->why_invalid, sizeof(result->why_invalid), "%s", text);
}

/* A device that was reset knows no addresses. */
static void forget_device(struct device_tester *tester)
{
	tester->learning = (struct device_learning){0};
	tester->gateways = (struct device_gateways){0};
}

static int send(struct device_tester *tester, const struct trial_request *request, const struct pacing *pacing,
                struct tcp_counters *tcp, uint64_t *reset_ot, struct error *error)
{
	struct device_steps *steps = &tester->steps;

	steps->stopped = false;
	if (request->tcp.senders)
		return device_tcp_send(steps, request, pacing, tester->sent_ot, tcp, error);
	if (request->reset == TRIAL_LEFT_ALONE)
		return steps_send(steps, pacing, tester->sent_ot, error);
	return steps_send_and_reset(steps, request, pacing, tester->sent_ot, reset_ot, error);
}

/* Sends what was asked for, and lets the host hear and answer meanwhile; then all counters. */
static int offer(struct device_tester *tester, const struct trial_request *request, const struct pacing *pacing,
                 struct trial_counters *counters, struct tcp_counters *tcp, uint64_t *reset_ot, struct error *error)
{
	struct device_steps *steps = &tester->steps;
	int status;

	if (tester->listens || request->listens) {
		slow_path_begin(&tester->slow, tester->tester.info.device, request, request->traffic, pacing);
		steps->slow = &tester->slow;
	}
	status = steps_program(steps, request->traffic, pacing, error);
	if (status == 0)
		status = send(tester, request, pacing, tcp, reset_ot, error);
	if (status == 0)
		status = steps_drain(steps, request, error);
	if (status == 0)
		status = registers_read_counters(steps->device, request->traffic, counters, error);
	if (status == 0)
		status = device_code_errors_read(steps->device, request->traffic, counters, error);
	if (status == 0 && request->tcp.senders)
		status = device_tcp_read(steps, request, tcp, counters, error);
	if (status == 0)
		status = device_apart_read(steps->device, request->traffic, counters, error);
	if (status == 0)
		status = device_rules_read(steps->device, request->traffic, counters->rule_frames, error);
	if (status == 0 && steps->slow)
		status = slow_path_sent(steps->slow, steps->device, counters->host_frames, error);
	if (status == 0 && steps->slow)
		status = slow_path_finish(steps->slow, steps->device, counters, error);
	steps->slow = NULL;
	return status;
}

/* A device that has said something of its own is listened to from then on, and where a trial is about that; most never
 * do, and listening costs registers and, in simulations, time. */
static void report_foreign(struct device_tester *tester, const struct trial_request *request,
                           struct trial_result *result)
{
	static const struct slow_path NOBODY_LISTENED;

	slow_path_report(tester->listens || request->listens ? &tester->slow : &NOBODY_LISTENED, result);
	for (unsigned port = 0; port < result->ports; port++)
		tester->listens |= result->port[port].foreign_frames != 0;
}

static int run_trial(struct device_tester *tester, const struct trial_request *request, struct pacing *pacing,
                     struct trial_result *result, struct error *error)
{
	struct trial_request carried_out = *request; /* it differs from the request if somebody stopped it */
	struct trial_counters *counters = &tester->counters;
	struct tcp_counters tcp = {0};
	uint64_t offset_ot[TRIAL_MAX_PORTS], reset_ot = 0;
	const bool listened = tester->listens;
	int status = 0;

	forget_disturbance(tester);
	if (!request->shape.routed) /* a router does not learn from frames; it asks for hosts, and they ask for it */
		status = device_learn(&tester->learning, &tester->steps, request, error);

	if (status == 0)
		status = offer(tester, request, pacing, counters, &tcp, &reset_ot, error);
	if (request->reset != TRIAL_LEFT_ALONE)
		forget_device(tester);
	if (status == 0) /* a card that went away reads all ones, which is no result */
		status = registers_check_id(tester->steps.device, error);
	if (status)
		return status;
	if (tester->steps.stopped)
		status = send_watch_shorten(&carried_out, tester->tester.info.link_bps, tester->steps.stopped_ot,
		                            counters, pacing, error);
	if (status)
		return status;
	trial_judge(&carried_out, pacing, tester->tester.info.link_bps, counters, result);
	trial_tcp_judge(request, counters, &tcp, result);
	result->reset_ot = reset_ot;
	judge_disturbance(tester, result);
	report_foreign(tester, request, result);
	status = read_details(tester, request, counters, result, error);
	if (status)
		return status;
	latency_ways_offsets(&tester->ways, request->traffic, offset_ot);
	trial_subtract_latency(result, offset_ot);
	status = request->shape.routed ? device_serve_settle(&tester->steps, &tester->slow, request, error)
	                               : steps_wait(&tester->steps, request->settle_ot, error);
	if (status == 0)
		status = device_stragglers_judge(&tester->steps, request, counters, result, error);
	tester->listens =
	        result->valid ? tester->listens : listened; /* it may have been learning frames that came late */
	return status;
}

/* Does not leave the DUT under load after an error, nor trusts what was written; a second error would say nothing new.
 */
static void give_up(struct device_tester *tester)
{
	struct error ignored = {0};

	tester->steps.shadow = (struct shadow_tables){0};
	tester->learning = (struct device_learning){0};
	tester->gateways = (struct device_gateways){0};
	tester->steps.slow = NULL;
	steps_strobe(&tester->steps, FPGAUGE_GLOBAL_CONTROL_STOP, &ignored);
}

static struct trial_before counts_of(const struct trial_result *trial)
{
	struct trial_before counts = {.offered_frames = trial->offered_frames,
	                              .received_frames = trial->received_frames};

	for (unsigned i = 0; i < trial->ports; i++) {
		const struct trial_port *port = &trial->port[i];

		if (port->wrong_port_frames > counts.wrong_port_frames)
			counts.wrong_port_frames = port->wrong_port_frames;
		if (port->offered_frames && port->tx_last_ot > counts.last_ot)
			counts.last_ot = port->tx_last_ot;
	}
	return counts;
}

static int run_traffic(struct device_tester *tester, const struct trial_request *request, struct trial_result *result,
                       struct error *error);

/* Runs what goes before a trial: the pause, and another trial, whose result is in *result. */
static int run_before(struct device_tester *tester, const struct trial_request *request, struct trial_result *result,
                      struct error *error)
{
	int status = steps_wait(&tester->steps, request->pause_ot, error);

	*result = (struct trial_result){.valid = true};
	return status || request->before == NULL ? status : run_traffic(tester, request->before, result, error);
}

static void name_trial_before(struct trial_result *result)
{
	char why[sizeof(result->why_invalid)];

	snprintf(why, sizeof(why), "%.200s (in the trial before it)", result->why_invalid);
	memcpy(result->why_invalid, why, sizeof(why));
}

/* Nothing else need be sent in a trial with TCP connections. */
static int pace(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing, struct error *error)
{
	bool sends = false;

	for (unsigned port = 0; port < request->traffic->ports; port++)
		sends |= traffic_sends(request->traffic, port);
	if (sends || !request->tcp.senders)
		return pacing_of_request(request, link_bps, pacing, error);
	*pacing = (struct pacing){.gap_octets = MIN_GAP_OCTETS, .denominator = 1};
	return 0;
}

/* Runs a request that has traffic, and those before it. */
static int run_traffic(struct device_tester *tester, const struct trial_request *request, struct trial_result *result,
                       struct error *error)
{
	struct trial_before before;
	struct pacing pacing;
	int status = trial_traffic_check(request->traffic, tester->tester.info.device, error);

	if (status == 0 && request->gap_octets < MIN_GAP_OCTETS - 1)
		status = error_set(error, ERROR_INTERNAL, "gap_octets = %u: must be at least %d", request->gap_octets,
		                   MIN_GAP_OCTETS - 1);
	if (status == 0)
		status = tcp_check(&request->tcp, tester->tester.info.device, error);
	if (status == 0)
		status = pace(request, tester->tester.info.link_bps, &pacing, error);
	if (status)
		return status;
	status = run_before(tester, request, result, error);
	if (status)
		return status;
	if (!result->valid) {
		name_trial_before(result);
		return 0;
	}
	before = counts_of(result);
	*tester->sent_ot = 0;
	status = run_trial(tester, request, &pacing, result, error);
	if (status)
		give_up(tester);
	result->before = before;
	return status;
}

/* The same through a router: first its MAC address at each port. Without an answer the trial is invalid. */
static int run_routed(struct device_tester *tester, const struct trial_request *request, struct traffic *traffic,
                      struct trial_result *result, struct error *error)
{
	bool found;
	int status;

	tester->listens = true;
	*result = (struct trial_result){.ports = tester->tester.info.device->ports};
	status = device_find_gateways(&tester->gateways, &tester->steps, &tester->slow, request, traffic, &found,
	                              result->why_invalid, sizeof(result->why_invalid), error);
	if (status)
		give_up(tester);
	trial_protocols_number(traffic, (uint8_t)(tester->steps.run_id + 1));
	trial_new_network_number(traffic, tester->trials);
	if (status || !found)
		return status;
	status = device_announce(&tester->steps, &tester->slow, request, error);
	if (status)
		give_up(tester);
	return status ? status : run_traffic(tester, request, result, error);
}

static int device_tester_run(struct tester *base, const struct trial_request *request, struct trial_result *result,
                             struct error *error)
{
	struct device_tester *tester = (struct device_tester *)base;
	struct trial_request with_traffic = *request;
	struct traffic traffic;
	int status = steps_check_cancel(&tester->steps, error);

	tester->trials++;

	if (status == 0)
		status = device_filters_set(&tester->filters, &tester->steps, request,
		                            tester->tester.info.device->ports, error);
	if (status)
		return status;
	if (request->traffic)
		return run_traffic(tester, request, result, error);
	status = trial_traffic_of_shape(&request->shape, tester->tester.info.device, &traffic, error);
	if (status)
		return status;
	with_traffic.traffic = &traffic;
	status = request->shape.routed ? run_routed(tester, &with_traffic, &traffic, result, error)
	                               : run_traffic(tester, &with_traffic, result, error);
	traffic_free(&traffic);
	return status;
}

static bool device_tester_truth(struct tester *base, uint32_t frame_octets, struct dut_truth *truth)
{
	return device_truth(((struct device_tester *)base)->steps.device, frame_octets, truth);
}

static uint64_t device_tester_sent_ot(const struct tester *base)
{
	return *((const struct device_tester *)base)->sent_ot;
}

static void device_tester_skip(struct tester *base)
{
	((struct device_tester *)base)->trials++;
}

static void device_tester_close(struct tester *base)
{
	struct device_tester *tester = (struct device_tester *)base;

	device_filters_remove(&tester->filters, tester->tester.info.device->ports);
	free(tester);
}

static const struct tester_ops DEVICE_TESTER_OPS = {
        .run = device_tester_run,
        .truth = device_tester_truth,
        .sent_ot = device_tester_sent_ot,
        .skip = device_tester_skip,
        .close = device_tester_close,
};

void device_tester_calibrate(struct tester *tester, const struct latency_ways *ways)
{
	((struct device_tester *)tester)->ways = *ways;
}

void device_tester_watch(struct tester *tester, const struct send_watch *watch)
{
	((struct device_tester *)tester)->steps.watch = watch;
}

void device_tester_show(struct tester *tester, _Atomic uint64_t *sent_ot)
{
	((struct device_tester *)tester)->sent_ot = sent_ot;
}

uint64_t device_tester_knowledge(const struct tester *base)
{
	const struct device_tester *tester = (const struct device_tester *)base;
	uint64_t hash = fnv1a(FNV1A_OF_NOTHING, &tester->steps.shadow, sizeof(tester->steps.shadow));

	hash = fnv1a(hash, &tester->learning.known, sizeof(tester->learning.known));
	return fnv1a(hash, &tester->learning.hash, sizeof(tester->learning.hash));
}

bool device_tester_listens(const struct tester *tester)
{
	return ((const struct device_tester *)tester)->listens;
}

int device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester, struct error *error)
{
	const struct device_identity *identity = device_identity(device);
	struct device_tester *made;
	uint32_t run_id;
	int status;

	*tester = NULL;
	if (identity->ports < 2 || identity->ports > TRIAL_MAX_PORTS)
		return error_set(error, ERROR_DEVICE, "%s: %u ports: a trial needs 2 to %d", identity->name,
		                 identity->ports, TRIAL_MAX_PORTS);
	if (identity->link_bps == 0)
		return error_set(error, ERROR_DEVICE, "%s: link rate 0", identity->name);
	/* Run ids continue from where the last program stopped, because its frames may still be in flight. */
	status = registers_read_alive(device, FPGAUGE_GLOBAL_RUN_ID, &run_id, error);
	if (status)
		return status;

	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	made->tester.ops = &DEVICE_TESTER_OPS;
	made->tester.info = (struct tester_info){.device = identity,
	                                         .link_bps = identity->link_bps,
	                                         .senders = pattern_senders(TRAFFIC_PAIRS, true, identity->ports)};
	made->sent_ot = &made->own_sent_ot;
	made->steps.device = device;
	made->steps.cancel = cancel;
	made->steps.run_id = (uint8_t)run_id;
	*tester = &made->tester;
	return 0;
}
