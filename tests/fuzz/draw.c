/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces host/report/chart/gnuplot.c, because a fuzzer starts no programs. Reads the script as gnuplot would and
 * answers with an SVG of the same structure: one group per series, one mark per point. It is stricter than gnuplot
 * about what a script may hold: numbers in the data, and nothing that gnuplot would run. */
#include <stdlib.h>
#include <string.h>

#include "host/report/chart/draw.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_BLOCKS = 64 };

static const char *line_end(const char *text)
{
	const char *end = strchr(text, '\n');

	FUZZ_EXPECT(end, "a script without an end: %s", text);
	return end;
}

/* "$s0 << EOD", points, "EOD". Returns what follows. */
static const char *read_block(const char *at, size_t *points)
{
	*points = 0;
	for (at = line_end(at) + 1; strncmp(at, "EOD\n", 4) != 0; at = line_end(at) + 1) {
		size_t length = (size_t)(line_end(at) - at);

		FUZZ_EXPECT(strspn(at, "0123456789.eE+- ") == length, "no number for gnuplot: %.*s", (int)length, at);
		*points += length > 0;
	}
	return line_end(at) + 1;
}

/* gnuplot runs anything in backquotes, even within quotes, and anything after an exclamation mark or a pipe outside of
 * them. */
static void expect_harmless(const char *line, size_t length)
{
	bool quoted = false;

	for (size_t i = 0; i < length; i++) {
		quoted ^= line[i] == '"';
		FUZZ_EXPECT(!strchr(quoted ? "`\\" : "`\\!;|'", line[i]), "gnuplot would run something: %.*s",
		            (int)length, line);
	}
	FUZZ_EXPECT(!quoted, "a text without an end: %.*s", (int)length, line);
	FUZZ_EXPECT(!memmem(line, length, "nan", 3) && !memmem(line, length, "inf", 3), "no number for gnuplot: %.*s",
	            (int)length, line);
}

/* Draws one clause of "plot $s0 using ..., $s1 using ...". */
static void draw_series(FILE *out, const char *clause, size_t length, size_t number, size_t points)
{
	bool bars = memmem(clause, length, "with boxes", 10), ranges = memmem(clause, length, "with yerrorbars", 15);
	bool marks = ranges || memmem(clause, length, "points", 6);
	size_t count = bars || marks ? points + !memmem(clause, length, " notitle", 8) : 0;

	fprintf(out, "<g id=\"gnuplot_plot_%zu\"><title>x</title><path stroke='rgb(  0,   0,   1)' d='M1,1'/>", number);
	for (size_t i = 0; i < count; i++) {
		if (ranges && i < points)
			fputs("<use xlink:href='#gpPt6' color='white'/>", out);
		fputs(bars ? "<polygon fill='rgb(  0,   0,   2)' points='1,1 2,2'/>"
		           : "<use xlink:href='#gpPt6' color='rgb(  0,   0,   1)'/>",
		      out);
	}
	fputs("</g>\n", out);
}

static void draw_plot(FILE *out, const char *line, size_t length, const size_t *points, size_t blocks)
{
	const char *at = line + strlen("plot "), *end = line + length;

	for (size_t i = 0; i < blocks; i++) {
		const char *next = memmem(at, (size_t)(end - at), ", $s", 4);

		draw_series(out, at, (size_t)((next ? next : end) - at), i + 1, points[i]);
		at = next ? next + 2 : end;
	}
}

int gnuplot_draw(const char *script, char **svg, struct error *error)
{
	size_t points[MOST_BLOCKS], blocks = 0, size = 0;
	FILE *out = open_memstream(svg, &size);

	(void)error;
	FUZZ_EXPECT(out, "out of memory");
	fputs("<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 520 330\" xmlns=\"http://www.w3.org/2000/svg\" "
	      "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<title>Gnuplot</title>\n<desc>x</desc>\n"
	      "<g id=\"gnuplot_canvas\"><text font-family=\"sans\" fill=\"black\">1</text>\n",
	      out);
	for (const char *at = script; *at;) {
		size_t length = (size_t)(line_end(at) - at);

		if (!strncmp(at, "$s", 2)) {
			FUZZ_EXPECT(blocks < MOST_BLOCKS, "%zu series", blocks);
			at = read_block(at, &points[blocks++]);
			continue;
		}
		expect_harmless(at, length);
		if (!strncmp(at, "plot ", 5))
			draw_plot(out, at, length, points, blocks);
		at += length + 1;
	}
	fputs("</g>\n</svg>\n", out);
	fclose(out);
	return 0;
}

int chart_check(struct error *error)
{
	(void)error;
	return 0;
}
