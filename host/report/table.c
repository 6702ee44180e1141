/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal report: heading, one part a test, verdict. */
#include <stdlib.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/report/report.h"
#include "host/report/sections.h"
#include "host/report/value.h"

static bool is_program(const json_t *device)
{
	return !strcmp(value_string(device, "backend"), "exec");
}

/* Of an external program nothing is known but its command and what was agreed with it. */
static void print_device(const json_t *device, FILE *out)
{
	if (is_program(device))
		fprintf(out,
		        "  Tester               external program %s, sending ports: %s,\n"
		        "                       timeout %s, offered frames within %s\n",
		        value_string(device, "name"), value_text(device, "senders", 0).text,
		        value_known(device, "timeout_s") ? value_time(device, "timeout_s", 1).text : "by the trial",
		        value_percent(device, "offered_tolerance_percent").text);
	else
		fprintf(out, "  Device               %s (backend %s), %s ports, register map %s\n",
		        value_string(device, "name"), value_string(device, "backend"),
		        value_text(device, "ports", 0).text, value_string(device, "regmap"));
}

/* RFC 8238 section 4.3: whether the latency of cables was subtracted. A simulation has none. */
static void print_calibration(const json_t *report, FILE *out)
{
	const json_t *calibration = json_object_get(report, "calibration");
	const json_t *ways = json_object_get(calibration, "ports"), *way;
	const char *backend = value_string(json_object_get(report, "device"), "backend");
	size_t i;

	if (!calibration && strcmp(backend, "exec") != 0 && strcmp(backend, "sim") != 0)
		fprintf(out, "  Calibration          none: latency has cables and transceivers in it\n");
	if (!calibration)
		return;
	fprintf(out, "  Calibration          subtracted from latency");
	json_array_foreach(ways, i, way)
	        fprintf(out, "%s port %s to %s: %s ns", i ? "," : ":", value_text(way, "from_port", 0).text,
	                value_text(way, "to_port", 0).text, value_text(way, "latency_ns", 2).text);
	fprintf(out, "\n                       (%s)\n", value_string(calibration, "file"));
}

static void print_heading(const json_t *report, FILE *out)
{
	const json_t *device = json_object_get(report, "device");
	const json_t *link = json_object_get(report, "link");
	const json_t *overrides = json_object_get(report, "set");

	fprintf(out, "%s\n", value_string(report, "tool"));
	if (json_is_string(json_object_get(report, "incomplete")))
		fprintf(out, "INCOMPLETE: %s\n", value_string(report, "incomplete"));
	fprintf(out, "\n  Plan                 %s", value_string(report, "plan_path"));
	for (size_t i = 0; i < json_array_size(overrides); i++)
		fprintf(out, " --set %s",
		        json_is_string(json_array_get(overrides, i)) ? json_string_value(json_array_get(overrides, i))
		                                                     : "-");
	fputc('\n', out);
	print_device(device, out);
	/* Link speed and link layer are to be stated, and give the maximum rate (RFC 9004 section 5). */
	fprintf(out, "  Link                 %s Ethernet, preamble %d and minimum gap %d octets\n",
	        value_known(link, "bits_per_second")
	                ? format_bit_rate((uint64_t)json_integer_value(json_object_get(link, "bits_per_second"))).text
	                : "-",
	        PREAMBLE_OCTETS, MIN_GAP_OCTETS);
	print_calibration(report, out);
	fprintf(out, "  Frames               %s; sizes with FCS\n",
	        is_program(device) ? "as the program makes them" : "UDP echo over IPv4 (RFC 2544 Appendix C.2.6.4)");
	fprintf(out, "  Time                 %s to %s\n", value_string(report, "started"),
	        value_string(report, "finished"));
}

/* Results of one test of the plan follow one another; two tests of one kind differ in their traffic or search. */
static bool belongs(const json_t *a, const json_t *b)
{
	static const char *const KEYS[] = {"search",           "direction", "destinations",
	                                   "trial_duration_s", "preset",    "goals"};
	const json_t *left = json_object_get(a, "parameters"), *right = json_object_get(b, "parameters");
	const json_t *size = json_object_get(b, "frame_octets");

	/* MLRsearch has a result a goal at every size. */
	if (strcmp(value_string(a, "test"), value_string(b, "test")) != 0 ||
	    (json_equal(json_object_get(a, "frame_octets"), size) &&
	     (!value_known(a, "goal") || json_equal(json_object_get(a, "goal"), json_object_get(b, "goal")))))
		return false;
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		const json_t *x = json_object_get(left, KEYS[i]), *y = json_object_get(right, KEYS[i]);

		if ((x || y) && !json_equal(x, y))
			return false;
	}
	return true;
}

static void print_section(const struct section *section, FILE *out)
{
	const char *test = value_string(section->results[0], "test");

	fprintf(out, "\n");
	if (!strcmp(test, "throughput"))
		section_throughput(section, out);
	else if (!strcmp(test, "mlrsearch"))
		section_mlrsearch(section, out);
	else if (!strcmp(test, "back_to_back"))
		section_back_to_back(section, out);
	else
		fprintf(out, "%s: %zu results, in the JSON\n", test, section->count);
}

static void print_verdict(const json_t *results, FILE *out)
{
	size_t invalid = 0, skipped = 0, count = json_array_size(results);

	for (size_t i = 0; i < count; i++) {
		const json_t *result = json_array_get(results, i);

		skipped += value_true(result, "skipped");
		invalid += !value_true(result, "valid") && !value_true(result, "skipped");
	}
	if (count == 0)
		fprintf(out, "\nNo results.\n");
	else if (invalid)
		fprintf(out, "\n%zu of %zu results are INVALID.\n", invalid, count);
	else if (skipped)
		fprintf(out, "\nAll results are valid; %zu of %zu sizes did not qualify.\n", skipped, count);
	else
		fprintf(out, "\nAll %zu results are valid.\n", count);
}

void report_table(const json_t *report, FILE *out)
{
	const json_t *results = json_object_get(report, "results");
	size_t count = json_array_size(results);
	const json_t **list = calloc(count + 1, sizeof(*list));

	print_heading(report, out);
	for (size_t i = 0; list && i < count; i++)
		list[i] = json_array_get(results, i);
	for (size_t i = 0, end; list && i < count; i = end) {
		for (end = i + 1; end < count && belongs(list[end - 1], list[end]) && belongs(list[i], list[end]);)
			end++;
		print_section(&(struct section){list + i, end - i}, out);
	}
	section_verdict(report, out);
	print_verdict(results, out);
	free(list);
}
