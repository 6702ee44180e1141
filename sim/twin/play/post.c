// SPDX-License-Identifier: Apache-2.0
/* Octets from senders to receivers. */
#include "sim/twin/play/post.h"

#include <stdlib.h>
#include <string.h>

struct post *post_make(void)
{
	struct post *post = calloc(1, sizeof(*post));

	if (post == NULL || letters_init(&post->sent) == 0)
		return post;
	free(post);
	return NULL;
}

void post_free(struct post *post)
{
	if (post == NULL)
		return;
	letters_release(&post->sent);
	free(post);
}

void post_start(struct post *post, const struct turns_tables *tables, const struct rules_settings *rules, bool follows)
{
	bool any = false, varies = false, some = false;

	for (unsigned i = 0; i < TURNS_FLOWS; i++) {
		const bool has_fields = contents_varies(&post->contents.flow[i]);

		any |= has_fields;
		some |= (tables->flow[i].flags & FLOW_UNSIGNED) != 0;
		varies |= has_fields && tables->flow[i].flags & FLOW_UNSIGNED;
	}
	for (uint32_t i = 0; i < rules->rules; i++)
		varies |= rules->rule[i].frame.flags & FLOW_UNSIGNED &&
		          contents_varies(&post->contents.flow[rules->rule[i].frame.flow]);
	post->follows = follows;
	post->follows_all = follows && (varies || (any && !some));
}

bool post_may_send(const struct post *post, const struct descriptor *frame)
{
	return !post->follows || post->follows_all || !(frame->flags & FLOW_UNSIGNED) ||
	       !contents_varies(&post->contents.flow[frame->flow]);
}

int post_sent(struct post *post, const struct record *record, const struct dut_frame *frame, uint8_t *header,
              uint32_t count)
{
	const uint32_t flow = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);
	uint32_t values[CONTENTS_FIELDS];
	uint8_t *octets;

	contents_values(&post->contents, flow, values);
	/* A device is told whether the FCS is right, and does not look at it. */
	if (count > frame->octets - FCS_OCTETS)
		count = frame->octets - FCS_OCTETS;
	if (!(record->start & RECORD_UNSIGNED) || frame->flags & DUT_FRAME_BROKEN) {
		frame_octets_make(&post->tables, &post->contents, values, record, frame->octets, header, count);
		return 0;
	}
	octets = letters_add(&post->sent, frame->id, frame->octets);
	if (octets == NULL)
		return -1;
	frame_octets_make(&post->tables, &post->contents, values, record, frame->octets, octets, frame->octets);
	memcpy(header, octets, count);
	return 0;
}

int post_arrives(struct post *from, const struct dut_frame *frame, struct receiver *receiver, struct dut_device *device,
                 unsigned port)
{
	const struct letter *letter = letters_find(&from->sent, frame->id);
	uint8_t *octets;

	if (letter == NULL) /* sent before it was of interest */
		return 0;
	octets = letters_add(&receiver->letters, frame->start_ot, frame->octets);
	if (octets == NULL)
		return -1;
	memcpy(octets, letter->octet, frame->octets);
	if (frame->flags & DUT_FRAME_REWRITTEN)
		dut_device_rewrite(device, port, frame, octets);
	if (frame->flags & DUT_FRAME_ALTERED && frame->octets >= DUT_ALTERED_MIN_OCTETS)
		octets[dut_altered_octet(frame->octets)] ^= 0xff;
	if (frame->flags & (DUT_FRAME_ALTERED | DUT_FRAME_REWRITTEN))
		frame_put_fcs(octets, frame->octets);
	return 0;
}

int post_arrives_own(const struct dut_frame *frame, struct receiver *receiver, struct dut_device *device, unsigned port)
{
	uint8_t *octets = letters_add(&receiver->letters, frame->start_ot, frame->octets);

	if (octets == NULL)
		return -1;
	dut_device_own(device, port, frame, octets);
	frame_put_fcs(octets, frame->octets);
	return 0;
}
