/* SPDX-License-Identifier: Apache-2.0 */
/* The signature is the last 18 octets before the FCS (docs/hardware-core.md): magic, run, stream, sequence number. */
#include "sim/verilog/loss_watch.h"

#include <string.h>

#include "host/base/octets.h"
#include "sim/line/fcs.h"

enum {
	SIGNATURE_OCTETS = 18,
	MAGIC_0 = 0xf9,
	MAGIC_1 = 0xa6,
	RUN_AT = 2,
	STREAM_AT = 3, /* source port in the high half of an octet, then an octet of flow */
	SEQUENCE_AT = 5,
	SEQUENCE_OCTETS = 6,
};

static const uint64_t NOT_SEEN = UINT64_MAX;

static uint64_t sequence_of(const uint8_t *signature)
{
	return get_be(signature + SEQUENCE_AT, SEQUENCE_OCTETS);
}

static void new_run(struct loss_watch *watch, uint8_t run)
{
	watch->seen = true;
	watch->run = run;
	memset(watch->next, 0xff, sizeof(watch->next));
}

/* A late frame was missing before. A broken one is missing when the next of its stream comes. The first of a stream
 * says nothing: a switch may send it to other ports before it knows where it belongs. */
static void see(void *context, const struct line_frame *frame)
{
	struct loss_watch *watch = context;
	const uint8_t *signature = frame->octets + frame->length - FCS_OCTETS - SIGNATURE_OCTETS;
	uint64_t sequence;
	unsigned stream;

	if (frame->broken || frame->length < FCS_OCTETS + SIGNATURE_OCTETS || signature[0] != MAGIC_0 ||
	    signature[1] != MAGIC_1 || !line_has_right_fcs(frame->octets, frame->length))
		return;
	if (!watch->seen || watch->run != signature[RUN_AT])
		new_run(watch, signature[RUN_AT]);
	stream = (unsigned)(signature[STREAM_AT] & 0xf0) << 4 | signature[STREAM_AT + 1];
	sequence = sequence_of(signature);
	if (watch->next[stream] != NOT_SEEN && sequence > watch->next[stream])
		watch->lost = true;
	if (watch->next[stream] == NOT_SEEN || sequence >= watch->next[stream])
		watch->next[stream] = sequence + 1;
}

static uint8_t *room(void *context)
{
	return ((struct loss_watch *)context)->octets;
}

void loss_watch_init(struct loss_watch *watch)
{
	const struct line_sink sink = {.begin = room, .end = see, .context = watch};

	memset(watch, 0, sizeof(*watch));
	line_decoder_init(&watch->decoder, &sink);
}

bool loss_watch_word(struct loss_watch *watch, uint64_t number, const struct line_word *word)
{
	if (word != NULL || !line_decoder_idle(&watch->decoder))
		line_decode(&watch->decoder, number, word != NULL ? word : &LINE_IDLE_WORD);
	return watch->lost;
}
