/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated card: a simulation library whose time runs by itself, like a card's, behind 32-bit register accesses. The
 * accesses come from a front (front.h). Single-threaded: the front calls sim_card_idle() when it has nothing else to
 * do.
 *
 * Device time runs at most clock_ratio times as fast as the wall clock. When nothing is in flight a simulation skips
 * time, so it keeps up; under traffic Verilated RTL falls behind, and only its own clock is meaningful. */
#ifndef FPGAUGE_SIM_CARDS_SIM_CARD_H
#define FPGAUGE_SIM_CARDS_SIM_CARD_H

#include <stddef.h>
#include <stdint.h>

#include "drivers/sim_abi.h"

/* Faults to inject. */
enum sim_card_fault_kind {
	SIM_CARD_FAULT_NONE,
	SIM_CARD_FAULT_GONE,          /* all reads return all ones, writes are lost */
	SIM_CARD_FAULT_STUCK_BUSY,    /* status.sending is always set */
	SIM_CARD_FAULT_STOPPED_CLOCK, /* the time register stands still */
	SIM_CARD_FAULT_WRONG_ID,
	SIM_CARD_FAULT_WRONG_VERSION,
	SIM_CARD_FAULT_WRONG_HASH,
	SIM_CARD_FAULT_PLAIN_MAC, /* it says that its MAC sends nothing but whole frames with usual gaps, as a CMAC does
	                           */
	SIM_CARD_FAULT_DIE,       /* the process is killed */
	SIM_CARD_FAULT_HANG,      /* no access is answered any more */
};

struct sim_card_fault {
	enum sim_card_fault_kind kind;
	uint64_t after_starts; /* not before this many trials were started */
	uint64_t at_access;    /* then from this access on, counted from 0 */
};

struct sim_card_config {
	const char *library; /* "rtl", "twin" or a path; found as drivers/sim_library.h says */
	const struct fpgauge_sim_option *options;
	size_t option_count;
	double clock_ratio; /* greater than 0 */
	struct sim_card_fault fault;
	const char *fault_file; /* created when the fault occurs, so that a test knows when; NULL: none */
};

struct sim_card;

/* Reads "gone", "gone,at=500" or "gone,starts=3,at=20" into *fault. 0, or -1 with the reason in error. */
int sim_card_parse_fault(const char *text, struct sim_card_fault *fault, char *error, size_t error_size);

/* NULL with one line in error if it cannot be opened. */
struct sim_card *sim_card_open(const struct sim_card_config *config, char *error, size_t error_size);
void sim_card_close(struct sim_card *card); /* NULL is allowed */

/* One access on the register bus. -1 if the device refuses it (sim_card_error() says why): then a read returns all
 * ones, as on a bus where nobody answers, and a write is lost. */
int sim_card_read32(struct sim_card *card, uint32_t address, uint32_t *value);
int sim_card_write32(struct sim_card *card, uint32_t address, uint32_t value);

/* Lets device time pass, for at most about a millisecond of wall time. Returns how many milliseconds of wall time the
 * front may then wait for a request: 0 while the device's clock is behind; -1 if the simulation has failed, after which
 * it cannot go on (sim_card_error() says why). */
int sim_card_idle(struct sim_card *card);

const char *sim_card_name(const struct sim_card *card); /* the library's */
const char *sim_card_error(const struct sim_card *card);

#endif
