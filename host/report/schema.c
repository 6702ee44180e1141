/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the metrics of benchmarks into the definitions of the schema. */
#include "host/report/schema.h"

#include <string.h>

#include "host/base/json_write.h"
#include "host/bench/benchmark.h"
#include "host/result/common.h"

extern const char RESULTS_FRAME[]; /* results_frame.json, by CMake */

struct writer {
	json_t *definitions; /* "$defs" */
	int failed;          /* not 0: out of memory */
};

static json_t *put(struct writer *writer, json_t *object, const char *key, json_t *value)
{
	writer->failed |= json_object_set_new(object, key, value);
	return json_object_get(object, key);
}

static void append(struct writer *writer, json_t *list, json_t *value)
{
	writer->failed |= json_array_append_new(list, value);
}

/* The inner object or list of an object, made if there is none. */
static json_t *inner_object(struct writer *writer, json_t *object, const char *key)
{
	json_t *inner = json_object_get(object, key);

	return inner ? inner : put(writer, object, key, json_object());
}

static json_t *inner_list(struct writer *writer, json_t *object, const char *key)
{
	json_t *inner = json_object_get(object, key);

	return inner ? inner : put(writer, object, key, json_array());
}

static void add_property(struct writer *writer, json_t *schema, const char *key, json_t *type)
{
	put(writer, inner_object(writer, schema, "properties"), key, type);
}

static void add_required(struct writer *writer, json_t *schema, const char *key)
{
	append(writer, inner_list(writer, schema, "required"), json_string(key));
}

static json_t *reference(const char *name)
{
	return json_pack("{s:s+}", "$ref", "#/$defs/", name);
}

/* then and otherwise may be NULL. Takes over the references. */
static void add_condition(struct writer *writer, json_t *schema, json_t *condition, json_t *then, json_t *otherwise)
{
	append(writer, inner_list(writer, schema, "allOf"),
	       json_pack("{s:o, s:o*, s:o*}", "if", condition, "then", then, "else", otherwise));
}

/* {"properties": {"valid": {"const": true}}} */
static json_t *where(const char *key, bool is)
{
	return json_pack("{s:{s:{s:b}}}", "properties", key, "const", is);
}

/* -- metrics ------------------------------------------------------------------------------------------------------ */

static json_t *known_value(const struct metric *metric)
{
	const bool yes_no = metric->unit == METRIC_YES_NO;
	json_t *type = json_pack("{s:s}", "type", yes_no ? "boolean" : metric->whole ? "integer" : "number");

	if (metric->whole)
		json_put(type, "minimum", json_integer(metric->range == RANGE_ABOVE_ZERO));
	else if (metric->range != RANGE_ANY)
		json_put(type, metric->range == RANGE_ABOVE_ZERO ? "exclusiveMinimum" : "minimum", json_integer(0));
	return type;
}

static json_t *choices_of(const char *choices)
{
	json_t *list = json_array();

	for (const char *at = choices; *at;) {
		size_t length = strcspn(at, " ");

		json_add(list, json_stringn(at, length));
		at += length + strspn(at + length, " ");
	}
	return json_pack("{s:o}", "enum", list);
}

static json_t *type_of(const struct metric *metric)
{
	switch (metric->unit) {
	case METRIC_TEXT:
		return metric->choices ? choices_of(metric->choices)
		                       : json_pack("{s:s, s:i}", "type", "string", "minLength", 1);
	case METRIC_YES_NO:
		return metric_may_be_null(metric) ? json_pack("{s:[s, s]}", "type", "boolean", "null")
		                                  : known_value(metric);
	case METRIC_FRAMES_LIST:
	case METRIC_NUMBERS:
		return json_pack("{s:s, s:{s:s, s:i}}", "type", "array", "items", "type", "integer", "minimum", 0);
	case METRIC_NS_LIST:
		return json_pack("{s:s, s:o}", "type", "array", "items", reference("number"));
	case METRIC_S_LIST:
		return json_pack("{s:s, s:{s:s, s:i}}", "type", "array", "items", "type", "number", "minimum", 0);
	case METRIC_LIST:
		return json_pack("{s:s, s:o}", "type", "array", "items", reference(metric->definition));
	case METRIC_OBJECT:
		return reference(metric->definition);
	default:
		return metric_may_be_null(metric) ? reference(metric->whole ? "count" : "number") : known_value(metric);
	}
}

