/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts as JUnit XML, for CI servers: one suite per test of the plan, one case per result. A result that is
 * invalid, or not as the plan requires, is a failure; a size that the RFC leaves out is skipped. What was measured goes
 * into properties. The elements and attributes, and who reads them: docs/junit.xsd. */
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/report/described.h"
#include "host/report/output_file.h"
#include "host/report/part.h"
#include "host/report/report.h"
#include "host/report/value.h"
#include "host/report/xml_write.h"

/* State that the suites share. */
struct junit {
	xmlTextWriterPtr writer;
	const json_t *report;
	struct store *store; /* NULL: times are not known */
	unsigned suites;
};

static const char *failure_type(const json_t *result)
{
	if (value_true(result, "skipped"))
		return NULL;
	if (!value_true(result, "valid"))
		return value_true(result, "unfinished") ? "not_finished" : "invalid";
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
		if (value_true(one, "met"))
			continue;
		fprintf(out, "%s%s is ", ftell(out) > 0 ? "; " : "", value_string(one, "key"));
		if (value_known(one, "value"))
			fputs(value_digits(json_object_get(one, "value")).text, out);
		else
			fputs("not known", out);
		fprintf(out, ", must be %s %s", value_relation(one), value_digits(json_object_get(one, "limit")).text);
	}
	fclose(out);
	return text;
}

static void write_failure(xmlTextWriterPtr writer, const json_t *result, const char *type)
{
	char *text = failure_text(result);

	xml_begin(writer, "failure");
	xml_attribute(writer, "type", "%s", type);
	xml_attribute(writer, "message", "%s", text ? text : "-");
	xml_end(writer);
	free(text);
}

/* Wall time, by the host's clock. In a list of verdicts, a time that cannot be read is not worth a complaint. */
static double wall_s(struct store *store, const json_t *result)
{
	const char *modifier = json_string_value(json_object_get(result, "modifier"));
	struct error ignored = {0};
	double seconds = 0;

	if (store)
		store_wall_s(store, (unsigned)json_integer_value(json_object_get(result, "test_number")),
		             (uint32_t)json_integer_value(json_object_get(result, "frame_octets")),
		             modifier ? modifier : "", &seconds, &ignored);
	return seconds;
}

/* Marks results whose goal allows loss, because they must not be read as throughput. */
static const char *qualifier(const json_t *result)
{
	const struct result_description *description = described(result);

	return description && description->qualifier ? description->qualifier : "";
}

/* The values that can have a limit, with all digits. The numbers of an invalid result answer nothing. */
static void write_values(xmlTextWriterPtr writer, const json_t *result)
{
	const struct result_description *description = value_true(result, "valid") ? described(result) : NULL;
	const struct metric *metric;
	bool any = false;

	for (size_t i = 0; description && (metric = description_at(description, i)); i++) {
		const json_t *value = described_value(result, metric->key);

		if (metric->better == BETTER_NEITHER || !json_is_number(value))
			continue;
		if (!any)
			xml_begin(writer, "properties");
		any = true;
		xml_property(writer, metric->key, value_digits(value).text);
	}
	if (any && value_true(result, "at_least"))
		xml_property(writer, "at_least", "true");
	if (any)
		xml_end(writer);
}

/* No two cases of a file share a name: tests of one kind differ in number, results of one size in goal. */
static void case_name(const json_t *result, char *name, size_t size)
{
	const json_t *parameters = json_object_get(result, "parameters");
	size_t length = 0;

	if (value_known(result, "test_number"))
		length = text_add(name, size, length, "%s ", value_text(result, "test_number", 0).text);
	length = text_add(name, size, length, "%s%.100s", qualifier(result), value_string(result, "test"));
	if (value_known(result, "frame_octets") || json_is_string(json_object_get(result, "sizes")))
		length = text_add(name, size, length, ", %s", value_frames(result).text);
	if (json_is_string(json_object_get(parameters, "direction")))
		length = text_add(name, size, length, ", %.40s", value_string(parameters, "direction"));
	if (value_known(result, "goal"))
		text_add(name, size, length, ", goal %s", value_text(result, "goal", 0).text);
}

static void write_case(xmlTextWriterPtr writer, struct store *store, const json_t *result)
{
	const char *type = failure_type(result);
	char name[400];

	case_name(result, name, sizeof(name));
	xml_begin(writer, "testcase");
	xml_attribute(writer, "classname", "fpgauge.%.91s", value_string(result, "test"));
	xml_attribute(writer, "name", "%s", name);
	xml_attribute(writer, "time", "%.3f", wall_s(store, result));
	write_values(writer, result);
	if (value_true(result, "skipped")) {
		xml_begin(writer, "skipped");
		xml_end(writer);
	} else if (type) {
		write_failure(writer, result, type);
	}
	xml_end(writer);
}

