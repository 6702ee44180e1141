/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in a description. */
#include "host/result/description.h"

#include <string.h>

const struct metric *description_metric(const struct result_description *description, const char *key)
{
	for (const struct metric_slice *const *slice = description->metrics; *slice; slice++) {
		for (size_t i = 0; i < (*slice)->count; i++) {
			if (!strcmp((*slice)->metrics[i].key, key))
				return &(*slice)->metrics[i];
		}
	}
	return NULL;
}

bool description_has(const struct result_description *description, const struct metric_slice *wanted)
{
	const struct metric_slice *const *slice = description->metrics;

	while (*slice && *slice != wanted)
		slice++;
	return *slice != NULL;
}

int description_each(const struct result_description *description, int (*each)(void *user, const struct metric *metric),
                     void *user)
{
	int status = 0;

	for (const struct metric_slice *const *slice = description->metrics; *slice && !status; slice++) {
		for (size_t i = 0; i < (*slice)->count && !status; i++)
			status = each(user, &(*slice)->metrics[i]);
	}
	return status;
}
