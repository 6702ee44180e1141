/* SPDX-License-Identifier: Apache-2.0 */
/* Back-to-back frames, RFC 9004: Table 1 of section 7 as it stands there, then everything behind it. */
#include <math.h>
#include <stdlib.h>

#include "host/report/sections.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

static bool skipped(const json_t *result)
{
	return value_true(result, "skipped");
}

/* Static and configuration parameters (RFC 9004 section 7), from a size that was tested. */
static void print_parameters(const json_t *result, FILE *out)
{
	const json_t *parameters = json_object_get(result, "parameters");

	if (!skipped(result)) {
		fprintf(out, "  Repetitions          N = %s\n", value_text(parameters, "repetitions", 0).text);
		fprintf(out, "  Minimum step size    %s (frames)\n", value_text(parameters, "step_frames", 0).text);
		fprintf(out, "  Longest burst        %s (RFC 9004 section 6.2); in frames, see Proof\n",
		        value_time(parameters, "max_burst_s", 1).text);
		fprintf(out, "  First burst          %s frames, then %s\n",
		        value_text(parameters, "first_burst_frames", 0).text,
		        value_number(parameters, "first_burst_frames") < value_number(parameters, "max_burst_frames")
		                ? "doubled until one fails"
		                : "bisected (it is the longest)");
	}
	section_common_parameters(parameters, out);
	fprintf(out, "\n");
}

static void print_table_1(const struct part *section, FILE *out)
{
	static const char *const HEADINGS[] = {"Frame Size, octets", "Ave B2B Length, frames", "Min,Max,StdDev",
	                                       "Corrected Buff Time, Sec", "<Valid"};
	struct text_table table;

	fprintf(out, "  Table 1: Back-to-Back Frame Results (RFC 9004 section 7)\n");
	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		if (skipped(result))
			continue;
		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "average_frames", 2).text);
		text_table_cell(&table, "%s,%s,%s", value_text(result, "min_frames", 0).text,
		                value_text(result, "max_frames", 0).text, value_text(result, "stddev_frames", 2).text);
		text_table_cell(&table, "%s", value_text(result, "corrected_buffer_s", 10).text);
		text_table_cell(&table, "%s",
		                !value_true(result, "valid")                        ? "INVALID"
		                : json_array_size(json_object_get(result, "flags")) ? "yes, see !"
		                                                                    : "yes");
	}
	text_table_end(&table, out);
}

/* Section 6.1: only sizes whose throughput is below the maximum rate can fill a buffer. */
static void print_skipped(const struct part *section, FILE *out)
{
	for (size_t i = 0; i < section->count; i++) {
		if (skipped(section->results[i]))
			fprintf(out, "  %s octets: %s\n", value_text(section->results[i], "frame_octets", 0).text,
			        value_string(section->results[i], "why_invalid"));
	}
}

static void print_buffer(const struct part *section, FILE *out)
{
	static const char *const HEADINGS[] = {"Size, octets",    "Implied, Sec",      "Corrected, Sec",
	                                       "Buffer, frames",  "Buffer, octets",    "From latency, frames",
	                                       "Throughput, fps", "Filling rate, fps", "Fill time, Sec"};
	struct text_table table;

	fprintf(out, "\n  Buffer (implied and corrected time, RFC 9004 section 6.4; filling rate, section 4):\n");
	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		if (skipped(result))
			continue;
		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "implied_buffer_s", 10).text);
		text_table_cell(&table, "%s", value_text(result, "corrected_buffer_s", 10).text);
		text_table_cell(&table, "%s", value_text(result, "buffer_frames", 1).text);
		text_table_cell(&table, "%s", value_text(result, "buffer_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "latency_buffer_frames", 1).text);
		text_table_cell(&table, "%s", value_text(result, "throughput_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, "filling_rate_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, "fill_time_s", 10).text);
	}
	text_table_end(&table, out);
}

/* Section 7: "and report this value, properly labeled". */
static void print_actual(const struct part *section, FILE *out)
{
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		if (value_known(result, "actual_buffer_s"))
			fprintf(out, "  %s octets: Actual Buffer Time at an Actual Frame Rate of %s fps: %s Sec\n",
			        value_text(result, "frame_octets", 0).text,
			        value_text(result, "actual_rate_fps", 1).text,
			        value_text(result, "actual_buffer_s", 10).text);
	}
}

/* Whether there are bursts for which the tester has only its word. */
static bool unproven(const struct part *section)
{
	for (size_t i = 0; i < section->count; i++) {
		if (value_number(section->results[i], "bursts_unproven") > 0)
			return true;
	}
	return false;
}

