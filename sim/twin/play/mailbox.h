/* SPDX-License-Identifier: Apache-2.0 */
/* Unexpected frames that a receiver keeps for the host: hw/rtl/rx/rx_mail.v, rx_mail_filter.v and rx_mail_ring.v. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_MAILBOX_H
#define FPGAUGE_SIM_TWIN_PLAY_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/dut.h"

enum {
	MAILBOX_FRAMES = 64,
	MAILBOX_WORDS = 512,   /* room in words of the line */
	MAILBOX_RECORDS = 128, /* frames kept, and those given back while others came in */
	MAILBOX_CHANGES = 64,  /* changes of its settings while a frame comes in */
};

struct mail_settings {
	uint32_t filter;
	uint64_t address, types;
};

/* A frame that is or was kept. Entries of the ring are counted from the first one ever used. */
struct mail_frame {
	uint64_t first_entry, last_entry;
	uint64_t end_word;
	uint64_t kept_clock, back_clock; /* when it was given back; UINT64_MAX: not yet */
	uint64_t start_ot;
	uint32_t octets;
	uint8_t *octet; /* kept until it is given back */
};

struct mailbox {
	struct mail_settings settings[MAILBOX_CHANGES]; /* indexed by number of the change, modulo */
	uint64_t since_clock[MAILBOX_CHANGES];
	uint64_t changes; /* the first ones, before there were any, are all 0 */
	struct mail_frame frame[MAILBOX_RECORDS];
	uint64_t kept, given_back; /* all those before are */
	uint64_t emptied_clock;    /* when one was given back last; 0: never */
	bool missed;               /* a frame came whose octets nobody followed */
};

void mailbox_release(struct mailbox *mailbox);

/* The settings in this clock and from then on. Until a frame has been counted, those of before still count for it. */
void mailbox_set(struct mailbox *mailbox, const struct mail_settings *settings, uint64_t clock);

enum mail_result { MAIL_UNWANTED, MAIL_KEPT, MAIL_OVERFLOW };

/* True if it may be wanted: rx_mail_filter was not 0 while it came. */
bool mailbox_follows(const struct mailbox *mailbox, const struct dut_frame *frame);

/* A good frame of others is counted. Frees its octets if it does not keep them. */
enum mail_result mailbox_take(struct mailbox *mailbox, const struct dut_frame *frame, uint8_t *octets);

/* The host gives the oldest one back, if it can see it in this clock; a clear gives back all. */
void mailbox_next(struct mailbox *mailbox, uint64_t clock);
void mailbox_clear(struct mailbox *mailbox, uint64_t clock);

/* The oldest one as the host can see it in this clock; NULL: none. */
const struct mail_frame *mailbox_oldest(const struct mailbox *mailbox, uint64_t clock);

#endif
