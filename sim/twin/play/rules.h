/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of rules, and those that tx_send asks for: hw/rtl/tx/tx_rules.v, in octet times from the origin of a trial.
 *
 * It knows when such a frame is due and what it is; that it then takes the place of the next one is up to the sender.
 */
#ifndef FPGAUGE_SIM_TWIN_PLAY_RULES_H
#define FPGAUGE_SIM_TWIN_PLAY_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/turns.h"

enum { RULES_MOST = 4 };

struct rule {
	uint64_t octets, period_octets; /* due at this time, and again after each period; 0: only once */
	struct descriptor frame;
};

struct rules_settings {
	uint32_t rules;
	struct rule rule[RULES_MOST];
};

struct rules {
	uint64_t due_octets; /* a frame that starts at this time or later is one of these; UINT64_MAX: none is due */
	uint64_t begun;      /* frames of this trial that were */
	uint64_t
	        rule_octets; /* when the candidate is due: of the rules still to send, the one with the earliest time */
	uint32_t candidate;
	uint64_t next_octets[RULES_MOST]; /* UINT64_MAX: it has sent for the last time */
	bool asked;                       /* a rule was asked for this frame, from this time on */
	struct descriptor asked_frame;
	uint64_t asked_octets;
};

void rules_init(struct rules *rules, const struct rules_settings *settings);

/* Reads the value of a register that holds a rule's frame. */
struct descriptor rules_frame(uint32_t value);

/* tx_send, while nothing is asked for. */
void rules_ask(struct rules *rules, const struct descriptor *frame, uint64_t from_octets);

/* A frame that is due begins. */
struct descriptor rules_take(struct rules *rules, const struct rules_settings *settings, uint64_t start_octets);

/* A place in time waits for one of these, a word at a time, if there are no other frames. UINT64_MAX: none is due. */
uint64_t rules_wait(const struct rules *rules, uint64_t place_octets);

#endif
