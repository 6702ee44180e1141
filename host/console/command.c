/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/command.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/nearest.h"
#include "host/console/exit_code.h"

enum { MOST_OPTIONS = 32, FIRST_KEY = 256 }; /* keys of options without a letter */

/* A row with its place in the struct of the command. */
struct placed_row {
	const struct option_row *row;
	size_t group;
};

struct parsing {
	const struct command *command;
	char *options;
	struct placed_row rows[MOST_OPTIONS];
	struct argp_option argp[MOST_OPTIONS + 1]; /* the last one has no name */
	size_t count;
};

const struct option_row QUIET_OPTION[] = {
        {"quiet", 'q', NULL,
         "Print neither table nor progress; errors are still printed, and the name of the run file if none was given",
         OPTION_FLAG, .place = 0},
        {0},
};

const struct option_row JSON_OPTION[] = {
        {"json", 'j', "FILE",
         "Write the results to FILE as JSON; - writes them to standard output in place of the table", OPTION_TEXT,
         .place = 0},
        {0},
};

void option_set_once(const char **value, const char *name, const char *argument, const struct argp_state *state)
{
	if (*value)
		argp_error(state, "--%s %s: must be given once", name, argument);
	*value = argument;
}

void argument_set(const char **value, const char *argument, const char *arguments, const struct argp_state *state)
{
	if (*value)
		argp_error(state, "%s: too many arguments; must be %s", argument, arguments);
	*value = argument;
}

void option_set_number(unsigned *value, const char *name, const char *argument, unsigned most,
                       const struct argp_state *state)
{
	char *end;
	const unsigned long number = strtoul(argument, &end, 10);

	if (*value)
		argp_error(state, "--%s %s: must be given once", name, argument);
	if (*argument < '0' || *argument > '9' || *end || number < 1 || number > most)
		argp_error(state, "--%s %s: must be 1 to %u", name, argument, most);
	*value = (unsigned)number;
}

void text_list_add(struct text_list *list, const char *text, const struct argp_state *state)
{
	const char **place = array_add(&list->texts, list->count, sizeof(*place));

	if (!place)
		argp_failure(state, EXIT_DEVICE, 0, "out of memory");
	*place = text;
	list->count++;
}

static void take_option(const struct parsing *parsing, const struct placed_row *placed, const char *value,
                        const struct argp_state *state)
{
	const struct option_row *row = placed->row;
	char *options = parsing->options + placed->group;
	void *place = options + row->place;

	value = value ? value : row->if_none;
	switch (row->kind) {
	case OPTION_TEXT:
		option_set_once(place, row->name, value, state);
		return;
	case OPTION_FLAG:
		*(bool *)place = true;
		return;
	case OPTION_LIST:
		text_list_add(place, value, state);
		return;
	case OPTION_READ:
		row->read(options, value, state);
		return;
	}
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	const struct parsing *parsing = state->input;
	const struct command *command = parsing->command;

	if (key == ARGP_KEY_ARG) {
		if (!command->argument)
			argp_error(state, "%s: takes no argument", value);
		command->argument(parsing->options, value, state);
		return 0;
	}
	if (key == ARGP_KEY_END && command->check)
		command->check(parsing->options, state);
	for (size_t i = 0; i < parsing->count; i++) {
		if (parsing->argp[i].key != key)
			continue;
		take_option(parsing, &parsing->rows[i], value, state);
		return 0;
	}
	return key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

static void list_rows(struct parsing *parsing)
{
	for (const struct option_group *group = parsing->command->groups; group->rows; group++) {
		for (const struct option_row *row = group->rows; row->name && parsing->count < MOST_OPTIONS; row++) {
			const size_t i = parsing->count++;

			parsing->rows[i] = (struct placed_row){row, group->place};
			parsing->argp[i] = (struct argp_option){.name = row->name,
			                                        .key = row->letter ? row->letter : FIRST_KEY + (int)i,
			                                        .arg = row->value,
			                                        .flags = row->if_none ? OPTION_ARG_OPTIONAL : 0,
			                                        .doc = row->meaning};
		}
	}
}

/* The option that a word names, also by the beginning of its name, as getopt takes it; NULL: none. */
static const struct argp_option *find(const struct parsing *parsing, const char *name, size_t length)
{
	const struct argp_option *begins = NULL;

	for (const struct argp_option *option = parsing->argp; option->name; option++) {
		if (strncmp(option->name, name, length) != 0)
			continue;
		if (!option->name[length])
			return option;
		begins = begins ? begins : option;
	}
	return begins;
}

static void refuse_unknown(const struct parsing *parsing, const char *program, const char *name, size_t length)
{
	char typed[40];
	struct nearest nearest = {0};

	snprintf(typed, sizeof(typed), "%.*s", (int)length, name);
	for (const struct argp_option *option = parsing->argp; option->name; option++)
		nearest_try(&nearest, typed, option->name);
	if (!nearest_word(&nearest))
		return; /* getopt complains */
	fprintf(stderr, "%s: unrecognized option '--%s'; did you mean --%s?\n", program, typed, nearest_word(&nearest));
	exit(EXIT_PLAN);
}

/* getopt names no option that was meant, so a word that is none is looked for before it reads them. */
static void check_names(const struct parsing *parsing, int argc, char **argv)
{
	static const char *const OF_ARGP[] = {"help", "usage"};

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *name = argv[i] + 2;
		const size_t length = strcspn(name, "=");
		const struct argp_option *option;

		if (strncmp(argv[i], "--", 2) != 0)
			continue;
		option = find(parsing, name, length);
		if (option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && !name[length])
			i++; /* the next word is its value */
		if (!option && strncmp(OF_ARGP[0], name, length) != 0 && strncmp(OF_ARGP[1], name, length) != 0)
			refuse_unknown(parsing, argv[0], name, length);
	}
}

void command_parse(const struct command *command, int argc, char **argv, void *options)
{
	struct parsing parsing = {.command = command, .options = options};
	const struct argp argp = {
	        .options = parsing.argp, .parser = parse, .args_doc = command->arguments, .doc = command->doc};

	list_rows(&parsing);
	check_names(&parsing, argc, argv);
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}

static void print_option(FILE *out, const char *command, const struct option_row *row)
{
	const char *form = row->if_none ? " [=%s]" : " %s";

	fprintf(out, "%s --%s", command, row->name);
	if (row->value)
		fprintf(out, form, row->value);
	fputc('\n', out);
	if (!row->letter)
		return;
	fprintf(out, "%s -%c", command, row->letter);
	if (row->value)
		fprintf(out, form, row->value);
	fputc('\n', out);
}

/* "BASE NEW" on one line each. */
static void print_arguments(FILE *out, const char *command, const char *arguments)
{
	for (const char *rest = arguments; rest && *rest; rest += strspn(rest, " ")) {
		const size_t length = strcspn(rest, " ");

		fprintf(out, "%s %.*s\n", command, (int)length, rest);
		rest += length;
	}
}

void command_print_options(const struct command *command, FILE *out)
{
	static const char *const OF_ARGP[] = {"--help", "--usage", "-?"};

	print_arguments(out, command->name, command->arguments);
	for (const struct option_group *group = command->groups; group->rows; group++)
		for (const struct option_row *row = group->rows; row->name; row++)
			print_option(out, command->name, row);
	for (size_t i = 0; i < sizeof(OF_ARGP) / sizeof(OF_ARGP[0]); i++)
		fprintf(out, "%s %s\n", command->name, OF_ARGP[i]);
}
