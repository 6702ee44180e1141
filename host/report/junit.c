/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts as JUnit XML, for CI servers: a suite a test of the plan, a case a result. What is invalid, or not as
 * the plan requires, is a failure; a size that the RFC leaves out is skipped. Elements and attributes are those that
 * the Ant task and Jenkins both read: docs/junit.xsd. */
#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/output_file.h"
#include "host/report/report.h"
#include "host/report/value.h"

static const xmlChar *xml(const char *text)
{
	return (const xmlChar *)text;
}

static void attribute(xmlTextWriterPtr writer, const char *name, const char *value)
{
	xmlTextWriterWriteAttribute(writer, xml(name), xml(value));
}

static void element(xmlTextWriterPtr writer, const char *name)
{
	xmlTextWriterStartElement(writer, xml(name));
}

static void end(xmlTextWriterPtr writer)
{
	xmlTextWriterEndElement(writer);
}

static const char *failure_type(const json_t *result)
{
	if (value_true(result, "skipped"))
		return NULL;
	if (!value_true(result, "valid"))
		return "invalid";
	return !strcmp(value_string(result, "verdict"), "fail") ? "threshold" : NULL;
}

/* "throughput_fps is 69940476.2, must be at least 70000000; ..." */
static char *failure_text(const json_t *result)
{
	const json_t *requirements = json_object_get(result, "requirements"), *one;
	char *text = NULL;
	size_t length = 0, i;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	if (!value_true(result, "valid"))
		fputs(value_string(result, "why_invalid"), out);
	json_array_foreach(requirements, i, one)
	{
		bool least = !strcmp(value_string(one, "relation"), "at_least");

		if (value_true(one, "met"))
			continue;
		fprintf(out, "%s%s is ", ftell(out) > 0 ? "; " : "", value_string(one, "key"));
		if (value_known(one, "value"))
			fprintf(out, "%.10g", value_number(one, "value"));
		else
			fputs("not known", out);
		fprintf(out, ", must be at %s %.10g", least ? "least" : "most", value_number(one, "limit"));
	}
	fclose(out);
	return text;
}

/* XML has no control characters but three. */
static void write_failure(xmlTextWriterPtr writer, const json_t *result, const char *type)
{
	char *text = failure_text(result);

	for (char *c = text; c && *c; c++) {
		if ((unsigned char)*c < 0x20 && !strchr("\t\n\r", *c))
			*c = '?';
	}
	element(writer, "failure");
	attribute(writer, "type", type);
	attribute(writer, "message", text ? text : "-");
	end(writer);
	free(text);
}

/* By the host's clock. A time that cannot be read is worth no complaint in a list of verdicts. */
static double wall_s(struct store *store, const json_t *result)
{
	struct error ignored = {0};
	double seconds = 0;

	if (store)
		store_wall_s(store, (unsigned)json_integer_value(json_object_get(result, "test_number")),
		             (uint32_t)json_integer_value(json_object_get(result, "frame_octets")), &seconds, &ignored);
	return seconds;
}

static void write_time(xmlTextWriterPtr writer, double seconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", seconds);
	attribute(writer, "time", text);
}

static void write_case(xmlTextWriterPtr writer, struct store *store, const json_t *result)
{
	const char *type = failure_type(result);
	char name[200], class[100];

	if (value_known(result, "frame_octets"))
		snprintf(name, sizeof(name), "%s %s octets%s%s", value_string(result, "test"),
		         value_text(result, "frame_octets", 0).text, value_known(result, "goal") ? ", goal " : "",
		         value_known(result, "goal") ? value_text(result, "goal", 0).text : "");
	else
		snprintf(name, sizeof(name), "%s", value_string(result, "test"));
	snprintf(class, sizeof(class), "fpgauge.%s", value_string(result, "test"));
	element(writer, "testcase");
	attribute(writer, "classname", class);
	attribute(writer, "name", name);
	write_time(writer, wall_s(store, result));
	if (value_true(result, "skipped")) {
		element(writer, "skipped");
		end(writer);
	} else if (type) {
		write_failure(writer, result, type);
	}
	end(writer);
}

static bool of_test(const json_t *result, json_int_t test_number)
{
	return json_integer_value(json_object_get(result, "test_number")) == test_number;
}

