/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and views. Columns of trials are made from fields.c. */
#include "host/store/schema.h"

#include "host/base/text.h"
#include "host/store/fields.h"

const char SCHEMA_TABLES[] = "CREATE TABLE run (\n"
                             "  one INTEGER PRIMARY KEY CHECK (one = 1),\n"
                             "  tool TEXT NOT NULL,\n"
                             "  plan_path TEXT NOT NULL,\n"
                             "  tester TEXT NOT NULL,\n"
                             "  link_bps INTEGER NOT NULL,\n"
                             "  device_backend TEXT,\n"
                             "  device_name TEXT,\n"
                             "  device_map_version INTEGER,\n"
                             "  device_map_hash INTEGER,\n"
                             "  device_ports INTEGER,\n"
                             "  device_groups INTEGER,\n"
                             "  device_destinations INTEGER,\n"
                             "  device_histogram_bins INTEGER,\n"
                             "  calibration TEXT,\n"
                             "  started TEXT NOT NULL,\n"
                             "  finished TEXT,\n"
                             "  incomplete TEXT\n"
                             ");\n"
                             "CREATE TABLE plan_file (\n"
                             "  number INTEGER PRIMARY KEY,\n"
                             "  path TEXT NOT NULL,\n"
                             "  absolute_path TEXT NOT NULL,\n"
                             "  text TEXT NOT NULL,\n"
                             "  checksum INTEGER NOT NULL\n"
                             ");\n"
                             "CREATE TABLE plan_override (number INTEGER PRIMARY KEY, text TEXT NOT NULL);\n"
                             "CREATE TABLE requirement (\n"
                             "  number INTEGER PRIMARY KEY,\n"
                             "  test_number INTEGER NOT NULL,\n"
                             "  frame_octets INTEGER NOT NULL,\n"
                             "  key TEXT NOT NULL,\n"
                             "  at_least INTEGER NOT NULL,\n"
                             "  limit_value REAL NOT NULL\n"
                             ");\n"
                             "CREATE TABLE session (\n"
                             "  number INTEGER PRIMARY KEY,\n"
                             "  command TEXT NOT NULL,\n"
                             "  tool TEXT NOT NULL,\n"
                             "  host TEXT NOT NULL,\n"
                             "  first_trial INTEGER NOT NULL,\n"
                             "  started TEXT NOT NULL,\n"
                             "  ended TEXT,\n"
                             "  outcome TEXT\n"
                             ");\n"
                             "CREATE TABLE search (\n"
                             "  number INTEGER PRIMARY KEY,\n"
                             "  test_number INTEGER NOT NULL,\n"
                             "  test TEXT NOT NULL,\n"
                             "  frame_octets INTEGER NOT NULL,\n"
                             "  repetition INTEGER NOT NULL,\n"
                             "  UNIQUE (test_number, frame_octets, repetition)\n"
                             ");\n"
                             "CREATE TABLE result (\n"
                             "  position INTEGER PRIMARY KEY,\n"
                             "  test_number INTEGER NOT NULL,\n"
                             "  test TEXT NOT NULL,\n"
                             "  rfc TEXT NOT NULL,\n"
                             "  frame_octets INTEGER NOT NULL,\n"
                             "  valid INTEGER NOT NULL,\n"
                             "  why_invalid TEXT,\n"
                             "  committed TEXT NOT NULL,\n"
                             "  document TEXT NOT NULL,\n"
                             "  checksum INTEGER NOT NULL\n"
                             ");\n"
                             "CREATE TABLE event (\n"
                             "  number INTEGER PRIMARY KEY,\n"
                             "  session INTEGER NOT NULL,\n"
                             "  time TEXT NOT NULL,\n"
                             "  kind TEXT NOT NULL,\n"
                             "  detail TEXT\n"
                             ");\n"
                             "CREATE TABLE origin (\n"
                             "  one INTEGER PRIMARY KEY CHECK (one = 1),\n"
                             "  directory TEXT NOT NULL,\n"
                             "  inode INTEGER NOT NULL\n"
                             ");\n"
                             "CREATE TABLE info (\n"
                             "  number INTEGER PRIMARY KEY,\n"
                             "  key TEXT NOT NULL,\n"
                             "  text TEXT NOT NULL\n"
                             ");\n";

