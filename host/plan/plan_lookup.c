/* SPDX-License-Identifier: Apache-2.0 */
/* What is read off the table of keys: a key by name, and the nearest name of one that nobody knows. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/plan/plan_keys.h"

const char *plan_test_name(enum plan_test_kind kind)
{
	static const char *const NAMES[] = {
	        [PLAN_THROUGHPUT] = "throughput", [PLAN_BACK_TO_BACK] = "back_to_back", [PLAN_MLRSEARCH] = "mlrsearch"};

	return NAMES[kind];
}

static int applies(const struct plan_key *key, enum plan_section section, enum plan_test_kind kind)
{
	return key->section == section && (section != SECTION_TEST || (key->tests & 1u << kind));
}

const struct plan_key *plan_key_find(enum plan_section section, enum plan_test_kind kind, const char *name)
{
	for (size_t i = 0; i < PLAN_KEY_COUNT; i++) {
		if (applies(&PLAN_KEYS[i], section, kind) && !strcmp(PLAN_KEYS[i].name, name))
			return &PLAN_KEYS[i];
	}
	return NULL;
}

/* Levenshtein distance, a row at a time; names longer than the row are far from everything. */
static size_t distance(const char *a, const char *b)
{
	size_t row[64];
	size_t length = strlen(b);

	if (length >= sizeof(row) / sizeof(row[0]))
		return SIZE_MAX;
	for (size_t k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0]++;

		for (size_t k = 0; k < length; k++) {
			size_t cost = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			if (diagonal + 1 < cost)
				cost = diagonal + 1;
			if (row[k] + 1 < cost)
				cost = row[k] + 1;
			row[k + 1] = cost;
		}
	}
	return row[length];
}

/* "throughput and mlrsearch" */
static const char *tests_of(unsigned tests, char *buffer, size_t size)
{
	size_t length = 0;

	*buffer = '\0';
	for (int kind = 0; kind < PLAN_TEST_KINDS && length < size; kind++) {
		if (tests & 1u << kind)
			length += (size_t)snprintf(buffer + length, size - length, "%s%s", length ? " and " : "",
			                           plan_test_name((enum plan_test_kind)kind));
	}
	return buffer;
}

int plan_key_unknown(enum plan_section section, enum plan_test_kind kind, const char *shown, const struct node *node,
                     struct error *error)
{
	const struct plan_key *nearest = NULL;
	size_t best = SIZE_MAX;
	unsigned others = 0;
	char names[80];

	for (size_t i = 0; i < PLAN_KEY_COUNT; i++) {
		size_t here = distance(node->name, PLAN_KEYS[i].name);

		if (section == SECTION_TEST && PLAN_KEYS[i].section == section && !here)
			others |= PLAN_KEYS[i].tests;
		if (applies(&PLAN_KEYS[i], section, kind) && here < best) {
			best = here;
			nearest = &PLAN_KEYS[i];
		}
	}
	if (others)
		return plan_complain(error, node, shown, "is not a key of %s, only of %s", plan_test_name(kind),
		                     tests_of(others, names, sizeof(names)));
	/* More than a third of the letters wrong is another word, not a slip. */
	if (nearest && best <= 1 + strlen(nearest->name) / 3)
		return plan_complain(error, node, shown, "unknown key; did you mean \"%s\"?", nearest->name);
	return plan_complain(error, node, shown, "unknown key; `fpgauge help plan` lists all");
}
