/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a trial: make quiet, program, clear, start, wait, drain. Time passes only in device_wait(); the wall clock
 * serves only to keep slices of waiting short enough to notice a cancel. */
#include "host/trial/device/steps.h"

#include "host/base/clock.h"
#include "host/trial/device/registers.h"
#include "host/trial/device/reset.h"
#include "host/trial/device/settings.h"
#include "host/trial/traffic.h"

enum {
	FIRST_SLICE_OT = 1 << 20, /* 84 us at 100G; about 12 ms of wall time in simulated RTL */
	FIRST_SLICES_PER_S = 50,  /* a slow link in real time takes fewer octet times for a short slice */
	POLL_OT = 4096,           /* interval between polls of a status bit that is due */
	FIRST_DRAIN_POLL_OT = 1024,
	CLEAR_POLLS = 1024, /* x POLL_OT = 65536 words; clearing the tables takes 4096 */
	LATE_OT = 1 << 20,  /* how much longer than planned sending may take */
};

/* A slice of wall time: long enough to be cheap, short enough to notice a cancel at least ten times a second. */
static const double SHORT_SLICE_S = 0.02, LONG_SLICE_S = 0.05;
/* The counters that another program sees may be this old; reading them all needs part of this time. */
static const double SHOW_INTERVAL_S = 0.5;

int steps_check_cancel(const struct device_steps *steps, struct error *error)
{
	return steps->cancel && *steps->cancel ? error_set(error, ERROR_CANCELLED, "stopped by the user") : 0;
}

int steps_strobe(const struct device_steps *steps, uint32_t bits, struct error *error)
{
	return device_write32(steps->device, FPGAUGE_GLOBAL_CONTROL, bits, error);
}

/* The observers are told while time passes. */
struct observers {
	double *shown_s;                /* when the counters were last shown to other programs; NULL: there are none */
	_Atomic uint64_t *passed_ot;    /* counts the time that has passed; NULL: nobody is told */
	struct slow_path *slow;         /* NULL: no unexpected frames are read */
	const struct send_watch *watch; /* NULL: nobody watches */
};

/* Another program that watches must not take snapshots, because they would change what this one reads. So this one
 * takes some for it; nothing here depends on them. */
static int show(const struct device_steps *steps, double now_s, double *shown_s, struct error *error)
{
	if (shown_s == NULL || now_s - *shown_s < SHOW_INTERVAL_S)
		return 0;
	*shown_s = now_s;
	return steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
}

static bool is_stopped(const struct send_watch *watch)
{
	return watch && watch->stop && *watch->stop;
}

/* *step_ot: how much time has passed since passed_ot. */
static int look_on(const struct send_watch *watch, uint64_t passed_ot, uint64_t *step_ot, struct error *error)
{
	uint64_t sent_ot = passed_ot + *step_ot;
	int status = watch->look(watch->user, &sent_ot, error);

	if (sent_ot > passed_ot + *step_ot)
		*step_ot = sent_ot - passed_ot;
	return status;
}

/* A power of two, and so are its halves: whole words, to which a simulation rounds every wait up. So the slices, which
 * follow wall time, add up to what one wait would be. */
static uint64_t first_slice_ot(uint64_t link_bps)
{
	const uint64_t short_ot = link_bps / 8 / FIRST_SLICES_PER_S;
	uint64_t slice_ot = FIRST_SLICE_OT;

	while (slice_ot > short_ot && slice_ot > POLL_OT)
		slice_ot /= 2;
	return slice_ot;
}

/* Lets device time pass, in slices that adapt: in a second of wall time, a simulation may get through a microsecond or
 * an hour. */
static int wait_before(const struct device_steps *steps, uint64_t octet_times, const struct observers *observers,
                       struct error *error)
{
	uint64_t slice = first_slice_ot(device_identity(steps->device)->link_bps), passed_ot = 0;

