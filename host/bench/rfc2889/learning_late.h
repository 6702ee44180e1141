/* SPDX-License-Identifier: Apache-2.0 */
/* An iteration in which the tester itself was late, and is not to blame the device for what it has forgotten. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_LATE_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_LATE_H

#include "host/bench/rfc2889/learning_trial.h"

/* Runs the phases of an iteration, of which request is the last; again if the device may have forgotten addresses
 * meanwhile. 0, SESSION_INVALID or a negative error. */
int learning_try(struct learning *learning, const struct learning_point *point, const struct trial_request *request,
                 struct error *error);

#endif
