/* SPDX-License-Identifier: Apache-2.0 */
/* The one place where error texts are made. Whatever goes in, one printable line comes out. */
#include "host/base/error.h"

#include <stdio.h>
#include <string.h>

#include "host/base/text.h"

/* Values from files and devices end up in messages; control characters in them must not reach a terminal, nor invalid
 * UTF-8 the run file, and what cannot be seen is what a reader would look for in vain. */
static void make_one_line(struct error *error)
{
	char visible[sizeof(error->text)];

	text_repair(error->text, sizeof(error->text));
	strcpy(error->text, text_visible(visible, sizeof(visible), error->text));
}

static int set(struct error *error, enum error_code code, enum error_kind kind, const char *format, va_list arguments)
{
	error->code = code;
	error->kind = kind;
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	make_one_line(error);
	return code;
}

int error_set(struct error *error, enum error_code code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set(error, code, ERROR_OF_NO_KIND, format, arguments);
	va_end(arguments);
	return code;
}

int error_set_as(struct error *error, enum error_code code, enum error_kind kind, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set(error, code, kind, format, arguments);
	va_end(arguments);
	return code;
}

void error_prefix(struct error *error, const char *format, ...)
{
	char rest[sizeof(error->text)];
	va_list arguments;
	int length;

	memcpy(rest, error->text, sizeof(rest));
	va_start(arguments, format);
	length = vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	if (length < 0)
		length = 0;
	if ((size_t)length < sizeof(error->text))
		snprintf(error->text + length, sizeof(error->text) - (size_t)length, "%s", rest);
	make_one_line(error);
}
