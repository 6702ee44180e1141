/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the files of a plan, and what counts as text and as a number in them. */
#include "host/plan/source_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/array.h"
#include "host/base/text.h"

/* Some editors write it at the head of a file; it says nothing of UTF-8. */
static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	return a->known && b->known && a->device == b->device && a->inode == b->inode;
}

const char *source_check_text(const char *text, size_t length, size_t *octet)
{
	for (size_t i = 0; i < length;) {
		unsigned char c = (unsigned char)text[i];
		size_t step = text_character(text + i, length - i);

		*octet = i;
		if (c == 0)
			return "must be text, without NUL octets";
		if ((c < 0x20 && !strchr("\t\n\r\f", c)) || c == 0x7f)
			return "must be text, without control characters";
		if (step == 0)
			return "must be UTF-8";
		i += step;
	}
	return NULL;
}

/* Reads to the end or one octet beyond the limit, and appends a NUL. Returns the length, or -1 with errno. */
static ssize_t read_whole(int file, char **text)
{
	size_t length = 0;
	ssize_t got = 1;
	char *shorter;

	*text = malloc(SOURCE_MAX_OCTETS + 2);
	while (*text && got && length <= SOURCE_MAX_OCTETS) {
		got = read(file, *text + length, SOURCE_MAX_OCTETS + 1 - length);
		if (got < 0 && errno != EINTR)
			return -1;
		length += got > 0 ? (size_t)got : 0;
	}
	if (!*text)
		return -1;
	(*text)[length] = 0;
	shorter = realloc(*text, length + 1);
	*text = shorter ? shorter : *text;
	return (ssize_t)length;
}

static char *full_name(const char *directory, const char *name)
{
	char *full;

	if (!directory || name[0] == '/')
		return strdup(name);
	return asprintf(&full, "%s/%s", strcmp(directory, "/") ? directory : "", name) < 0 ? NULL : full;
}

/* Windows writes it: a mark, or every other octet of the first characters is 0. */
static bool is_utf_16(const char *text, size_t length)
{
	return length >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2) || !text[0] != !text[1]);
}

static int check_text(const char *shown, const char *text, size_t length, struct error *error)
{
	size_t octet;
	unsigned line = 1;
	const char *wrong = source_check_text(text, length, &octet);

	if (is_utf_16(text, length))
		return error_set(error, ERROR_PLAN, "%s:1: is UTF-16: save it as UTF-8", shown);
	if (!wrong)
		return 0;
	for (size_t i = 0; i < octet; i++)
		line += text[i] == '\n';
	return error_set(error, ERROR_PLAN, "%s:%u: octet 0x%02x: %s", shown, line, (unsigned char)text[octet], wrong);
}

/* The plan may come through a pipe: a shell's <(...), or /dev/stdin. An included file may not: nobody who reads
 * @include "x" expects to wait for x. */
static int open_file(const char *shown, bool included, struct stat *status, struct error *error)
{
	int file = open(shown, O_RDONLY | O_CLOEXEC | O_NOCTTY | (included ? O_NONBLOCK : 0));

	if (file < 0 || fstat(file, status) != 0)
		error_set(error, ERROR_PLAN, "%s: cannot be read: %s", shown, strerror(errno));
	else if (included && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode))
		error_set(error, ERROR_PLAN, "%s: must be a regular file, because it is included", shown);
	else
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

static int read_from_disk(const char *shown, bool included, char **text, size_t *length, struct file_identity *identity,
                          struct error *error)
{
	struct stat status;
	int file = open_file(shown, included, &status, error);
	ssize_t got;
	int result = 0;

	if (file < 0)
		return error->code;
	*identity = (struct file_identity){true, status.st_dev, status.st_ino};
	got = read_whole(file, text);
	if (got < 0)
		result = error_set(error, ERROR_PLAN, "%s: cannot be read: %s", shown, strerror(errno));
	*length = got < 0 ? 0 : (size_t)got;
	close(file);
	return result;
}

static int read_recorded(const struct source *source, const char *shown, char **text, size_t *length,
                         struct error *error)
{
	for (size_t i = 0; i < source->recorded_count; i++) {
		if (strcmp(source->recorded[i].path, shown) != 0)
			continue;
		*text = strdup(source->recorded[i].text);
		if (!*text)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		*length = strlen(*text);
		return 0;
	}
	return error_set(error, ERROR_PLAN, "%s: is not among the files that were recorded", shown);
}

