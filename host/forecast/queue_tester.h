/* SPDX-License-Identifier: Apache-2.0 */
/* A tester that computes its answers: those of a device that forwards so many frames a second and holds so many. It
 * stands in for an external program, to see which trials a plan would ask it for. */
#ifndef FPGAUGE_FORECAST_QUEUE_TESTER_H
#define FPGAUGE_FORECAST_QUEUE_TESTER_H

#include "host/trial/tester.h"

/* Over all ports that send. */
struct queue_truth {
	double service_fps; /* INFINITY: it loses nothing */
	double held_frames;
};

/* By frame size, because a device may be limited in frames or in octets. */
typedef struct queue_truth (*queue_truth_of)(const void *user, const struct traffic_shape *shape);

int queue_tester_open(uint64_t link_bps, unsigned senders, queue_truth_of truth, const void *user,
                      struct tester **tester, struct error *error);

#endif
