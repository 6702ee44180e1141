/* SPDX-License-Identifier: Apache-2.0 */
#include "host/plan/plan_limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/base/text.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

int plan_complain(struct error *error, const struct node *node, const char *shown, const char *format, ...)
{
	char text[PLAN_NAMES_SIZE + 100], value[120];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(error, ERROR_PLAN, "%s: %s = %s: %s", node->place, shown,
	                 node_show(node, value, sizeof(value)), text);
}

int plan_require_group(const struct node *node, const char *shown, struct error *error)
{
	if (node->kind != NODE_GROUP)
		return plan_complain(error, node, shown, "must be a group, { ... }");
	return 0;
}

static struct quantity limit(const char *text)
{
	struct quantity quantity = {QUANTITY_PLAIN, 0, 1};
	const char *why;

	quantity_parse(text, &quantity, &why); /* these are the table's own texts; a test parses them all */
	return quantity;
}

/* "64 to 9216 octets"; a unit that both ends share is given once. */
static size_t append_range(const struct plan_key *key, const struct key_range *range, char *buffer, size_t size,
                           size_t length)
{
	const char *blank = strchr(range->min, ' ');

	length = text_add(buffer, size, length, "%.*s to %s",
	                  blank ? (int)(blank - range->min) : (int)strlen(range->min), range->min, range->max);
	if (limit(range->min).unit == QUANTITY_PLAIN && key->unit && *key->unit)
		length = text_add(buffer, size, length, " %s", key->unit);
	return length;
}

const char *plan_key_choice(const struct plan_key *key, const struct key_family *family, size_t index)
{
	const struct key_set *set = key->picks_set ? family->set(index) : NULL;

	if (key->value.type == KEY_MODIFIERS)
		return traffic_modifier_is_for_plans((unsigned)index) ? traffic_modifier_name((unsigned)index) : NULL;
	return set ? set->name : key->choices ? key->choices[index] : NULL;
}

const char *plan_key_limits(const struct plan_key *key, const struct key_family *family, char *buffer, size_t size)
{
	static const char *const KINDS[] = {
	        [KEY_CHOICE] = "",
	        [KEY_BOOL] = "true or false",
	        [KEY_COUNT] = "a whole number, ",
	        [KEY_WHOLE] = "",
	        [KEY_TIME] = "a time with its unit, ",
	        [KEY_QUANTITY] = "",
	        [KEY_SIZES] = "a list of ",
	        [KEY_COUNTS] = "a list of up to 16 whole numbers, each ",
	        [KEY_MIX] = TRAFFIC_SIZES_FORMS,
	        [KEY_MODIFIERS] = "a list of ",
	        [KEY_TEXT] = "text, in quotes",
	        [KEY_NAME] = "text, in quotes, or a number",
	        [KEY_WORDS] = "a list of texts: [\"python3\", \"my-tester.py\"]",
	        [KEY_REQUIRE] = "a group of limits, { KEY = LIMIT; }, or a list of such groups",
	        [KEY_GOALS] = "", /* plan_read_goals() says it */
	        [KEY_TRAFFIC] = "a group, { ... }",
	};
	size_t length = text_add(buffer, size, 0, "must be %s", KINDS[key->value.type]);

	for (size_t i = 0; plan_key_choice(key, family, i); i++)
		length = text_add(buffer, size, length, "%s\"%s\"", i ? " or " : "", plan_key_choice(key, family, i));
	for (size_t i = 0; i < 2 && key->ranges[i].min; i++) {
		length = text_add(buffer, size, length, "%s", i ? ", or " : "");
		length = append_range(key, &key->ranges[i], buffer, size, length);
	}
	return buffer;
}

int plan_refuse(const struct setting *setting, const char *why)
{
	char limits[PLAN_NAMES_SIZE];

	plan_key_limits(setting->key, setting->family, limits, sizeof(limits));
	return plan_complain(setting->error, setting->node, setting->shown, "%s%s%s%s", limits, why ? " (" : "",
	                     why ? why : "", why ? ")" : "");
}

static int compare(const struct quantity *a, const struct quantity *b)
{
	return rate_compare((struct rate){a->numerator, a->denominator}, (struct rate){b->numerator, b->denominator});
}

bool plan_in_range(const struct plan_key *key, const struct quantity *quantity, bool *known)
{
	*known = false;
	for (size_t i = 0; i < 2 && key->ranges[i].min; i++) {
		struct quantity min = limit(key->ranges[i].min);
		struct quantity max = limit(key->ranges[i].max);

		if (min.unit != quantity->unit)
			continue;
		*known = true;
		return compare(quantity, &min) >= 0 && compare(quantity, &max) <= 0;
	}
	return false;
}
