/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput, RFC 2544 section 26.1; or what is found with a goal that allows loss, under its own name. */
#include "host/report/rate_words.h"
#include "host/report/sections.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

static void print_parameters(const json_t *result, FILE *out)
{
	const json_t *parameters = json_object_get(result, "parameters");

	section_common_parameters(parameters, out);
	if (value_known(parameters, "goal"))
		section_goal_parameters(parameters, out);
	else
		fprintf(out, "  Resolution           %s of line rate\n",
		        value_percent(parameters, "resolution_percent").text);
	fprintf(out,
	        "  Trials               final %s, while searching %s; rates are frames a second, a sending port\n\n",
	        value_time(parameters, "trial_duration_s", 1).text,
	        value_time(parameters, "search_trial_duration_s", 1).text);
}

static const char *verdict(const json_t *result)
{
	if (!value_true(result, "valid"))
		return "INVALID";
	return json_array_size(json_object_get(result, "flags")) ? "yes, see !" : "yes";
}

/* "Throughput, fps" */
static struct format_text heading(const char *name)
{
	struct format_text text;

	snprintf(text.text, sizeof(text.text), "%s, fps", name);
	return text;
}

static void print_rates(const struct part *section, FILE *out)
{
	const struct rate_words *words = rate_words(section->results[0]);
	const struct format_text rate = heading(words->name), bound = heading(words->bound);
	const char *const HEADINGS[] = {"Size, octets", rate.text, "Of line rate", "Max theoretical, fps",
	                                bound.text,     "Trials",  "<Valid"};
	struct text_table table;

	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, words->rate_key, 1).text);
		text_table_cell(&table, "%s", value_percent(result, words->percent_key).text);
		text_table_cell(&table, "%s", value_text(result, "max_theoretical_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, words->bound_key, 1).text);
		text_table_cell(&table, "%s", value_text(result, "trials", 0).text);
		text_table_cell(&table, "%s", verdict(result));
	}
	text_table_end(&table, out);
}

static const char *const LATENCIES[] = {"latency_min_ns", "latency_mean_ns", "latency_max_ns"};
enum { LATENCY_COUNT = sizeof(LATENCIES) / sizeof(LATENCIES[0]) };

/* Of the trial that settled the result. */
static void print_trial(const struct part *section, FILE *out)
{
	static const char *const HEADINGS[] = {"Size, octets", "Offered, frames", "Lost", "Duplicated", "Reordered",
	                                       "Foreign",      "Latency min",     "mean", "max"};
	struct format_time_unit unit =
	        value_time_unit(section->results, section->count, LATENCIES, LATENCY_COUNT, 1e-9);
	struct text_table table;

	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];
		const json_t *counters = json_object_get(result, "counters");

		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_text(counters, "offered_frames", 0).text);
		text_table_cell(&table, "%s", value_text(counters, "lost_frames", 0).text);
		text_table_cell(&table, "%s", value_text(counters, "duplicated_frames", 0).text);
		text_table_cell(&table, "%s", value_text(counters, "reordered_frames", 0).text);
		text_table_cell(&table, "%s", value_text(counters, "foreign_frames", 0).text);
		for (size_t j = 0; j < LATENCY_COUNT; j++)
			text_table_cell(&table, "%s", value_time_in(result, LATENCIES[j], 1e-9, &unit).text);
	}
	fprintf(out, "\n  The trial that settled each result (latency: first octet in to first octet out, FIFO of RFC "
	             "1242):\n");
	text_table_end(&table, out);
}

static void print_truth(const struct part *section, FILE *out)
{
	const struct rate_words *words = rate_words(section->results[0]);
	const struct format_text rate = heading(words->name);
	const char *const HEADINGS[] = {"Size, octets", "<DUT", rate.text, "truth", "Latency min, ns", "truth"};
	struct text_table table;
	bool any = false;

	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];
		const json_t *truth = json_object_get(result, "truth");

		if (!json_is_object(truth))
			continue;
		any = true;
		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_string(truth, "model"));
		text_table_cell(&table, "%s", value_text(result, words->rate_key, 1).text);
		text_table_cell(&table, "%s", value_text(truth, "throughput_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, "latency_min_ns", 2).text);
		text_table_cell(&table, "%s", value_text(truth, "latency_ns", 2).text);
	}
	if (any)
		fprintf(out, "\n  Measured, and what the simulated device really does:\n");
	text_table_end(&table, out);
}

void section_throughput(const struct part *section, FILE *out)
{
	fprintf(out, "%s (%s)\n\n", rate_words(section->results[0])->name, rate_words(section->results[0])->clause);
	print_parameters(section->results[0], out);
	print_rates(section, out);
	section_remarks(section, out);
	print_trial(section, out);
	print_truth(section, out);
}
