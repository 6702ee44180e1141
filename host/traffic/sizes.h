/* SPDX-License-Identifier: Apache-2.0 */
/* Mixes of frame lengths as text, and what one round of a mix adds up to. Lengths count from destination MAC to FCS.
 *
 *     imix            the simple IMIX, 7 of 64, 4 of 570 and 1 of 1518 octets, as IMIX_v4_1 of FD.io CSIT
 *     genome:aabbz    an IMIX genome (RFC 6985 section 4), a letter a frame
 *     [64, 570, 64]   a list, a number a frame
 *
 * Frames of a flow have these lengths in this order, and then the first again. An IMIX is known by shares, so its order
 * is ours: the longer frames stand as far from one another as twelve places allow. The letter z, the MTU, is always a
 * frame of 1518 octets (an MTU of 1500 octets of IP); for any other MTU, write a list. */
#ifndef FPGAUGE_TRAFFIC_SIZES_H
#define FPGAUGE_TRAFFIC_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/base/rate.h"
#include "host/traffic/shape.h"

enum {
	TRAFFIC_SIZES_TEXT = 2 + 6 * TRAFFIC_MAX_SIZES, /* buffer size for any mix: "[9216, ... 9216]" */
};

/* The forms that a text may have, for complaints: "\"imix\", ..." */
extern const char TRAFFIC_SIZES_FORMS[];

/* Reads a text of one of the forms above. Returns 0, or ERROR_PLAN with what is wrong and the limit, but no place; the
 * result is then without sizes. */
int traffic_sizes_parse(const char *text, struct traffic_sizes *sizes, struct error *error);

/* Appends one length. ERROR_PLAN: "must be 64 to 9216 ...", or there are too many; nothing is appended then. */
int traffic_sizes_add(struct traffic_sizes *sizes, uint64_t octets, struct error *error);

/* The one text of a mix, so that equal mixes have equal texts: imix if it is that; a genome if every length has a
 * letter, with 1518 octets as g; else a list. Empty without sizes. Returns buffer. */
const char *traffic_sizes_text(const struct traffic_sizes *sizes, char *buffer, size_t size);

/* Names the frames of something in one word: "64" or, for 0 octets, the text of the mix without blanks,
 * "[64,570]". Returns buffer. */
const char *traffic_sizes_word(uint32_t frame_octets, const struct traffic_sizes *sizes, char *buffer, size_t size);

/* Octets of all frames of one round. */
uint32_t traffic_sizes_round_octets(const struct traffic_sizes *sizes);

/* The average length, exactly: octets / frames, reduced. There are sizes. */
struct traffic_average {
	uint32_t octets, frames;
};
struct traffic_average traffic_sizes_average(const struct traffic_sizes *sizes);

/* Each length of a mix with its number of frames in a round, shortest first. Returns how many lengths there are. */
struct traffic_share {
	uint16_t octets;
	uint16_t frames;
};
unsigned traffic_sizes_shares(const struct traffic_sizes *sizes, struct traffic_share shares[TRAFFIC_MAX_SIZES]);

/* Maximum theoretical frame rate of a link for whole rounds of the mix: frames / time of their octets with preamble and
 * minimum gap. There are sizes. */
struct rate traffic_sizes_max_rate(const struct traffic_sizes *sizes, uint64_t link_bps);

#endif
