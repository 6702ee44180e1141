/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal report: heading, one part per test, verdict. */
#include <ctype.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/report/frames.h"
#include "host/report/load.h"
#include "host/report/part.h"
#include "host/report/report.h"
#include "host/report/section.h"
#include "host/report/value.h"

static bool is_program(const json_t *device)
{
	return !strcmp(value_string(device, "backend"), "exec");
}

/* Nothing is known about an external program but its command and what was agreed with it. */
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
	if (json_object_get(device, "bitstream"))
		fprintf(out, "  Bitstream            %s\n", value_string(device, "bitstream"));
}

/* A mesh of 16 ports has 240 ways between them; the JSON has each. */
enum { MOST_WAYS = 16 };

static void print_many_ways(const json_t *ways, FILE *out)
{
	const json_t *shortest = json_array_get(ways, 0), *longest = shortest, *way;
	size_t i;

	json_array_foreach(ways, i, way)
	{
		const double ns = json_number_value(json_object_get(way, "latency_ns"));

		if (ns < json_number_value(json_object_get(shortest, "latency_ns")))
			shortest = way;
		if (ns > json_number_value(json_object_get(longest, "latency_ns")))
			longest = way;
	}
	fprintf(out, ": %zu ways between ports, %s to %s ns", json_array_size(ways),
	        value_text(shortest, "latency_ns", 2).text, value_text(longest, "latency_ns", 2).text);
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
	if (json_array_size(ways) > MOST_WAYS)
		print_many_ways(ways, out);
	else
		json_array_foreach(ways, i, way)
		        fprintf(out, "%s port %s to %s: %s ns", i ? "," : ":", value_text(way, "from_port", 0).text,
		                value_text(way, "to_port", 0).text, value_text(way, "latency_ns", 2).text);
	fprintf(out, "\n                       (%s)\n", value_string(calibration, "file"));
}

/* Says what a card may add to its times, by its own statement: where there is nothing, nothing is said. */
static void print_exactness(const json_t *device, FILE *out)
{
	if (!(json_number_value(json_object_get(device, "latency_error_ns")) > 0))
		return;
	fprintf(out,
	        "  Latency              right within %s ns, beyond a constant: what the tester's adapters and MACs may "
	        "move a frame by\n",
	        value_text(device, "latency_error_ns", 1).text);
	fprintf(out, "  Sent gaps            measured %s, which keeps their mean; single ones may differ\n",
	        value_string(device, "gaps_measured"));
}

/* "Firmware             1.2.3": the keys of the plan, as words. */
static void print_info(const json_t *info, FILE *out)
{
	const char *key;
	json_t *text;

	json_object_foreach((json_t *)(uintptr_t)info, key, text)
	        fprintf(out, "  %c%-20s%s\n", toupper((unsigned char)*key), key + (*key != 0), json_string_value(text));
}

static void print_heading(const json_t *report, FILE *out)
{
	const json_t *device = json_object_get(report, "device");
	const json_t *link = json_object_get(report, "link");
	const json_t *overrides = json_object_get(report, "set");
	const char *commit = value_commit(report);

	fprintf(out, "%s%s%s\n", value_string(report, "tool"), *commit ? ", commit " : "", commit);
	if (json_is_string(json_object_get(report, "incomplete")))
		fprintf(out, "INCOMPLETE: %s\n", value_string(report, "incomplete"));
	fputc('\n', out);
	print_info(json_object_get(report, "info"), out);
	fprintf(out, "  Plan                 %s", value_string(report, "plan_path"));
	for (size_t i = 0; i < json_array_size(overrides); i++) {
		const char *setting = json_string_value(json_array_get(overrides, i));

		if (!setting || report_shows_setting(setting))
			fprintf(out, " --set %s", setting ? setting : "-");
	}
	fputc('\n', out);
	print_device(device, out);
	/* Link speed and link layer are to be stated, and give the maximum rate (RFC 9004 section 5). */
	fprintf(out, "  Link                 %s Ethernet, preamble %d and minimum gap %d octets\n",
	        value_known(link, "bits_per_second")
	                ? format_bit_rate((uint64_t)json_integer_value(json_object_get(link, "bits_per_second"))).text
	                : "-",
	        PREAMBLE_OCTETS, MIN_GAP_OCTETS);
	print_calibration(report, out);
	print_exactness(device, out);
	fprintf(out, "  Frames               %s; sizes with FCS\n", frames_of_report(report).text);
	fprintf(out, "  Time                 %s to %s\n", value_string(report, "started"),
	        value_string(report, "finished"));
}

static void print_part(void *user, const struct part *part)
{
	FILE *out = user;

	fprintf(out, "\n");
	section_print(part, out);
}

static void print_sections(const json_t *report, FILE *out)
{
	if (parts_each(report, print_part, out))
		fprintf(out, "\n(out of memory: the results are left out, they are in the JSON)\n");
}

void report_table(const json_t *report, FILE *out)
{
	json_t *shown = value_printable(report);

	if (!shown) {
		fprintf(out, "(out of memory: the report is left out)\n");
		return;
	}
	print_heading(shown, out);
	print_sections(shown, out);
	section_verdict(shown, out);
	section_last_line(shown, out);
	json_decref(shown);
}
