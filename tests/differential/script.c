/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts in memory and as text. */
#include "tests/differential/script.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/differential/registers.h"

static const struct {
	const char *name;
	unsigned operands;
} KINDS[OP_KINDS] = {
        [OP_WRITE] = {"write", 2},         [OP_READ] = {"read", 1},         [OP_WAIT] = {"wait", 1},
        [OP_UNTIL] = {"until", 3},         [OP_COUNTERS] = {"counters", 0}, [OP_REGISTERS] = {"registers", 0},
        [OP_RESET] = {"reset", 0},         [OP_STREAM] = {"stream", 2},     [OP_RECEIVED] = {"received", 3},
        [OP_MAIL] = {"mail", 3},           [OP_TAGS] = {"tags", 2},         [OP_BINS] = {"bins", 3},
        [OP_OCTAVES] = {"octaves", 3},     [OP_GAPS] = {"gaps", 3},         [OP_ARRIVED] = {"arrived", 3},
        [OP_HISTOGRAM] = {"histogram", 0},
};

void script_release(struct script *script)
{
	free(script->ops);
	*script = (struct script){0};
}

void script_option(struct script *script, const char *name, const char *format, ...)
{
	struct script_option *option = &script->option[script->option_count];
	va_list arguments;

	if (script->option_count == SCRIPT_MAX_OPTIONS)
		abort();
	script->option_count++;
	snprintf(option->name, sizeof(option->name), "%s", name);
	va_start(arguments, format);
	vsnprintf(option->value, sizeof(option->value), format, arguments);
	va_end(arguments);
}

void script_op(struct script *script, enum op_kind kind, uint64_t a, uint64_t b, uint64_t c)
{
	if (script->op_count == script->op_room) {
		script->op_room = script->op_room == 0 ? 256 : 2 * script->op_room;
		script->ops = realloc(script->ops, script->op_room * sizeof(*script->ops));
		if (script->ops == NULL)
			abort();
	}
	script->ops[script->op_count++] = (struct op){kind, {a, b, c}};
}

void script_copy(struct script *to, const struct script *from)
{
	*to = *from;
	to->ops = NULL;
	to->op_count = to->op_room = 0;
	for (size_t i = 0; i < from->op_count; i++)
		script_op(to, from->ops[i].kind, from->ops[i].operand[0], from->ops[i].operand[1],
		          from->ops[i].operand[2]);
}

static void print_op(FILE *file, const struct op *op)
{
	const bool is_access = op->kind == OP_WRITE || op->kind == OP_READ;
	char name[64];

	fputs(KINDS[op->kind].name, file);
	for (unsigned i = 0; i < KINDS[op->kind].operands; i++) {
		if (is_access && i == 0)
			fprintf(file, " 0x%05" PRIx64, op->operand[i]);
		else if (is_access || (op->kind == OP_UNTIL && i == 0))
			fprintf(file, " 0x%" PRIx64, op->operand[i]);
		else
			fprintf(file, " %" PRIu64, op->operand[i]);
	}
	if (is_access)
		fprintf(file, "  # %s", register_name((uint32_t)op->operand[0], name, sizeof(name)));
	if (op->kind == OP_WRITE)
		fprintf(file, " = %" PRIu64, op->operand[1]);
}

void script_print(FILE *file, const struct script *script, size_t mark, const char *why)
{
	for (size_t i = 0; i < script->option_count; i++)
		fprintf(file, "option %s %s\n", script->option[i].name, script->option[i].value);
	for (size_t i = 0; i < script->op_count; i++) {
		print_op(file, &script->ops[i]);
		if (i == mark)
			fprintf(file, "  # <<< %s", why);
		fputc('\n', file);
	}
}

static bool parse_op(struct script *script, const char *word, const char *rest)
{
	uint64_t operand[OP_MAX_OPERANDS] = {0};
	enum op_kind kind = 0;

	while (kind < OP_KINDS && strcmp(word, KINDS[kind].name) != 0)
		kind++;
	if (kind == OP_KINDS)
		return false;
	for (unsigned i = 0; i < KINDS[kind].operands; i++) {
		char *end;

		operand[i] = strtoull(rest, &end, 0);
		if (end == rest)
			return false;
		rest = end;
	}
	if (rest[strspn(rest, " \t")] != '\0')
		return false;
	script_op(script, kind, operand[0], operand[1], operand[2]);
	return true;
}

bool script_parse(FILE *file, struct script *script, unsigned *line_number)
{
	char line[512], word[32], name[40], value[120];
	int used;

	*script = (struct script){0};
	for (*line_number = 1; fgets(line, sizeof(line), file) != NULL; ++*line_number) {
		line[strcspn(line, "#\n")] = '\0';
		if (sscanf(line, "%31s%n", word, &used) < 1)
			continue;
		if (strcmp(word, "option") == 0) {
			if (script->option_count == SCRIPT_MAX_OPTIONS ||
			    sscanf(line + used, " %39s %119[^\n]", name, value) != 2)
				return false;
			script_option(script, name, "%s", value);
		} else if (!parse_op(script, word, line + used)) {
			return false;
		}
	}
	return true;
}
