/* SPDX-License-Identifier: Apache-2.0 */
#include "host/plan/plan_lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/plan_limits.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

int plan_store_as_is(const struct setting *setting, const void *value)
{
	const struct key_value *place = &setting->key->value;

	if (place->size)
		memcpy((unsigned char *)setting->settings + place->offset, value, place->size);
	return 0;
}

static int read_size(const struct setting *list, const struct plan_test *test, size_t index, uint32_t *size)
{
	const struct node *node = list->node->children[index];
	struct quantity quantity;
	const char *why;
	char shown[64];
	bool known;

	snprintf(shown, sizeof(shown), "%s[%zu]", list->shown, index);
	if (node->kind != NODE_NUMBER || quantity_parse(node->text, &quantity, &why) || quantity.denominator != 1 ||
	    !plan_in_range(list->key, &quantity, &known))
		return plan_complain(list->error, node, shown, "must be %s to %s (octets, FCS included)",
		                     list->key->ranges[0].min, list->key->ranges[0].max);
	*size = (uint32_t)quantity.numerator;
	for (size_t i = 0; i < test->frame_size_count; i++) {
		if (test->frame_sizes[i] == *size)
			return plan_complain(list->error, node, shown,
			                     "must appear only once; frame_sizes[%zu] is the same", i);
	}
	return 0;
}

int plan_store_sizes(const struct setting *setting)
{
	struct plan_test *test = setting->settings;
	const struct node *node = setting->node;
	int result = 0;

	if (node->kind != NODE_LIST || node->count == 0)
		return plan_refuse(setting, NULL);
	test->frame_sizes = calloc(node->count, sizeof(*test->frame_sizes));
	if (!test->frame_sizes)
		return error_set(setting->error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; !result && i < node->count; i++) {
		result = read_size(setting, test, i, &test->frame_sizes[i]);
		test->frame_size_count += !result;
	}
	return result;
}

static int read_count(const struct setting *list, struct plan_counts *counts, size_t index)
{
	const struct node *node = list->node->children[index];
	struct quantity quantity;
	const char *why;
	char shown[64];
	bool known;

	snprintf(shown, sizeof(shown), "%s[%zu]", list->shown, index);
	if (node->kind != NODE_NUMBER || quantity_parse(node->text, &quantity, &why) || quantity.denominator != 1 ||
	    !plan_in_range(list->key, &quantity, &known))
		return plan_complain(list->error, node, shown, "must be %s to %s %s", list->key->ranges[0].min,
		                     list->key->ranges[0].max, list->key->unit);
	for (unsigned i = 0; i < counts->count; i++) {
		if (counts->value[i] == quantity.numerator)
			return plan_complain(list->error, node, shown, "must appear only once; %s[%u] is the same",
			                     list->shown, i);
	}
	counts->value[counts->count++] = (uint32_t)quantity.numerator;
	return 0;
}

int plan_store_counts(const struct setting *setting)
{
	const struct node *node = setting->node;
	struct plan_counts counts = {0};
	int status = 0;

	if (node->kind != NODE_LIST || (node->count == 0 && !setting->key->may_be_empty) ||
	    node->count > PLAN_MOST_COUNTS)
		return plan_refuse(setting, NULL);
	for (size_t i = 0; !status && i < node->count; i++)
		status = read_count(setting, &counts, i);
	return status ? status : plan_store_as_is(setting, &counts);
}

static int read_mix(const struct setting *setting, struct traffic_sizes *sizes)
{
	const struct node *list = setting->node;
	int status = 0;

	for (size_t i = 0; !status && i < list->count; i++) {
		const struct node *node = list->children[i];
		struct quantity quantity = {.denominator = 1};
		struct error wrong = {0};
		const char *why;
		char shown[64];

		if (node->kind != NODE_NUMBER || quantity_parse(node->text, &quantity, &why) ||
		    quantity.denominator != 1)
			quantity.numerator = 0; /* 0 is no length either */
		snprintf(shown, sizeof(shown), "%s[%zu]", setting->shown, i);
		if (traffic_sizes_add(sizes, quantity.numerator, &wrong))
			status = plan_complain(setting->error, node, shown, "%s", wrong.text);
	}
	return status;
}

int plan_store_mix(const struct setting *setting)
{
	const struct node *node = setting->node;
	struct traffic_sizes sizes = {0};
	struct error wrong = {0};
	int status = 0;

	if (node->kind == NODE_TEXT) {
		if (traffic_sizes_parse(node->text, &sizes, &wrong))
			status = plan_complain(setting->error, node, setting->shown, "%s", wrong.text);
	} else {
		status = node->kind == NODE_LIST && node->count > 0 ? read_mix(setting, &sizes)
		                                                    : plan_refuse(setting, NULL);
	}
	return status ? status : plan_store_as_is(setting, &sizes);
}

static int read_modifier(const struct setting *list, size_t index, uint32_t *modifiers)
{
	const struct node *node = list->node->children[index];
	char shown[64], choices[PLAN_NAMES_SIZE];
	unsigned row = 0;

	snprintf(shown, sizeof(shown), "%s[%zu]", list->shown, index);
	while (node->kind == NODE_TEXT && traffic_modifier_name(row) &&
	       strcmp(node->text, traffic_modifier_name(row)) != 0)
		row++;
	if (node->kind != NODE_TEXT || !traffic_modifier_is_for_plans(row))
		return plan_complain(list->error, node, shown, "must be %s",
		                     traffic_modifiers_choices(choices, sizeof(choices)));
	if (*modifiers >> row & 1)
		return plan_complain(list->error, node, shown, "must appear only once");
	*modifiers |= UINT32_C(1) << row;
	return 0;
}

int plan_store_modifiers(const struct setting *setting)
{
	const struct node *node = setting->node;
	uint32_t modifiers = 0;
	int status = node->kind == NODE_LIST && node->count ? 0 : plan_refuse(setting, NULL);

	for (size_t i = 0; !status && i < node->count; i++)
		status = read_modifier(setting, i, &modifiers);
	return status ? status : plan_store_as_is(setting, &modifiers);
}

int plan_store_words(const struct setting *setting)
{
	const struct node *node = setting->node;
	bool right = node->kind == NODE_LIST && node->count > 0;
	const char **words;

	for (size_t i = 0; right && i < node->count; i++)
		right = node->children[i]->kind == NODE_TEXT;
	if (!right || !*node->children[0]->text)
		return plan_refuse(setting, NULL);
	words = calloc(node->count + 1, sizeof(*words));
	if (!words)
		return error_set(setting->error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < node->count; i++)
		words[i] = node->children[i]->text;
	return plan_store_as_is(setting, &words);
}