	for (;;) {
		uint64_t step = octet_times < slice ? octet_times : slice;
		int status = steps_check_cancel(steps, error);
		double start_s, took_s;

		if (observers->slow && slow_path_patience(observers->slow) < step)
			step = slow_path_patience(observers->slow);
		if (observers->watch)
			step = send_watch_step(observers->watch, passed_ot, step);
		if (status || octet_times == 0 || is_stopped(observers->watch))
			return status;
		start_s = clock_s();
		status = device_wait(steps->device, step, error);
		if (status == 0)
			status = show(steps, clock_s(), observers->shown_s, error);
		if (status == 0 && observers->slow)
			status = slow_path_serve(observers->slow, steps->device, step, error);
		if (status == 0 && observers->watch)
			status = look_on(observers->watch, passed_ot, &step, error);
		if (status)
			return status;
		passed_ot += step;
		octet_times -= step < octet_times ? step : octet_times;
		if (observers->passed_ot)
			*observers->passed_ot += step;
		took_s = clock_s() - start_s;
		if (took_s < SHORT_SLICE_S && slice <= UINT64_MAX / 2)
			slice *= 2;
		else if (took_s > LONG_SLICE_S && slice > POLL_OT)
			slice /= 2;
	}
}

int steps_wait(const struct device_steps *steps, uint64_t octet_times, struct error *error)
{
	return wait_before(steps, octet_times, &(struct observers){0}, error);
}

int steps_serve(const struct device_steps *steps, uint64_t octet_times, struct error *error)
{
	return wait_before(steps, octet_times, &(struct observers){.slow = steps->slow}, error);
}

/* Polls until a status bit is 0, at most `polls` times. */
static int wait_until_clear(const struct device_steps *steps, uint32_t bit, const char *what, unsigned polls,
                            struct error *error)
{
	for (unsigned i = 0;; i++) {
		uint32_t value;
		int status = registers_read_alive(steps->device, FPGAUGE_GLOBAL_STATUS, &value, error);

		if (status || !(value & bit))
			return status;
		if (i == polls)
			return error_set(error, ERROR_DEVICE, "%s: status.%s is still set after %llu octet times",
			                 device_identity(steps->device)->name, what,
			                 (unsigned long long)polls * POLL_OT);
		status = steps_wait(steps, POLL_OT, error);
		if (status)
			return status;
	}
}

/* Stops whatever an earlier trial left sending, be it finished, cancelled or from a program that was killed. */
static int make_quiet(const struct device_steps *steps, struct error *error)
{
	int status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_STOP, error);

	if (status == 0)
		status = wait_until_clear(steps, FPGAUGE_GLOBAL_STATUS_SENDING, "sending", CLEAR_POLLS, error);
	return status;
}

int steps_program(struct device_steps *steps, const struct traffic *traffic, const struct pacing *pacing,
                  struct error *error)
{
	int status = make_quiet(steps, error);

	steps->stopped = false;
	if (status == 0)
		status = shadow_tables_write(&steps->shadow, steps->device, traffic, pacing->tag_after_ot,
		                             steps->slow != NULL, error);
	if (status == 0)
		status = device_settings_write(steps->device, traffic, pacing, steps->slow, error);
	if (status == 0) /* so that frames still in flight are not taken for those of this trial */
		status = device_write32(steps->device, FPGAUGE_GLOBAL_RUN_ID, ++steps->run_id, error);
	if (status == 0)
		status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_CLEAR, error);
	if (status == 0)
		status = wait_until_clear(steps, FPGAUGE_GLOBAL_STATUS_CLEARING, "clearing", CLEAR_POLLS, error);
	return status;
}

/* Device time goes on until the program has ended that resets the device under test. */
static int wait_for_reset(const struct device_steps *steps, struct device_reset *reset, struct error *error)
{
	int status;

	while (device_reset_runs(reset, &status, error)) {
		status = steps_wait(steps, POLL_OT, error);
		if (status)
			return status;
	}
	return status;
}

static struct observers observers_of(const struct device_steps *steps, _Atomic uint64_t *sent_ot, double *shown_s)
{
	return (struct observers){device_has_observers(steps->device) ? shown_s : NULL, sent_ot, steps->slow, NULL};
}

