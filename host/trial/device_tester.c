/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a trial on a device: make quiet, program, clear, start, wait, drain, snapshot, read, settle. The
 * counters are judged in trial_check.c. Time passes only in device_wait(); the wall clock serves only to keep slices of
 * waiting short enough to notice a cancel. */
#include "host/trial/device_tester.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/trial/device_registers.h"
#include "host/trial/held_tables.h"
#include "host/trial/trial_sum.h"
#include "host/trial/trial_traffic.h"

enum {
	FIRST_SLICE_OT = 1 << 20, /* 84 us at 100G; about 12 ms of wall time in simulated RTL */
	POLL_OT = 4096,           /* between polls of a status bit that is due */
	FIRST_DRAIN_POLL_OT = 1024,
	CLEAR_POLLS = 1024, /* x POLL_OT = 65536 words; clearing the tables takes 4096 */
	LATE_OT = 1 << 20,  /* how much longer than planned sending may take */
};

/* A slice of wall time: long enough to be cheap, short enough to notice a cancel at least ten times a second. */
static const double SHORT_SLICE_S = 0.02, LONG_SLICE_S = 0.05;
/* How old the counters may be that another program sees; it needs part of this time to read them all. */
static const double SHOW_INTERVAL_S = 0.5;

struct device_tester {
	struct tester tester; /* first, so that a struct tester * points to this */
	struct device *device;
	const _Atomic int *cancel;
	uint8_t run_id;
	struct held_tables held;
	uint64_t latency_offset_ot[TRIAL_MAX_PORTS];
	double shown_s;           /* wall time of the last snapshot taken for another program */
	_Atomic uint64_t sent_ot; /* of this trial; read by the live display */
};

static int check_cancel(const struct device_tester *tester, struct error *error)
{
	return tester->cancel && *tester->cancel ? error_set(error, ERROR_CANCELLED, "stopped by the user") : 0;
}

static int strobe(const struct device_tester *tester, uint32_t bits, struct error *error)
{
	return device_write32(tester->device, FPGAUGE_GLOBAL_CONTROL, bits, error);
}

/* Those who are told while time passes. */
struct lookers {
	double *shown_s;             /* when the counters were last shown to other programs; NULL: there are none */
	_Atomic uint64_t *passed_ot; /* counts the time that has passed; NULL: nobody is told */
};

/* Another program that watches must not take snapshots, because they would change what this one reads. So this one
 * takes some for it; nothing here depends on them. */
static int show(const struct device_tester *tester, double now_s, double *shown_s, struct error *error)
{
	if (shown_s == NULL || now_s - *shown_s < SHOW_INTERVAL_S)
		return 0;
	*shown_s = now_s;
	return strobe(tester, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
}

/* Lets device time pass, in slices that adapt: in a second of wall time, a simulation may get through a microsecond or
 * an hour. */
static int wait_before(const struct device_tester *tester, uint64_t octet_times, const struct lookers *lookers,
                       struct error *error)
{
	uint64_t slice = FIRST_SLICE_OT;

	for (;;) {
		uint64_t step = octet_times < slice ? octet_times : slice;
		int status = check_cancel(tester, error);
		double start_s, took_s;

		if (status || octet_times == 0)
			return status;
		start_s = clock_s();
		status = device_wait(tester->device, step, error);
		if (status == 0)
			status = show(tester, clock_s(), lookers->shown_s, error);
		if (status)
			return status;
		octet_times -= step;
		if (lookers->passed_ot)
			*lookers->passed_ot += step;
		took_s = clock_s() - start_s;
		if (took_s < SHORT_SLICE_S && slice <= UINT64_MAX / 2)
			slice *= 2;
		else if (took_s > LONG_SLICE_S && slice > POLL_OT)
			slice /= 2;
	}
}

static int wait_sliced(const struct device_tester *tester, uint64_t octet_times, struct error *error)
{
	return wait_before(tester, octet_times, &(struct lookers){0}, error);
}

/* Polls until a status bit is 0, at most `polls` times. */
static int wait_until_clear(const struct device_tester *tester, uint32_t bit, const char *what, unsigned polls,
                            struct error *error)
{
	for (unsigned i = 0;; i++) {
		uint32_t value;
		int status = registers_read_alive(tester->device, FPGAUGE_GLOBAL_STATUS, &value, error);

		if (status || !(value & bit))
			return status;
		if (i == polls)
			return error_set(error, ERROR_DEVICE, "%s: status.%s is still set after %llu octet times",
			                 tester->tester.info.device->name, what, (unsigned long long)polls * POLL_OT);
		status = wait_sliced(tester, POLL_OT, error);
		if (status)
			return status;
	}
}

/* Stops whatever an earlier trial left sending, be it finished, cancelled or from a program that was killed. */
static int make_quiet(const struct device_tester *tester, struct error *error)
{
	int status = strobe(tester, FPGAUGE_GLOBAL_CONTROL_STOP, error);

	if (status == 0)
		status = wait_until_clear(tester, FPGAUGE_GLOBAL_STATUS_SENDING, "sending", CLEAR_POLLS, error);
	return status;
}

static int program(struct device_tester *tester, const struct trial_request *request, const struct pacing *pacing,
                   struct error *error)
{
	int status = make_quiet(tester, error);

	if (status == 0)
		status = held_tables_write(&tester->held, tester->device, request->traffic, error);
	if (status == 0)
		status = registers_write_settings(tester->device, request->traffic, pacing, error);
	if (status == 0) /* so that frames still in flight are not taken for those of this trial */
		status = device_write32(tester->device, FPGAUGE_GLOBAL_RUN_ID, ++tester->run_id, error);
	if (status == 0)
		status = strobe(tester, FPGAUGE_GLOBAL_CONTROL_CLEAR, error);
	if (status == 0)
		status = wait_until_clear(tester, FPGAUGE_GLOBAL_STATUS_CLEARING, "clearing", CLEAR_POLLS, error);
	return status;
}

static int send(struct device_tester *tester, const struct pacing *pacing, struct error *error)
{
	int status = strobe(tester, FPGAUGE_GLOBAL_CONTROL_START, error);

	if (status == 0)
		status = wait_before(tester, pacing->sending_ot,
		                     &(struct lookers){device_has_onlookers(tester->device) ? &tester->shown_s : NULL,
		                                       &tester->sent_ot},
		                     error);
	if (status == 0)
		status = wait_until_clear(tester, FPGAUGE_GLOBAL_STATUS_SENDING, "sending", LATE_OT / POLL_OT, error);
	return status;
}

/* Frames that must arrive, over all ports, from those that have left; all ones if some must arrive nowhere: that they
 * do not is known only when the time is over. */
static int read_expected(const struct device_tester *tester, const struct traffic *traffic, uint64_t *expected_frames,
                         struct error *error)
{
	uint64_t offered[TRAFFIC_MAX_PORTS] = {0}, expected[TRAFFIC_MAX_PORTS];

	for (unsigned port = 0; port < traffic->ports; port++) {
		int status = device_read64(tester->device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_TX_FRAMES),
		                           &offered[port], error);

		if (status)
			return status;
	}
	traffic_expected(traffic, offered, expected);
	*expected_frames = trial_traffic_all_arrive(traffic) ? 0 : UINT64_MAX;
	if (*expected_frames)
		return 0;
	for (unsigned port = 0; port < traffic->ports; port++)
		*expected_frames += expected[port];
	return 0;
}

