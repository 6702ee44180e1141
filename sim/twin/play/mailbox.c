// SPDX-License-Identifier: Apache-2.0
/* Filter and ring of the frames that are kept for the host. */
#include "sim/twin/play/mailbox.h"

#include <stdlib.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"
#include "sim/twin/play/clocks.h"

enum { TO_ADDRESS = 1, TO_ALL = 2, TO_GROUPS = 4, TO_ANYONE = 8, OF_ANY_TYPE = 16 }; /* rx_mail_filter */
enum { TYPES = 4, FILTERED_OCTETS = 8 };

static const uint64_t ALL_STATIONS = UINT64_C(0xffffffffffff);

void mailbox_release(struct mailbox *mailbox)
{
	for (; mailbox->given_back != mailbox->kept; mailbox->given_back++)
		free(mailbox->frame[mailbox->given_back % MAILBOX_RECORDS].octet);
}

/* -- filter -------------------------------------------------------------------------------------------------------- */

void mailbox_set(struct mailbox *mailbox, const struct mail_settings *settings, uint64_t clock)
{
	mailbox->settings[mailbox->changes % MAILBOX_CHANGES] = *settings;
	mailbox->since_clock[mailbox->changes % MAILBOX_CHANGES] = clock;
	mailbox->changes++;
}

static const struct mail_settings NONE = {.filter = 0};

/* Number of the last change up to a clock, from 1; 0: there was none. */
static uint64_t change_at(const struct mailbox *mailbox, uint64_t clock)
{
	uint64_t number = mailbox->changes;

	while (number != 0 && mailbox->since_clock[(number - 1) % MAILBOX_CHANGES] > clock &&
	       mailbox->changes - number < MAILBOX_CHANGES)
		number--;
	return number;
}

static const struct mail_settings *after(const struct mailbox *mailbox, uint64_t change)
{
	return change != 0 ? &mailbox->settings[(change - 1) % MAILBOX_CHANGES] : &NONE;
}

static uint64_t start_word(const struct dut_frame *frame)
{
	return frame->start_ot / WORD_OCTETS;
}

static uint64_t end_word(const struct dut_frame *frame)
{
	return dut_frame_end_ot(frame) / WORD_OCTETS;
}

bool mailbox_follows(const struct mailbox *mailbox, const struct dut_frame *frame)
{
	const uint64_t last = change_at(mailbox, end_word(frame) + RX_MAIL_WORD_LAG);

	for (uint64_t i = change_at(mailbox, start_word(frame) + RX_MAIL_WORD_LAG); i <= last; i++)
		if (after(mailbox, i)->filter == 0)
			return false;
	return true;
}

static bool has_type(const struct mail_settings *settings, const uint8_t *octets)
{
	const uint32_t type = get_be16(octets + AT_TYPE);

	if (settings->filter & OF_ANY_TYPE)
		return true;
	for (unsigned i = 0; i < TYPES; i++)
		if (type != 0 && (settings->types >> 16 * i & 0xffff) == type)
			return true;
	return false;
}

static bool has_destination(const struct mail_settings *settings, const uint8_t *octets)
{
	const bool to_group = octets[0] & 1;
	const uint64_t to = get_le(octets, MAC_OCTETS);

	return settings->filter & TO_ANYONE || (settings->filter & TO_ADDRESS && to == settings->address) ||
	       (settings->filter & TO_ALL && to == ALL_STATIONS) ||
	       (settings->filter & TO_GROUPS && to_group && to != ALL_STATIONS);
}

/* Judged by the settings of the clock after that of the word with octets 8 to 15. */
static bool is_wanted(const struct mailbox *mailbox, const struct dut_frame *frame, const uint8_t *octets)
{
	const uint64_t word = (frame->start_ot + DUT_PREAMBLE_OCTETS + FILTERED_OCTETS) / WORD_OCTETS;
	const struct mail_settings *settings = after(mailbox, change_at(mailbox, word + RX_MAIL_WORD_LAG + 1));

	return mailbox_follows(mailbox, frame) && has_type(settings, octets) && has_destination(settings, octets);
}

/* -- ring ---------------------------------------------------------------------------------------------------------- */

static const struct mail_frame *record(const struct mailbox *mailbox, uint64_t number)
{
	return &mailbox->frame[number % MAILBOX_RECORDS];
}

