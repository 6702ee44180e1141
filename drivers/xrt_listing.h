/* SPDX-License-Identifier: Apache-2.0 */
/* The line of `fpgauge devices` for a card that XRT lists: board, shell, what is loaded on it, and what is needed to
 * use it. XRT gives access to registers only for a bitstream whose file it was given, so such a card is never ready
 * by itself. */
#ifndef FPGAUGE_DRIVERS_XRT_LISTING_H
#define FPGAUGE_DRIVERS_XRT_LISTING_H

#include "drivers/device.h"

/* said: the bridge's text of a card (xrt_bridge.h). Of manifests that cannot be read (drivers/bitstream.h), the first
 * one's complaint is in *bad_manifest. */
void xrt_listing_read(const char *said, struct device_listing *listing, struct error *bad_manifest);

/* The boards for which there are recipes in bitstreams/, in the names of their folders; ends with NULL. */
extern const char *const XRT_LISTING_RECIPES[];

#endif
