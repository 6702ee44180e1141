/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a direction at a moment, in terms relative to the time and the frame of it: what jump.c compares. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_JUMP_STATE_H
#define FPGAUGE_SIM_TWIN_SKIP_JUMP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/skip/octets.h"

struct direction;

/* Id of the oldest frame that has not come out. */
uint64_t jump_oldest_inside(const struct direction *direction);

/* True if the receiver follows the sequence numbers of a flow: it expects it, and good frames with a signature come. */
bool jump_follows(const struct direction *direction, uint32_t flow);

/* Number of frames by which the receiver is behind with a flow, if that matters. */
uint64_t jump_behind(const struct direction *direction, uint32_t flow);

/* Writes the state; false if it cannot be written or must not be jumped over. */
bool jump_describe(const struct direction *direction, struct octets *octets);

#endif