/* Number of the oldest frame that had not been given back by a clock; `kept` if all had. */
static uint64_t oldest_at(const struct mailbox *mailbox, uint64_t clock)
{
	uint64_t number = mailbox->given_back;

	while (number != 0 && mailbox->kept - number < MAILBOX_RECORDS &&
	       record(mailbox, number - 1)->back_clock > clock)
		number--;
	while (number != mailbox->kept && record(mailbox, number)->back_clock <= clock)
		number++;
	return number;
}

/* True if the next word of a frame finds room in the clock in which it is written. What is given back is room two
 * clocks later. */
static bool has_room(const struct mailbox *mailbox, uint64_t entry, uint64_t clock)
{
	const uint64_t oldest = oldest_at(mailbox, clock - 2);

	return oldest == mailbox->kept || entry - record(mailbox, oldest)->first_entry < MAILBOX_WORDS;
}

static bool fits(const struct mailbox *mailbox, const struct dut_frame *frame, uint64_t first_entry, bool shares)
{
	const uint64_t words = end_word(frame) - start_word(frame) + 1;
	const uint64_t first_clock = start_word(frame) + RX_MAIL_WRITE_LAG;

	/* The first word shares the entry of the frame before, or goes into an empty ring a clock earlier than others.
	 */
	if (!shares && oldest_at(mailbox, first_clock - 1) != mailbox->kept &&
	    !has_room(mailbox, first_entry, first_clock))
		return false;
	for (uint64_t i = 1; i < words; i++)
		if (!has_room(mailbox, first_entry + i, first_clock + i))
			return false;
	return mailbox->kept - oldest_at(mailbox, first_clock + words - 2) < MAILBOX_FRAMES;
}

enum mail_result mailbox_take(struct mailbox *mailbox, const struct dut_frame *frame, uint8_t *octets)
{
	const struct mail_frame *before = mailbox->kept != 0 ? record(mailbox, mailbox->kept - 1) : NULL;
	const bool shares = before != NULL && before->end_word == start_word(frame);
	const uint64_t first_entry = before != NULL ? before->last_entry + !shares : 0;

	if (!is_wanted(mailbox, frame, octets)) {
		free(octets);
		return MAIL_UNWANTED;
	}
	if (!fits(mailbox, frame, first_entry, shares)) {
		free(octets);
		return MAIL_OVERFLOW;
	}
	mailbox->frame[mailbox->kept++ % MAILBOX_RECORDS] =
	        (struct mail_frame){.first_entry = first_entry,
	                            .last_entry = first_entry + end_word(frame) - start_word(frame),
	                            .end_word = end_word(frame),
	                            .kept_clock = end_word(frame) + RX_MAIL_WRITE_LAG,
	                            .back_clock = UINT64_MAX,
	                            .start_ot = frame->start_ot,
	                            .octets = frame->octets,
	                            .octet = octets};
	return MAIL_KEPT;
}

/* -- the host ------------------------------------------------------------------------------------------------------ */

const struct mail_frame *mailbox_oldest(const struct mailbox *mailbox, uint64_t clock)
{
	const struct mail_frame *oldest = record(mailbox, mailbox->given_back);

	/* It is shown two clocks after it was kept, or after the one before it was given back. */
	if (mailbox->given_back == mailbox->kept || oldest->kept_clock + 2 > clock ||
	    (mailbox->emptied_clock != 0 && mailbox->emptied_clock + 2 > clock))
		return NULL;
	return oldest;
}

static void give_back(struct mailbox *mailbox, uint64_t clock)
{
	struct mail_frame *oldest = &mailbox->frame[mailbox->given_back++ % MAILBOX_RECORDS];

	free(oldest->octet);
	oldest->octet = NULL;
	oldest->back_clock = clock;
	mailbox->emptied_clock = clock;
}

void mailbox_next(struct mailbox *mailbox, uint64_t clock)
{
	if (mailbox_oldest(mailbox, clock) != NULL)
		give_back(mailbox, clock);
}

void mailbox_clear(struct mailbox *mailbox, uint64_t clock)
{
	while (mailbox->given_back != mailbox->kept)
		give_back(mailbox, clock);
	mailbox->emptied_clock = clock;
	mailbox->missed = false;
}
