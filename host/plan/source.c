/* SPDX-License-Identifier: Apache-2.0 */
/* The scanner over a plan's text: one pass per file, with includes in place. It knows libconfig's tokens, not its
 * grammar. */
#include "host/plan/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/array.h"
#include "host/plan/source_file.h"

/* One file being scanned. */
struct scan {
	struct source *source;
	struct error *error;
	const struct scan *includer; /* NULL in the plan file */
	const char *directory;       /* where included files are looked up: that of the plan file */
	const char *file;
	struct file_identity identity;
	const char *at; /* ends with NUL */
	unsigned line;
	unsigned depth;    /* nesting depth of includes */
	unsigned *nesting; /* nesting depth of brackets, over all files */
	char key[64];      /* last name read, for complaints about the number after it */
	bool in_text;      /* an override, not a file: no line in complaints, no includes, no limits on integers */
};

static int scan_all(struct scan *scan);

static int complain(struct scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int complain(struct scan *scan, const char *format, ...)
{
	char text[900];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (scan->in_text)
		return error_set(scan->error, ERROR_PLAN, "%s: %s", scan->file, text);
	return error_set(scan->error, ERROR_PLAN, "%s:%u: %s", scan->file, scan->line, text);
}

static int emit(struct scan *scan, const char *text, size_t length)
{
	struct source *source = scan->source;

	if (source->length + length + 1 > source->capacity) {
		size_t capacity = (source->length + length + 1) * 2;
		char *grown = realloc(source->text, capacity);

		if (!grown)
			return error_set(scan->error, ERROR_INTERNAL, "out of memory");
		source->text = grown;
		source->capacity = capacity;
	}
	memcpy(source->text + source->length, text, length);
	source->length += length;
	source->text[source->length] = 0;
	return 0;
}

/* Begins a line of the output that corresponds to the current line of the scan. */
static int begin_line(struct scan *scan)
{
	struct source *source = scan->source;

	struct source_line *line = array_add(&source->lines, source->line_count, sizeof(*line));

	if (!line)
		return error_set(scan->error, ERROR_INTERNAL, "out of memory");
	*line = (struct source_line){scan->file, scan->line};
	source->line_count++;
	return 0;
}

static int emit_newline(struct scan *scan)
{
	int result = emit(scan, "\n", 1);

	return result ? result : begin_line(scan);
}

static int scan_newline(struct scan *scan)
{
	scan->at++;
	scan->line++;
	return emit_newline(scan);
}

static int scan_line_comment(struct scan *scan)
{
	while (*scan->at && *scan->at != '\n')
		scan->at++;
	return 0;
}

static int scan_block_comment(struct scan *scan)
{
	unsigned first_line = scan->line;

	for (scan->at += 2; *scan->at;) {
		if (scan->at[0] == '*' && scan->at[1] == '/') {
			scan->at += 2;
			return emit(scan, " ", 1);
		}
		if (*scan->at != '\n') {
			scan->at++;
		} else {
			int result = scan_newline(scan);

			if (result)
				return result;
		}
	}
	scan->line = first_line;
	return complain(scan, "comment is not closed: */ is missing");
}

/* Position after an escape, or NULL. Octets that no key can use, and that would spoil a message or the JSON of the
 * report, are not let in through the back door of \x. */
static const char *skip_escape(const char *backslash)
{
	char c = backslash[1];

	if (c == 'x' || c == 'X') {
		char hex[3] = {0};
		long value;

		if (!isxdigit((unsigned char)backslash[2]) || !isxdigit((unsigned char)backslash[3]))
			return NULL;
		memcpy(hex, backslash + 2, 2);
		value = strtol(hex, NULL, 16);
		return value >= 0x20 && value < 0x7f ? backslash + 4 : NULL;
	}
	return c && strchr("\\\"nrtf", c) ? backslash + 2 : NULL;
}

static int scan_string(struct scan *scan)
{
	const char *begin = scan->at++;

	while (*scan->at != '"') {
		if (*scan->at == 0 || *scan->at == '\n')
			return complain(scan, "text is not closed: \" is missing");
		if (*scan->at == '\\') {
			const char *behind = skip_escape(scan->at);

			if (!behind)
				return complain(scan,
				                "escape \\%.1s: must be \\\\ \\\" \\n \\r \\t \\f or \\xHH of a "
				                "printable ASCII character",
				                scan->at + 1);
			scan->at = behind;
		} else {
			scan->at++;
		}
	}
	scan->at++;
	return emit(scan, begin, (size_t)(scan->at - begin));
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '*';
}

static int scan_name(struct scan *scan)
{
	const char *begin = scan->at;

	while (is_name(*scan->at))
		scan->at++;
	snprintf(scan->key, sizeof(scan->key), "%.*s", (int)(scan->at - begin), begin);
	return emit(scan, begin, (size_t)(scan->at - begin));
}

static int scan_number(struct scan *scan)
{
	const char *begin = scan->at;
	char literal[80], decimal[80];
	const char *wrong;
	size_t length;

	while (isalnum((unsigned char)*scan->at) || *scan->at == '.' || *scan->at == '%' || *scan->at == '_' ||
	       ((*scan->at == '-' || *scan->at == '+') && (scan->at == begin || tolower(scan->at[-1]) == 'e')))
		scan->at++;
	length = (size_t)(scan->at - begin);
	snprintf(literal, sizeof(literal), "%.*s", (int)length, begin);
	wrong = length < sizeof(literal) ? source_number(literal, !scan->in_text, decimal, sizeof(decimal))
	                                 : "must be a number of at most 79 characters";
	if (wrong)
		return complain(scan, "%s = %s: %s", scan->key, literal, wrong);
	if (emit(scan, (char[]){'"', NUMBER_BEGIN}, 2) || emit(scan, literal, length) ||
	    emit(scan, (char[]){NUMBER_END, '"'}, 2))
		return scan->error->code;
	return 0;
}

static int scan_bracket(struct scan *scan)
{
	if (strchr("([{", *scan->at)) {
		if (++*scan->nesting > SOURCE_MAX_NESTING)
			return complain(scan, "%c: must be at most %d brackets deep", *scan->at, SOURCE_MAX_NESTING);
	} else if (*scan->nesting > 0) {
		--*scan->nesting;
	}
	return emit(scan, scan->at++, 1);
}

/* The name in "@include "name"" and what follows, from an "@" on; NULL if this is something else. The text may end
 * anywhere. */
static const char *included_name(const char *at)
{
	static const char DIRECTIVE[] = "@include";
	const char *begin;

	if (strncmp(at, DIRECTIVE, strlen(DIRECTIVE)) != 0)
		return NULL;
	begin = at + strlen(DIRECTIVE);
	begin += strspn(begin, " \t");
	if (*begin != '"' || strcspn(begin + 1, "\"\n\\") != strcspn(begin + 1, "\""))
		return NULL;
	return begin + 1;
}

/* "@include "name"": its text replaces the directive, on lines of its own. */
static int scan_include(struct scan *scan)
{
	struct scan inner = {.source = scan->source,
	                     .error = scan->error,
	                     .includer = scan,
	                     .line = 1,
	                     .directory = scan->directory,
	                     .depth = scan->depth + 1,
	                     .nesting = scan->nesting};
	const char *begin = scan->in_text ? NULL : included_name(scan->at);
	const char *text = NULL;
	char *name = NULL;
	int result;

	if (!begin)
		return complain(scan, "@: must be @include \"file\" on a line of its own");
	scan->at = begin + strcspn(begin, "\"");
	if (*scan->at != '"')
		return complain(scan, "@include: \" is missing");
	name = strndup(begin, (size_t)(scan->at - begin));
	scan->at++;
	if (!name)
		return error_set(scan->error, ERROR_INTERNAL, "out of memory");
	if (inner.depth > SOURCE_MAX_INCLUDES)
		result = complain(scan, "@include \"%s\": must be at most %d files deep", name, SOURCE_MAX_INCLUDES);
	else
		result = source_file_load(scan->source, scan->directory, name, &inner.file, &text, &inner.identity,
		                          scan->error);
	if (result && inner.depth <= SOURCE_MAX_INCLUDES)
		error_prefix(scan->error, "%s:%u: @include: ", scan->file, scan->line);
	for (const struct scan *outer = scan; !result && outer; outer = outer->includer) {
		if (file_identity_equal(&outer->identity, &inner.identity))
			result = complain(scan, "@include \"%s\": must not include itself, here or through others",
			                  name);
	}
	inner.at = text;
	if (!result && (emit(scan, "\n", 1) || begin_line(&inner) || scan_all(&inner) || emit_newline(scan)))
		result = scan->error->code;
	free(name);
	return result;
}

static bool at_line_start(const struct scan *scan, const char *text)
{
	const char *c = scan->at;

	while (c > text && (c[-1] == ' ' || c[-1] == '\t'))
		c--;
	return c == text || c[-1] == '\n';
}

static int scan_all(struct scan *scan)
{
	const char *text = scan->at;
	int result = 0;

	while (*scan->at && !result) {
		char c = *scan->at;

		if (c == '\n')
			result = scan_newline(scan);
		else if (c == '#' || (c == '/' && scan->at[1] == '/'))
			result = scan_line_comment(scan);
		else if (c == '/' && scan->at[1] == '*')
			result = scan_block_comment(scan);
		else if (c == '"')
			result = scan_string(scan);
		else if (isalpha((unsigned char)c) || c == '*')
			result = scan_name(scan);
		else if (source_begins_number(scan->at))
			result = scan_number(scan);
		else if (strchr("()[]{}", c))
			result = scan_bracket(scan);
		else if (c == '@' && at_line_start(scan, text))
			result = scan_include(scan);
		else if (strchr("=:,; \t\r\f", c))
			result = emit(scan, scan->at++, 1);
		else
			result = complain(scan, "%.*s: is not allowed here (text belongs in quotes)",
			                  (int)strcspn(scan->at, " \t\n"), scan->at);
	}
	return result;
}

/* The directory of the plan's path, for its includes; NULL is the working directory. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return NULL;
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

int source_read(struct source *source, const char *path, struct error *error)
{
	unsigned nesting = 0;
	struct scan scan = {.source = source, .error = error, .line = 1, .nesting = &nesting};
	char *directory = directory_of(path);
	int result = source_file_load(source, NULL, path, &scan.file, &scan.at, &scan.identity, error);

	scan.directory = directory;
	if (!result && (emit(&scan, "", 0) || begin_line(&scan) || scan_all(&scan)))
		result = error->code;
	free(directory);
	return result;
}

int source_scan_text(struct source *source, const char *place, const char *text, struct error *error)
{
	unsigned nesting = 0;
	struct scan scan = {.source = source,
	                    .error = error,
	                    .file = place,
	                    .line = 1,
	                    .nesting = &nesting,
	                    .at = text,
	                    .in_text = true};
	int result = begin_line(&scan);

	return result ? result : scan_all(&scan);
}

void source_free_files(struct plan_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(files[i].path);
		free(files[i].absolute);
		free(files[i].text);
	}
	free(files);
}

void source_free(struct source *source)
{
	source_free_files(source->files, source->file_count);
	free(source->lines);
	free(source->text);
	memset(source, 0, sizeof(*source));
}

void source_place(const struct source *source, unsigned text_line, char *buffer, size_t size)
{
	size_t index = text_line > 0 ? text_line - 1 : 0;

	if (index >= source->line_count)
		index = source->line_count - 1;
	snprintf(buffer, size, "%s:%u", source->lines[index].file, source->lines[index].line);
}

void source_line_text(const struct source *source, unsigned text_line, char *buffer, size_t size)
{
	const char *c = source->text;
	size_t length = 0;

	for (unsigned line = 1; line < text_line && *c; c++)
		line += *c == '\n';
	c += strspn(c, " \t\r\f");
	for (; *c && *c != '\n' && length + 1 < size; c++) {
		if ((c[0] == '"' && c[1] == NUMBER_BEGIN) || (c[0] == NUMBER_END && c[1] == '"'))
			c++;
		else
			buffer[length++] = *c;
	}
	while (length > 0 && strchr(" \t\r\f", buffer[length - 1]))
		length--;
	buffer[length] = 0;
}
