/* SPDX-License-Identifier: Apache-2.0 */
/* The commands by name, and those that print them: help and version. */
#ifndef FPGAUGE_CLI_COMMANDS_H
#define FPGAUGE_CLI_COMMANDS_H

#include <stdio.h>

/* Runs the command of that name with its own arguments; returns the exit code of the program. */
int command_call(const char *name, int argc, char **argv);

/* The list of commands, for help. */
void commands_print(FILE *out);

int help_print(int argc, char **argv);
int version_print(int argc, char **argv);

#endif
