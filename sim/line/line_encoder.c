// SPDX-License-Identifier: Apache-2.0
/* Encodes frames into words of the line. */
#include "sim/line/line_encoder.h"

#include <string.h>

void line_encoder_init(struct line_encoder *encoder, struct frame_store *store)
{
	*encoder = (struct line_encoder){.store = store};
}

/* Data octets of one group: the low `count` of value, then terminate, then idle. count below 8. */
static inline uint64_t last_group(uint64_t value, unsigned count)
{
	uint64_t keep = (UINT64_C(1) << (8 * count)) - 1;
	uint64_t tail = (LINE_IDLE_GROUP & ~UINT64_C(0xff)) | LINE_TERMINATE;

	return (value & keep) | tail << (8 * count);
}

/* Sends from the given group on; returns the group after what was sent, LINE_GROUPS if the word is full. */
static unsigned send_octets(struct line_encoder *encoder, struct line_word *word, unsigned group)
{
	const struct stored_frame *frame = frame_store_first(encoder->store);
	const uint8_t *octets = frame_store_octets(encoder->store) + encoder->sent;
	uint32_t left = frame->length - encoder->sent;
	unsigned room = (unsigned)(LINE_GROUPS - group) * LINE_GROUP_OCTETS;
	unsigned whole = (left < room ? left : room) / LINE_GROUP_OCTETS;

	for (unsigned i = 0; i < whole; i++)
		memcpy(&word->group[group + i], octets + (size_t)i * LINE_GROUP_OCTETS, LINE_GROUP_OCTETS);
	if (whole != 0) /* 1 to 8 groups of data from this one on */
		word->ctrl &= ~(UINT64_MAX >> (64 - 8 * whole) << (8 * group));
	group += whole;
	encoder->sent += whole * LINE_GROUP_OCTETS;
	left -= whole * LINE_GROUP_OCTETS;
	if (group == LINE_GROUPS)
		return group; /* terminate goes into the next word, even if no data is left */
	octets += whole * LINE_GROUP_OCTETS;
	memcpy(&word->group[group], octets, LINE_GROUP_OCTETS);
	word->group[group] = last_group(word->group[group], left);
	word->ctrl &= ~(((UINT64_C(1) << left) - 1) << (8 * group));
	encoder->sending = false;
	frame_store_drop_first(encoder->store);
	return group + 1;
}

/* Does the same as send_octets; a corrupt frame leaves with its last octet inverted. */
static unsigned send(struct line_encoder *encoder, struct line_word *word, unsigned group)
{
	const uint32_t left = frame_store_first(encoder->store)->length - encoder->sent;
	const uint32_t last =
	        group * LINE_GROUP_OCTETS + left - 1; /* last octet of the frame, counted from the start of this word */
	const bool corrupt = frame_store_next(encoder->store)->corrupt && left != 0 && last < LINE_OCTETS;

	group = send_octets(encoder, word, group);
	if (corrupt)
		word->group[last / LINE_GROUP_OCTETS] ^= UINT64_C(0xff) << (8 * (last % LINE_GROUP_OCTETS));
	return group;
}

bool line_encode(struct line_encoder *encoder, uint64_t word_number, struct line_word *word)
{
	uint64_t word_ot = word_number * LINE_OCTETS;
	unsigned group = 0;

	if (line_encoder_next(encoder) > word_number)
		return false;
	*word = LINE_IDLE_WORD;
	if (encoder->sending)
		group = send(encoder, word, 0);
	while (group < LINE_GROUPS && !frame_store_empty(encoder->store)) {
		uint64_t departure_ot = frame_store_next(encoder->store)->start_ot;

		if (departure_ot >= word_ot + LINE_OCTETS)
			break;
		if (departure_ot > word_ot + group * LINE_GROUP_OCTETS)
			group = (unsigned)(departure_ot - word_ot) / LINE_GROUP_OCTETS;
		word->group[group] = LINE_PREAMBLE;
		word->ctrl &= ~(UINT64_C(0xfe) << (8 * group));
		encoder->sending = true;
		encoder->sent = 0;
		if (++group < LINE_GROUPS)
			group = send(encoder, word, group);
	}
	return true;
}
