/* SPDX-License-Identifier: Apache-2.0 */
/* One setting against one row of the table: type, unit, limits; then the value in its place. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/plan_keys.h"

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

static size_t append(char *buffer, size_t size, size_t length, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

static size_t append(char *buffer, size_t size, size_t length, const char *format, ...)
{
	va_list arguments;
	int more;

	if (length >= size)
		return length;
	va_start(arguments, format);
	more = vsnprintf(buffer + length, size - length, format, arguments);
	va_end(arguments);
	return more < 0 ? length : length + (size_t)more;
}

static struct quantity limit(const char *text)
{
	struct quantity quantity = {QUANTITY_PLAIN, 0, 1};
	const char *why;

	quantity_parse(text, &quantity, &why); /* the table's own texts; a test parses them all */
	return quantity;
}

/* "64 to 9216 octets"; a unit that both ends carry is said once. */
static size_t append_range(const struct plan_key *key, const struct key_range *range, char *buffer, size_t size,
                           size_t length)
{
	const char *blank = strchr(range->min, ' ');

	length = append(buffer, size, length, "%.*s to %s", blank ? (int)(blank - range->min) : (int)strlen(range->min),
	                range->min, range->max);
	if (limit(range->min).unit == QUANTITY_PLAIN && key->unit && *key->unit)
		length = append(buffer, size, length, " %s", key->unit);
	return length;
}

/* A text that a key of choices may have; NULL behind the last. */
static const char *choice(const struct plan_key *key, size_t index)
{
	if (key->choices_of)
		return index < key->choices_of->count ? key->choices_of->sets[index].name : NULL;
	return key->choices ? key->choices[index] : NULL;
}

const char *plan_key_limits(const struct plan_key *key, char *buffer, size_t size)
{
	static const char *const KINDS[] = {
	        [KEY_CHOICE] = "",
	        [KEY_BOOL] = "true or false",
	        [KEY_COUNT] = "a whole number, ",
	        [KEY_WHOLE] = "",
	        [KEY_TIME] = "a time with its unit, ",
	        [KEY_QUANTITY] = "",
	        [KEY_SIZES] = "a list of ",
	        [KEY_TEXT] = "text, in quotes",
	        [KEY_NAME] = "text, in quotes, or a whole number",
	        [KEY_WORDS] = "a list of texts, the program first: [\"python3\", \"my-tester.py\"]",
	        [KEY_REQUIRE] = "a group of limits, { KEY = LIMIT; }, or a list of such groups",
	        [KEY_GOALS] = "", /* plan_read_goals() says it */
	};
	size_t length = append(buffer, size, 0, "must be %s", KINDS[key->value.type]);

	for (size_t i = 0; choice(key, i); i++)
		length = append(buffer, size, length, "%s\"%s\"", i ? " or " : "", choice(key, i));
	for (size_t i = 0; i < 2 && key->ranges[i].min; i++) {
		length = append(buffer, size, length, "%s", i ? ", or " : "");
		length = append_range(key, &key->ranges[i], buffer, size, length);
	}
	return buffer;
}

static int complain_limits(const struct plan_key *key, const char *shown, const struct node *node, const char *why,
                           struct error *error)
{
	char limits[PLAN_NAMES_SIZE];

	plan_key_limits(key, limits, sizeof(limits));
	if (why)
		return plan_complain(error, node, shown, "%s (%s)", limits, why);
	return plan_complain(error, node, shown, "%s", limits);
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
static int read_quantity(const struct plan_key *key, const char *shown, const struct node *node,
                         struct quantity *quantity, struct error *error)
{
	const char *why = NULL;
	bool known;