const char SCHEMA_TRIAL_VIEWS[] =
        "CREATE VIEW search_trace AS SELECT\n"
        "  trial.number AS trial, search.test_number, search.test, search.frame_octets, search.repetition,\n"
        "  trial.point, trial.low, trial.high, trial.offered_frames, trial.received_frames, trial.lost_frames,\n"
        "  trial.valid, trial.why_invalid, trial.started, trial.wall_s\n"
        "FROM trial JOIN search ON trial.search = search.number ORDER BY trial.number;\n"
        /* Percentages as in RFC 2544 section 26.3; a frame occupies 20 more octets on the line. A mix has size 0. */
        "CREATE VIEW loss_over_load AS SELECT\n"
        "  trial.number AS trial, search.test_number, search.test, search.frame_octets,\n"
        "  trial.intended_fps AS load_fps,\n"
        "  100.0 * trial.intended_fps * 8 * (nullif(search.frame_octets, 0) + 20) / run.link_bps AS load_percent,\n"
        "  trial.duration_s, trial.offered_frames, trial.lost_frames,\n"
        /* A broadcast has to arrive at every other port: those that had to are those that came and those lost. */
        "  100.0 * trial.lost_frames / nullif(trial.received_frames + trial.lost_frames, 0) AS loss_percent,\n"
        "  trial.latency_min_ot * 8e9 / run.link_bps AS latency_min_ns,\n"
        "  trial.latency_mean_ot * 8e9 / run.link_bps AS latency_mean_ns,\n"
        "  trial.latency_max_ot * 8e9 / run.link_bps AS latency_max_ns,\n"
        "  json_extract(run.tester, '$.latency_error_ns') AS latency_error_ns\n"
        "FROM trial JOIN search ON trial.search = search.number JOIN run\n"
        "WHERE trial.kind = 'load' AND trial.valid AND json_extract(trial.request, '$.next_load_ot') IS NULL\n"
        "  AND json_extract(trial.request, '$.reset_by') IS NULL\n"
        "  AND json_extract(trial.request, '$.modifiers') IS NULL ORDER BY search.frame_octets, trial.intended_fps, "
        "trial.number;\n";

static const char *fitting(const char *text, size_t size, size_t length)
{
	return length < size ? text : NULL;
}

/* A column that gives SQL access to a value of a document, and is not stored. */
static size_t declare_column(const struct field *field, const char *document, char *text, size_t size, size_t length)
{
	static const char *const TYPES[] = {
	        [FIELD_U64] = "INTEGER",  [FIELD_U32] = "INTEGER", [FIELD_DOUBLE] = "REAL",    [FIELD_BOOL] = "INTEGER",
	        [FIELD_TEXT] = "TEXT",    [FIELD_CHOICE] = "TEXT", [FIELD_HISTOGRAM] = "TEXT", [FIELD_OCTAVES] = "TEXT",
	        [FIELD_VLAN] = "INTEGER", [FIELD_SIZES] = "TEXT",  [FIELD_MODIFIERS] = "TEXT",
	};

	return text_add(text, size, length, "%s %s GENERATED ALWAYS AS (json_extract(%s, '$.%s')) VIRTUAL", field->name,
	                TYPES[field->type], document, field->name);
}

static size_t declare_columns(const struct fields *fields, const char *document, char *text, size_t size, size_t length)
{
	for (size_t i = 0; i < fields->count; i++) {
		if (fields->field[i].sparse)
			continue;
		length = text_add(text, size, length, ",\n  ");
		length = declare_column(&fields->field[i], document, text, size, length);
	}
	return length;
}

const char *schema_trial_table(char *text, size_t size)
{
	size_t length = text_add(text, size, 0,
	                         "CREATE TABLE trial (\n"
	                         "  number INTEGER PRIMARY KEY,\n"
	                         "  session INTEGER NOT NULL REFERENCES session (number),\n"
	                         "  search INTEGER NOT NULL REFERENCES search (number),\n"
	                         "  point INTEGER NOT NULL,\n  low INTEGER NOT NULL,\n  high INTEGER NOT NULL,\n"
	                         "  started TEXT NOT NULL,\n  wall_s REAL NOT NULL,\n"
	                         "  request TEXT NOT NULL,\n  result TEXT NOT NULL,\n"
	                         "  checksum INTEGER NOT NULL");

	length = declare_columns(&REQUEST_FIELDS, "request", text, size, length);
	length = declare_columns(&RESULT_FIELDS, "result", text, size, length);
	length = text_add(text, size, length, "\n);\n");
	return fitting(text, size, length);
}

const char *schema_port_view(char *text, size_t size)
{
	size_t length = text_add(text, size, 0,
	                         "CREATE VIEW trial_port AS SELECT\n"
	                         "  trial.number AS trial, CAST(port.key AS INTEGER) AS port");

	for (size_t i = 0; i < PORT_FIELDS.count; i++)
		if (!PORT_FIELDS.field[i].sparse)
			length = text_add(text, size, length, ",\n  json_extract(port.value, '$.%s') AS %s",
			                  PORT_FIELDS.field[i].name, PORT_FIELDS.field[i].name);
	length = text_add(text, size, length,
	                  "\nFROM trial JOIN json_each(trial.result, '$.port') AS port\n"
	                  "ORDER BY trial.number, port.key;\n");
	return fitting(text, size, length);
}

const char *schema_flow_view(char *text, size_t size)
{
	size_t length = text_add(text, size, 0, "CREATE VIEW trial_flow AS SELECT\n  trial.number AS trial");

	for (size_t i = 0; i < FLOW_FIELDS.count; i++)
		length = text_add(text, size, length, ",\n  json_extract(flow.value, '$[%zu]') AS %s", i,
		                  FLOW_FIELDS.field[i].name);
	length = text_add(text, size, length,
	                  "\nFROM trial JOIN json_each(trial.result, '$.flow') AS flow\n"
	                  "ORDER BY trial.number, flow.key;\n");
	return fitting(text, size, length);
}