/* Adds a file to the source, which owns its name and text from here on, even after an error. */
static struct plan_file *add_file(struct source *source, char *path)
{
	struct plan_file *file = array_add(&source->files, source->file_count, sizeof(*file));
	char *absolute = path ? realpath(path, NULL) : NULL;

	if (path && !absolute)
		absolute = strdup("");
	if (!file || !absolute) {
		free(absolute);
		free(path);
		return NULL;
	}
	*file = (struct plan_file){path, absolute, NULL};
	source->file_count++;
	return file;
}

int source_file_load(struct source *source, const char *directory, const char *name, const char **shown,
                     const char **text, struct file_identity *identity, struct error *error)
{
	bool included = source->file_count > 0;
	struct plan_file *file = add_file(source, full_name(directory, name));
	size_t length = 0;
	int result;

	if (!file)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	result = source->recorded ? read_recorded(source, file->path, &file->text, &length, error)
	                          : read_from_disk(file->path, included, &file->text, &length, identity, error);
	if (!result && length + source->length > SOURCE_MAX_OCTETS)
		result = error_set(error, ERROR_PLAN, "%s: must be at most %d octets, with all that is included",
		                   file->path, SOURCE_MAX_OCTETS);
	if (!result)
		result = check_text(file->path, file->text, length, error);
	*shown = file->path;
	*text = file->text;
	if (!result && !strncmp(file->text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)))
		*text += strlen(BYTE_ORDER_MARK);
	return result;
}

int source_begins_number(const char *text)
{
	if (*text == '-' || *text == '+')
		text++;
	if (*text == '.')
		text++;
	return isdigit((unsigned char)*text) != 0;
}

static const char *check_integer(const char *literal, const char *digits, size_t count, bool wide, int limits,
                                 char *buffer, size_t size)
{
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	bool negative = literal[0] == '-';
	uint64_t largest = wide ? INT64_MAX : INT32_MAX;
	uint64_t value;

	if (!hex && count > 1 && digits[0] == '0')
		return "must not begin with 0 (octal or decimal?)";
	errno = 0;
	value = strtoull(digits, NULL, hex ? 16 : 10);
	if (limits && (errno || value > largest + negative))
		return wide ? "must be -9223372036854775808 to 9223372036854775807 (write larger numbers as text, in "
		              "quotes)"
		            : "must be -2147483648 to 2147483647 (write larger numbers as text, in quotes)";
	if (errno && hex)
		return "must be at most 64 bits";
	if (hex)
		snprintf(buffer, size, "%s%llu", negative ? "-" : "", (unsigned long long)value);
	else
		snprintf(buffer, size, "%s%.*s", negative ? "-" : "", (int)count, digits);
	return NULL;
}

static const char *check_float(const char *literal, char *buffer, size_t size)
{
	char *end;
	double value = strtod(literal, &end);

	if (*end)
		return "must be a number (write a number with a unit as text, in quotes: \"100G\")";
	if (isinf(value) || (value == 0 && strcspn(literal, "123456789") < strcspn(literal, "eE")))
		return "must be a number that a double can hold, 2.3e-308 to 1.8e308";
	snprintf(buffer, size, "%s", literal + (literal[0] == '+'));
	return NULL;
}

const char *source_number(const char *literal, int limits, char *buffer, size_t size)
{
	const char *digits = literal + (literal[0] == '-' || literal[0] == '+');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	size_t count = hex ? 2 + strspn(digits + 2, "0123456789abcdefABCDEF") : strspn(digits, "0123456789");
	const char *suffix = digits + count;

	if (hex && (count == 2 || digits != literal))
		return "must be a number";
	if (count > 0 && (!*suffix || !strcmp(suffix, "L") || !strcmp(suffix, "LL")))
		return check_integer(literal, digits, count, *suffix, limits, buffer, size);
	/* strtod would take "inf", "nan" and hexadecimal floats; libconfig has none. */
	if (hex || strspn(digits, "0123456789.eE+-") != strlen(digits))
		return "must be a number (write a number with a unit as text, in quotes: \"100G\")";
	return check_float(literal, buffer, size);
}
