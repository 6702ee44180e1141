/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of comma-separated values (RFC 4180). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/csv.h"
#include "host/report/value.h"

/* RFC 4180 allows no control characters, and nobody who views a file in a terminal wants them: they become U+FFFD. */
static void character(FILE *out, char c)
{
	if (((unsigned char)c < 0x20 && !strchr("\t\r\n", c)) || c == 0x7f)
		fputs("\xef\xbf\xbd", out);
	else
		fputc(c, out);
}

static void cell(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n") != NULL;

	if (quoted)
		fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		character(out, *text);
	}
	if (quoted)
		fputc('"', out);
}

/* Texts come from plans, testers and files of others, and spreadsheets run what begins like this, in quotes or not
 * (OWASP, "CSV Injection"). The apostrophe is theirs for "this is text". */
static bool is_formula(const char *text)
{
	return text[0] != '\0' && strchr("=+-@\t\r\n", text[0]);
}

void csv_text(FILE *out, const char *text)
{
	char *guarded = NULL;

	if (!is_formula(text)) {
		cell(out, text);
	} else if (asprintf(&guarded, "'%s", text) >= 0) {
		cell(out, guarded);
		free(guarded);
	}
}

static void list_cell(FILE *out, const json_t *list)
{
	char *text = NULL;
	size_t length = 0, i;
	const json_t *value;
	FILE *memory = open_memstream(&text, &length);

	if (!memory)
		return;
	json_array_foreach(list, i, value)
	{
		if (json_is_number(value))
			fprintf(memory, "%s%s", i ? " " : "", value_digits(value).text);
		else if (json_is_string(value))
			fprintf(memory, "%s%s", i ? "; " : "", json_string_value(value));
	}
	fclose(memory);
	if (json_is_string(json_array_get(list, 0)))
		csv_text(out, text);
	else
		cell(out, text);
	free(text);
}

void csv_value(FILE *out, const json_t *value)
{
	if (json_is_number(value))
		fputs(value_digits(value).text, out);
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "true" : "false", out);
	else if (json_is_string(value))
		csv_text(out, json_string_value(value));
	else if (json_is_array(value))
		list_cell(out, value);
}
