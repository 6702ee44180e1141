/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/option_list.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

static bool has_letter(const struct argp_option *option)
{
	return option->key > 0 && option->key <= CHAR_MAX && isprint(option->key);
}

static void print_value(FILE *out, const struct argp_option *option)
{
	if (option->arg)
		fprintf(out, option->flags & OPTION_ARG_OPTIONAL ? " [=%s]" : " %s", option->arg);
	fputc('\n', out);
}

static void print_option(FILE *out, const char *command, const struct argp_option *option)
{
	if (option->flags & OPTION_HIDDEN)
		return;
	fprintf(out, "%s --%s", command, option->name);
	print_value(out, option);
	if (!has_letter(option))
		return;
	fprintf(out, "%s -%c", command, option->key);
	print_value(out, option);
}

/* "BASE NEW" on one line each. */
static void print_arguments(FILE *out, const char *command, const char *arguments)
{
	for (const char *rest = arguments; rest && *rest; rest += strspn(rest, " ")) {
		size_t length = strcspn(rest, " ");

		fprintf(out, "%s %.*s\n", command, (int)length, rest);
		rest += length;
	}
}

void option_list_print(FILE *out, const struct option_list *list)
{
	static const char *const argp_has[] = {"--help", "--usage", "-?"};

	print_arguments(out, list->command, list->arguments);
	for (const struct argp_option *option = list->options; option->name; option++)
		print_option(out, list->command, option);
	for (size_t i = 0; i < sizeof(argp_has) / sizeof(argp_has[0]); i++)
		fprintf(out, "%s %s\n", list->command, argp_has[i]);
}
