/* SPDX-License-Identifier: Apache-2.0 */
/* A trial that is watched and stopped, on a fake device: when somebody looks, and what is judged. */
#include <criterion/criterion.h>
#include <string.h>

#include "fake_device.h"
#include "host/trial/device/tester.h"

enum { INTERVAL_OT = 70000, PERIOD_OT = 168, DURATION_OT = 600000 };

static struct device device;
static struct tester *tester;
static struct trial_result result;
static struct error error;
static _Atomic int stop;
static uint64_t looked_ot[256], ahead_ot;
static unsigned looks;
static int look_status;

static int look(void *user, uint64_t *sent_ot, struct error *why)
{
	(void)user;
	cr_assert_lt(looks, sizeof(looked_ot) / sizeof(looked_ot[0]));
	*sent_ot += ahead_ot;
	looked_ot[looks++] = *sent_ot;
	return look_status ? error_set(why, ERROR_PLAN, "no room") : 0;
}

static const struct send_watch WATCH = {.look = look, .interval_ot = INTERVAL_OT, .stop = &stop};

static void open_tester(void)
{
	fake_begin(&device);
	device.cancel_flag = &stop;
	device.cancel_at_ot = UINT64_MAX;
	cr_assert_eq(device_tester_open(&device, NULL, &tester, &error), 0, "%s", error.text);
	device_tester_watch(tester, &WATCH);
}

static void close_tester(void)
{
	tester_close(tester);
}

TestSuite(send_watch, .init = open_tester, .fini = close_tester);

static void run(void)
{
	const struct trial_request request = {.kind = TRIAL_LOAD,
	                                      .shape = traffic_shape_plain(64),
	                                      .gap_octets = 12,
	                                      .load = {UINT64_C(3125000000), 42},
	                                      .duration_ot = DURATION_OT,
	                                      .drain_ot = 1000000};

	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
}

static enum fake_fate drop_every_tenth(unsigned port, uint64_t frame)
{
	(void)port;
	return frame % 10 == 0 ? FAKE_DROP : FAKE_FORWARD;
}

Test(send_watch, somebody_looks_at_every_multiple_of_the_interval)
{
	unsigned at = 0;

	run();
	cr_assert(result.valid, "%s", result.why_invalid);
	for (uint64_t ot = INTERVAL_OT; ot < DURATION_OT; ot += INTERVAL_OT) {
		while (at < looks && looked_ot[at] != ot)
			at++;
		cr_assert_lt(at, looks, "nobody looked after %lu octet times", (unsigned long)ot);
	}
	cr_assert_eq(result.port[0].offered_frames, (DURATION_OT + PERIOD_OT - 1) / PERIOD_OT);
}

Test(send_watch, time_that_passed_beside_the_waiting_is_not_waited_for)
{
	uint64_t begin_ot, all_ot;

	run();
	begin_ot = device.now_ot;
	looks = 0;
	run();
	all_ot = device.now_ot - begin_ot;
	begin_ot = device.now_ot;
	looks = 0;
	ahead_ot = 50000;
	run();
	cr_assert_lt(device.now_ot - begin_ot, all_ot);
	for (unsigned i = 1; i < looks; i++)
		cr_assert_gt(looked_ot[i], looked_ot[i - 1]);
}

Test(send_watch, a_stopped_trial_is_valid_for_as_long_as_it_sent)
{
	uint64_t frames;

	device.fate = drop_every_tenth;
	device.cancel_at_ot = device.now_ot + DURATION_OT / 2;
	run();
	cr_assert(result.valid, "%s", result.why_invalid);
	frames = result.port[0].offered_frames;
	cr_assert(frames > DURATION_OT / PERIOD_OT / 4 && frames < DURATION_OT / PERIOD_OT, "%lu",
	          (unsigned long)frames);
	cr_assert_eq(result.intended_frames, 2 * frames);
	cr_assert_eq(result.lost_frames, 2 * ((frames + 9) / 10));
	cr_assert_eq(result.received_frames + result.lost_frames, 2 * frames);
}

Test(send_watch, a_tester_that_had_ended_before_it_was_stopped_is_found_out)
{
	device.stop_short = DURATION_OT / PERIOD_OT * 3 / 4;
	device.cancel_at_ot = device.now_ot + DURATION_OT / 2;
	run();
	cr_assert_not(result.valid);
	cr_assert_not_null(strstr(result.why_invalid, "offered"), "%s", result.why_invalid);
}

Test(send_watch, the_trial_after_a_stopped_one_is_whole)
{
	device.cancel_at_ot = device.now_ot + DURATION_OT / 2;
	run();
	stop = 0;
	device.cancel_at_ot = UINT64_MAX;
	looks = 0;
	run();
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.port[1].offered_frames, (DURATION_OT + PERIOD_OT - 1) / PERIOD_OT);
}

Test(send_watch, an_error_of_who_looks_ends_the_trial_and_stops_sending)
{
	const struct trial_request request = {.kind = TRIAL_LOAD,
	                                      .shape = traffic_shape_plain(64),
	                                      .gap_octets = 12,
	                                      .load = {UINT64_C(3125000000), 42},
	                                      .duration_ot = DURATION_OT,
	                                      .drain_ot = 1000000};
	const uint64_t stops = device.stops;

	look_status = 1;
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_PLAN);
	cr_assert_str_eq(error.text, "no room");
	cr_assert_eq(device.stops, stops + 2, "one before the trial, one after");
}
