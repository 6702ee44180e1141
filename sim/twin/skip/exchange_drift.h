/* SPDX-License-Identifier: Apache-2.0 */
/* Each port goes on by itself, without playing every frame (drift_play.h), where all ports are played together
 * (exchange.c): as long as it is known what becomes of all frames that come, and each output gets frames from one port
 * only. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_EXCHANGE_DRIFT_H
#define FPGAUGE_SIM_TWIN_SKIP_EXCHANGE_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

struct play;

/* Goes on, at the end of a window, for frames that are over by this clock. True if some port did; then more may be
 * possible. If all that it needs is more frames, jump.drifts tells to leave these for later, unless somebody looks. */
bool exchange_drift_ahead(struct play *play, uint64_t clock);

/* True if it went on like this, or would, and all frames that have come out by this clock since it began have our
 * signature, whether they have been played or not. */
bool exchange_drift_is_calm(const struct play *play, uint64_t clock);

#endif