int steps_pass(struct device_steps *steps, uint64_t octet_times, _Atomic uint64_t *sent_ot, struct error *error)
{
	const struct observers observers = observers_of(steps, sent_ot, &steps->shown_s);

	return wait_before(steps, octet_times, &observers, error);
}

int steps_wait_for_end(const struct device_steps *steps, struct error *error)
{
	return wait_until_clear(steps, FPGAUGE_GLOBAL_STATUS_SENDING, "sending", LATE_OT / POLL_OT, error);
}

int steps_send(struct device_steps *steps, const struct pacing *pacing, _Atomic uint64_t *sent_ot, struct error *error)
{
	struct observers observers = observers_of(steps, sent_ot, &steps->shown_s);
	int status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_START, error);

	observers.watch = sent_ot ? steps->watch : NULL;
	if (status == 0)
		status = wait_before(steps, pacing->sending_ot, &observers, error);
	steps->stopped = is_stopped(observers.watch);
	steps->stopped_ot = steps->stopped ? *sent_ot : 0;
	if (status == 0 && steps->stopped) /* if it has just ended by itself, that changes nothing */
		status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_STOP, error);
	return status ? status : steps_wait_for_end(steps, error);
}

int steps_send_and_reset(struct device_steps *steps, const struct trial_request *request, const struct pacing *pacing,
                         _Atomic uint64_t *sent_ot, uint64_t *reset_ot, struct error *error)
{
	const struct observers observers = observers_of(steps, sent_ot, &steps->shown_s);
	const uint64_t before_ot = request->reset_ot < pacing->sending_ot ? request->reset_ot : pacing->sending_ot;
	struct device_reset reset = {0};
	int status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_START, error);

	if (status == 0)
		status = wait_before(steps, before_ot, &observers, error);
	if (status == 0)
		status = device_reset_begin(&reset, steps->device, request, reset_ot, error);
	if (status == 0)
		status = wait_before(steps, pacing->sending_ot - before_ot, &observers, error);
	if (status == 0)
		status = wait_for_reset(steps, &reset, error);
	device_reset_abandon(&reset);
	return status ? status : steps_wait_for_end(steps, error);
}

/* Frames that must arrive, over all ports, from those that have left; all ones if some must arrive nowhere: that they
 * do not is known only when the time is over. */
static int read_expected(const struct device_steps *steps, const struct traffic *traffic, uint64_t *expected_frames,
                         struct error *error)
{
	uint64_t offered[TRAFFIC_MAX_PORTS] = {0}, expected[TRAFFIC_MAX_PORTS], others[TRAFFIC_MAX_PORTS] = {0};
	int status = steps->slow ? slow_path_sent(steps->slow, steps->device, others, error) : 0;

	for (unsigned port = 0; port < traffic->ports; port++) {
		if (status == 0)
			status = device_read64(steps->device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_TX_FRAMES),
			                       &offered[port], error);

		if (status)
			return status;
		offered[port] -= others[port] < offered[port] ? others[port] : offered[port];
		if (!traffic_sends(traffic, port)) /* frames of TCP connections */
			offered[port] = 0;
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
int steps_drain(struct device_steps *steps, const struct trial_request *request, struct error *error)
{
	const uint64_t drain_ot = request->drain_ot;
	uint64_t waited = 0, expected = 0, received;
	int status;

	for (;;) {
		uint64_t step = waited ? waited : FIRST_DRAIN_POLL_OT;

		status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
		if (status == 0 && waited == 0)
			status = read_expected(steps, request->traffic, &expected, error);
		if (status == 0)
			status = registers_read_received(steps->device, &received, error);
		steps->all_came = status == 0 && received >= expected;
		if (status || steps->all_came || waited >= drain_ot)
			return status;
		if (step > drain_ot - waited)
			step = drain_ot - waited;
		status = steps_wait(steps, step, error);
		if (status)
			return status;
		waited += step;
	}
}
