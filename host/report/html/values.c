/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a test reports: parameters, and every value of every result by its name in the JSON. A test that has
 * no section of its own is shown by this alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

/* The same for all results, as nearly all parameters are; else NULL. */
static const json_t *common_value(const struct part *part, const char *key)
{
	const json_t *first = json_object_get(json_object_get(part->results[0], "parameters"), key);

	for (size_t i = 1; i < part->count; i++) {
		const json_t *parameters = json_object_get(part->results[i], "parameters");

		/* of a size that was left out not all parameters are known */
		if (!value_true(part->results[i], "skipped") && !json_equal(first, json_object_get(parameters, key)))
			return NULL;
	}
	return first;
}

void html_parameters(struct page *page, const struct part *part)
{
	const json_t *parameters = NULL;
	struct part ordered = *part;
	const char *key;
	json_t *value;

	for (size_t i = 0; i < part->count; i++) { /* those of a size that was tested */
		parameters = json_object_get(part->results[i], "parameters");
		ordered.results = part->results + i;
		ordered.count = part->count - i;
		if (!value_true(part->results[i], "skipped"))
			break;
	}
	if (json_object_size(parameters) == 0)
		return;
	html_element(page, "h3", NULL, "Parameters");
	html_open_class(page, "dl", "parameters");
	json_object_foreach((json_t *)(uintptr_t)parameters, key, value)
	{
		const json_t *common = common_value(&ordered, key);

		html_open(page, "div");
		html_attr(page, "data-parameter", "%s", key);
		html_open(page, "dt");
		html_key(page, key);
		html_close(page);
		html_open(page, "dd");
		if (common)
			html_value(page, key, common);
		else
			html_text(page, "differs, see all values");
		html_close(page);
		html_close(page);
	}
	html_close(page);
}

/* Lists of objects, and what has a table of its own. */
static bool is_apart(const char *key, const json_t *value)
{
	return json_is_object(json_array_get(value, 0)) || !strcmp(key, "values_frames") ||
	       !strcmp(key, "requirements");
}

static bool has_name(const json_t *names, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(names, i, one)
	{
		if (!strcmp(json_string_value(one), name))
			return true;
	}
	return false;
}

static void add_names(json_t *names, const json_t *object, const char *prefix)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		char *name = NULL;

		if (is_apart(key, value) || asprintf(&name, json_is_object(value) ? "%s%s." : "%s%s", prefix, key) < 0)
			continue;
		if (json_is_object(value) && !*prefix)
			add_names(names, value, name);
		else if (!json_is_object(value) && !has_name(names, name))
			json_array_append_new(names, json_string(name));
		free(name);
	}
}

static const json_t *value_of(const json_t *result, const char *name)
{
	const char *point = strchr(name, '.');
	char outer[200];

	if (!point)
		return json_object_get(result, name);
	snprintf(outer, sizeof(outer), "%.*s", (int)(point - name), name);
	return json_object_get(json_object_get(result, outer), point + 1);
}

static void value_cell(struct page *page, const json_t *value)
{
	html_open_class(page, "td", json_is_string(value) ? "text wrap" : NULL);
	if (value)
		html_value(page, "", value);
	html_close(page);
}

void html_values(struct page *page, const struct part *part, bool own_section)
{
	json_t *names = json_array();
	const json_t *name;
	size_t i;

	for (i = 0; i < part->count; i++)
		add_names(names, part->results[i], "");
	html_open_class(page, "details", own_section ? NULL : "points");
	if (!own_section)
		html_attr(page, "open", "open");
	html_element(page, "summary", NULL, "All values, by their names in the JSON");
	html_table(page, "values", "All values of this test, one column a result", (const char *const[]){"<Name"}, 1);
	json_array_foreach(names, i, name)
	{
		html_open(page, "tr");
		html_attr(page, "data-name", "%s", json_string_value(name));
		html_cell_head(page, "%s", json_string_value(name));
		for (size_t j = 0; j < part->count; j++)
			value_cell(page, value_of(part->results[j], json_string_value(name)));
		html_close(page);
	}
	html_table_end(page);
	html_close(page);
	json_decref(names);
}
