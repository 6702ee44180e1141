/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch, RFC 9971: goals, bounds, conditional throughput. Every trial is in the JSON. */
#include "host/report/sections.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

static struct format_text ratio(const json_t *object, const char *key)
{
	return value_known(object, key) ? format_percent(value_number(object, key)) : (struct format_text){"-"};
}

void section_goal_parameters(const json_t *parameters, FILE *out)
{
	fprintf(out, "  Goal %s of %s          ", value_text(parameters, "goal", 0).text,
	        value_text(parameters, "goals", 0).text);
	if (json_is_string(json_object_get(parameters, "preset")))
		fprintf(out, "preset %s: ", value_string(parameters, "preset"));
	fprintf(out, "loss ratio %s, exceed ratio %s, width %s,\n", ratio(parameters, "goal_loss_ratio").text,
	        ratio(parameters, "goal_exceed_ratio").text, ratio(parameters, "goal_width").text);
	fprintf(out, "                       trials: final %s, initial %s; duration sum %s\n",
	        value_time(parameters, "goal_final_trial_duration_s", 1).text,
	        value_time(parameters, "goal_initial_trial_duration_s", 1).text,
	        value_time(parameters, "goal_duration_sum_s", 1).text);
}

/* The goals are the same at every size: as many as come before one comes again. */
static void print_parameters(const struct part *section, FILE *out)
{
	const json_t *parameters = json_object_get(section->results[0], "parameters");
	const double goals = value_number(parameters, "goals"); /* NAN where not known */

	section_common_parameters(parameters, out);
	if (json_is_string(json_object_get(parameters, "waits_deviation")))
		fprintf(out, "                       %s\n", value_string(parameters, "waits_deviation"));
	for (size_t i = 0; (double)i < goals && i < section->count; i++)
		section_goal_parameters(json_object_get(section->results[i], "parameters"), out);
	fprintf(out, "  Width                %s\n", value_string(parameters, "width"));
	fprintf(out, "  Loads                %s to %s fps at %s octets; rates are %s\n",
	        value_text(parameters, "min_load_fps", 1).text, value_text(parameters, "max_load_fps", 1).text,
	        value_text(section->results[0], "frame_octets", 0).text, value_string(parameters, "load"));
	if (value_number(parameters, "warm_up_s") > 0)
		fprintf(out, "  Warm-up              %s at the highest load\n",
		        value_time(parameters, "warm_up_s", 1).text);
	fprintf(out, "\n");
}

static const char *verdict(const json_t *result)
{
	if (!value_true(result, "valid"))
		return "INVALID";
	return value_true(result, "regular") ? "yes" : "no, see !";
}

void section_mlrsearch(const struct part *section, FILE *out)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "Goal",
	                                       "Relevant lower bound, fps",
	                                       "Relevant upper bound, fps",
	                                       "Conditional throughput, fps",
	                                       "Of line rate",
	                                       "Width",
	                                       "Trials",
	                                       "Traffic",
	                                       "<Regular"};
	struct text_table table;

	fprintf(out, "MLRsearch (RFC 9971)\n\n");
	print_parameters(section, out);
	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "goal", 0).text);
		text_table_cell(&table, "%s", value_text(result, "relevant_lower_bound_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, "relevant_upper_bound_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, "conditional_throughput_fps", 1).text);
		text_table_cell(&table, "%s", value_percent(result, "conditional_throughput_percent").text);
		text_table_cell(&table, "%s", ratio(result, "width").text);
		text_table_cell(&table, "%s", value_text(result, "trials", 0).text);
		text_table_cell(&table, "%s", value_time(result, "traffic_s", 1).text);
		text_table_cell(&table, "%s", verdict(result));
	}
	text_table_end(&table, out);
	section_remarks(section, out);
}
