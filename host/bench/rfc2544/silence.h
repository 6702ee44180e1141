/* SPDX-License-Identifier: Apache-2.0 */
/* Ports at which nothing arrives any more: a sequence gap shows only when a later frame arrives, so what was lost
 * before the end of a trial shows as silence. */
#ifndef FPGAUGE_BENCH_RFC2544_SILENCE_H
#define FPGAUGE_BENCH_RFC2544_SILENCE_H

#include "host/bench/result.h"

/* Bit p: frames must arrive at port p. */
unsigned silence_receivers(const struct trial_result *trial);

/* Start of the last frame of the sender that was through first. */
uint64_t silence_end_ot(const struct trial_result *trial);

/* True if such a port received nothing in the last frames of the trial. period_ot: between two frames of a sender. */
bool silence_at_end(const struct trial_result *trial, double period_ot);

#endif
