/* SPDX-License-Identifier: Apache-2.0 */
/* The filters of RFC 2544 section 11.4 for the traffic of a shape, and frames that show whether a device has them. */
#ifndef FPGAUGE_TRIAL_FILTERS_H
#define FPGAUGE_TRIAL_FILTERS_H

#include <stddef.h>

#include "host/trial/tester.h"

/* The filters that a device with so many ports must have for a shape, for each port that sends, in order. As text, or
 * for "nft -f"; interfaces: by port, where its stream comes in, NULL at the end, or NULL. If the shape has no filters:
 * nothing, or the removal of those that were there. Returns the length without the NUL; size or more: it was cut. */
size_t trial_filters_text(const struct traffic_shape *shape, unsigned ports, char *text, size_t size);
size_t trial_filters_nft(const struct traffic_shape *shape, unsigned ports, const char *const *interfaces, char *text,
                         size_t size);

/* Enough for either, of all ports. */
enum { TRIAL_FILTERS_TEXT_SIZE = 16 * 4096 };

/* Adds to the traffic of a shape with TRAFFIC_FILTER_CHECK flows that interleave with that of the stream, and must
 * arrive nowhere: a flow for each condition that blocks, with its addresses, and one for "all else", which differs
 * from the stream in the host that sends, or of a bridge in the one that it is for. */
int trial_filters_add_blocked(struct traffic *traffic, const struct traffic_shape *shape, struct error *error);

#endif
