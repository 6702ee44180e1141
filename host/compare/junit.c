/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as JUnit XML: one suite, one case per value. A change for the worse is a failure; what BASE has no valid
 * value of is skipped. docs/junit.xsd has the elements. */
#include <string.h>

#include "host/compare/compare.h"
#include "host/report/output_file.h"
#include "host/report/value.h"
#include "host/report/xml_write.h"

static bool is_skipped(const json_t *row)
{
	return !strcmp(value_string(row, "verdict"), "no_base");
}

static void write_value(xmlTextWriterPtr writer, const json_t *row, const char *name)
{
	const json_t *value = json_object_get(json_object_get(row, name), "value");

	if (json_is_number(value))
		xml_property(writer, name, value_digits(value).text);
}

static void write_case(xmlTextWriterPtr writer, const json_t *row)
{
	xml_begin(writer, "testcase");
	xml_attribute(writer, "classname", "fpgauge.compare.%.83s", value_string(row, "test"));
	xml_attribute(writer, "name", "%s %.100s, %s%s, %.100s", value_text(row, "test_number", 0).text,
	              value_string(row, "test"), value_frames(row).text, value_goal(row).text,
	              value_string(row, "key"));
	xml_attribute(writer, "time", "0.000");
	if (json_is_object(json_object_get(row, "base")) || json_is_object(json_object_get(row, "new"))) {
		xml_begin(writer, "properties");
		write_value(writer, row, "base");
		write_value(writer, row, "new");
		if (value_known(row, "change_percent"))
			xml_property(writer, "change_percent",
			             value_digits(json_object_get(row, "change_percent")).text);
		xml_end(writer);
	}
	if (is_skipped(row)) {
		xml_begin(writer, "skipped");
		xml_end(writer);
	} else if (compare_row_fails(row)) {
		xml_begin(writer, "failure");
		xml_attribute(writer, "type", "%s", value_string(row, "verdict"));
		xml_attribute(writer, "message", "%s", value_string(row, "why"));
		xml_end(writer);
	}
	xml_end(writer);
}

/* The first run of a project has nothing to be compared with, and nothing failed. */
static bool is_first(const json_t *comparison)
{
	return !strcmp(value_string(comparison, "verdict"), "no_base");
}

/* A comparison of nothing fails, and a suite without a case would not show it. */
static void write_nothing(xmlTextWriterPtr writer, const json_t *comparison)
{
	const bool first = is_first(comparison);

	xml_begin(writer, "testcase");
	xml_attribute(writer, "classname", "fpgauge.compare");
	xml_attribute(writer, "name", "compared");
	xml_attribute(writer, "time", "0.000");
	xml_begin(writer, first ? "skipped" : "failure");
	if (!first)
		xml_attribute(writer, "type", "nothing");
	if (!first)
		xml_attribute(writer, "message", "%s", value_string(comparison, "why"));
	xml_end(writer);
	xml_end(writer);
}

static void write_counts(xmlTextWriterPtr writer, const json_t *rows, bool nothing, bool first)
{
	size_t failures = nothing && !first, skipped = first, i;
	const json_t *row;

	json_array_foreach(rows, i, row)
	{
		failures += compare_row_fails(row);
		skipped += is_skipped(row);
	}
	xml_attribute(writer, "tests", "%zu", json_array_size(rows) + nothing);
	xml_attribute(writer, "failures", "%zu", failures);
	xml_attribute(writer, "errors", "0");
	xml_attribute(writer, "skipped", "%zu", skipped);
	xml_attribute(writer, "time", "0.000");
}

static void write_suite(xmlTextWriterPtr writer, const json_t *comparison, const json_t *new)
{
	const json_t *rows = json_object_get(comparison, "results"), *row;
	const bool nothing = json_integer_value(json_object_get(comparison, "compared")) == 0;
	size_t i;

	xml_begin(writer, "testsuite");
	xml_attribute(writer, "id", "0");
	xml_attribute(writer, "package", "fpgauge");
	xml_attribute(writer, "name", "comparison");
	xml_attribute(writer, "timestamp", "%.19s", value_string(new, "started"));
	xml_attribute(writer, "hostname", "localhost");
	write_counts(writer, rows, nothing, is_first(comparison));
	xml_begin(writer, "properties");
	xml_property(writer, "tool", value_string(new, "tool"));
	xml_property(writer, "verdict", value_string(comparison, "verdict"));
	xml_property(writer, "why", value_string(comparison, "why"));
	xml_end(writer);
	json_array_foreach(rows, i, row) write_case(writer, row);
	if (nothing)
		write_nothing(writer, comparison);
	xml_begin(writer, "system-out");
	xml_end(writer);
	xml_begin(writer, "system-err");
	xml_end(writer);
	xml_end(writer);
}

int compare_junit_check(const char *path, struct error *error)
{
	return output_file_renew("--junit", path, error);
}

int compare_junit(const json_t *comparison, const json_t *new, const char *path, struct error *error)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	xmlTextWriterPtr writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	int status;

	if (writer) {
		xmlTextWriterSetIndent(writer, 1);
		xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
		xml_begin(writer, "testsuites");
		write_suite(writer, comparison, new);
		xml_end(writer);
		xmlTextWriterEndDocument(writer);
		xmlFreeTextWriter(writer);
		status = output_file("--junit", path, xml_write, buffer, error);
	} else {
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	}
	xmlBufferFree(buffer);
	return status;
}
