/* SPDX-License-Identifier: Apache-2.0 */
/* A front of the simulated card: it takes accesses from where the host's bus is played, and brings them to the card.
 * A new one is a file with its struct, and a row of the table in main.c. */
#ifndef FPGAUGE_SIM_CARDS_FRONT_H
#define FPGAUGE_SIM_CARDS_FRONT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/cards/sim_card.h"

/* What the command line says beside the card; a front takes what it needs and refuses what is missing. */
struct front_arguments {
	const char *socket; /* path, or NULL */
	int fd;             /* an open descriptor, or -1 */
};

struct front {
	const char *name; /* of --front */
	/* Serves until there is nobody left to serve. 0, or -1 with one line in error. */
	int (*serve)(struct sim_card *card, const struct front_arguments *arguments, char *error, size_t error_size);
};

extern const struct front front_bar;
extern const struct front front_qemu;
extern const struct front front_xrt; /* where FPGAUGE_HAS_XRT is defined */

#endif