	if (node->kind != NODE_NUMBER && node->kind != NODE_TEXT)
		return complain_limits(key, shown, node, NULL, error);
	if (quantity_parse(node->text, quantity, &why)) {
		bool plain = !strcmp(why, "not a number") || !strcmp(why, "negative") || !strcmp(why, "too large");

		return complain_limits(key, shown, node, plain ? NULL : why, error);
	}
	in_range(key, quantity, &known);
	if (!known && quantity->unit == QUANTITY_PLAIN)
		quantity->unit = QUANTITY_FRAMES;
	if (!in_range(key, quantity, &known))
		return complain_limits(key, shown, node, NULL, error);
	if (quantity->unit == QUANTITY_FRAMES && quantity->denominator != 1)
		return plan_complain(error, node, shown, "must be whole frames");
	return 0;
}

static int store(const struct plan_key *key, void *settings, const void *value)
{
	if (key->value.size)
		memcpy((unsigned char *)settings + key->value.offset, value, key->value.size);
	return 0;
}

static int store_integer(const struct plan_key *key, void *settings, uint64_t value)
{
	unsigned narrow = (unsigned)value;
	bool flag = value != 0;

	if (key->value.size == sizeof(bool))
		return store(key, settings, &flag);
	if (key->value.size == sizeof(unsigned))
		return store(key, settings, &narrow);
	return store(key, settings, &value);
}

static int store_choice(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                        struct error *error)
{
	for (size_t i = 0; node->kind == NODE_TEXT && choice(key, i); i++) {
		if (!strcmp(node->text, choice(key, i)))
			return store_integer(key, settings, i);
	}
	return complain_limits(key, shown, node, NULL, error);
}

static int store_count(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                       struct error *error)
{
	struct quantity quantity;
	int result;

	if (node->kind != NODE_NUMBER)
		return complain_limits(key, shown, node, NULL, error);
	result = read_quantity(key, shown, node, &quantity, error);
	if (!result && quantity.denominator != 1)
		result = complain_limits(key, shown, node, NULL, error);
	return result ? result : store_integer(key, settings, quantity.numerator);
}

static int store_whole(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                       struct error *error)
{
	struct quantity quantity;
	int result = read_quantity(key, shown, node, &quantity, error);

	if (!result && quantity.denominator != 1)
		result = plan_complain(error, node, shown, "must be a whole number of %s", key->unit);
	return result ? result : store_integer(key, settings, quantity.numerator);
}

static int store_time(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                      struct error *error)
{
	struct quantity quantity;
	struct rate ns;
	int result = 0;

	/* A bare 2 is not two of anything: time has no unit of its own. */
	if (node->kind != NODE_TEXT)
		return complain_limits(key, shown, node, NULL, error);
	result = read_quantity(key, shown, node, &quantity, error);
	if (result)
		return result;
	ns = rate_scale((struct rate){quantity.numerator, quantity.denominator}, NS_PER_S, 1);
	if (ns.denominator != 1)
		return plan_complain(error, node, shown, "must be whole nanoseconds");
	return store_integer(key, settings, ns.numerator);
}

static int store_quantity(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                          struct error *error)
{
	struct quantity quantity;
	int result = read_quantity(key, shown, node, &quantity, error);

	return result ? result : store(key, settings, &quantity);
}

static int read_size(const struct plan_key *key, const struct plan_test *test, const char *shown,
                     const struct node *node, uint32_t *size, struct error *error)
{
	struct quantity quantity;
	const char *why;
	bool known;

	if (node->kind != NODE_NUMBER || quantity_parse(node->text, &quantity, &why) || quantity.denominator != 1 ||
	    !in_range(key, &quantity, &known))
		return plan_complain(error, node, shown, "must be %s to %s (octets, FCS included)", key->ranges[0].min,
		                     key->ranges[0].max);
	*size = (uint32_t)quantity.numerator;
	for (size_t i = 0; i < test->frame_size_count; i++) {
		if (test->frame_sizes[i] == *size)
			return plan_complain(error, node, shown, "must stand once; frame_sizes[%zu] is the same", i);
	}
	return 0;
}

static int store_sizes(const struct plan_key *key, const char *shown, const struct node *node, struct plan_test *test,
                       struct error *error)
{
	if (node->kind != NODE_LIST || node->count == 0)
		return complain_limits(key, shown, node, NULL, error);
	test->frame_sizes = calloc(node->count, sizeof(*test->frame_sizes));
	if (!test->frame_sizes)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < node->count; i++) {
		char element[64];
		uint32_t size = 0;
		int result;

		snprintf(element, sizeof(element), "%s[%zu]", shown, i);
		result = read_size(key, test, element, node->children[i], &size, error);
		if (result)
			return result;
		test->frame_sizes[test->frame_size_count++] = size;
	}
	return 0;
}

/* The texts stay the tree's. */
static int store_words(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                       struct error *error)
{
	bool right = node->kind == NODE_LIST && node->count > 0;
	const char **words;

	for (size_t i = 0; right && i < node->count; i++)
		right = node->children[i]->kind == NODE_TEXT;
	if (!right || !*node->children[0]->text)
		return complain_limits(key, shown, node, NULL, error);
	words = calloc(node->count + 1, sizeof(*words));
	if (!words)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < node->count; i++)
		words[i] = node->children[i]->text;
	return store(key, settings, &words);
}

int plan_key_store(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                   struct error *error)
{
	const char *text = node->text;

	switch (key->value.type) {
	case KEY_CHOICE:
		return store_choice(key, shown, node, settings, error);
	case KEY_BOOL:
		if (node->kind != NODE_BOOL)
			return complain_limits(key, shown, node, NULL, error);
		return store_integer(key, settings, !strcmp(node->text, "true"));
	case KEY_COUNT:
		return store_count(key, shown, node, settings, error);
	case KEY_WHOLE:
		return store_whole(key, shown, node, settings, error);
	case KEY_TIME:
		return store_time(key, shown, node, settings, error);
	case KEY_QUANTITY:
		return store_quantity(key, shown, node, settings, error);
	case KEY_SIZES:
		return store_sizes(key, shown, node, settings, error);
	case KEY_TEXT:
		if (node->kind != NODE_TEXT || !*node->text)
			return complain_limits(key, shown, node, NULL, error);
		return store(key, settings, &text);
	case KEY_NAME:
		if ((node->kind != NODE_TEXT && node->kind != NODE_NUMBER) || !*node->text)
			return complain_limits(key, shown, node, NULL, error);
		return 0;
	case KEY_WORDS:
		return store_words(key, shown, node, settings, error);
	case KEY_REQUIRE:
	case KEY_GOALS:
		return 0; /* read later */
	}
	return error_set(error, ERROR_INTERNAL, "%s: no such type of key", shown);
}

/* A default goes the way of a setting, so that it cannot break its own limits; only a text is kept as it stands here,
 * for it outlives a node. */
int plan_key_store_default(const struct plan_key *key, void *settings, struct error *error)
{
	enum node_kind kind = key->value.type == KEY_COUNT   ? NODE_NUMBER
	                      : key->value.type == KEY_BOOL  ? NODE_BOOL
	                      : key->value.type == KEY_SIZES ? NODE_LIST
	                                                     : NODE_TEXT;
	struct node *node;
	int result;

	if (!key->default_text)
		return 0;
	if (key->value.type == KEY_TEXT)
		return store(key, settings, &key->default_text);
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
	result = node ? plan_key_store(key, key->name, node, settings, error)
	              : error_set(error, ERROR_INTERNAL, "out of memory");
	node_free(node);
	return result;
}
