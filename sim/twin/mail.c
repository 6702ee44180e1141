// SPDX-License-Identifier: Apache-2.0
/* The registers of frames that are kept for the host. */
#include "sim/twin/play/clocks.h"
#include "sim/twin/twin.h"

bool twin_mail_missed(struct twin *twin, unsigned port)
{
	return play_fail(&twin->play,
	                 "port %u: a frame came that rx_mail_filter may want, and that was sent before one was set: "
	                 "the twin does not know what is in it",
	                 port);
}

/* Follows the octets of frames from now on. They stay unknown for a trial that has begun without. */
static bool follow(struct twin *twin, uint64_t clock)
{
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		struct post *post = twin->play.posts[i];

		if (post->follows)
			continue;
		if (!play_port(&twin->play, i, clock, true))
			return false;
		if (twin->play.device->header_octets <= CONTENTS_OCTETS &&
		    sender_sending(&twin->play.directions[i].sender, clock))
			return play_fail(&twin->play,
			                 "port %u sends: the first rx_mail_filter is set before: the twin does not "
			                 "know what is in frames of a trial that began without",
			                 i);
		post->follows = true;
	}
	return true;
}

bool twin_mail_write(struct twin *twin, unsigned port, unsigned reg, uint64_t clock)
{
	const uint64_t *values = twin->ports[port].value;
	struct mailbox *mailbox = &twin->play.receivers[port].mail;
	struct mail_settings settings = {.filter = (uint32_t)values[PORT_RX_MAIL_FILTER],
	                                 .address = values[PORT_RX_MAIL_ADDRESS],
	                                 .types = values[PORT_RX_MAIL_TYPES]};

	if (!play_receiver(&twin->play, port, clock))
		return false;
	if (reg == PORT_RX_MAIL_NEXT) {
		mailbox_next(mailbox, clock);
		return true;
	}
	mailbox_set(mailbox, &settings, clock);
	return settings.filter == 0 || follow(twin, clock);
}

static uint32_t data_of(const struct mail_frame *frame, uint64_t index)
{
	uint32_t data = 0;

	for (uint64_t i = 0; i < 4 && 4 * index + i < frame->octets; i++)
		data |= (uint32_t)frame->octet[4 * index + i] << 8 * i;
	return data;
}

bool twin_mail_read(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value)
{
	const struct mailbox *mailbox = &twin->play.receivers[port].mail;
	const uint64_t clock = twin->clock + TABLE_CLOCK + 1;
	/* A host that polls for a frame need not have all other ports played each time. */
	const bool calm = play_is_calm(&twin->play, port, clock);
	const struct mail_frame *oldest;

	if (!calm && !play_receiver(&twin->play, port, clock))
		return false;
	if (mailbox->missed)
		return twin_mail_missed(twin, port);
	oldest = mailbox_oldest(mailbox, clock);
	if (oldest == NULL)
		*value = 0;
	else if (word->reg == PORT_RX_MAIL_OCTETS)
		*value = oldest->octets;
	else if (word->reg == PORT_RX_MAIL_TIME)
		*value = register_word_of(oldest->start_ot, word->word);
	else
		*value = data_of(oldest, twin->ports[port].value[PORT_RX_MAIL_INDEX]);
	twin->clock += ACCESS_TABLE_CLOCKS;
	return true;
}
