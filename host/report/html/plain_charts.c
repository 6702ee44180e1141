/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of lines and areas go into each chart as a style sheet of its own. What takes the colour of the text
 * around it, currentColor, becomes the ink: WeasyPrint 57 ends in the middle of a page where it meets that word. So
 * marks are not in the colour of their line; on paper the line has it. */
#include "host/report/html/plain_charts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/html/page.h"

static const char CURRENT[] = "currentColor", CHART[] = "<svg ";

/* Colours by the numbers of html.css. */
static const struct {
	unsigned number;
	const char *variable;
} PAPER_COLOURS[] = {{1, "--c1: "},   {2, "--c2: "},   {3, "--c3: "},    {4, "--c4: "},
                     {5, "--c5: "},   {6, "--c6: "},   {7, "--c7: "},    {8, "--c8: "},
                     {9, "--good: "}, {10, "--bad: "}, {11, "--soft: "}, {15, "--line: "}};

/* The first is that of light and paper. */
static void put_colour(const char *variable, FILE *out)
{
	const char *at = strstr(HTML_CSS, variable);

	if (at) {
		at += strlen(variable);
		fprintf(out, "%.*s", (int)strcspn(at, ";"), at);
	}
}

static void put_style(FILE *out)
{
	static const char *const KINDS[] = {"stroke", "fill"};

	fputs("<style>", out);
	for (size_t i = 0; i < sizeof(PAPER_COLOURS) / sizeof(PAPER_COLOURS[0]); i++) {
		for (size_t kind = 0; kind < sizeof(KINDS) / sizeof(KINDS[0]); kind++) {
			fprintf(out, ".%s-%u{%s:", KINDS[kind], PAPER_COLOURS[i].number, KINDS[kind]);
			put_colour(PAPER_COLOURS[i].variable, out);
			fputc('}', out);
		}
	}
	fputs("</style>", out);
}

static void put_page(const char *text, FILE *out)
{
	bool opening = false; /* true within the tag that begins a chart */

	while (*text) {
		if (!strncmp(text, CURRENT, sizeof(CURRENT) - 1)) {
			put_colour("--ink: ", out);
			text += sizeof(CURRENT) - 1;
			continue;
		}
		opening |= !strncmp(text, CHART, sizeof(CHART) - 1);
		fputc(*text, out);
		if (opening && *text == '>') {
			put_style(out);
			opening = false;
		}
		text++;
	}
}

/* NULL: it cannot be read. */
static char *read_all(const char *path)
{
	FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &size, '\0', in) < 0) { /* no page has one */
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

int plain_charts(const char *path, struct error *error)
{
	char *text = read_all(path);
	FILE *out = text ? fopen(path, "we") : NULL;
	bool failed = !out;

	if (out) {
		put_page(text, out);
		failed = ferror(out) != 0;
		failed |= fclose(out) != 0;
	}
	free(text);
	return failed ? error_set(error, ERROR_PLAN, "%s: cannot be written again: %s", path, strerror(errno)) : 0;
}
