/* SPDX-License-Identifier: Apache-2.0 */
/* Two results are the same measurement when everything that was asked for is the same (match.c). A plan may
 * repeat a measurement: its values are then a sample, as are the values of the searches of RFC 9004 6.3. Every metric
 * whose description says which direction is better is compared; judge.c decides what counts as a change. A
 * result that was asked for differently is not judged, but not passed over either: the comparison fails. */
#include "host/compare/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/json_write.h"
#include "host/compare/history.h"
#include "host/compare/judge.h"
#include "host/compare/match.h"
#include "host/compare/notes.h"
#include "host/report/described.h"
#include "host/report/value.h"

/* One metric of one measurement of BASE; the first result of the measurement represents it. */
struct row {
	json_t *object;       /* borrowed */
	const json_t *result; /* borrowed */
	const struct metric *metric;
	bool judged; /* judged by its change; otherwise the verdict is already set */
	struct change change;
};

struct comparison {
	const json_t *base, *new; /* results */
	const json_t *runs;       /* reports that base is the last of; NULL: there is no other */
	json_t *list, *notes;
	struct row *rows;
	size_t count;
	bool repeats; /* the parameter of judge() */
};

/* A measurement of BASE and its counterpart in NEW: the same one, or one that was asked for differently; NULL: none. */
struct pair {
	struct comparison *comparison;
	const struct result_description *description;
	const json_t *result, *other;
	json_t *before, *after; /* all results of the measurement */
	bool answer_differs;    /* known once the answer is compared */
};

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void describe_sample(json_t *object, const char *key, const struct sample *sample)
{
	json_put(object, key,
	         sample->count ? json_pack("{s:f, s:o, s:I}", "value", sample->mean, "stddev", number(sample->stddev),
	                                   "count", (json_int_t)sample->count)
	                       : json_null());
}

