/* SPDX-License-Identifier: Apache-2.0 */
/* One test of the plan on the terminal: title, parameters, tables, remarks, all by the description of its results. */
#include "host/report/section.h"

#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/described_table.h"
#include "host/report/frames.h"
#include "host/report/modifiers.h"
#include "host/report/rows.h"
#include "host/report/template.h"
#include "host/report/value.h"

static void print_line(const struct result_line *line, const json_t *first, const json_t *second, FILE *out)
{
	char *heading = line->heading ? template_text(line->heading, first, second) : NULL;
	char *text = template_text(line->text, first, second);

	if (text && (heading || !line->heading))
		fprintf(out, "  %-20s %s\n", heading ? heading : "", text);
	free(heading);
	free(text);
}

/* The goals are the same at every size: there are as many as come before the first repeats. */
static size_t goals_of(const struct part *part)
{
	size_t count = 0;
	double last = 0;

	for (; count < part->count; count++) {
		double goal = value_number(json_object_get(part->results[count], "parameters"), "goal");

		if (!(goal > last))
			break;
		last = goal;
	}
	return count;
}

static void print_modifier(void *user, const char *name, const char *words)
{
	fprintf(user, "  %-20s %s: %s\n", "Modifier", name, words);
}

static void print_of_modifiers(const struct part *part, bool *any, FILE *out)
{
	char text[MODIFIERS_TEXT];

	for (size_t i = 0; i < part->count * MODIFIERS_REMARKS; i++) {
		const json_t *result = part->results[i / MODIFIERS_REMARKS];

		if (!modifiers_remark(result, (unsigned)(i % MODIFIERS_REMARKS), text))
			continue;
		fprintf(out, "%s  %s: %s\n", *any ? "" : "\n", value_frames(result).text, text);
		*any = true;
	}
}

static void print_parameters(const struct result_description *description, const struct part *part, FILE *out)
{
	const json_t *any = part_tested(part);
	size_t goals = goals_of(part);

	for (const struct result_line *line = description->parameters; line->text; line++) {
		if (!line->each_goal)
			print_line(line, json_object_get(any, "parameters"), any, out);
		if (!line->each_goal || (line > description->parameters && line[-1].each_goal))
			continue;
		/* all lines of a goal, goal by goal */
		for (size_t i = 0; i < goals; i++) {
			for (const struct result_line *one = line; one->text && one->each_goal; one++)
				print_line(one, json_object_get(part->results[i], "parameters"), part->results[i], out);
		}
	}
	if (!frames_are_plain(json_object_get(any, "parameters")))
		fprintf(out, "  %-20s %s\n", "Frames", frames_text(json_object_get(any, "parameters")).text);
	modifiers_each(part, print_modifier, out);
	fputc('\n', out);
}

/* A size that the RFC leaves out is not a fault. */
static void print_validity(const json_t *result, const char *where, FILE *out)
{
	struct format_text frames = value_frames(result);

	if (value_true(result, "skipped"))
		fprintf(out, "  %s%s: %s\n", where, frames.text, value_string(result, "why_invalid"));
	else if (!value_true(result, "valid"))
		fprintf(out, "  ! %s%s%s is %s: %s\n", where, frames.text, value_goal(result).text,
		        value_not_valid(result), value_string(result, "why_invalid"));
}

static void print_flags(const json_t *result, const char *where, FILE *out)
{
	const json_t *flags = json_object_get(result, "flags"), *flag;
	size_t i;

	json_array_foreach(flags, i, flag)
	{
		fprintf(out, "  ! %s%s%s: %s\n", where, value_frames(result).text, value_goal(result).text,
		        json_is_string(flag) ? json_string_value(flag) : "-");
	}
}

void section_doubts(const json_t *result, const char *where, FILE *out)
{
	print_validity(result, where, out);
	print_flags(result, where, out);
}

static void print_doubts(const struct part *part, FILE *out)
{
	for (size_t i = 0; i < part->count; i++) {
		section_doubts(part->results[i], "", out);
	}
}

static void print_remark(const struct result_line *remark, const struct part *part, bool *any, FILE *out)
{
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		char *text = NULL;

		if (!value_true(result, "skipped"))
			text = template_text(remark->text, result, json_object_get(result, "parameters"));
		if (text)
			fprintf(out, "%s  %s%s: %s%s%s\n", *any ? "" : "\n", value_frames(result).text,
			        value_goal(result).text, remark->heading ? remark->heading : "",
			        remark->heading ? ": " : "", text);
		*any |= text != NULL;
		free(text);
	}
}

static bool has_views(const struct result_view *view)
{
	return view->chart || view->table || view->bins;
}

void section_print(const struct part *part, FILE *out)
{
	const struct result_description *description = described(part->results[0]);
	bool doubts_said = false, remarked = false;

	if (!description) {
		fprintf(out, "%s: %zu results, in the JSON\n", part->test, part->count);
		return;
	}
	fprintf(out, "%s (%s)\n\n", description->title, description->clause);
	print_parameters(description, part, out);
	if (value_true(part_tested(part), "skipped"))
		fprintf(out, "  No frame size qualifies:\n");
	for (const struct result_view *view = description->views; has_views(view); view++) {
		if (view->table && !view->table->details)
			described_table_print(description, view->table, part, doubts_said, out);
		if (!doubts_said)
			print_doubts(part, out);
		doubts_said = true;
	}
	for (const struct result_listing *const *rows = description->listings; rows && *rows; rows++)
		rows_print(*rows, part, out);
	for (const struct result_line *remark = description->remarks; remark && remark->text; remark++)
		print_remark(remark, part, &remarked, out);
	print_of_modifiers(part, &remarked, out);
}
