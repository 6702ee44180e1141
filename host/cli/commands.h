/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands: one file each, one row of the table in commands.c. Each takes its own argv, with argv[0] as its name
 * in messages ("fpgauge run"), and returns the exit code of the program. */
#ifndef FPGAUGE_CLI_COMMANDS_H
#define FPGAUGE_CLI_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>

/* docs/architecture.md, "Exit codes". */
enum exit_code {
	EXIT_VALID = 0,   /* done and all results valid */
	EXIT_INVALID = 1, /* done, but a result is invalid; or stopped by the user */
	EXIT_PLAN = 2,    /* the plan or the arguments are wrong */
	EXIT_DEVICE = 3,  /* the device failed or is not the one expected */
	EXIT_NO_BASE = 4, /* compare --baseline-dir: no accepted run to compare with */
	EXIT_UNCLEAR = 5, /* compare, trend: neither worse nor not worse; more runs are needed */
};

int command_run(int argc, char **argv);
int command_resume(int argc, char **argv);
int command_report(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_trend(int argc, char **argv);
int command_check(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_selftest(int argc, char **argv);
int command_send(int argc, char **argv);
int command_watch(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_clock(int argc, char **argv);
int command_sim_build(int argc, char **argv);
int command_help(int argc, char **argv);
int command_version(int argc, char **argv);

/* Runs the command of that name with its own arguments. False when there is none; then *code is not set. */
bool command_call(const char *name, int argc, char **argv, int *code);

/* " run, resume ... or version", for a complaint; topics: further names, NULL at the end, or NULL for none. */
void commands_print_names(FILE *out, const char *const *topics);

/* The list of commands, for help. */
void commands_print(FILE *out);

#endif
