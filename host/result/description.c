/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in a description. */
#include "host/result/description.h"

#include <string.h>

const struct metric *description_at(const struct result_description *description, size_t index)
{
	for (const struct metric_slice *const *slice = description->metrics; *slice; slice++) {
		if (index < (*slice)->count)
			return &(*slice)->metrics[index];
		index -= (*slice)->count;
	}
	return NULL;
}

const struct metric *description_metric(const struct result_description *description, const char *key)
{
	const struct metric *metric;

	for (size_t i = 0; (metric = description_at(description, i)); i++) {
		if (!strcmp(metric->key, key))
			return metric;
	}
	return NULL;
}

void listing_columns(const struct result_listing *rows, struct result_column columns[LISTING_COLUMNS])
{
	size_t count = 0;

	for (size_t i = 0; !rows->columns && i < rows->items->count && count + 1 < LISTING_COLUMNS; i++) {
		const struct metric *item = &rows->items->metrics[i];

		if (item->heading)
			columns[count++] = (struct result_column){item->key, item->heading, .details = item->details,
			                                          .places = item->places};
	}
	while (rows->columns && rows->columns[count].key && count + 1 < LISTING_COLUMNS) {
		columns[count] = rows->columns[count];
		count++;
	}
	columns[count] = (struct result_column){0};
}

const char *metric_unit_word(enum metric_unit unit)
{
	static const char *const NAMES[] = {
	        [METRIC_PERCENT] = "%",     [METRIC_FPS] = "frames/s",  [METRIC_S] = "s",
	        [METRIC_NS] = "ns",         [METRIC_FRAMES] = "frames", [METRIC_FRAMES_LIST] = "frames",
	        [METRIC_OCTETS] = "octets", [METRIC_S_LIST] = "s",      [METRIC_GBPS] = "Gb/s",
	        [METRIC_OBJECT] = NULL,
	};

	return NAMES[unit] ? NAMES[unit] : "";
}

bool metric_may_be_null(const struct metric *metric)
{
	if (metric->unit == METRIC_YES_NO)
		return metric->or_null || metric->known == KNOWN_IF_VALID;
	return metric->unit != METRIC_TEXT && metric->unit < METRIC_FRAMES_LIST && metric->known != KNOWN_ALWAYS;
}

bool description_has(const struct result_description *description, const struct metric_slice *wanted)
{
	const struct metric_slice *const *slice = description->metrics;

	while (*slice && *slice != wanted)
		slice++;
	return *slice != NULL;
}