static void write_counts(xmlTextWriterPtr writer, struct store *store, const struct part *part)
{
	unsigned failures = 0, skipped = 0;
	double seconds = 0;

	for (size_t i = 0; i < part->count; i++) {
		seconds += wall_s(store, part->results[i]);
		failures += failure_type(part->results[i]) != NULL;
		skipped += value_true(part->results[i], "skipped");
	}
	xml_attribute(writer, "tests", "%zu", part->count);
	xml_attribute(writer, "failures", "%u", failures);
	xml_attribute(writer, "errors", "0");
	xml_attribute(writer, "skipped", "%u", skipped);
	xml_attribute(writer, "time", "%.3f", seconds);
}

static void write_suite_head(const struct junit *junit, const struct part *part)
{
	xmlTextWriterPtr writer = junit->writer;

	xml_attribute(writer, "id", "%u", junit->suites);
	xml_attribute(writer, "package", "fpgauge");
	if (part->test_number)
		xml_attribute(writer, "name", "%u %s%.150s", part->test_number, qualifier(part->results[0]),
		              part->test);
	else
		xml_attribute(writer, "name", "%s", part->test);
	/* UTC, but written without a zone, as in the schema of the Ant task */
	xml_attribute(writer, "timestamp", "%.19s", value_string(junit->report, "started"));
	xml_attribute(writer, "hostname", "localhost");
	write_counts(writer, junit->store, part);
}

static void write_info(xmlTextWriterPtr writer, const json_t *info)
{
	const char *key;
	json_t *text;
	char name[64];

	json_object_foreach((json_t *)(uintptr_t)info, key, text)
	{
		snprintf(name, sizeof(name), "info.%.50s", key);
		xml_property(writer, name, json_string_value(text));
	}
}

static void write_suite(void *user, const struct part *part)
{
	struct junit *junit = user;
	xmlTextWriterPtr writer = junit->writer;

	xml_begin(writer, "testsuite");
	write_suite_head(junit, part);
	xml_begin(writer, "properties");
	xml_property(writer, "tool", value_string(junit->report, "tool"));
	xml_property(writer, "plan", value_string(junit->report, "plan_path"));
	xml_property(writer, "device", value_string(json_object_get(junit->report, "device"), "name"));
	xml_property(writer, "rfc", value_string(part->results[0], "rfc"));
	write_info(writer, json_object_get(junit->report, "info"));
	if (json_object_get(junit->report, "incomplete"))
		xml_property(writer, "incomplete", value_string(junit->report, "incomplete"));
	xml_end(writer);
	for (size_t i = 0; i < part->count; i++)
		write_case(writer, junit->store, part->results[i]);
	xml_begin(writer, "system-out");
	xml_end(writer);
	xml_begin(writer, "system-err");
	xml_end(writer);
	xml_end(writer);
	junit->suites++;
}

/* The results of a run that did not reach its end are right, but the run is not. */
static void write_incomplete(struct junit *junit)
{
	json_t *result = json_pack("{s:s, s:n, s:b, s:O}", "test", "complete", "frame_octets", "valid", 0,
	                           "why_invalid", json_object_get(junit->report, "incomplete"));
	const json_t *const list[] = {result};

	if (result)
		write_suite(junit, &(struct part){list, 1, 0, "complete"});
	json_decref(result);
}

static xmlBufferPtr render(const json_t *report, struct store *store)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	struct junit junit = {buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL, report, store, 0};
	int status;

	if (!junit.writer) {
		xmlBufferFree(buffer);
		return NULL;
	}
	xmlTextWriterSetIndent(junit.writer, 1);
	xmlTextWriterStartDocument(junit.writer, NULL, "UTF-8", NULL);
	xml_begin(junit.writer, "testsuites");
	status = parts_each(report, write_suite, &junit);
	if (json_object_get(report, "incomplete"))
		write_incomplete(&junit);
	xml_end(junit.writer);
	xmlTextWriterEndDocument(junit.writer);
	xmlFreeTextWriter(junit.writer);
	if (!status)
		return buffer;
	xmlBufferFree(buffer);
	return NULL;
}

int report_junit_check(const char *path, struct error *error)
{
	return output_file_renew("--junit", path, error);
}

int report_junit(const json_t *report, struct store *store, const char *path, struct error *error)
{
	xmlBufferPtr buffer = render(report, store);
	int status = buffer ? output_file("--junit", path, xml_write, buffer, error)
	                    : error_set(error, ERROR_INTERNAL, "out of memory");

	xmlBufferFree(buffer);
	return status;
}
