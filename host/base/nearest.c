/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { MOST_LETTERS = 63 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, delete, replace, or exchange with the next one: the optimal string alignment distance, a row of
 * its table at a time. A longer word is far from everything. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][MOST_LETTERS + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];
	const size_t length = strlen(b);

	if (length > MOST_LETTERS)
		return SIZE_MAX;
	for (size_t k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t *oldest = before;

		before = last;
		last = row;
		row = oldest;
		row[0] = i + 1;
		for (size_t k = 0; k < length; k++) {
			row[k + 1] = least(last[k] + (a[i] != b[k]), least(last[k + 1], row[k]) + 1);
			if (i > 0 && k > 0 && a[i] == b[k - 1] && a[i - 1] == b[k])
				row[k + 1] = least(row[k + 1], before[k - 1] + 1);
		}
	}
	return row[length];
}

void nearest_try(struct nearest *nearest, const char *typed, const char *word)
{
	const size_t here = distance(typed, word);

	if (nearest->word && here >= nearest->distance)
		return;
	nearest->word = word;
	nearest->distance = here;
}

const char *nearest_word(const struct nearest *nearest)
{
	return nearest->word && nearest->distance <= 1 + strlen(nearest->word) / 3 ? nearest->word : NULL;
}
