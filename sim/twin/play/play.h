/* SPDX-License-Identifier: Apache-2.0 */
/* Plain playing: frames go from the senders of ports through what is between them to the receivers, one by one, as far
 * as somebody asks. It knows nothing of registers, and of what skips repetition only skip.h. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_PLAY_H
#define FPGAUGE_SIM_TWIN_PLAY_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/play/play_state.h"

/* Records why a call fails. Always returns false. */
bool play_fail(struct play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Plays what a port sends, as direction_play() and direction_play_ahead(); what comes to its receiver, to the end; or
 * all. With connections, or if the device reads frames, that is all ports together. False with the error set. */
bool play_port(struct play *play, unsigned port, uint64_t clock, bool to_the_end);
bool play_port_ahead(struct play *play, unsigned port, uint64_t clock, uint64_t word);
bool play_receiver(struct play *play, unsigned port, uint64_t clock);
bool play_all(struct play *play, uint64_t clock, bool to_the_end);

#endif
