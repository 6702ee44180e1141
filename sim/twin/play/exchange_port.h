/* SPDX-License-Identifier: Apache-2.0 */
/* Moves frames of one port into a device between all ports, and out of it (exchange.c). */
#ifndef FPGAUGE_SIM_TWIN_PLAY_EXCHANGE_PORT_H
#define FPGAUGE_SIM_TWIN_PLAY_EXCHANGE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"

struct play;

/* Long enough for blocks of frames, and handing them to another thread, to be worth it; short enough for them to stay
 * in the cache. */
enum { EXCHANGE_WINDOW_OT = 32768 };

/* Lowest id of a port that is in the device; of none, the next one. */
uint64_t exchange_oldest_inside(const struct play *play, unsigned port);

/* Phases begun and frames of rules, of all ports: what came before them does not come again. */
uint64_t exchange_disturbances(const struct play *play);

/* True if the device may hold a sender: then a window ends before a pause frame that is not known yet can act. */
bool exchange_may_hold(const struct play *play);

/* End of the next window: without frames before until_ot, that. */
uint64_t exchange_window_end_ot(const struct play *play, uint64_t until_ot);

/* The receiver of the frames that leave the device at a port: in loopback nobody sees them. */
struct receiver *exchange_receiver(struct play *play, unsigned port);

/* True if nothing but the addresses of all frames, now and in flight, is of interest. */
bool exchange_is_plain(const struct play *play);

/* Makes the frames of a port that start before until_ot, and puts them in. 0, or -1: out of memory. */
int exchange_send(struct play *play, unsigned port, uint64_t clock, uint64_t until_ot);

/* Takes all that leaves at a port, and counts what takes effect by this clock. 0, or -1: out of memory. */
int exchange_receive(struct play *play, unsigned port, uint64_t clock);

/* The steps of these, for frames of which nothing but the addresses is of interest. */

/* Room for the records of a block of the port; oldest: no frame of it with a lower id is in the device or on its way to
 * it or from it, except at a receiver. 0, or -1: out of memory. */
int exchange_make_room(struct play *play, unsigned port, uint64_t oldest);

/* Puts frames into the device, described as by sender_make(). It touches nothing of the twin but the device and what is
 * in the frames of the port. */
void exchange_put(struct play *play, unsigned port, const struct dut_frame *frames, size_t count);

/* Frames at the end of the queue of a receiver, from there on. 0, or -1: out of memory. */
int exchange_admit(struct receiver *receiver, const struct dut_frame *frames, size_t count);

#endif