/* Defines the objects of a list, once. */
static void define_items(struct writer *writer, const struct metric *metric)
{
	json_t *definition;

	if (!metric->items || json_object_get(writer->definitions, metric->definition))
		return;
	definition = put(writer, writer->definitions, metric->definition, json_pack("{s:s}", "type", "object"));
	for (size_t i = 0; i < metric->items->count; i++) {
		if (metric->items->metrics[i].presence != IN_SOME_RESULTS)
			add_required(writer, definition, metric->items->metrics[i].key);
		add_property(writer, definition, metric->items->metrics[i].key, type_of(&metric->items->metrics[i]));
	}
	if (!metric->items_open)
		put(writer, definition, "additionalProperties", json_false());
}

/* Keys of inner objects belong to the object's definition. */
static bool is_key_of_results(const struct metric *metric)
{
	return !metric->from_trials && !strchr(metric->key, '.');
}

/* valid: what is demanded of valid results in addition. */
static void add_metric(struct writer *writer, json_t *schema, json_t *valid, const struct metric *metric)
{
	json_t *place = metric->presence == IN_VALID_RESULTS ? valid : schema;

	if (metric->presence != IN_SOME_RESULTS)
		add_required(writer, place, metric->key);
	add_property(writer, place, metric->key, type_of(metric));
	if (metric->known == KNOWN_IF_VALID)
		add_property(writer, valid, metric->key, known_value(metric));
	define_items(writer, metric);
}

/* -- descriptions -------------------------------------------------------------------------------------------------- */

static bool is_shared(const struct benchmark *benchmark, const struct metric_slice *slice)
{
	const struct result_description *const *one = benchmark->plan.results;

	while (*one && description_has(*one, slice))
		one++;
	return !*one;
}

/* The results of a benchmark that leaves out frame sizes say whether theirs was left out. */
static bool leaves_out(const struct benchmark *benchmark)
{
	return description_metric(benchmark->plan.results[0], "skipped") != NULL;
}

/* Some metrics of a benchmark. */
struct selection {
	const struct benchmark *benchmark;
	const struct result_description *description;
	bool shared;   /* slices that all its descriptions have, or those of this one only */
	bool left_out; /* slices that left-out sizes have as well, or the others */
};

static bool is_selected(const struct selection *selection, const struct metric *metric)
{
	bool left_out = leaves_out(selection->benchmark) && metric->presence == IN_EVERY_RESULT;

	return is_key_of_results(metric) && left_out == selection->left_out;
}

static void add_selection(struct writer *writer, json_t *schema, const struct selection *selection)
{
	json_t *valid = json_object();

	for (const struct metric_slice *const *slice = selection->description->metrics; *slice; slice++) {
		/* slices of every result are in the frame already */
		if (*slice == &EVERY_RESULT || is_shared(selection->benchmark, *slice) != selection->shared)
			continue;
		for (size_t i = 0; i < (*slice)->count; i++) {
			if (is_selected(selection, &(*slice)->metrics[i]))
				add_metric(writer, schema, valid, &(*slice)->metrics[i]);
		}
	}
	if (json_object_size(valid))
		add_condition(writer, schema, where("valid", true), json_incref(valid), NULL);
	json_decref(valid);
}

