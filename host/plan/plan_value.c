/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one setting against one row of the table: type, unit, limits; then stores the value. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/plan/plan_keys.h"
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

/* A text that a key with choices may have; NULL after the last. */
static const char *choice(const struct plan_key *key, const struct key_family *family, size_t index)
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
	        [KEY_NAME] = "text, in quotes, or a whole number",
	        [KEY_WORDS] = "a list of texts: [\"python3\", \"my-tester.py\"]",
	        [KEY_REQUIRE] = "a group of limits, { KEY = LIMIT; }, or a list of such groups",
	        [KEY_GOALS] = "", /* plan_read_goals() says it */
	        [KEY_TRAFFIC] = "a group, { ... }",
	};
	size_t length = text_add(buffer, size, 0, "must be %s", KINDS[key->value.type]);

	for (size_t i = 0; choice(key, family, i); i++)
		length = text_add(buffer, size, length, "%s\"%s\"", i ? " or " : "", choice(key, family, i));
	for (size_t i = 0; i < 2 && key->ranges[i].min; i++) {
		length = text_add(buffer, size, length, "%s", i ? ", or " : "");
		length = append_range(key, &key->ranges[i], buffer, size, length);
	}
	return buffer;
}

/* Says what the key takes, and why this value is wrong where that adds something (else NULL). */
static int refuse(const struct setting *setting, const char *why)
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

/* True when a range of the key has this unit, and the value is in it. *known: there is such a range. */
static bool in_range(const struct plan_key *key, const struct quantity *quantity, bool *known)
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

/* A number or text of the key's units within its limits, whole frames where frames are counted. */
static int read_quantity(const struct setting *setting, struct quantity *quantity)
{
	const struct node *node = setting->node;
	const char *why = NULL;
	bool known;

	if (node->kind != NODE_NUMBER && node->kind != NODE_TEXT)
		return refuse(setting, NULL);
	if (quantity_parse(node->text, quantity, &why)) {
		bool plain = !strcmp(why, "not a number") || !strcmp(why, "negative") || !strcmp(why, "too large");

		return refuse(setting, plain ? NULL : why);
	}
	in_range(setting->key, quantity, &known);
	if (!known && quantity->unit == QUANTITY_PLAIN)
		quantity->unit = QUANTITY_FRAMES;
	if (!in_range(setting->key, quantity, &known))
		return refuse(setting, NULL);
	if (quantity->unit == QUANTITY_FRAMES && quantity->denominator != 1)
		return plan_complain(setting->error, node, setting->shown, "must be whole frames");
	return 0;
}

static int store(const struct setting *setting, const void *value)
{
	const struct key_value *place = &setting->key->value;

	if (place->size)
		memcpy((unsigned char *)setting->settings + place->offset, value, place->size);
	return 0;
}

static int store_integer(const struct setting *setting, uint64_t value)
{
	unsigned narrow = (unsigned)value;
	bool flag = value != 0;

	if (setting->key->value.size == sizeof(bool))
		return store(setting, &flag);
	if (setting->key->value.size == sizeof(unsigned))
		return store(setting, &narrow);
	return store(setting, &value);
}

static int store_choice(const struct setting *setting)
{
	const char *name;

	for (size_t i = 0; setting->node->kind == NODE_TEXT && (name = choice(setting->key, setting->family, i)); i++) {
		if (!strcmp(setting->node->text, name))
			return store_integer(setting, i);
	}
	return refuse(setting, NULL);
}

static int store_bool(const struct setting *setting)
{
	return setting->node->kind == NODE_BOOL ? store_integer(setting, !strcmp(setting->node->text, "true"))
	                                        : refuse(setting, NULL);
}

static int store_count(const struct setting *setting)
{
	struct quantity quantity = {.denominator = 1};
	int result = setting->node->kind == NODE_NUMBER ? read_quantity(setting, &quantity) : refuse(setting, NULL);

	if (!result && quantity.denominator != 1)
		result = refuse(setting, NULL);
	return result ? result : store_integer(setting, quantity.numerator);
}

static int store_whole(const struct setting *setting)
{
	struct quantity quantity;
	int result = read_quantity(setting, &quantity);

	if (!result && quantity.denominator != 1)
		result = plan_complain(setting->error, setting->node, setting->shown, "must be a whole number of %s",
		                       setting->key->unit);
	return result ? result : store_integer(setting, quantity.numerator);
}

/* A bare 2 is not two of anything: time has no default unit. */
static int store_time(const struct setting *setting)
{
	struct quantity quantity = {.denominator = 1};
	int result = setting->node->kind == NODE_TEXT ? read_quantity(setting, &quantity) : refuse(setting, NULL);
	struct rate ns;

	if (result)
		return result;
	ns = rate_scale((struct rate){quantity.numerator, quantity.denominator}, NS_PER_S, 1);
	if (ns.denominator != 1)
		return plan_complain(setting->error, setting->node, setting->shown, "must be whole nanoseconds");
	return store_integer(setting, ns.numerator);
}

static int store_quantity(const struct setting *setting)
{
	struct quantity quantity;
	int result = read_quantity(setting, &quantity);

	return result ? result : store(setting, &quantity);
}

