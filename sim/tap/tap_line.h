/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of all ports, joined to TAP interfaces and paced by real time (docs/lab-linux.md).
 *
 * In each clock: tap_line_now() with the time on the wall; if the word is tap_line_due(), tap_line_put() or
 * tap_line_put_idle() at every port, then tap_line_take() at every port; else tap_line_sleep(). So the simulation is
 * never ahead of real time. Where it falls behind by more than Linux' queues hold, that is a disturbance: what is lost
 * then may be the tester's loss. */
#ifndef FPGAUGE_SIM_TAP_TAP_LINE_H
#define FPGAUGE_SIM_TAP_TAP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/tap/real_time.h"
#include "sim/tap/tap_port.h"
#include "sim/tap/tap_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tap_line {
	struct real_time time;
	unsigned ports;
	struct tap_port port[DUT_MAX_PORTS];
	int64_t now_ns, looked_ns; /* the latest time, and when the TAPs were last looked at */
	int64_t most_late_ns;      /* lateness that is no disturbance yet */
	uint64_t ahead_ot;         /* how much of the line is given to frames of Linux in advance */
	int64_t worst_late_ns;     /* greatest lateness since the last tap_line_disturbance() */
	unsigned worst_port;
	char refused[160]; /* the first frame that Linux could not be given, likewise; or empty */
	char failure[160]; /* why the simulation cannot go on; or empty */
};

/* The most that a frame may be late, so that what has piled up meanwhile fills at most half of a queue of so many
 * frames of 64 octets; never more than 100 ms. */
int64_t tap_line_most_late_ns(const struct real_time *time, uint32_t queue_frames);

/* Takes ownership of the descriptors, even if it fails: no write or read may block. queue_frames: of the shortest of
 * Linux' queues. *line must not move in memory. 0, or -1: out of memory, and nothing to release. */
int tap_line_init(struct tap_line *line, const int *fds, unsigned ports, const struct real_time *time,
                  uint32_t queue_frames);
void tap_line_release(struct tap_line *line);

/* The same with the TAPs of the settings, from now on: octet time 0 is now. */
int tap_line_start(struct tap_line *line, const struct tap_settings *settings, unsigned ports);

/* It is now_ns. Looks for frames of Linux; they start at the octet time that it is now. */
void tap_line_now(struct tap_line *line, int64_t now_ns);

/* The same with the time of the clock. */
void tap_line_read_clock(struct tap_line *line);

/* Number of the first word that is not yet over. */
static inline uint64_t tap_line_due(const struct tap_line *line)
{
	return real_time_ot(&line->time, line->now_ns) / LINE_OCTETS;
}

/* The word that leaves the tester at a port. */
static inline void tap_line_put(struct tap_line *line, unsigned port, uint64_t word_number, const struct line_word *in)
{
	line_decode(&line->port[port].decoder, word_number, in);
}

/* The same if it is idle. */
static inline void tap_line_put_idle(struct tap_line *line, unsigned port, uint64_t word_number)
{
	if (!line_decoder_idle(&line->port[port].decoder))
		line_decode(&line->port[port].decoder, word_number, &LINE_IDLE_WORD);
}

/* The word that enters the tester at a port; false if it is idle, with *out untouched. */
static inline bool tap_line_take(struct tap_line *line, unsigned port, uint64_t word_number, struct line_word *out)
{
	struct line_encoder *encoder = &line->port[port].encoder;

	return line_encoder_next(encoder) <= word_number && line_encode(encoder, word_number, out);
}

/* Number of the first word that must be passed through if nothing more comes in; 0: at once, UINT64_MAX: never. */
uint64_t tap_line_next(const struct tap_line *line);

/* Sleeps until this word is over, or Linux sends something for which a line has room. */
void tap_line_sleep(const struct tap_line *line, uint64_t word_number);

/* True if something disturbed the lines since the last call; says what in one line. */
bool tap_line_disturbance(struct tap_line *line, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
