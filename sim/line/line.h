/* SPDX-License-Identifier: Apache-2.0 */
/* The line between the simulated core and a DUT: one word per clock, as hw/rtl drives it.
 *
 * A word is LINE_GROUPS groups of 8 octets, with octet 0 first on the wire; a set bit of ctrl marks its octet as a
 * control character. The time of octet i of word w is w x LINE_OCTETS + i octet times. */
#ifndef FPGAUGE_SIM_LINE_LINE_H
#define FPGAUGE_SIM_LINE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#ifndef LINE_GROUPS
#define LINE_GROUPS 8 /* 100 Gb/s at 195.3125 MHz */
#endif

enum {
	LINE_GROUP_OCTETS = 8,
	LINE_OCTETS = LINE_GROUPS * LINE_GROUP_OCTETS,
	LINE_IDLE = 0x07,
	LINE_START = 0xfb,
	LINE_TERMINATE = 0xfd,
	LINE_ERROR = 0xfe,
	LINE_MAX_FRAME_OCTETS = 16384, /* longer ones never count as whole */
};

/* ctrl of a word that has only control characters. */
#define LINE_ALL_CTRL (UINT64_MAX >> (64 - LINE_OCTETS))

/* The 8 octets that precede a frame, as a little-endian number: FB 55 55 55 55 55 55 D5. */
#define LINE_PREAMBLE UINT64_C(0xd5555555555555fb)
#define LINE_IDLE_GROUP UINT64_C(0x0707070707070707)

struct line_word {
	uint64_t group[LINE_GROUPS];
	uint64_t ctrl;
};

static const struct line_word LINE_IDLE_WORD = {
        .group = {LINE_IDLE_GROUP
#if LINE_GROUPS > 1
                  ,
                  LINE_IDLE_GROUP
#endif
#if LINE_GROUPS > 2
                  ,
                  LINE_IDLE_GROUP, LINE_IDLE_GROUP
#endif
#if LINE_GROUPS > 4
                  ,
                  LINE_IDLE_GROUP, LINE_IDLE_GROUP, LINE_IDLE_GROUP, LINE_IDLE_GROUP
#endif
        },
        .ctrl = LINE_ALL_CTRL,
};

/* True if a word is idle. It is asked of every line in every clock: so no call of memcmp(), and no way out half way. */
static inline bool line_word_is_idle(const struct line_word *word)
{
	uint64_t different = word->ctrl ^ LINE_ALL_CTRL;

	for (int g = 0; g < LINE_GROUPS; g++)
		different |= word->group[g] ^ LINE_IDLE_GROUP;
	return different == 0;
}

#endif
