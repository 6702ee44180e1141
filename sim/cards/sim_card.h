/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated card: a simulation library whose time runs by itself, as a card's does, behind 32-bit register accesses.
 * What brings the accesses is a front (front.h). One thread: the front calls sim_card_idle() when it has nothing else
 * to do.
 *
 * Device time runs at most clock_ratio times as fast as the wall clock. Where nothing is in flight a simulation skips
 * time, so it keeps pace; under traffic Verilated RTL falls behind, and its own clock is the only one to go by. */
#ifndef FPGAUGE_SIM_CARDS_SIM_CARD_H
#define FPGAUGE_SIM_CARDS_SIM_CARD_H

#include <stddef.h>
#include <stdint.h>

#include "drivers/sim_abi.h"

/* What goes wrong, on purpose. */
enum sim_card_fault_kind {
	SIM_CARD_FAULT_NONE,
	SIM_CARD_FAULT_GONE,          /* all reads give all ones, writes are lost */
	SIM_CARD_FAULT_STUCK_BUSY,    /* status.sending is always set */
	SIM_CARD_FAULT_STOPPED_CLOCK, /* the time register stands still */
	SIM_CARD_FAULT_WRONG_ID,
	SIM_CARD_FAULT_WRONG_VERSION,
	SIM_CARD_FAULT_WRONG_HASH,
	SIM_CARD_FAULT_DIE,  /* the process is killed */
	SIM_CARD_FAULT_HANG, /* no access is answered any more */
};

struct sim_card_fault {
	enum sim_card_fault_kind kind;
	uint64_t after_starts; /* not before so many trials were started */
	uint64_t at_access;    /* and then from this access on, counted from 0 */
};

struct sim_card_config {
	const char *library; /* "rtl", "twin" or a path; found as drivers/sim_library.h says */
	const struct fpgauge_sim_option *options;
	size_t option_count;
	double clock_ratio; /* above 0 */
	struct sim_card_fault fault;
	const char *fault_file; /* made when the fault comes, so that a test knows the time; NULL: none */
};

struct sim_card;

/* Reads "gone", "gone,at=500" or "gone,starts=3,at=20" into *fault. 0, or -1 with the refusal in error. */
int sim_card_parse_fault(const char *text, struct sim_card_fault *fault, char *error, size_t error_size);

/* NULL with one line in error when it cannot be. */
struct sim_card *sim_card_open(const struct sim_card_config *config, char *error, size_t error_size);
void sim_card_close(struct sim_card *card); /* NULL is allowed */

/* One access on the register bus. -1 when the device refuses it (sim_card_error() says why): a read is all ones then,
 * as on a bus where nobody answers, and a write is lost. */
int sim_card_read32(struct sim_card *card, uint32_t address, uint32_t *value);
int sim_card_write32(struct sim_card *card, uint32_t address, uint32_t value);

/* Lets device time pass, for about a millisecond of wall time at most. Returns how many milliseconds of wall time the
 * front may then wait for a request: 0 while the device's clock is behind; -1 when the simulation has failed, which is
 * the end of it (sim_card_error() says why). */
int sim_card_idle(struct sim_card *card);

const char *sim_card_name(const struct sim_card *card); /* of the library */
const char *sim_card_error(const struct sim_card *card);

#endif
