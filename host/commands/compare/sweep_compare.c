/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/compare/sweep_compare.h"

#include <stdio.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/commands/sweep/manifest.h"
#include "host/commands/sweep/state.h"
#include "host/compare/compare.h"
#include "host/report/report.h"
#include "host/report/value.h"

enum { SCHEMA = 1, POINT_TEXT = 400 };

struct both {
	struct sweep base, new;
	double tolerance;
};

int sweep_compare_asked(const struct compare_options *options, bool *asked, struct error *error)
{
	const bool base = options->base_path && manifest_exists(options->base_path);
	const bool new = options->new_path &&manifest_exists(options->new_path);

	*asked = base && new;
	if (base == new)
		return 0;
	return error_set(error, ERROR_PLAN, "%s: is a sweep, and so must be what it is compared with",
	                 base ? options->base_path : options->new_path);
}

/* verdict: "same or better", "unclear", "worse", "missing", "not done". Takes over the comparison. */
static json_t *pair(const struct both *both, size_t number, size_t other, const char *verdict, json_t *comparison)
{
	char text[POINT_TEXT];

	return json_pack("{s:s, s:I, s:o, s:s, s:o*}", "settings",
	                 sweep_point_text(&both->base, number, text, sizeof(text)), "base", (json_int_t)number, "new",
	                 other ? json_integer((json_int_t)other) : json_null(), "verdict", verdict, "comparison",
	                 comparison);
}

static json_t *compare_point(const struct both *both, size_t number)
{
	const size_t other = sweep_find(&both->new, &both->base, number);
	json_t *base = NULL, *new = NULL, *comparison = NULL, *result;
	struct error why;
	const char *verdict = "missing";

	if (other) {
		const bool base_done = sweep_state(&both->base, number, &base, &why) == POINT_DONE;
		const bool new_done = sweep_state(&both->new, other, &new, &why) == POINT_DONE;

		verdict = base_done ? "not done" : "no base";
		if (base_done && new_done)
			comparison = compare_reports(base, new, both->tolerance);
		if (comparison)
			verdict = compare_passes(comparison)       ? "same or better"
			          : compare_is_unclear(comparison) ? "unclear"
			                                           : "worse";
	}
	result = pair(both, number, other, verdict, comparison);
	json_decref(base);
	json_decref(new);
	return result;
}

static size_t count_only_new(const struct both *both)
{
	size_t count = 0;

	for (size_t number = 1; number <= sweep_points(&both->new); number++)
		count += sweep_find(&both->base, &both->new, number) == 0;
	return count;
}

static json_t *compare_all(const struct both *both)
{
	json_t *points = json_array();

	for (size_t number = 1; number <= sweep_points(&both->base); number++)
		json_add(points, compare_point(both, number));
	return json_pack("{s:i, s:s, s:s, s:s, s:f, s:I, s:o}", "fpgauge_sweep_comparison", SCHEMA, "tool",
	                 "fpgauge " FPGAUGE_VERSION, "base", both->base.directory, "new", both->new.directory,
	                 "tolerance", both->tolerance, "only_new", (json_int_t)count_only_new(both), "points", points);
}

static size_t count_verdict(const json_t *points, const char *verdict)
{
	const json_t *one;
	size_t count = 0, i;

	json_array_foreach(points, i, one) count += !strcmp(value_string(one, "verdict"), verdict);
	return count;
}

static enum exit_code code_of(const json_t *comparison)
{
	const json_t *points = json_object_get(comparison, "points");
	const size_t unclear = count_verdict(points, "unclear");
	const size_t judged = count_verdict(points, "same or better") + unclear;

	if (!judged || judged + count_verdict(points, "no base") != json_array_size(points))
		return EXIT_INVALID;
	return unclear ? EXIT_UNCLEAR : EXIT_VALID;
}

/* One line is enough for points that are no worse. */
static void print(const json_t *comparison, FILE *out)
{
	const json_t *points = json_object_get(comparison, "points"), *one;
	const json_int_t only_new = json_integer_value(json_object_get(comparison, "only_new"));
	size_t i;

	fprintf(out, "Sweeps %s and %s\n\n", value_string(comparison, "base"), value_string(comparison, "new"));
	json_array_foreach(points, i, one)
	{
		fprintf(out, "%s: %s\n", value_string(one, "settings"), value_string(one, "verdict"));
		if (!strcmp(value_string(one, "verdict"), "worse") || !strcmp(value_string(one, "verdict"), "unclear"))
			compare_table(json_object_get(one, "comparison"), out);
	}
	fprintf(out,
	        "\n%zu runs of BASE: %zu the same or better, %zu unclear, %zu worse, %zu not done in NEW, %zu missing "
	        "there, %zu "
	        "not done in "
	        "BASE; %lld only in NEW.\n",
	        json_array_size(points), count_verdict(points, "same or better"), count_verdict(points, "unclear"),
	        count_verdict(points, "worse"), count_verdict(points, "not done"), count_verdict(points, "missing"),
	        count_verdict(points, "no base"), (long long)only_new);
}

static int check_outputs(const struct compare_options *options, struct error *error)
{
	if (options->junit_path || options->markdown_path)
		return error_set(error, ERROR_PLAN,
		                 "%s: compares two runs; of two sweeps there is a text, and --json FILE",
		                 options->junit_path ? "--junit" : "--markdown");
	return options->json_path ? report_json_check(options->json_path, error) : 0;
}

static int write_outputs(const struct compare_options *options, const json_t *comparison, struct error *error)
{
	json_t *shown;

	if (!options->quiet && !(options->json_path && !strcmp(options->json_path, "-"))) {
		shown = value_printable(comparison);
		if (!shown)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		print(shown, stdout);
		json_decref(shown);
	}
	return options->json_path ? report_json(comparison, options->json_path, error) : 0;
}

int sweep_compare(const struct compare_options *options, double tolerance, enum exit_code *code, struct error *error)
{
	struct both both = {.tolerance = tolerance};
	json_t *comparison = NULL;
	int status = check_outputs(options, error);

	if (status == 0)
		status = manifest_read(options->base_path, &both.base, error);
	if (status == 0)
		status = manifest_read(options->new_path, &both.new, error);
	if (status == 0 && !(comparison = compare_all(&both)))
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	if (status == 0) {
		*code = code_of(comparison);
		status = write_outputs(options, comparison, error);
	}
	json_decref(comparison);
	sweep_free(&both.base);
	sweep_free(&both.new);
	return status;
}
