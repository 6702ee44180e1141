/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a trial on a device: learn, program, send, drain, read, settle. The counters are judged in
 * trial_check.c. */
#include "host/trial/device_tester.h"

#include <stdlib.h>
#include <string.h>

#include "host/trial/device_learning.h"
#include "host/trial/device_registers.h"
#include "host/trial/device_steps.h"
#include "host/trial/trial_sum.h"
#include "host/trial/trial_traffic.h"

struct device_tester {
	struct tester tester; /* first, so that a struct tester * points to this */
	struct device_steps steps;
	struct device_learning learning;
	uint64_t latency_offset_ot[TRIAL_MAX_PORTS];
	_Atomic uint64_t sent_ot; /* of this trial; read by the live display */
};

/* Only for a load that the DUT sustained, where the distribution of latencies tells something about it. With loss it is
 * that of a full buffer, spread over many bins, and a bin costs three accesses. */
static int read_latencies(const struct device_tester *tester, struct trial_result *result, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < result->ports && status == 0; i++) {
		struct trial_port *port = &result->port[i];

		if (port->latency.frames == 0)
			continue;
		status = registers_read_latencies(tester->steps.device, i, &result->latency, &port->latency_histogram,
		                                  error);
		if (status == 0 &&
		    octaves_needed(&port->latency_histogram, result->latency.min_ot, result->latency.max_ot))
			status = registers_read_octaves(tester->steps.device, i, &result->latency,
			                                &port->latency_octaves, error);
	}
	return status;
}

/* Only for a burst: the proof, gap by gap, that it left at the minimum gap. */
static int read_gaps(const struct device_tester *tester, struct trial_result *result, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < result->ports && status == 0; i++)
		if (result->port[i].tx_gap.gaps != 0)
			status = registers_read_gaps(tester->steps.device, i, &result->tx_gap,
			                             &result->port[i].tx_gap_histogram, error);
	return status;
}

static int read_histograms(const struct device_tester *tester, const struct trial_request *request,
                           struct trial_result *result, struct error *error)
{
	int status = 0;

	if (!result->valid)
		return 0;
	if (request->kind == TRIAL_BURST)
		status = read_gaps(tester, result, error);
	else if (result->lost_frames == 0)
		status = read_latencies(tester, result, error);
	if (status == 0) /* for the same reason as after the counters */
		status = registers_check_id(tester->steps.device, error);
	if (status == 0)
		trial_judge_histograms(result);
	return status;
}

static int run_trial(struct device_tester *tester, const struct trial_request *request, const struct pacing *pacing,
                     struct trial_result *result, struct error *error)
{
	struct trial_counters counters;
	int status = device_learn(&tester->learning, &tester->steps, request, error);

	if (status == 0)
		status = steps_program(&tester->steps, request->traffic, pacing, error);
	if (status == 0)
		status = steps_send(&tester->steps, pacing, &tester->sent_ot, error);
	if (status == 0)
		status = steps_drain(&tester->steps, request, error);
	if (status == 0)
		status = registers_read_counters(tester->steps.device, request->traffic, &counters, error);
	if (status == 0) /* a card that went away reads all ones, which is no result */
		status = registers_check_id(tester->steps.device, error);
	if (status)
		return status;
	trial_judge(request, pacing, tester->tester.info.link_bps, &counters, result);
	status = read_histograms(tester, request, result, error);
	if (status)
		return status;
	trial_subtract_latency(result, tester->latency_offset_ot);
	return steps_wait(&tester->steps, request->settle_ot, error);
}

/* Runs a request that has traffic. */
static int run_traffic(struct device_tester *tester, const struct trial_request *request, struct trial_result *result,
                       struct error *error)
{
	struct pacing pacing;
	int status = trial_traffic_check(request->traffic, tester->tester.info.device, error);

	if (status == 0 && request->gap_octets < MIN_GAP_OCTETS - 1)
		status = error_set(error, ERROR_INTERNAL, "gap_octets = %u: must be at least %d", request->gap_octets,
		                   MIN_GAP_OCTETS - 1);
	if (status == 0)
		status = pacing_of_request(request, tester->tester.info.link_bps, &pacing, error);
	if (status)
		return status;
	tester->sent_ot = 0;
	status = run_trial(tester, request, &pacing, result, error);
	if (status) { /* do not leave the DUT under load; a second error would say nothing new */
		struct error ignored = {0};

		tester->steps.held = (struct held_tables){0}; /* nor trust what was written */
		tester->learning = (struct device_learning){0};
		steps_strobe(&tester->steps, FPGAUGE_GLOBAL_CONTROL_STOP, &ignored);
	}
	return status;
}

static int device_tester_run(struct tester *base, const struct trial_request *request, struct trial_result *result,
                             struct error *error)
{
	struct device_tester *tester = (struct device_tester *)base;
	struct trial_request with_traffic = *request;
	struct traffic traffic;
	int status = steps_check_cancel(&tester->steps, error);

	if (status)
		return status;
	if (request->traffic)
		return run_traffic(tester, request, result, error);
	status = trial_traffic_of_shape(&request->shape, tester->tester.info.device, &traffic, error);
	if (status)
		return status;
	with_traffic.traffic = &traffic;
	status = run_traffic(tester, &with_traffic, result, error);
	traffic_free(&traffic);
	return status;
}

static bool device_tester_truth(struct tester *base, uint32_t frame_octets, struct dut_truth *truth)
{
	return device_truth(((struct device_tester *)base)->steps.device, frame_octets, truth);
}

static uint64_t device_tester_sent_ot(const struct tester *base)
{
	return ((const struct device_tester *)base)->sent_ot;
}

static void device_tester_close(struct tester *base)
{
	free(base);
}

static const struct tester_ops DEVICE_TESTER_OPS = {
        .run = device_tester_run,
        .truth = device_tester_truth,
        .sent_ot = device_tester_sent_ot,
        .close = device_tester_close,
};

void device_tester_calibrate(struct tester *tester, const uint64_t offset_ot[TRIAL_MAX_PORTS])
{
	struct device_tester *self = (struct device_tester *)tester;

	memcpy(self->latency_offset_ot, offset_ot, sizeof(self->latency_offset_ot));
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
	made->steps.device = device;
	made->steps.cancel = cancel;
	made->steps.run_id = (uint8_t)run_id;
	*tester = &made->tester;
	return 0;
}
