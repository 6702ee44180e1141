/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the device's clock with the host's. All times of a measurement are counts of the device's clock; if the
 * clock of a card is off, or its clock_hz does not match its oscillator, every rate and latency is off by as much. */
#include <inttypes.h>
#include <math.h>

#include "host/base/clock.h"
#include "host/commands/selftest/session.h"

enum { LOOKS = 50, LOOK_PAUSE_NS = 1000000, SLICE_NS = 20000000 };

/* The device's time and when it was read. bound_s is half the time between the host's readings of its own clock before
 * and after, so the true time of reading is at most that far from host_s. */
struct look {
	double device_s, host_s, bound_s;
};

static int look_once(struct session *session, struct look *look)
{
	double octets_per_s = (double)session->identity->link_bps / 8;
	struct device_clock clock;
	int status = device_read_clock(session->device, &clock, session->error);

	if (status)
		return status;
	look->device_s = (double)clock.octet_times / octets_per_s;
	look->host_s = (clock.before_s + clock.after_s) / 2;
	look->bound_s = (clock.after_s - clock.before_s) / 2;
	return 0;
}

/* The best of many readings. An answer may be delayed on its way but never early, so the reading that is furthest ahead
 * of the host's clock was delayed least. */
static int look_often(struct session *session, struct look *best)
{
	struct look look;
	int status = look_once(session, best);

	for (unsigned i = 1; !status && i < LOOKS; i++) {
		clock_sleep_ns(LOOK_PAUSE_NS);
		status = look_once(session, &look);
		if (!status &&
		    look.device_s - look.host_s - look.bound_s > best->device_s - best->host_s - best->bound_s)
			*best = look;
	}
	return status;
}

/* Waits by the clock that device_read_clock() compares with. */
static int wait_wall(struct session *session, uint64_t ns)
{
	double until_s = clock_raw_s() + 1e-9 * (double)ns;

	while (clock_raw_s() < until_s) {
		if (session->config->cancel && *session->config->cancel)
			return error_set(session->error, ERROR_CANCELLED, "stopped by the user");
		clock_sleep_ns(SLICE_NS);
	}
	return 0;
}

static void judge(const struct session *session, const struct look *first, const struct look *last,
                  struct selftest_row *row)
{
	double host_s = last->host_s - first->host_s, device_s = last->device_s - first->device_s;
	double off_ppm = (device_s / host_s - 1) * 1e6;
	double bound_ppm = (first->bound_s + last->bound_s) / host_s * 1e6;

	row_value(row, "clock_off_ppm", off_ppm);
	row_value(row, "clock_bound_ppm", bound_ppm);
	row_value(row, "tolerance_ppm", session->config->clock_tolerance_ppm);
	row_value(row, "host_s", host_s);
	row_text(row, "%+.1f ppm against the host's, known to %.1f ppm, over %.2f s", off_ppm, bound_ppm, host_s);
	if (!(fabs(off_ppm) <= session->config->clock_tolerance_ppm + bound_ppm))
		row_fail(row, "%+.1f ppm against the host's, known to %.1f ppm: must be within %.0f ppm", off_ppm,
		         bound_ppm, session->config->clock_tolerance_ppm);
}

int check_clock(struct session *session)
{
	struct selftest_row *row = row_open(session, "clock", SELFTEST_NO_PORT, 0);
	struct look first, last;
	int status;

	if (!row)
		return ERROR_INTERNAL;
	if (!session->config->real_time) {
		row->verdict = SELFTEST_NOT_APPLICABLE;
		row_text(row, "time in a simulation is not wall time");
		row_close(session, row);
		return 0;
	}
	status = look_often(session, &first);
	if (!status)
		status = wait_wall(session, session->config->clock_ns);
	if (!status)
		status = look_often(session, &last);
	if (status)
		return status;
	judge(session, &first, &last, row);
	row_close(session, row);
	return 0;
}