static void set_verdict(json_t *object, const char *verdict, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

static void set_verdict(json_t *object, const char *verdict, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	json_put(object, "verdict", json_string(verdict));
	json_put(object, "why", json_vsprintf(format, arguments));
	va_end(arguments);
}

/* "trial_duration_s was 60.0, is 30.0" */
static void set_differs(json_t *object, json_t *differences)
{
	enum { MOST_NAMED = 3 };
	size_t count = json_array_size(differences), length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	json_put(object, "differences", differences);
	if (!out)
		return;
	fputs("requested differently: ", out);
	for (size_t i = 0; i < count && i < MOST_NAMED; i++) {
		const json_t *one = json_array_get(differences, i);
		char *was = json_dumps(json_object_get(one, "base"), JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
		char *is = json_dumps(json_object_get(one, "new"), JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));

		fprintf(out, "%s%s was %s, is %s", i ? "; " : "", value_string(one, "key"), was ? was : "-",
		        is ? is : "-");
		free(was);
		free(is);
	}
	if (count > MOST_NAMED)
		fprintf(out, "; and %zu more", count - MOST_NAMED);
	fclose(out);
	set_verdict(object, "differs", "%s", text);
	free(text);
}

static struct row *add_row(struct pair *pair, const struct metric *metric)
{
	struct comparison *comparison = pair->comparison;
	struct row *row = array_add(&comparison->rows, comparison->count, sizeof(*row));
	json_t *object = json_pack("{s:O?, s:O?, s:O?, s:s, s:b}", "test", json_object_get(pair->result, "test"),
	                           "test_number", json_object_get(pair->result, "test_number"), "frame_octets",
	                           json_object_get(pair->result, "frame_octets"), "key", metric->key, "answer",
	                           !strcmp(metric->key, pair->description->answer));

	if (json_is_string(json_object_get(pair->result, "sizes")))
		json_put_shared(object, "sizes", json_object_get(pair->result, "sizes"));
	if (json_is_string(json_object_get(pair->result, "modifier")))
		json_put_shared(object, "modifier", json_object_get(pair->result, "modifier"));
	if (!row || json_array_append_new(comparison->list, object))
		return NULL;
	comparison->count++;
	*row = (struct row){.object = object, .result = pair->result, .metric = metric};
	return row;
}

static void describe_row(struct row *row, const struct evidence *before, const struct evidence *after)
{
	static const char *const OF_A_CHANGE[] = {"change_percent", "change_low_percent", "change_high_percent", "p",
	                                          "significant"};

	if (json_object_get(row->result, "goal"))
		json_put_shared(row->object, "goal", json_object_get(row->result, "goal"));
	describe_sample(row->object, "base", &before->sample);
	describe_sample(row->object, "new", &after->sample);
	for (size_t i = 0; i < sizeof(OF_A_CHANGE) / sizeof(OF_A_CHANGE[0]); i++)
		json_put(row->object, OF_A_CHANGE[i], json_null());
	json_put(row->object, "differences", json_array());
}

/* The metric that answers the question of the test always gets a row, which says what became of the result. */
static void compare_answer(struct pair *pair, struct row *row, const struct evidence *before,
                           const struct evidence *after)
{
	if (!before->sample.count && before->why_skipped)
		set_verdict(row->object, "no_base", "did not qualify in BASE");
	else if (!before->sample.count)
		set_verdict(row->object, "no_base", "BASE has no valid result of it: %s", before->why_invalid);
	else if (!pair->other)
		set_verdict(row->object, "missing", "NEW has no result of it");
	else if (!match_same(pair->result, pair->other))
		set_differs(row->object, match_differences(pair->result, pair->other));
	else if (after->sample.count)
		row->judged = true;
	else if (after->why_skipped)
		/* A device that got so good that the RFC has nothing left to measure. */
		set_verdict(row->object, "better", "no longer qualifies: %s", after->why_skipped);
	else
		set_verdict(row->object, "invalid", "%s", after->why_invalid);
}

/* Histograms come from trials without loss. If the goal allows loss, whether there is such a trial is chance. */
static bool lacks_histogram(const struct pair *pair, const struct metric *metric)
{
	return metric->bins && described_number(pair->other, "counters.lost_frames") > 0;
}

/* A metric that neither of them has gets no row. */
static int compare_metric(struct pair *pair, const struct metric *metric)
{
	const bool answer = !strcmp(metric->key, pair->description->answer);
	const struct evidence after = evidence_of(pair->after, metric);
	bool history;
	const struct evidence before = history_of(pair->comparison->runs, pair->result, pair->before, metric, &history);
	struct row *row;

	if (!answer && (before.sample.count == 0 || (after.sample.count == 0 && lacks_histogram(pair, metric)))) {
		if (before.sample.count || after.sample.count)
			match_note(pair->comparison->notes,
			           json_sprintf("only %s has %s of %s", after.sample.count ? "NEW" : "BASE",
			                        metric->key, value_string(pair->result, "test")));
		return 0;
	}
	row = add_row(pair, metric);
	if (!row)
		return -1;
	describe_row(row, &before, &after);
	if (answer)
		compare_answer(pair, row, &before, &after);
	else if (after.sample.count)
		row->judged = true;
	else
		set_verdict(row->object, "missing", "NEW has a result without it: %s", after.why_invalid);
	if (row->judged) {
		row->change = history ? history_change(&before, &after) : change_of(&before, &after);
		row->change.answer_differs = pair->answer_differs;
		/* a measurement at another load is not what the runs before measured */
		if (history && metric->at_answer && pair->answer_differs)
			row->change.p = NAN;
	}
	return 0;
}

/* Each measurement is compared once, at its first result. */
static bool is_first(const json_t *results, size_t index)
{
	return match_find(results, json_array_get(results, index)) == json_array_get(results, index);
}

/* Negative when out of memory. */
static int compare_pair(struct pair *pair)
{
	const struct metric *answer = description_metric(pair->description, pair->description->answer);
	json_t *notes = pair->comparison->notes;
	const size_t rows = pair->comparison->count;
	const struct metric *metric;

	notes_invalid(notes, "BASE", pair->before, answer);
	notes_invalid(notes, "NEW", pair->after, answer);
	if (compare_metric(pair, answer))
		return -1;
	pair->answer_differs = pair->comparison->rows[rows].change.difference != 0;
	if (!pair->comparison->rows[rows].judged)
		return 0;
	/* the metrics besides the answer, for results that have an answer in both runs */
	for (size_t i = 0; (metric = description_at(pair->description, i)); i++) {
		if (metric->better != BETTER_NEITHER && !metric->derived && metric != answer &&
		    compare_metric(pair, metric))
			return -1;
	}
	return 0;
}

static int compare_results(struct comparison *comparison)
{
	const json_t *result;
	int status = 0;
	size_t i;

	json_array_foreach(comparison->base, i, result)
	{
		struct pair pair = {.comparison = comparison, .description = described(result), .result = result};

		if (!is_first(comparison->base, i) || status)
			continue;
		pair.other = match_find(comparison->new, result);
		if (pair.other)
			match_note_unsaid(comparison->notes, result, pair.other);
		else
			pair.other = match_changed(comparison->base, comparison->new, result);
		pair.before = match_all(comparison->base, result);
		pair.after = match_all(comparison->new, pair.other);
		if (pair.description)
			status = compare_pair(&pair);
		json_decref(pair.before);
		json_decref(pair.after);
	}
	return status;
}

/* Called once all changes are known. */
static int judge_rows(const struct comparison *comparison, double tolerance)
{
	double *p = calloc(comparison->count + 1, sizeof(*p)), largest_p;
	size_t count = 0;

	if (!p)
		return -1;
	for (size_t i = 0; i < comparison->count; i++) {
		if (comparison->rows[i].judged && !isnan(comparison->rows[i].change.p))
			p[count++] = comparison->rows[i].change.p;
	}
	largest_p = judge_largest_p(p, count, 0.05);
	free(p);
	for (size_t i = 0; i < comparison->count; i++) {
		const struct row *row = &comparison->rows[i];
		const struct change *change = &row->change;
		struct judgement judgement;

		if (!row->judged)
			continue;
		judgement = judge(row->metric, change, comparison->repeats, tolerance, largest_p);
		json_put(row->object, "change_percent", number(100 * change->ratio));
		json_put(row->object, "change_low_percent", number(100 * change->low));
		json_put(row->object, "change_high_percent", number(100 * change->high));
		json_put(row->object, "p", number(change->p));
		json_put(row->object, "significant", json_boolean(judgement.significant));
		set_verdict(row->object, judgement.verdict, "%s", judgement.why);
	}
	return 0;
}

/* Counts the results of BASE with a row of one of the verdicts, each once, however many of its metrics changed. */
static size_t count_results(const struct comparison *comparison, const char *const *verdicts)
{
	const json_t *counted = NULL;
	size_t count = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct row *row = &comparison->rows[i];

		for (const char *const *verdict = verdicts; *verdict && counted != row->result; verdict++) {
			if (!strcmp(value_string(row->object, "verdict"), *verdict)) {
				counted = row->result;
				count++;
			}
		}
	}
	return count;
}