/* The answer that the test promises is null when a result has it under another name, and a flag says so. */
static void add_qualified(struct writer *writer, json_t *schema, const struct result_description *description)
{
	const struct metric *metric;
	json_t *then = json_object();

	for (size_t i = 0; (metric = description_at(description, i)); i++) {
		if (metric->known == KNOWN_NEVER)
			add_property(writer, then, metric->key, json_pack("{s:s}", "type", "null"));
	}
	if (json_object_size(then)) {
		if (description->rfc)
			add_property(writer, then, "rfc", json_pack("{s:s}", "const", description->rfc));
		add_property(writer, then, "flags", json_pack("{s:i}", "minItems", 1));
		add_condition(writer, schema, json_pack("{s:[s]}", "required", description->answer), json_incref(then),
		              NULL);
	}
	json_decref(then);
}

/* "parameters.goal_loss_ratio": present in the parameters, and above zero. */
static json_t *above_zero(const char *key)
{
	const char *point = strchr(key, '.');
	char outer[40];

	if (!point)
		return json_pack("{s:{s:{s:i}}, s:[s]}", "properties", key, "exclusiveMinimum", 0, "required", key);
	snprintf(outer, sizeof(outer), "%.*s", (int)(point - key), key);
	return json_pack("{s:{s:o}}", "properties", outer, above_zero(point + 1));
}

/* The first description that applies to a result holds, as in described(). */
static void add_own_parts(struct writer *writer, json_t *schema, const struct benchmark *benchmark)
{
	json_t *rest = schema, *own, *others;

	for (const struct result_description *const *one = benchmark->plan.results; *one; one++) {
		add_qualified(writer, schema, *one);
		own = rest;
		if ((*one)->when) {
			own = json_object();
			others = json_object();
			add_condition(writer, rest, above_zero((*one)->when), own, others);
			if (writer->failed)
				return;
			rest = others;
		}
		add_selection(writer, own, &(struct selection){benchmark, *one, false, false});
	}
}

/* -- benchmarks ---------------------------------------------------------------------------------------------------- */

static json_t *benchmark_schema(struct writer *writer, const struct benchmark *benchmark)
{
	const struct result_description *first = benchmark->plan.results[0];
	json_t *schema = json_object(), *tested = schema;

	if (leaves_out(benchmark)) {
		add_selection(writer, schema, &(struct selection){benchmark, first, true, true});
		put(writer, schema, "if", where("skipped", false));
		tested = put(writer, schema, "then", json_object());
		put(writer, schema, "else", where("valid", false));
	}
	add_selection(writer, tested, &(struct selection){benchmark, first, true, false});
	add_own_parts(writer, tested, benchmark);
	return schema;
}

static void add_benchmark(struct writer *writer, const struct benchmark *benchmark)
{
	json_t *result = json_object_get(writer->definitions, "result");
	json_t *test = json_object_get(json_object_get(result, "properties"), "test");

	append(writer, inner_list(writer, test, "enum"), json_string(benchmark_name(benchmark)));
	append(writer, inner_list(writer, result, "allOf"),
	       json_pack("{s:{s:{s:{s:s}}}, s:o}", "if", "properties", "test", "const", benchmark_name(benchmark),
	                 "then", reference(benchmark_name(benchmark))));
	put(writer, writer->definitions, benchmark_name(benchmark), benchmark_schema(writer, benchmark));
}

json_t *schema_of_report(void)
{
	json_t *schema = json_loads(RESULTS_FRAME, 0, NULL);
	struct writer writer = {json_object_get(schema, "$defs"), schema == NULL};

	for (size_t i = 0; i < COUNTER_METRICS.count && !writer.failed; i++)
		add_required(&writer, json_object_get(writer.definitions, "counters"),
		             strchr(COUNTER_METRICS.metrics[i].key, '.') + 1);
	for (size_t i = 0; i < BENCHMARK_COUNT && !writer.failed; i++)
		add_benchmark(&writer, BENCHMARKS[i]);
	if (writer.failed) {
		json_decref(schema);
		schema = NULL;
	}
	return schema;
}
