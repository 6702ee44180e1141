/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of an output as what frames go through without being played. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_QUEUE_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_QUEUE_H

#include "sim/dut/device.h"
#include "sim/twin/skip/drift_leap.h"

/* Makes a server of a queue, for frames of the one length that the queue is for. */
struct leap_server leap_server_of_queue(struct dut_queue *queue);

#endif
