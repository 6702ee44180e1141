// SPDX-License-Identifier: Apache-2.0
/* Decodes words of the line into frames. */
#include "sim/line/line_decoder.h"

#include <stddef.h>
#include <string.h>

/* First octet of every group. */
static const uint64_t GROUP_STARTS = UINT64_C(0x0101010101010101) & LINE_ALL_CTRL;

static inline uint8_t octet_of(const struct line_word *word, unsigned octet)
{
	return (uint8_t)(word->group[octet / LINE_GROUP_OCTETS] >> (8 * (octet % LINE_GROUP_OCTETS)));
}

void line_decoder_init(struct line_decoder *decoder, const struct line_sink *sink)
{
	*decoder = (struct line_decoder){.sink = *sink};
}

static void finish(struct line_decoder *decoder, bool broken)
{
	struct line_frame frame = {.start_ot = decoder->start_ot,
	                           .octets = decoder->octets,
	                           .length = decoder->length,
	                           .broken = broken || decoder->length > LINE_MAX_FRAME_OCTETS};

	decoder->in_frame = false;
	if (decoder->octets != NULL)
		decoder->sink.end(decoder->sink.context, &frame);
}

/* Keeps the octets of the word from first up to end; first is a multiple of 8. Whole groups are copied, because there
 * is room after a frame. Octets beyond the longest frame are counted but not kept. */
static void keep(struct line_decoder *decoder, const struct line_word *word, unsigned first, unsigned end)
{
	if (decoder->octets != NULL && decoder->length <= LINE_MAX_FRAME_OCTETS) {
		uint8_t *to = decoder->octets + decoder->length;

		if (first == 0 && end == LINE_OCTETS)
			memcpy(to, word->group, LINE_OCTETS);
		else
			for (unsigned octet = first; octet < end; octet += LINE_GROUP_OCTETS, to += LINE_GROUP_OCTETS)
				memcpy(to, &word->group[octet / LINE_GROUP_OCTETS], LINE_GROUP_OCTETS);
		decoder->length += end - first;
	}
}

/* Continues a frame with data up to the next control character. Returns where it stopped, LINE_OCTETS if it goes on. A
 * start character is left for the next frame; any other is consumed. */
static unsigned go_on(struct line_decoder *decoder, const struct line_word *word, unsigned from)
{
	uint64_t ctrl = word->ctrl & (UINT64_MAX << from);
	unsigned end = ctrl != 0 ? (unsigned)__builtin_ctzll(ctrl) : LINE_OCTETS;

	keep(decoder, word, from, end);
	if (ctrl == 0)
		return LINE_OCTETS;
	finish(decoder, octet_of(word, end) != LINE_TERMINATE);
	return end;
}

/* First start character at or after from; LINE_OCTETS if there is none. One that is not in the first octet of a group
 * is not a start. */
static unsigned find_start(const struct line_word *word, unsigned from)
{
	uint64_t starts = word->ctrl & GROUP_STARTS & (UINT64_MAX << from);

	for (; starts != 0; starts &= starts - 1) {
		unsigned octet = (unsigned)__builtin_ctzll(starts);

		if (octet_of(word, octet) == LINE_START)
			return octet;
	}
	return LINE_OCTETS;
}

static void begin(struct line_decoder *decoder, uint64_t start_ot)
{
	decoder->in_frame = true;
	decoder->start_ot = start_ot;
	decoder->length = 0;
	decoder->octets = decoder->sink.begin(decoder->sink.context);
}

void line_decode(struct line_decoder *decoder, uint64_t word_number, const struct line_word *word)
{
	unsigned octet = 0;

	while (octet < LINE_OCTETS) {
		uint64_t preamble_ctrl;

		if (decoder->in_frame) {
			octet = go_on(decoder, word, octet);
			if (octet >= LINE_OCTETS)
				return;
		}
		octet = find_start(word, octet);
		if (octet >= LINE_OCTETS)
			return;
		begin(decoder, word_number * LINE_OCTETS + octet);
		preamble_ctrl = word->ctrl >> octet & 0xfe;
		octet += LINE_GROUP_OCTETS;
		if (preamble_ctrl != 0)
			finish(decoder, true);
	}
}
