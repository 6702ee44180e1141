/* SPDX-License-Identifier: Apache-2.0 */
/* A command: what it is called, what it takes and what it does. Each folder of host/commands has one or two of them;
 * their table is in host/cli/commands.c. argp reads the arguments, so --help is made of the same rows as the rest. */
#ifndef FPGAUGE_CONSOLE_COMMAND_H
#define FPGAUGE_CONSOLE_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The use of the value of an option. */
enum option_kind {
	OPTION_TEXT, /* const char *: the value as written; given once */
	OPTION_FLAG, /* bool: true if the option is given; it has no value */
	OPTION_LIST, /* struct text_list: the values in order */
	OPTION_READ, /* read() puts the value where it belongs */
};

struct text_list {
	const char **texts;
	size_t count;
};

/* Puts a value into the struct that has the option. Wrong ones end the program with argp_error(). */
typedef void option_read_fn(void *options, const char *value, const struct argp_state *state);

struct option_row {
	const char *name;    /* the name without its dashes; NULL after the last row */
	char letter;         /* 0: none */
	const char *value;   /* its name in --help; NULL: a flag */
	const char *meaning; /* text for --help */
	enum option_kind kind;
	size_t place;         /* offset in the struct, but for OPTION_READ */
	const char *if_none;  /* the value when the option is given without one; NULL: it needs one */
	option_read_fn *read; /* only for OPTION_READ */
};

/* Options in a struct that several commands have in theirs. */
struct option_group {
	const struct option_row *rows;
	size_t place; /* offset of that struct in the command's own */
};

enum { COMMAND_MOST_GROUPS = 8 };

struct command {
	const char *name;                                /* "sim-build" */
	const char *usage;                               /* arguments, as the list of commands shows them */
	const char *summary;                             /* one sentence, without its full stop */
	const char *doc;                                 /* text for --help, as argp's doc */
	const char *arguments;                           /* "BASE NEW"; NULL: none */
	struct option_group groups[COMMAND_MOST_GROUPS]; /* the last one has no rows */
	option_read_fn *argument;                        /* takes an argument that is no option */
	void (*check)(void *options, const struct argp_state *state); /* checks them together; NULL: nothing to check */
	int (*run)(int argc,
	           char **argv); /* argv[0] is "fpgauge run", as messages call it; returns an enum exit_code */
};

/* Reads the arguments into a struct that is all 0, or exits: with 0 after --help, with EXIT_PLAN on a wrong one. */
void command_parse(const struct command *command, int argc, char **argv, void *options);

/* "run PLAN", "run --json FILE", "run -j FILE", "run --trial-log [=FILE]", one per line, with the options that argp
 * adds: for shell completion. */
void command_print_options(const struct command *command, FILE *out);

/* Values that may be given once, and one of several. */
void argument_set(const char **value, const char *argument, const char *arguments, const struct argp_state *state);
void option_set_once(const char **value, const char *name, const char *argument, const struct argp_state *state);
void text_list_add(struct text_list *list, const char *text, const struct argp_state *state);

/* A whole number of an option that may be given once; 0 before. */
void option_set_number(unsigned *value, const char *name, const char *argument, unsigned most,
                       const struct argp_state *state);

/* Rows that are the same in several commands; the place of their group is that of the member. */
extern const struct option_row QUIET_OPTION[]; /* bool */
extern const struct option_row JSON_OPTION[];  /* const char * */

#endif
