/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the published schema for people to read: what fits on one line goes on one line. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/schema.h"

enum { LINE_LENGTH = 130 };

struct printer {
	FILE *out;
	size_t indent;
	int failed;
};

static void print_value(struct printer *printer, const json_t *value, size_t column);

static void print_indent(struct printer *printer)
{
	fprintf(printer->out, "\n%*s", (int)printer->indent, "");
}

static void print_members(struct printer *printer, const json_t *object)
{
	const char *key, *separator = "";
	json_t *inner;

	json_object_foreach((json_t *)(uintptr_t)object, key, inner)
	{
		fputs(separator, printer->out);
		print_indent(printer);
		fprintf(printer->out, "\"%s\": ", key);
		print_value(printer, inner, printer->indent + strlen(key) + strlen("\"\": "));
		separator = ",";
	}
}

/* Prints as many texts per line as fit. */
static void print_elements(struct printer *printer, const json_t *list)
{
	const json_t *inner;
	size_t i, column = LINE_LENGTH;

	json_array_foreach(list, i, inner)
	{
		size_t length = json_string_length(inner) + strlen("\"\", ");

		fputs(i ? "," : "", printer->out);
		if (!json_is_string(inner) || column + length > LINE_LENGTH) {
			print_indent(printer);
			column = printer->indent;
		} else {
			fputc(' ', printer->out);
		}
		print_value(printer, inner, printer->indent);
		column += length;
	}
}

/* column: how far the line is filled already. */
static void print_value(struct printer *printer, const json_t *value, size_t column)
{
	const bool is_object = json_is_object(value);
	char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_PRESERVE_ORDER);

	printer->failed |= !line;
	if (!line || column + strlen(line) < LINE_LENGTH || !(is_object || json_is_array(value))) {
		fputs(line ? line : "", printer->out);
		free(line);
		return;
	}
	free(line);
	fputc(is_object ? '{' : '[', printer->out);
	printer->indent += 2;
	if (is_object)
		print_members(printer, value);
	else
		print_elements(printer, value);
	printer->indent -= 2;
	print_indent(printer);
	fputc(is_object ? '}' : ']', printer->out);
}

int schema_print(FILE *out)
{
	struct printer printer = {.out = out};
	json_t *schema = schema_of_report();

	printer.failed = !schema;
	if (schema)
		print_value(&printer, schema, 0);
	fputc('\n', out);
	json_decref(schema);
	return printer.failed ? -1 : 0;
}