static size_t count_all(const struct comparison *comparison)
{
	static const char *const ALL[] = {"same",    "better",  "worse",   "unclear", "missing",
	                                  "invalid", "differs", "no_base", NULL};

	return count_results(comparison, ALL);
}

/* A comparison of nothing shows nothing, so it does not pass. */
static json_t *conclusion(const struct comparison *comparison, size_t judged, size_t failed, size_t unclear,
                          double tolerance)
{
	size_t results = count_all(comparison);

	if (json_array_size(comparison->base) == 0)
		return json_string("nothing was compared: BASE has no results");
	if (results == 0)
		return json_string("nothing was compared: BASE has no result of a test that is known");
	if (judged == 0 && failed == 0)
		return json_string("nothing was compared: BASE has no valid result");
	if (judged == 0)
		return json_sprintf("nothing was compared: NEW has none of the %zu results of BASE, valid and with the "
		                    "same parameters",
		                    results);
	if (failed)
		return json_sprintf("%zu of %zu are worse than BASE by more than %.4g%%, invalid, missing or requested "
		                    "differently",
		                    failed, results, 100 * tolerance);
	if (unclear)
		return json_sprintf(
		        "%zu of %zu are worse than BASE by more than %.4g%%, or vary by that much: they were "
		        "measured once; repeat them",
		        unclear, results, 100 * tolerance);
	return json_sprintf("none of %zu is worse than BASE by more than %.4g%%%s", judged, 100 * tolerance,
	                    judged < results ? "; of the others BASE has no valid result" : "");
}

