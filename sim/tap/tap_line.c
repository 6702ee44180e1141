// SPDX-License-Identifier: Apache-2.0
/* All ports: when they look at their TAPs, how late they are, and what is too late. */
#include "sim/tap/tap_line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"

enum {
	LOOK_NS = 20000, /* interval between looks at the TAPs: each is a system call for every port */
	LONGEST_LATE_NS = 100000000,
	MIN_LINE_OCTETS = 84, /* line that a frame of 64 octets takes */
};

static const double NS_PER_MS = 1e6;

/* -- what disturbs ------------------------------------------------------------------------------------------------- */

int64_t tap_line_most_late_ns(const struct real_time *time, uint32_t queue_frames)
{
	const int64_t span_ns = real_time_span_ns(time, (uint64_t)(queue_frames / 2) * MIN_LINE_OCTETS);

	return span_ns < LONGEST_LATE_NS ? span_ns : LONGEST_LATE_NS;
}

static void was_late(struct tap_line *line, unsigned port, int64_t late_ns)
{
	if (late_ns <= line->worst_late_ns)
		return;
	line->worst_late_ns = late_ns;
	line->worst_port = port;
}

static void refuse(struct tap_line *line, unsigned port, int error)
{
	if (line->refused[0] != '\0')
		return;
	if (error == TAP_WRONG_FCS || error == TAP_BROKEN)
		snprintf(line->refused, sizeof(line->refused), "port %u: a frame %s cannot be given to Linux: %s", port,
		         error == TAP_BROKEN ? "that is broken" : "with a wrong FCS",
		         error == TAP_BROKEN ? "a TAP carries whole frames only" : "a TAP carries no FCS");
	else
		snprintf(line->refused, sizeof(line->refused), "port %u: Linux did not take a frame: %s%s", port,
		         strerror(error),
		         error == EAGAIN ? " (its queue is full)"
		         : error == EIO  ? " (the interface is down)"
		                         : "");
}

static void written(void *context, unsigned port, uint64_t end_ot, int error)
{
	struct tap_line *line = context;

	if (error != 0)
		refuse(line, port, error);
	was_late(line, port, line->now_ns - real_time_ns(&line->time, end_ot));
}

bool tap_line_disturbance(struct tap_line *line, char *text, size_t size)
{
	const bool late = line->worst_late_ns > line->most_late_ns;
	const bool refused = line->refused[0] != '\0';

	if (refused)
		snprintf(text, size, "%s", line->refused);
	else if (late)
		snprintf(text, size,
		         "port %u: the simulation fell behind real time by %.3f ms; at most %.3f ms are harmless",
		         line->worst_port, (double)line->worst_late_ns / NS_PER_MS,
		         (double)line->most_late_ns / NS_PER_MS);
	line->worst_late_ns = 0;
	line->refused[0] = '\0';
	return late || refused;
}

/* -- time ---------------------------------------------------------------------------------------------------------- */

/* Nobody knows when a frame came that was not looked for, only that it was after the last look. */
void tap_line_now(struct tap_line *line, int64_t now_ns)
{
	const int64_t unseen_ns = now_ns - line->looked_ns;
	const uint64_t ready_ot = real_time_ot(&line->time, now_ns);

	line->now_ns = now_ns;
	if (unseen_ns < LOOK_NS)
		return;
	line->looked_ns = now_ns;
	for (unsigned i = 0; i < line->ports; i++) {
		const int count = tap_port_read(&line->port[i], ready_ot, line->ahead_ot);

		if (count > 0)
			was_late(line, i, unseen_ns);
		else if (count < 0 && line->failure[0] == '\0')
			snprintf(line->failure, sizeof(line->failure), "port %u: the TAP: %s", i, strerror(errno));
	}
}

void tap_line_read_clock(struct tap_line *line)
{
	tap_line_now(line, clock_ns());
}

uint64_t tap_line_next(const struct tap_line *line)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < line->ports; i++) {
		const struct tap_port *port = &line->port[i];
		const uint64_t next = line_decoder_idle(&port->decoder) ? line_encoder_next(&port->encoder) : 0;

		least = next < least ? next : least;
	}
	return least;
}

void tap_line_sleep(const struct tap_line *line, uint64_t word_number)
{
	const int64_t ns = real_time_ns(&line->time, (word_number + 1) * LINE_OCTETS) - line->now_ns;
	const uint64_t now_ot = real_time_ot(&line->time, line->now_ns);
	int fds[DUT_MAX_PORTS];
	size_t count = 0;

	/* One that waits for its line would end the sleep at once. */
	for (unsigned i = 0; i < line->ports; i++)
		if (tap_port_has_room(&line->port[i], now_ot, line->ahead_ot))
			fds[count++] = line->port[i].fd;
	clock_sleep_until_input(fds, count, ns);
}

/* -- all ports ----------------------------------------------------------------------------------------------------- */

int tap_line_init(struct tap_line *line, const int *fds, unsigned ports, const struct real_time *time,
                  uint32_t queue_frames)
{
	memset(line, 0, sizeof(*line));
	line->time = *time;
	line->now_ns = line->looked_ns = time->origin_ns;
	line->most_late_ns = tap_line_most_late_ns(time, queue_frames);
	line->ahead_ot = real_time_span_ot(time, line->most_late_ns);
	for (unsigned i = 0; i < ports; i++) {
		if (tap_port_init(&line->port[i], fds[i], i, written, line) != 0) {
			while (++i < ports)
				close(fds[i]);
			tap_line_release(line);
			return -1;
		}
		line->ports++;
	}
	return 0;
}

int tap_line_start(struct tap_line *line, const struct tap_settings *settings, unsigned ports)
{
	const struct real_time time = {.link_bps = settings->link_bps, .origin_ns = clock_ns()};

	return tap_line_init(line, settings->fds, ports, &time, settings->queue_frames);
}

void tap_line_release(struct tap_line *line)
{
	for (unsigned i = 0; i < line->ports; i++)
		tap_port_release(&line->port[i]);
	line->ports = 0;
}
