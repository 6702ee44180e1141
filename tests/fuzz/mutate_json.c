/* SPDX-License-Identifier: Apache-2.0 */
/* Turns JSON into other JSON. One byte more or less makes a document that no reader accepts; one member more or less
 * makes one that it must judge. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { MOST_NODES = 4096, MOST_TEXT = 300, MOST_CHANGES = 4, PLAIN_ONE_IN = 12 };

/* A value and where it is. */
struct node {
	json_t *parent;
	const char *key; /* NULL: an element */
	size_t index;
	json_t *value;
};

struct tree {
	struct node node[MOST_NODES];
	size_t count;
	unsigned seed;
};

static unsigned below(struct tree *tree, size_t limit)
{
	return limit ? (unsigned)rand_r(&tree->seed) % (unsigned)limit : 0;
}

static void collect(struct tree *tree, json_t *parent)
{
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach(parent, key, value)
	{
		if (tree->count < MOST_NODES)
			tree->node[tree->count++] = (struct node){parent, key, 0, value};
		collect(tree, value);
	}
	json_array_foreach(parent, i, value)
	{
		if (tree->count < MOST_NODES)
			tree->node[tree->count++] = (struct node){parent, NULL, i, value};
		collect(tree, value);
	}
}

static json_t *odd_number(struct tree *tree)
{
	static const double REALS[] = {0,    -0.0, 1e-320, 0.5,   1,      -1,      1e9,      4294967296.0,
	                               1e18, 1e19, 1e100,  1e308, -1e308, 1.5e-10, 64.00001, 2147483648.0};
	static const json_int_t INTEGERS[] = {0,     -1,    1,       2,       3,         63,        64,
	                                      65,    255,   256,     9216,    65536,     INT32_MAX, INT32_MIN,
	                                      10000, 99999, 1 << 24, 1 << 30, INT64_MAX, INT64_MIN, 4294967296};

	return below(tree, 2) ? json_real(REALS[below(tree, sizeof(REALS) / sizeof(REALS[0]))])
	                      : json_integer(INTEGERS[below(tree, sizeof(INTEGERS) / sizeof(INTEGERS[0]))]);
}

static json_t *odd_text(struct tree *tree)
{
	static const char *const TEXTS[] = {"",
	                                    "-",
	                                    "throughput",
	                                    "back_to_back",
	                                    "mlrsearch",
	                                    "bidirectional",
	                                    "../../x",
	                                    "/x",
	                                    "a.b.c",
	                                    "a,\"b\"\r\nc",
	                                    "\x1b[2J",
	                                    "\x01\x7f",
	                                    "\xef\xbf\xbf",
	                                    "\xe2\x80\xae",
	                                    "%s%n",
	                                    "`x`\"\n",
	                                    "]]><&",
	                                    "1e999",
	                                    "nan",
	                                    "5%",
	                                    "2026-01-02T03:04:05Z"};
	char text[4 * MOST_TEXT + 1] = "";

	if (below(tree, 4))
		return json_string(TEXTS[below(tree, sizeof(TEXTS) / sizeof(TEXTS[0]))]);
	for (unsigned i = below(tree, MOST_TEXT); i > 0; i--)
		strcat(text, below(tree, 5) ? "x" : "\xc3\xa4");
	return json_string(text);
}

static json_t *odd_value(struct tree *tree)
{
	switch (below(tree, 9)) {
	case 0:
		return json_null();
	case 1:
		return json_boolean(below(tree, 2));
	case 2:
		return json_array();
	case 3:
		return json_object();
	case 4:
	case 5:
		return odd_text(tree);
	case 6: /* copied from another part of the document */
		return json_deep_copy(tree->node[below(tree, tree->count)].value);
	default:
		return odd_number(tree);
	}
}

/* Close to the existing value. */
static json_t *near_number(struct tree *tree, const json_t *number)
{
	static const double FACTORS[] = {0.5, 2, -1, 1.01, 1e3, 1e-3, 1e12};
	double factor = FACTORS[below(tree, sizeof(FACTORS) / sizeof(FACTORS[0]))];
	json_int_t integer = json_integer_value(number);

	if (json_is_integer(number) && below(tree, 2) && integer > INT64_MIN / 4 && integer < INT64_MAX / 4)
		return json_integer(below(tree, 2) ? integer + 1 - 2 * (json_int_t)below(tree, 2) : integer * 2);
	return json_real(json_number_value(number) * factor);
}

static json_t *changed_text(struct tree *tree, const char *string, size_t length)
{
	uint8_t text[2 * MOST_TEXT];
	json_t *made;

	length = length < MOST_TEXT ? length : MOST_TEXT;
	memcpy(text, string, length);
	length = LLVMFuzzerMutate(text, length, sizeof(text));
	made = json_stringn((const char *)text, length);
	return made ? made : odd_text(tree); /* it has to be UTF-8 */
}

/* Takes over the reference. */
static void replace(const struct node *node, json_t *value)
{
	if (node->key)
		json_object_set_new(node->parent, node->key, value);
	else
		json_array_set_new(node->parent, node->index, value);
}

static void add_beside(struct tree *tree, const struct node *node)
{
	json_t *value = below(tree, 2) ? json_deep_copy(node->value) : odd_value(tree), *name;

	if (!node->key) {
		json_array_insert_new(node->parent, node->index, value);
		return;
	}
	name = below(tree, 2) ? odd_text(tree) : changed_text(tree, node->key, strlen(node->key));
	json_object_set_new(node->parent, json_string_value(name), value);
	json_decref(name);
}

static void rename_or_drop(struct tree *tree, const struct node *node)
{
	const struct node *other = &tree->node[below(tree, tree->count)];

	if (!node->key) {
		json_array_remove(node->parent, node->index);
		return;
	}
	if (other->key && below(tree, 2))
		json_object_set(node->parent, other->key, node->value);
	json_object_del(node->parent, node->key);
}

static void change(struct tree *tree, json_t *root)
{
	const struct node *node;

	tree->count = 0;
	collect(tree, root);
	if (tree->count == 0)
		return;
	node = &tree->node[below(tree, tree->count)];
	switch (below(tree, 6)) {
	case 0:
		rename_or_drop(tree, node);
		break;
	case 1:
		add_beside(tree, node);
		break;
	case 2:
		replace(node, odd_value(tree));
		break;
	default:
		if (json_is_number(node->value))
			replace(node, below(tree, 2) ? near_number(tree, node->value) : odd_number(tree));
		else if (json_is_string(node->value))
			replace(node,
			        changed_text(tree, json_string_value(node->value), json_string_length(node->value)));
		else
			replace(node, odd_value(tree));
	}
}

size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static struct tree tree;
	json_t *root = json_loadb((const char *)data, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	size_t length = 0;

	tree.seed = seed;
	if (root && below(&tree, PLAIN_ONE_IN)) {
		for (unsigned i = 1 + below(&tree, MOST_CHANGES); i > 0; i--)
			change(&tree, root);
		length = json_dumpb(root, (char *)data, max_size,
		                    JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
	}
	json_decref(root);
	return length > 0 && length <= max_size ? length : LLVMFuzzerMutate(data, size, max_size);
}