/* A name may look like a number: card = 0. */
static int store_text(const struct setting *setting)
{
	const struct node *node = setting->node;
	const char *text = node->text;
	bool number = node->kind == NODE_NUMBER && setting->key->value.type == KEY_NAME;

	return (number || node->kind == NODE_TEXT) && *text ? store(setting, &text) : refuse(setting, NULL);
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
	    !in_range(list->key, &quantity, &known))
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

static int store_sizes(const struct setting *setting)
{
	struct plan_test *test = setting->settings;
	const struct node *node = setting->node;
	int result = 0;

	if (node->kind != NODE_LIST || node->count == 0)
		return refuse(setting, NULL);
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
	    !in_range(list->key, &quantity, &known))
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

static int store_counts(const struct setting *setting)
{
	const struct node *node = setting->node;
	struct plan_counts counts = {0};
	int status = 0;

	if (node->kind != NODE_LIST || (node->count == 0 && !setting->key->may_be_empty) ||
	    node->count > PLAN_MOST_COUNTS)
		return refuse(setting, NULL);
	for (size_t i = 0; !status && i < node->count; i++)
		status = read_count(setting, &counts, i);
	return status ? status : store(setting, &counts);
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
			quantity.numerator = 0; /* which is no length either */
		snprintf(shown, sizeof(shown), "%s[%zu]", setting->shown, i);
		if (traffic_sizes_add(sizes, quantity.numerator, &wrong))
			status = plan_complain(setting->error, node, shown, "%s", wrong.text);
	}
	return status;
}

static int store_mix(const struct setting *setting)
{
	const struct node *node = setting->node;
	struct traffic_sizes sizes = {0};
	struct error wrong = {0};
	int status = 0;

	if (node->kind == NODE_TEXT) {
		if (traffic_sizes_parse(node->text, &sizes, &wrong))
			status = plan_complain(setting->error, node, setting->shown, "%s", wrong.text);
	} else {
		status = node->kind == NODE_LIST && node->count > 0 ? read_mix(setting, &sizes) : refuse(setting, NULL);
	}
	return status ? status : store(setting, &sizes);
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

static int store_modifiers(const struct setting *setting)
{
	const struct node *node = setting->node;
	uint32_t modifiers = 0;
	int status = node->kind == NODE_LIST && node->count ? 0 : refuse(setting, NULL);

	for (size_t i = 0; !status && i < node->count; i++)
		status = read_modifier(setting, i, &modifiers);
	return status ? status : store(setting, &modifiers);
}

/* The texts still belong to the tree. */
static int store_words(const struct setting *setting)
{
	const struct node *node = setting->node;
	bool right = node->kind == NODE_LIST && node->count > 0;
	const char **words;

	for (size_t i = 0; right && i < node->count; i++)
		right = node->children[i]->kind == NODE_TEXT;
	if (!right || !*node->children[0]->text)
		return refuse(setting, NULL);
	words = calloc(node->count + 1, sizeof(*words));
	if (!words)
		return error_set(setting->error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < node->count; i++)
		words[i] = node->children[i]->text;
	return store(setting, &words);
}

int plan_setting_store(const struct setting *setting)
{
	static int (*const STORE[])(const struct setting *setting) = {
	        [KEY_CHOICE] = store_choice,
	        [KEY_BOOL] = store_bool,
	        [KEY_COUNT] = store_count,
	        [KEY_WHOLE] = store_whole,
	        [KEY_TIME] = store_time,
	        [KEY_QUANTITY] = store_quantity,
	        [KEY_SIZES] = store_sizes,
	        [KEY_COUNTS] = store_counts,
	        [KEY_MIX] = store_mix,
	        [KEY_TEXT] = store_text,
	        [KEY_NAME] = store_text,
	        [KEY_WORDS] = store_words,
	        [KEY_REQUIRE] = NULL, /* read later */
	        [KEY_GOALS] = NULL,
	        [KEY_TRAFFIC] = NULL, /* read earlier */
	        [KEY_MODIFIERS] = store_modifiers,
	};

	return STORE[setting->key->value.type] ? STORE[setting->key->value.type](setting) : 0;
}

/* A default is stored like a setting, so that it cannot break its own limits; only a text is kept as it is in the
 * table, since it outlives a node. */
int plan_key_store_default(const struct plan_key *key, void *settings, struct error *error)
{
	enum node_kind kind = key->value.type == KEY_COUNT                                    ? NODE_NUMBER
	                      : key->value.type == KEY_BOOL                                   ? NODE_BOOL
	                      : key->value.type == KEY_SIZES || key->value.type == KEY_COUNTS ? NODE_LIST
	                                                                                      : NODE_TEXT;
	struct setting setting = {.key = key, .shown = key->name, .settings = settings, .error = error};
	struct node *node;
	int result;

	if (!key->default_text)
		return 0;
	if (key->value.type == KEY_TEXT)
		return store(&setting, &key->default_text);
	node = node_new(kind, key->name, key->default_text, "default", 0);
	for (const char *c = key->default_text; node && kind == NODE_LIST && *c; c += strspn(c, " ")) {
		char element[24];
		struct node *child;

		snprintf(element, sizeof(element), "%.*s", (int)strcspn(c, " "), c);
		child = node_new(NODE_NUMBER, NULL, element, "default", 0);
		if (!child || node_append(node, child))
			break;
		c += strcspn(c, " ");
	}
	setting.node = node;
	result = node ? plan_setting_store(&setting) : error_set(error, ERROR_INTERNAL, "out of memory");
	node_free(node);
	return result;
}