static const char *const FAILED[] = {"worse", "missing", "invalid", "differs", NULL};
static const char *const NOT_GREEN[] = {"worse", "missing", "invalid", "differs", "unclear", NULL};

bool compare_row_fails(const json_t *row)
{
	for (const char *const *verdict = NOT_GREEN; *verdict; verdict++) {
		if (!strcmp(value_string(row, "verdict"), *verdict))
			return true;
	}
	return false;
}

/* The same device gives the same values again, unless interfaces of Linux, in real time, are part of it. */
static bool is_simulated(const json_t *report)
{
	const json_t *device = json_object_get(report, "device");

	return !strcmp(value_string(device, "backend"), "sim") && !json_is_true(json_object_get(device, "real_time"));
}

static json_t *compare(const json_t *base, const json_t *runs, const json_t *new, double tolerance)
{
	static const char *const JUDGED[] = {"same", "better", "worse", "unclear", NULL};
	static const char *const UNCLEAR[] = {"unclear", NULL};
	struct comparison comparison = {.base = json_object_get(base, "results"),
	                                .runs = runs,
	                                .new = json_object_get(new, "results"),
	                                .list = json_array(),
	                                .notes = json_array(),
	                                .repeats = is_simulated(base) && is_simulated(new)};
	json_t *report = NULL;

	notes_setup(comparison.notes, base, new);
	if (compare_results(&comparison) == 0 && judge_rows(&comparison, tolerance) == 0) {
		size_t judged = count_results(&comparison, JUDGED), failed = count_results(&comparison, FAILED);
		size_t unclear = count_results(&comparison, UNCLEAR);

		notes_new(comparison.notes, comparison.base, comparison.new);
		report = json_pack("{s:i, s:f, s:O, s:O, s:I, s:s, s:o}", "schema", 1, "tolerance_percent",
		                   100 * tolerance, "results", comparison.list, "notes", comparison.notes, "compared",
		                   (json_int_t)judged, "verdict",
		                   !judged || failed ? "fail"
		                   : unclear         ? "unclear"
		                                     : "pass",
		                   "why", conclusion(&comparison, judged, failed, unclear, tolerance));
	}
	free(comparison.rows);
	json_decref(comparison.list);
	json_decref(comparison.notes);
	return report;
}

json_t *compare_reports(const json_t *base, const json_t *new, double tolerance)
{
	return compare(base, NULL, new, tolerance);
}

json_t *compare_history(const json_t *runs, const json_t *new, double tolerance)
{
	return compare(json_array_get(runs, json_array_size(runs) - 1), runs, new, tolerance);
}

bool compare_passes(const json_t *comparison)
{
	return !strcmp(value_string(comparison, "verdict"), "pass");
}

bool compare_is_unclear(const json_t *comparison)
{
	return !strcmp(value_string(comparison, "verdict"), "unclear");
}
