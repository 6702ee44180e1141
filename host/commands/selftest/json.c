/* SPDX-License-Identifier: Apache-2.0 */
/* One object per row. */
#include "host/commands/selftest/json.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/base/json_write.h"

const char *selftest_verdict_name(enum selftest_verdict verdict)
{
	static const char *const NAMES[] = {
	        [SELFTEST_PASS] = "pass", [SELFTEST_FAIL] = "fail", [SELFTEST_NOT_APPLICABLE] = "not_applicable"};

	return NAMES[verdict];
}

static json_t *row_json(const struct selftest_row *row)
{
	json_t *values = json_object();
	json_t *object = json_pack("{s:s, s:o, s:o, s:s, s:s, s:o}", "check", row->check, "port",
	                           row->port == SELFTEST_NO_PORT ? json_null() : json_integer(row->port),
	                           "frame_octets", row->frame_octets ? json_integer(row->frame_octets) : json_null(),
	                           "verdict", selftest_verdict_name(row->verdict), "text", row->text, "values", values);

	for (size_t i = 0; i < row->value_count; i++)
		json_put(values, row->values[i].name, json_real(row->values[i].value));
	return object;
}

static json_t *device_json(const struct device_identity *identity)
{
	char hash[16];

	snprintf(hash, sizeof(hash), "0x%08" PRIx32, identity->map_hash);
	return json_pack("{s:s, s:s, s:i, s:s, s:i, s:I}", "backend", identity->backend, "name", identity->name,
	                 "map_version", (int)identity->map_version, "map_hash", hash, "ports", (int)identity->ports,
	                 "bits_per_second", (json_int_t)identity->link_bps);
}

json_t *selftest_json(const struct selftest_report *report, const struct device_identity *identity, bool complete)
{
	json_t *rows = json_array();
	json_t *root = json_pack("{s:i, s:s, s:o, s:b, s:b, s:o}", "schema", 1, "tool", "fpgauge " FPGAUGE_VERSION,
	                         "device", device_json(identity), "complete", complete, "passed",
	                         complete && selftest_passes(report), "checks", rows);

	for (size_t i = 0; root && i < report->count; i++)
		json_add(rows, row_json(&report->rows[i]));
	return root;
}
