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
	char text[600], value[120];
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

const char *plan_key_limits(const struct plan_key *key, char *buffer, size_t size)
{
	static const char *const KINDS[] = {
	        [KEY_COUNT] = "a whole number, ",
	        [KEY_WHOLE] = "",
	        [KEY_TIME] = "a time with its unit, ",
	        [KEY_QUANTITY] = "",
	        [KEY_SIZES] = "a list of ",
	};
	size_t length = append(buffer, size, 0, "must be ");

	if (key->type == KEY_BOOL) {
		append(buffer, size, length, "true or false");
	} else if (key->type == KEY_REQUIRE) {
		append(buffer, size, length, "a group of limits, { KEY = LIMIT; }, or a list of such groups");
	} else if (key->type == KEY_TEXT) {
		append(buffer, size, length, "text, in quotes");
	} else if (key->type == KEY_NAME) {
		append(buffer, size, length, "text, in quotes, or a whole number");
	} else if (key->type == KEY_CHOICE) {
		for (size_t i = 0; i < MAX_CHOICES && key->choices[i]; i++)
			length = append(buffer, size, length, "%s\"%s\"", i ? " or " : "", key->choices[i]);
	} else {
		length = append(buffer, size, length, "%s", KINDS[key->type]);
		for (size_t i = 0; i < 2 && key->ranges[i].min; i++) {
			length = append(buffer, size, length, "%s", i ? ", or " : "");
			length = append_range(key, &key->ranges[i], buffer, size, length);
		}
	}
	return buffer;
}

static int complain_limits(const struct plan_key *key, const char *shown, const struct node *node, const char *why,
                           struct error *error)
{
	char limits[300];

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

static int store_integer(const struct plan_key *key, void *base, uint64_t value)
{
	unsigned char *field = (unsigned char *)base + key->offset;
	unsigned narrow = (unsigned)value;
	bool flag = value != 0;

	if (key->size == sizeof(bool))
		memcpy(field, &flag, sizeof(flag));
	else if (key->size == sizeof(unsigned))
		memcpy(field, &narrow, sizeof(narrow));
	else if (key->size == sizeof(value))
		memcpy(field, &value, sizeof(value));
	return 0;
}

static int store_choice(const struct plan_key *key, const char *shown, const struct node *node, void *base,
                        struct error *error)
{
	for (size_t i = 0; node->kind == NODE_TEXT && i < MAX_CHOICES && key->choices[i]; i++) {
		if (!strcmp(node->text, key->choices[i]))
			return store_integer(key, base, i);
	}
	return complain_limits(key, shown, node, NULL, error);
}

static int store_count(const struct plan_key *key, const char *shown, const struct node *node, void *base,
                       struct error *error)
{
	struct quantity quantity;
	int result;

	if (node->kind != NODE_NUMBER)
		return complain_limits(key, shown, node, NULL, error);
	result = read_quantity(key, shown, node, &quantity, error);
	if (!result && quantity.denominator != 1)
		result = complain_limits(key, shown, node, NULL, error);
	return result ? result : store_integer(key, base, quantity.numerator);
}

static int store_whole(const struct plan_key *key, const char *shown, const struct node *node, void *base,
                       struct error *error)
{
	struct quantity quantity;
	int result = read_quantity(key, shown, node, &quantity, error);

	if (!result && quantity.denominator != 1)
		result = plan_complain(error, node, shown, "must be a whole number of %s", key->unit);
	return result ? result : store_integer(key, base, quantity.numerator);
}

static int store_time(const struct plan_key *key, const char *shown, const struct node *node, void *base,
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
	return store_integer(key, base, ns.numerator);
}

static int store_quantity(const struct plan_key *key, const char *shown, const struct node *node, void *base,
                          struct error *error)
{
	struct quantity quantity;
	int result = read_quantity(key, shown, node, &quantity, error);

	if (!result)
		memcpy((unsigned char *)base + key->offset, &quantity, sizeof(quantity));
	return result;
}

static int read_size(const struct plan_test *test, const char *shown, const struct node *node, uint32_t *size,
                     struct error *error)
{
	struct quantity quantity;
	const char *why;

	if (node->kind != NODE_NUMBER || quantity_parse(node->text, &quantity, &why) || quantity.denominator != 1 ||
	    quantity.numerator < MIN_FRAME_OCTETS || quantity.numerator > MAX_FRAME_OCTETS)
		return plan_complain(error, node, shown, "must be %d to %d (octets, FCS included)", MIN_FRAME_OCTETS,
		                     MAX_FRAME_OCTETS);
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
		result = read_size(test, element, node->children[i], &size, error);
		if (result)
			return result;
		test->frame_sizes[test->frame_size_count++] = size;
	}
	return 0;
}

int plan_key_store(const struct plan_key *key, const char *shown, const struct node *node, void *base,
                   struct error *error)
{
	switch (key->type) {
	case KEY_CHOICE:
		return store_choice(key, shown, node, base, error);
	case KEY_BOOL:
		if (node->kind != NODE_BOOL)
			return complain_limits(key, shown, node, NULL, error);
		return store_integer(key, base, !strcmp(node->text, "true"));
	case KEY_COUNT:
		return store_count(key, shown, node, base, error);
	case KEY_WHOLE:
		return store_whole(key, shown, node, base, error);
	case KEY_TIME:
		return store_time(key, shown, node, base, error);
	case KEY_QUANTITY:
		return store_quantity(key, shown, node, base, error);
	case KEY_SIZES:
		return store_sizes(key, shown, node, base, error);
	case KEY_TEXT:
		if (node->kind != NODE_TEXT || !*node->text)
			return complain_limits(key, shown, node, NULL, error);
		return 0;
	case KEY_NAME:
		if ((node->kind != NODE_TEXT && node->kind != NODE_NUMBER) || !*node->text)
			return complain_limits(key, shown, node, NULL, error);
		return 0;
	case KEY_REQUIRE:
		return 0; /* plan_require_read() */
	case KEY_WORDS:
	case KEY_GOALS:
		break; /* not a value; see plan_device.c, plan_goals.c */
	}
	return error_set(error, ERROR_INTERNAL, "%s: no such type of key", shown);
}

/* A default goes the way of a setting, so that it cannot break its own limits. */
int plan_key_store_default(const struct plan_key *key, void *base, struct error *error)
{
	enum node_kind kind = key->type == KEY_COUNT   ? NODE_NUMBER
	                      : key->type == KEY_BOOL  ? NODE_BOOL
	                      : key->type == KEY_SIZES ? NODE_LIST
	                                               : NODE_TEXT;
	struct node *node;
	int result;

	if (!key->default_text)
		return 0;
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
	result = node ? plan_key_store(key, key->name, node, base, error)
	              : error_set(error, ERROR_INTERNAL, "out of memory");
	node_free(node);
	return result;
}