/* Ends early if every frame that must arrive has done so, else after all of drain_ot: until then a lost frame and a
 * slow one look the same. Polls at doubling intervals, which takes at most twice as long as the DUT does. The trial is
 * judged by the snapshot of the last poll. */
static int drain(const struct device_tester *tester, const struct trial_request *request, struct error *error)
{
	const uint64_t drain_ot = request->drain_ot;
	uint64_t waited = 0, expected = 0, received;
	int status;

	for (;;) {
		uint64_t step = waited ? waited : FIRST_DRAIN_POLL_OT;

		status = strobe(tester, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
		if (status == 0 && waited == 0)
			status = read_expected(tester, request->traffic, &expected, error);
		if (status == 0)
			status = registers_read_received(tester->device, &received, error);
		if (status || received >= expected || waited >= drain_ot)
			return status;
		if (step > drain_ot - waited)
			step = drain_ot - waited;
		status = wait_sliced(tester, step, error);
		if (status)
			return status;
		waited += step;
	}
}

/* Only for a load that the DUT sustained, where the distribution of latencies tells something about it. With loss it is
 * that of a full buffer, spread over many bins, and a bin costs three accesses. */
static int read_latencies(const struct device_tester *tester, struct trial_result *result, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < result->ports && status == 0; i++) {
		struct trial_port *port = &result->port[i];

		if (port->latency.frames == 0)
			continue;
		status = registers_read_latencies(tester->device, i, &result->latency, &port->latency_histogram, error);
		if (status == 0 &&
		    octaves_needed(&port->latency_histogram, result->latency.min_ot, result->latency.max_ot))
			status = registers_read_octaves(tester->device, i, &result->latency, &port->latency_octaves,
			                                error);
	}
	return status;
}

/* Only for a burst: the proof, gap by gap, that it left at the minimum gap. */
static int read_gaps(const struct device_tester *tester, struct trial_result *result, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < result->ports && status == 0; i++)
		if (result->port[i].tx_gap.gaps != 0)
			status = registers_read_gaps(tester->device, i, &result->tx_gap,
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
		status = registers_check_id(tester->device, error);
	if (status == 0)
		trial_judge_histograms(result);
	return status;
}

static int run_trial(struct device_tester *tester, const struct trial_request *request, const struct pacing *pacing,
                     struct trial_result *result, struct error *error)
{
	struct trial_counters counters;
	int status = program(tester, request, pacing, error);

	if (status == 0)
		status = send(tester, pacing, error);
	if (status == 0)
		status = drain(tester, request, error);
	if (status == 0)
		status = registers_read_counters(tester->device, request->traffic, &counters, error);
	if (status == 0) /* a card that went away reads all ones, which is no result */
		status = registers_check_id(tester->device, error);
	if (status)
		return status;
	trial_judge(request, pacing, tester->tester.info.link_bps, &counters, result);
	status = read_histograms(tester, request, result, error);
	if (status)
		return status;
	trial_subtract_latency(result, tester->latency_offset_ot);
	return wait_sliced(tester, request->settle_ot, error);
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

		tester->held = (struct held_tables){0}; /* nor trust what was written */
		strobe(tester, FPGAUGE_GLOBAL_CONTROL_STOP, &ignored);
	}
	return status;
}

static int device_tester_run(struct tester *base, const struct trial_request *request, struct trial_result *result,
                             struct error *error)
{
	struct device_tester *tester = (struct device_tester *)base;
	struct trial_request with_traffic = *request;
	struct traffic traffic;
	int status = check_cancel(tester, error);

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
	return device_truth(((struct device_tester *)base)->device, frame_octets, truth);
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
	made->device = device;
	made->cancel = cancel;
	made->run_id = (uint8_t)run_id;
	*tester = &made->tester;
	return 0;
}
