/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal's table by port. */
#include "host/report/ports.h"

#include <string.h>

#include "host/report/text_table.h"
#include "host/report/value.h"

const char PORTS_CAPTION[] = "By port, in the trial that settled each result";
const char *const PORTS_HEADINGS[] = {"Size, octets", "Port",        "Offered, frames", "Received",    "Lost",
                                      "Unexpected",   "Latency min", "Latency mean",    "Latency max", NULL};
const char *const PORTS_KEYS[] = {
        "port",           "offered_frames",  "received_frames", "lost_frames", "wrong_port_frames",
        "latency_min_ns", "latency_mean_ns", "latency_max_ns",  NULL};

bool ports_are_shown(const json_t *result)
{
	const size_t ports = json_array_size(json_object_get(result, "ports"));
	const json_t *pattern = json_object_get(json_object_get(result, "parameters"), "pattern");
	const bool pairs = !json_is_string(pattern) || !strcmp(json_string_value(pattern), "pairs");

	return ports > 2 || (ports && !pairs);
}

static void add_row(struct text_table *table, const json_t *result, const json_t *port)
{
	text_table_cell(table, "%s", value_size(result).text);
	for (const char *const *key = PORTS_KEYS; *key; key++) {
		const bool is_time = value_ends_in(*key, "_ns") && value_known(port, *key);

		text_table_cell(table, "%s",
		                is_time ? value_time(port, *key, 1e-9).text : value_text(port, *key, 0).text);
	}
}

void ports_print(const struct part *part, FILE *out)
{
	struct text_table table;
	bool any = false;

	text_table_begin(&table, PORTS_HEADINGS, sizeof(PORTS_HEADINGS) / sizeof(PORTS_HEADINGS[0]) - 1);
	for (size_t i = 0; i < part->count; i++) {
		const json_t *ports = json_object_get(part->results[i], "ports"), *port;
		size_t number;

		if (!ports_are_shown(part->results[i]))
			continue;
		json_array_foreach(ports, number, port) add_row(&table, part->results[i], port);
		any = true;
	}
	if (any)
		fprintf(out, "\n  %s\n", PORTS_CAPTION);
	text_table_end(&table, out);
}
