/* SPDX-License-Identifier: Apache-2.0 */
/* A device as `fpgauge devices` lists it. */
#ifndef FPGAUGE_DRIVERS_DEVICE_LISTING_H
#define FPGAUGE_DRIVERS_DEVICE_LISTING_H

#include <stdbool.h>

#include "host/base/text.h"

/* A device that could be opened, or one that is there but could not. */
struct device_listing {
	char name[96];  /* the name that commands take as DEVICE: "sim:rtl", "pci:0000:3b:00.0" */
	char what[256]; /* text for people: "simulation /usr/lib/fpgauge/sim/libfpgauge-sim-rtl.so", "Xilinx 10ee:903f"
	                 */
	bool ready;
	char why_not[200]; /* one line, if not ready */
};

/* Called for each device; any result but 0 ends the list and becomes the result of device_list(). */
typedef int device_found(const struct device_listing *listing, void *context);

/* Marks the listing as not ready and says why; cut to fit. */
static inline void device_listing_refuse(struct device_listing *listing, const char *why_not)
{
	listing->ready = false;
	text_copy(listing->why_not, sizeof(listing->why_not), why_not);
}

#endif
