/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as a short Markdown text, in the tables of GitHub and GitLab. */
#include <ctype.h>
#include <string.h>

#include "host/compare/compare.h"
#include "host/report/output_file.h"
#include "host/report/value.h"

enum { MOST_ROWS = 30 };

/* Names and reasons come from people and devices: whatever could be markup or a mention becomes a character reference.
 */
static void put(FILE *out, const char *text)
{
	for (; *text; text++) {
		const unsigned char octet = (unsigned char)*text;

		if (octet >= 0x80 || isalnum(octet) || strchr(" .,:;+-/%()=\"'", octet))
			fputc(octet, out);
		else if (octet == '_')
			fputs("\\_", out);
		else
			fprintf(out, "&#%u;", octet);
	}
}

static void put_value(FILE *out, const json_t *row, const char *name)
{
	const json_t *sample = json_object_get(row, name);

	put(out, value_text(sample, "value", 2).text);
	if (value_known(sample, "stddev"))
		fprintf(out, " (s %s, N %s)", value_text(sample, "stddev", 2).text,
		        value_text(sample, "count", 0).text);
}

static void put_row(FILE *out, const json_t *row)
{
	fprintf(out, "| %s | ", compare_row_fails(row) ? "**fails**" : "");
	put(out, value_text(row, "test_number", 0).text);
	fputc(' ', out);
	put(out, value_string(row, "test"));
	put(out, value_goal(row).text);
	fputs(" | ", out);
	put(out, value_frames(row).text);
	fputs(" | ", out);
	put(out, value_string(row, "key"));
	fputs(" | ", out);
	put_value(out, row, "base");
	fputs(" | ", out);
	put_value(out, row, "new");
	if (value_known(row, "change_percent"))
		fprintf(out, " | %s | ", format_change(value_number(row, "change_percent")).text);
	else
		fputs(" | - | ", out);
	put(out, value_string(row, "verdict"));
	fputs(" | ", out);
	put(out, value_string(row, "why"));
	fputs(" |\n", out);
}

/* Puts the values that fail first; those that are the same are only counted. */
static void put_rows(FILE *out, const json_t *rows)
{
	size_t shown = 0, same = 0, left_out = 0, i;
	const json_t *row;

	for (int fails = 1; fails >= 0; fails--) {
		json_array_foreach(rows, i, row)
		{
			if (compare_row_fails(row) != (fails == 1))
				continue;
			if (!strcmp(value_string(row, "verdict"), "same")) {
				same++;
				continue;
			}
			if (shown == MOST_ROWS) {
				left_out++;
				continue;
			}
			if (shown++ == 0)
				fputs("| | Test | Frames | Value | Base | New | Change | Verdict | Why |\n"
				      "|---|---|---|---|---:|---:|---:|---|---|\n",
				      out);
			put_row(out, row);
		}
	}
	if (left_out)
		fprintf(out, "\n%zu more values are not the same.\n", left_out);
	if (same)
		fprintf(out, "%s%zu values are the same.\n", shown ? "\n" : "", same);
}

static const char *heading_of(const json_t *comparison)
{
	if (!strcmp(value_string(comparison, "verdict"), "no_base"))
		return "no baseline yet";
	return compare_passes(comparison)       ? "no change for the worse"
	       : compare_is_unclear(comparison) ? "UNCLEAR"
	                                        : "FAILS";
}

static int write_markdown(FILE *out, const void *what)
{
	const json_t *comparison = what, *baseline = json_object_get(comparison, "baseline"), *note;
	size_t i;

	fprintf(out, "### fpgauge: %s\n\n", heading_of(comparison));
	put(out, value_string(comparison, "why"));
	fputs(".\n\n", out);
	put_rows(out, json_object_get(comparison, "results"));
	if (json_is_string(json_object_get(baseline, "path"))) {
		fputs("\nBaseline: ", out);
		put(out, value_string(baseline, "path"));
		fputs(", of ", out);
		put(out, value_string(baseline, "started"));
		fputs(".\n", out);
	}
	json_array_foreach(json_object_get(comparison, "notes"), i, note)
	{
		fputs(i ? "- " : "\n- ", out);
		put(out, json_string_value(note));
		fputc('\n', out);
	}
	return ferror(out) ? -1 : 0;
}

int compare_markdown_check(const char *path, struct error *error)
{
	return output_file_renew("--markdown", path, error);
}

int compare_markdown(const json_t *comparison, const char *path, struct error *error)
{
	return output_file("--markdown", path, write_markdown, comparison, error);
}
