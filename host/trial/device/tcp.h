/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a trial with TCP connections: those that listen are opened, then those that begin; start; when all are
 * open, goodput is measured while other ports send; all are closed and waited for; stop. */
#ifndef FPGAUGE_TRIAL_DEVICE_TCP_H
#define FPGAUGE_TRIAL_DEVICE_TCP_H

#include "host/trial/device/steps.h"
#include "host/trial/judging/tcp.h"

/* Sends in place of steps_send(), behind steps_program(). Fills in all of *tcp that can be known before the drain. */
int device_tcp_send(struct device_steps *steps, const struct trial_request *request, const struct pacing *pacing,
                    _Atomic uint64_t *sent_ot, struct tcp_counters *tcp, struct error *error);

/* Reads the rest of *tcp, and counters->tcp_frames, behind the snapshot by which the trial is judged. Then ports have
 * no connections any more. */
int device_tcp_read(const struct device_steps *steps, const struct trial_request *request, struct tcp_counters *tcp,
                    struct trial_counters *counters, struct error *error);

#endif
