/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which simulated devices are known queues. */
#ifndef FPGAUGE_FORECAST_KNOWN_QUEUE_OF_H
#define FPGAUGE_FORECAST_KNOWN_QUEUE_OF_H

#include "host/bench/known_queue.h"
#include "host/forecast/setup.h"

/* The device of an open setup, as a test of its plan meets it at a frame size. False: not known to be one, whether it
 * is or not. throughput_found is false. */
bool known_queue_of(const struct setup *setup, const struct plan_test *test, uint32_t frame_octets,
                    struct known_queue *queue);

#endif