static void write_counts(xmlTextWriterPtr writer, struct store *store, const json_t *results, json_int_t test_number)
{
	unsigned tests = 0, failures = 0, skipped = 0;
	double seconds = 0;
	const json_t *result;
	char text[24];
	size_t i;

	json_array_foreach(results, i, result)
	{
		if (!of_test(result, test_number))
			continue;
		tests++;
		seconds += wall_s(store, result);
		failures += failure_type(result) != NULL;
		skipped += value_true(result, "skipped");
	}
	snprintf(text, sizeof(text), "%u", tests);
	attribute(writer, "tests", text);
	snprintf(text, sizeof(text), "%u", failures);
	attribute(writer, "failures", text);
	attribute(writer, "errors", "0");
	snprintf(text, sizeof(text), "%u", skipped);
	attribute(writer, "skipped", text);
	write_time(writer, seconds);
}

static void write_property(xmlTextWriterPtr writer, const char *name, const char *value)
{
	element(writer, "property");
	attribute(writer, "name", name);
	attribute(writer, "value", value);
	end(writer);
}

static void write_suite(xmlTextWriterPtr writer, struct store *store, const json_t *report, const json_t *first,
                        unsigned id)
{
	const json_t *results = json_object_get(report, "results"), *result;
	json_int_t test_number = json_integer_value(json_object_get(first, "test_number"));
	char text[40];
	size_t i;

	element(writer, "testsuite");
	snprintf(text, sizeof(text), "%u", id);
	attribute(writer, "id", text);
	attribute(writer, "package", "fpgauge");
	attribute(writer, "name", value_string(first, "test"));
	/* without a zone, as the schema of the Ant task has it; it is UTC */
	snprintf(text, sizeof(text), "%.19s", value_string(report, "started"));
	attribute(writer, "timestamp", text);
	attribute(writer, "hostname", "localhost");
	write_counts(writer, store, results, test_number);
	element(writer, "properties");
	write_property(writer, "tool", value_string(report, "tool"));
	write_property(writer, "plan", value_string(report, "plan_path"));
	write_property(writer, "device", value_string(json_object_get(report, "device"), "name"));
	write_property(writer, "rfc", value_string(first, "rfc"));
	if (json_object_get(report, "incomplete"))
		write_property(writer, "incomplete", value_string(report, "incomplete"));
	end(writer);
	json_array_foreach(results, i, result)
	{
		if (of_test(result, test_number))
			write_case(writer, store, result);
	}
	element(writer, "system-out");
	end(writer);
	element(writer, "system-err");
	end(writer);
	end(writer);
}

/* A run that did not reach its end has results that are right, and is not right. */
static void write_incomplete(xmlTextWriterPtr writer, const json_t *report, unsigned id)
{
	json_t *result = json_pack("{s:s, s:i, s:n, s:b, s:O}", "test", "complete", "test_number", 0, "frame_octets",
	                           "valid", 0, "why_invalid", json_object_get(report, "incomplete"));
	json_t *alone = json_pack("{s:O, s:O, s:O, s:O, s:[O]}", "tool", json_object_get(report, "tool"), "plan_path",
	                          json_object_get(report, "plan_path"), "device", json_object_get(report, "device"),
	                          "started", json_object_get(report, "started"), "results", result);

	if (alone)
		write_suite(writer, NULL, alone, result, id);
	json_decref(alone);
	json_decref(result);
}

static xmlBufferPtr render(const json_t *report, struct store *store)
{
	const json_t *results = json_object_get(report, "results"), *result;
	xmlBufferPtr buffer = xmlBufferCreate();
	xmlTextWriterPtr writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	json_int_t last = -1;
	unsigned id = 0;
	size_t i;

	if (!writer) {
		xmlBufferFree(buffer);
		return NULL;
	}
	xmlTextWriterSetIndent(writer, 1);
	xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
	element(writer, "testsuites");
	json_array_foreach(results, i, result)
	{
		json_int_t test_number = json_integer_value(json_object_get(result, "test_number"));

		if (test_number != last)
			write_suite(writer, store, report, result, id++);
		last = test_number;
	}
	if (json_object_get(report, "incomplete"))
		write_incomplete(writer, report, id);
	end(writer);
	xmlTextWriterEndDocument(writer);
	xmlFreeTextWriter(writer);
	return buffer;
}

static int write_xml(FILE *out, const void *what)
{
	xmlBufferPtr buffer = (xmlBufferPtr)(uintptr_t)what;
	size_t length = (size_t)xmlBufferLength(buffer);

	return fwrite(xmlBufferContent(buffer), 1, length, out) == length ? 0 : -1;
}

int report_junit_check(const char *path, struct error *error)
{
	return output_file_check("--junit", path, error);
}

int report_junit(const json_t *report, struct store *store, const char *path, struct error *error)
{
	xmlBufferPtr buffer = render(report, store);
	int status = buffer ? output_file("--junit", path, write_xml, buffer, error)
	                    : error_set(error, ERROR_INTERNAL, "out of memory");

	xmlBufferFree(buffer);
	return status;
}
