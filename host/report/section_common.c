/* SPDX-License-Identifier: Apache-2.0 */
/* What every benchmark's part of the report has. */
#include "host/report/sections.h"
#include "host/report/value.h"

/* Input parameters of the search must be reported (RFC 9004 section 6.2). */
void section_common_parameters(const json_t *parameters, FILE *out)
{
	const char *search = value_string(parameters, "search");

	fprintf(out, "  Search               %s", search);
	if (value_known(parameters, "max_trials") && value_number(parameters, "max_trials") > 1) {
		fprintf(out, ", at most %s trials at a point, z %s", value_text(parameters, "max_trials", 0).text,
		        json_is_string(json_object_get(parameters, "z")) ? value_string(parameters, "z")
		                                                         : value_text(parameters, "z", 3).text);
		if (value_known(parameters, "max_repeats"))
			fprintf(out, " (max_repeats %s)", value_text(parameters, "max_repeats", 0).text);
	}
	if (value_known(parameters, "trials_limit"))
		fprintf(out, ", limited to %s trials", value_text(parameters, "trials_limit", 0).text);
	if (value_known(parameters, "traffic_limit_s"))
		fprintf(out, ", limited to %s of traffic", value_time(parameters, "traffic_limit_s", 1).text);
	fprintf(out, "\n  Waits                settle %s, drain at most %s\n",
	        value_time(parameters, "settle_s", 1).text, value_time(parameters, "drain_s", 1).text);
	fprintf(out, "  Traffic              %s, destinations a sending port: %s, minimum gap %s octets on average\n",
	        value_string(parameters, "direction"), value_text(parameters, "destinations", 0).text,
	        value_text(parameters, "gap_octets", 0).text);
}

/* ", goal 2" where there are goals. */
static struct format_text goal_of(const json_t *result)
{
	struct format_text text = {""};

	if (value_known(result, "goal"))
		snprintf(text.text, sizeof(text.text), ", goal %.20s", value_text(result, "goal", 0).text);
	return text;
}

/* A size that was left out by the RFC is no fault, and is told elsewhere. */
static void print_invalid(const json_t *result, FILE *out)
{
	if (!value_true(result, "valid") && !value_true(result, "skipped"))
		fprintf(out, "  ! %s octets%s is INVALID: %s\n", value_text(result, "frame_octets", 0).text,
		        goal_of(result).text, value_string(result, "why_invalid"));
}

static void print_flags(const json_t *result, FILE *out)
{
	const json_t *flags = json_object_get(result, "flags");

	for (size_t i = 0; i < json_array_size(flags); i++)
		fprintf(out, "  ! %s octets%s: %s\n", value_text(result, "frame_octets", 0).text, goal_of(result).text,
		        json_string_value(json_array_get(flags, i)) ? json_string_value(json_array_get(flags, i))
		                                                    : "-");
}

void section_remarks(const struct part *section, FILE *out)
{
	for (size_t i = 0; i < section->count; i++) {
		print_invalid(section->results[i], out);
		print_flags(section->results[i], out);
	}
}
