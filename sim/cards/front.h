/* SPDX-License-Identifier: Apache-2.0 */
/* A front of the simulated card: it takes accesses from an emulated bus of the host and passes them to the card. A new
 * front is a file with its struct, and a row of the table in main.c. */
#ifndef FPGAUGE_SIM_CARDS_FRONT_H
#define FPGAUGE_SIM_CARDS_FRONT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/cards/sim_card.h"

/* The part of the command line that is not about the card. A front uses what it needs, and fails if that is missing. */
struct front_arguments {
	const char *socket; /* path, or NULL */
	int fd;             /* an open descriptor, or -1 */
};

struct front {
	const char *name; /* value of --front */
	/* Serves until there are no clients left. 0, or -1 with one line in error. */
	int (*serve)(struct sim_card *card, const struct front_arguments *arguments, char *error, size_t error_size);
	/* NULL, or: there is no card to serve; tells a host that would wait for one. */
	void (*turn_away)(const struct front_arguments *arguments);
};

extern const struct front front_bar;
extern const struct front front_qemu;
extern const struct front front_xrt; /* if FPGAUGE_HAS_XRT is defined */

#endif
