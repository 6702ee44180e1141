/* SPDX-License-Identifier: Apache-2.0 */
/* A map file: what the ports of a module are called, as settings of libconfig (docs/your-own-dut.md). */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_MAP_FILE_H
#define FPGAUGE_COMMANDS_SIM_BUILD_MAP_FILE_H

#include <stddef.h>

#include "host/base/error.h"
#include "host/commands/sim_build/pin_rules.h"

enum { PIN_MAX_SETS = 64, PIN_MAX_CLOCKS = 7 };

/* Input that one of the user's ports is given besides pins: a constant, or a clock of so many hertz. */
struct pin_set {
	char name[PIN_NAME_SIZE], value[PIN_NAME_SIZE];
};

#define CLOCK_RULE "must be a number of hertz such as 156.25M, 1k to 100G"

/* Returns whether a text is as the rule says. */
bool clock_is_right(const char *text);

/* Contents of the file; NULL for what it does not say. */
struct map_file {
	const char *names[PINS], *places[PINS];
	const char *clock, *clock_place, *reset, *reset_place, *idle, *idle_place;
	bool reset_low, reset_low_given;
	unsigned first_port; /* number that % begins with */
	struct pin_set sets[PIN_MAX_SETS];
	size_t set_count;
	const char *sets_place;
	struct pin_set clocks[PIN_MAX_CLOCKS]; /* others than that of the ports */
	size_t clock_count;
	const char *clocks_place;
	struct node *root;     /* has the texts */
	struct source *source; /* has the places */
};

/* Free the file in any case. */
int map_file_read(struct map_file *file, enum pin_style style, const char *path, struct error *error);
void map_file_free(struct map_file *file);

#endif
