/* SPDX-License-Identifier: Apache-2.0 */
/* Handling of option values that the parsers of all commands share. They exit, as argp does, if it cannot be taken. */
#ifndef FPGAUGE_CLI_OPTION_VALUES_H
#define FPGAUGE_CLI_OPTION_VALUES_H

#include <argp.h>
#include <stddef.h>

/* Adds the text to a list, which free() frees. */
void option_add(const char ***list, size_t *count, const char *text, const struct argp_state *state);

/* Takes an option that may be given once; the name without its dashes. */
void option_set_once(const char **value, const char *name, const char *argument, const struct argp_state *state);

#endif