static void print_proof(const struct part *section, FILE *out)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "Bursts proven",
	                                       "Gap min, octets",
	                                       "average",
	                                       "max",
	                                       "Forwarding rate, fps",
	                                       "Longest allowed, frames",
	                                       "Trials",
	                                       "95% confidence, frames"};
	struct text_table table;

	fprintf(out, "\n  Proof (gaps as measured at the line%s):\n",
	        unproven(section) ? "; of bursts that are not proven nobody measured them"
	                          : " by the hardware; every burst of a result is proven");
	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		if (skipped(result))
			continue;
		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "bursts_proven", 0).text);
		text_table_cell(&table, "%s", value_text(result, "gap_min_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "gap_mean_octets", 4).text);
		text_table_cell(&table, "%s", value_text(result, "gap_max_octets", 0).text);
		text_table_cell(&table, "%s", value_text(result, "forwarding_rate_fps", 1).text);
		text_table_cell(&table, "%s", value_text(result, "max_burst_frames", 0).text);
		text_table_cell(&table, "%s", value_text(result, "trials", 0).text);
		if (value_known(result, "confidence95_low_frames"))
			text_table_cell(&table, "%s to %s", value_text(result, "confidence95_low_frames", 2).text,
			                value_text(result, "confidence95_high_frames", 2).text);
		else
			text_table_cell(&table, "-");
	}
	text_table_end(&table, out);
}

static int compare_values(const void *a, const void *b)
{
	json_int_t left = *(const json_int_t *)a, right = *(const json_int_t *)b;

	return (left > right) - (left < right);
}

/* Each value must be made available (section 6.3): all of them when there are few different ones. */
static void print_values(const json_t *result, FILE *out)
{
	enum { MOST_DIFFERENT = 12 };
	const json_t *values = json_object_get(result, "values_frames");
	size_t count = json_array_size(values), different = 0;
	json_int_t *sorted = calloc(count + 1, sizeof(*sorted));

	for (size_t i = 0; sorted && i < count; i++)
		sorted[i] = json_integer_value(json_array_get(values, i));
	if (sorted && count) {
		qsort(sorted, count, sizeof(*sorted), compare_values);
		for (size_t i = 0; i < count; i++)
			different += i == 0 || sorted[i] != sorted[i - 1];
		fprintf(out, "  %s octets, values of the searches:", value_text(result, "frame_octets", 0).text);
		if (different > MOST_DIFFERENT)
			fprintf(out, " %zu different ones, all in the JSON", different);
		for (size_t i = 0, end; different <= MOST_DIFFERENT && i < count; i = end) {
			for (end = i; end < count && sorted[end] == sorted[i];)
				end++;
			fprintf(out, "%s %" JSON_INTEGER_FORMAT " x %zu", i ? "," : "", sorted[i], end - i);
		}
		fprintf(out, "\n");
	}
	free(sorted);
}

/* A throughput trial hides an overload of up to buffer / duration, because the buffer takes it. */
static void print_self_check(const struct part *section, FILE *out)
{
	fprintf(out, "\n  Self-check: overload that the throughput trials may have hidden in this buffer\n");
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];

		if (skipped(result))
			continue;
		fprintf(out, "  %s octets: ", value_text(result, "frame_octets", 0).text);
		if (value_known(result, "hidden_overload_fps"))
			fprintf(out, "up to %s; trials of %s bring it below the resolution",
			        value_rate(result, "hidden_overload_fps").text,
			        value_time(result, "hidden_overload_trial_s", 1).text);
		else
			fprintf(out, "-");
		if (value_known(result, "corrected_buffer_error_frames"))
			fprintf(out, "; buffer in frames is right within %s",
			        value_text(result, "corrected_buffer_error_frames", 1).text);
		fprintf(out, "; rate of the correction: %s\n", value_string(result, "throughput_source"));
	}
}

static void print_truth(const struct part *section, FILE *out)
{
	static const char *const HEADINGS[] = {"Size, octets", "<DUT",           "Longest burst, frames",
	                                       "truth",        "Buffer, frames", "truth"};
	struct text_table table;
	bool any = false;

	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < section->count; i++) {
		const json_t *result = section->results[i];
		const json_t *truth = json_object_get(result, "truth");

		if (!json_is_object(truth) || skipped(result))
			continue;
		any = true;
		text_table_cell(&table, "%s", value_text(result, "frame_octets", 0).text);
		text_table_cell(&table, "%s", value_string(truth, "model"));
		text_table_cell(&table, "%s", value_text(result, "average_frames", 2).text);
		/* A device that states no throughput loses by chance or on purpose, and has no longest burst either. */
		text_table_cell(&table, "%s",
		                value_known(truth, "longest_burst_frames")
		                        ? value_text(truth, "longest_burst_frames", 0).text
		                : value_known(truth, "throughput_fps") ? "no limit"
		                                                       : "none");
		text_table_cell(&table, "%s", value_text(result, "buffer_frames", 1).text);
		text_table_cell(&table, "%s", value_text(truth, "buffer_frames", 0).text);
	}
	if (any)
		fprintf(out, "\n  Measured, and what the simulated device really has:\n");
	text_table_end(&table, out);
}

void section_back_to_back(const struct part *section, FILE *out)
{
	const json_t *tested = NULL;

	for (size_t i = 0; i < section->count && !tested; i++)
		tested = skipped(section->results[i]) ? NULL : section->results[i];
	fprintf(out, "Back-to-back frames (RFC 9004)\n\n");
	print_parameters(tested ? tested : section->results[0], out);
	if (!tested)
		fprintf(out, "  No frame size qualifies:\n");
	else
		print_table_1(section, out);
	print_skipped(section, out);
	section_remarks(section, out);
	if (!tested)
		return;
	print_buffer(section, out);
	print_actual(section, out);
	print_proof(section, out);
	for (size_t i = 0; i < section->count; i++)
		print_values(section->results[i], out);
	print_self_check(section, out);
	print_truth(section, out);
}
