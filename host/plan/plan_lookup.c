/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in the tables of keys: a key by name, which sets have it, and the nearest match for an unknown name. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/base/nearest.h"
#include "host/base/text.h"
#include "host/plan/plan_keys.h"

const struct plan_key *plan_key_find(const struct key_set *set, const char *name, const struct key_slice **slice)
{
	for (const struct key_slice *const *at = set->slices; *at; at++) {
		for (size_t i = 0; i < (*at)->count; i++) {
			if (strcmp((*at)->keys[i].name, name) != 0)
				continue;
			if (slice)
				*slice = *at;
			return &(*at)->keys[i];
		}
	}
	return NULL;
}

bool plan_set_has_slice(const struct key_set *set, const void *slice)
{
	const struct key_slice *const *at = set->slices;

	while (*at && *at != slice)
		at++;
	return *at != NULL;
}

bool plan_set_has_key(const struct key_set *set, const void *name)
{
	return plan_key_find(set, name, NULL) != NULL;
}

const char *plan_family_names(const struct key_family *family, bool (*has)(const struct key_set *set, const void *what),
                              const void *what, const char *quote, const char *last, char *buffer, size_t size)
{
	const struct key_set *set;
	size_t length = 0, left = 0;

	*buffer = '\0';
	for (size_t i = 0; (set = family->set(i)); i++)
		left += !has || has(set, what);
	for (size_t i = 0; (set = family->set(i)); i++) {
		if (has && !has(set, what))
			continue;
		length = text_add(buffer, size, length, "%s%s%s%s",
		                  length == 0 ? ""
		                  : left > 1  ? ", "
		                              : last,
		                  quote, set->name, quote);
		left--;
	}
	return buffer;
}

const char *plan_search_names(unsigned searches, const char *quote, char *buffer, size_t size)
{
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; PLAN_SEARCH_NAMES[i]; i++) {
		if (searches & 1u << i)
			length = text_add(buffer, size, length, "%s%s%s%s", length ? " or " : "", quote,
			                  PLAN_SEARCH_NAMES[i], quote);
	}
	return buffer;
}

static const char *nearest_key(const struct key_set *set, const char *name)
{
	struct nearest nearest = {0};

	for (const struct key_slice *const *at = set->slices; *at; at++)
		for (size_t i = 0; i < (*at)->count; i++)
			nearest_try(&nearest, name, (*at)->keys[i].name);
	return nearest_word(&nearest);
}

static int complain_unknown(const struct key_set *set, const char *shown, const struct node *node, struct error *error)
{
	const struct key_family *family = set->family;
	const char *nearest = nearest_key(set, node->name);
	char others[PLAN_NAMES_SIZE] = "";

	if (family)
		plan_family_names(family, plan_set_has_key, node->name, family->quote, " and ", others, sizeof(others));
	if (*others)
		return plan_complain(error, node, shown, "is not a key of %s%s%s%s, only of %s", family->of,
		                     family->quote, set->name, family->quote, others);
	if (nearest)
		return plan_complain(error, node, shown, "unknown key; did you mean \"%s\"?", nearest);
	return plan_complain(error, node, shown, "unknown key; `fpgauge help plan` lists all");
}

static void *settings_of(const struct key_slice *slice, void *base)
{
	unsigned char *settings = (unsigned char *)base + slice->base;

	return slice->is_pointer ? *(void **)(void *)settings : settings;
}

int plan_setting_read(const struct key_set *set, const char *prefix, const struct node *node, void *base,
                      struct error *error)
{
	const struct key_slice *slice = NULL;
	const struct plan_key *key = plan_key_find(set, node->name, &slice);
	char shown[160];

	snprintf(shown, sizeof(shown), "%s%.100s", prefix, node->name);
	if (!key)
		return complain_unknown(set, shown, node, error);
	return plan_setting_store(&(struct setting){key, set->family, shown, node, settings_of(slice, base), error});
}

const struct key_set *plan_family_pick(const struct key_family *family, const char *prefix, const struct node *node,
                                       struct error *error)
{
	const struct key_set *set = family->set(0);
	const struct plan_key *key = plan_key_find(set, node->name, NULL);
	char shown[160];

	snprintf(shown, sizeof(shown), "%s%s", prefix, node->name);
	if (plan_setting_store(&(struct setting){key, family, shown, node, NULL, error}))
		return NULL;
	for (size_t i = 0; strcmp(set->name, node->text) != 0; i++)
		set = family->set(i);
	return set;
}

int plan_settings_default(const struct key_set *set, const struct node *group, void *base, struct error *error)
{
	int result = 0;

	for (const struct key_slice *const *at = set->slices; *at; at++) {
		for (size_t i = 0; !result && i < (*at)->count; i++) {
			if (!node_child(group, (*at)->keys[i].name))
				result = plan_key_store_default(&(*at)->keys[i], settings_of(*at, base), error);
		}
	}
	return result;
}

int plan_settings_read(const struct key_set *set, const char *prefix, const struct node *group, void *base,
                       struct error *error)
{
	int result = 0;

	for (size_t i = 0; !result && i < group->count; i++)
		result = plan_setting_read(set, prefix, group->children[i], base, error);
	return result ? result : plan_settings_default(set, group, base, error);
}
