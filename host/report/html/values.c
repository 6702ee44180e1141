/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a test reports: parameters, and every value of every result by its name in the JSON. */
#include "host/report/described.h"
#include "host/report/described_table.h"
#include "host/report/html/page.h"
#include "host/report/value.h"

/* The value if it is the same for all results, as nearly all parameters are; else NULL. */
static const json_t *common_value(const struct part *part, const char *key)
{
	const json_t *first = json_object_get(json_object_get(part->results[0], "parameters"), key);

	for (size_t i = 1; i < part->count; i++) {
		const json_t *parameters = json_object_get(part->results[i], "parameters");

		/* not all parameters of a size that was left out are known */
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

	for (size_t i = 0; i < part->count; i++) { /* the first size that was tested says them */
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

/* Values with a table of their own, and those that are not in the JSON. */
static bool is_elsewhere(const struct part *part, const char *key)
{
	const struct result_description *description = described(part->results[0]);
	const struct metric *metric = description ? description_metric(description, key) : NULL;

	return metric && (described_is_list(metric) || metric->from_trials);
}

static void value_cell(struct page *page, const json_t *value)
{
	html_open_class(page, "td", json_is_string(value) ? "text wrap" : NULL);
	if (value)
		html_value(page, "", value);
	html_close(page);
}

void html_values(struct page *page, const struct part *part)
{
	json_t *keys = json_object(), *first;
	const char *key;

	for (size_t i = 0; i < part->count; i++)
		described_add_keys(keys, part->results[i]);
	html_open(page, "details");
	html_element(page, "summary", NULL, "All values, by their names in the JSON");
	html_table(page, "values", "All values of this test, one column a result", HEADINGS("<Name"));
	json_object_foreach(keys, key, first)
	{
		if (is_elsewhere(part, key) || json_is_object(first))
			continue;
		html_open(page, "tr");
		html_attr(page, "data-name", "%s", key);
		html_cell_head(page, key);
		for (size_t i = 0; i < part->count; i++)
			value_cell(page, described_value(part->results[i], key));
		html_close(page);
	}
	html_table_end(page);
	html_close(page);
	json_decref(keys);
}
