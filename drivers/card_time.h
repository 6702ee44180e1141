/* SPDX-License-Identifier: Apache-2.0 */
/* Time on a device whose clock runs by itself: a card, or a simulated card in its own process. Used for backends whose
 * ops have neither now nor wait. These functions reach the device only through device.h. */
#ifndef FPGAUGE_DRIVERS_CARD_TIME_H
#define FPGAUGE_DRIVERS_CARD_TIME_H

#include <stdint.h>

#include "drivers/device.h"

/* The current octet time, from the device's own register. */
int card_now(struct device *device, uint64_t *octet_times, struct error *error);

/* Sleeps until the device's clock has advanced by octet_times, however long that takes in wall time. ERROR_DEVICE if
 * the clock stands still for CARD_STILL_NS, or goes back. */
int card_wait(struct device *device, uint64_t octet_times, struct error *error);

/* A card's clock ticks 195 million times a second; that of a simulated card ticks at least once in every millisecond of
 * processor time. */
#define CARD_STILL_NS INT64_C(1000000000)

#endif
