/* SPDX-License-Identifier: Apache-2.0 */
/* Time on a device whose clock runs by itself: a card, or a simulated card in a process of its own. A backend whose ops
 * have no now and no wait gets these. They reach the device by the functions of device.h only. */
#ifndef FPGAUGE_DRIVERS_CARD_TIME_H
#define FPGAUGE_DRIVERS_CARD_TIME_H

#include <stdint.h>

#include "drivers/device.h"

/* Octet time now, from the device's own register. */
int card_now(struct device *device, uint64_t *octet_times, struct error *error);

/* Sleeps until the device's clock has advanced by so many octet times; how long that is on the wall does not matter.
 * ERROR_DEVICE when the clock stands still for CARD_STILL_NS, or goes back. */
int card_wait(struct device *device, uint64_t octet_times, struct error *error);

/* A card's clock ticks 195 million times a second, and that of a simulated card at least in every millisecond in which
 * it has the processor. */
#define CARD_STILL_NS INT64_C(1000000000)

#endif
