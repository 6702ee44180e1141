/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one setting against one row of the table: type, unit, limits; then stores the value. */
#include <stdio.h>
#include <string.h>

#include "host/plan/plan_keys.h"
#include "host/plan/plan_limits.h"
#include "host/plan/plan_lists.h"

/* A rate with its unit is a bare number where the key has that unit anyway. */
static bool is_unit_of(const struct plan_key *key, enum quantity_unit unit)
{
	static const char *const UNITS[] = {
	        [QUANTITY_FRAME_RATE] = "frames a second", [QUANTITY_BIT_RATE] = "bits a second"};

	return unit >= QUANTITY_FRAME_RATE && key->unit && !strcmp(key->unit, UNITS[unit]);
}

/* A number or text of the key's units within its limits, whole frames where frames are counted. */
static int read_quantity(const struct setting *setting, struct quantity *quantity)
{
	const struct node *node = setting->node;
	const char *why = NULL;
	bool known;

	if (node->kind != NODE_NUMBER && node->kind != NODE_TEXT)
		return plan_refuse(setting, NULL);
	if (quantity_parse(node->text, quantity, &why)) {
		bool plain = !strcmp(why, "not a number") || !strcmp(why, "negative") || !strcmp(why, "too large");

		return plan_refuse(setting, plain ? NULL : why);
	}
	if (is_unit_of(setting->key, quantity->unit))
		quantity->unit = QUANTITY_PLAIN;
	plan_in_range(setting->key, quantity, &known);
	if (!known && quantity->unit == QUANTITY_PLAIN)
		quantity->unit = QUANTITY_FRAMES;
	if (!plan_in_range(setting->key, quantity, &known))
		return plan_refuse(setting, quantity->unit == QUANTITY_BIT_RATE ? "not in bits a second" : NULL);
	if (quantity->unit == QUANTITY_FRAMES && quantity->denominator != 1)
		return plan_complain(setting->error, node, setting->shown, "must be whole frames");
	return 0;
}

static int store_integer(const struct setting *setting, uint64_t value)
{
	unsigned narrow = (unsigned)value;
	bool flag = value != 0;

	if (setting->key->value.size == sizeof(bool))
		return plan_store_as_is(setting, &flag);
	if (setting->key->value.size == sizeof(unsigned))
		return plan_store_as_is(setting, &narrow);
	return plan_store_as_is(setting, &value);
}

static int store_choice(const struct setting *setting)
{
	const char *name;

	for (size_t i = 0;
	     setting->node->kind == NODE_TEXT && (name = plan_key_choice(setting->key, setting->family, i)); i++) {
		if (!strcmp(setting->node->text, name))
			return store_integer(setting, i);
	}
	return plan_refuse(setting, NULL);
}

static int store_bool(const struct setting *setting)
{
	return setting->node->kind == NODE_BOOL ? store_integer(setting, !strcmp(setting->node->text, "true"))
	                                        : plan_refuse(setting, NULL);
}

static int store_count(const struct setting *setting)
{
	struct quantity quantity = {.denominator = 1};
	int result =
	        setting->node->kind == NODE_NUMBER ? read_quantity(setting, &quantity) : plan_refuse(setting, NULL);

	if (!result && quantity.denominator != 1)
		result = plan_refuse(setting, NULL);
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
	int result = setting->node->kind == NODE_TEXT ? read_quantity(setting, &quantity) : plan_refuse(setting, NULL);
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

	return result ? result : plan_store_as_is(setting, &quantity);
}

/* A name may look like a number: card = 0, firmware = 1.10. It is kept as it was written. */
static int store_text(const struct setting *setting)
{
	const struct node *node = setting->node;
	const char *text = node->literal ? node->literal : node->text;
	bool number = node->kind == NODE_NUMBER && setting->key->value.type == KEY_NAME;

	return (number || node->kind == NODE_TEXT) && *text ? plan_store_as_is(setting, &text)
	                                                    : plan_refuse(setting, NULL);
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
	        [KEY_SIZES] = plan_store_sizes,
	        [KEY_COUNTS] = plan_store_counts,
	        [KEY_MIX] = plan_store_mix,
	        [KEY_TEXT] = store_text,
	        [KEY_NAME] = store_text,
	        [KEY_WORDS] = plan_store_words,
	        [KEY_REQUIRE] = NULL, /* read later */
	        [KEY_GOALS] = NULL,
	        [KEY_TRAFFIC] = NULL, /* read earlier */
	        [KEY_MODIFIERS] = plan_store_modifiers,
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
		return plan_store_as_is(&setting, &key->default_text);
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
