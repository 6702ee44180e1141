/* SPDX-License-Identifier: Apache-2.0 */
/* Folding of bins. Device data are not trusted: whatever they are, no access is out of range. */
#include "host/trial/histogram.h"

#include <string.h>

void histogram_begin(struct histogram *histogram, const struct histogram_source *source, uint64_t least, uint64_t most,
                     uint32_t *first, uint32_t *end)
{
	uint64_t from = least / source->width, until = most / source->width + 1;
	uint64_t fold = 1;

	until = until < source->bins ? until : source->bins;
	from = from < until ? from : until;
	while ((until + fold - 1) / fold - from / fold > HISTOGRAM_BINS)
		fold *= 2;
	memset(histogram, 0, sizeof(*histogram));
	histogram->width = fold * source->width;
	histogram->first = from / fold * histogram->width;
	histogram->bins = (until + fold - 1) / fold - from / fold;
	*first = (uint32_t)from;
	*end = (uint32_t)until;
}

void histogram_add(struct histogram *histogram, const struct histogram_source *source, uint32_t bin, uint64_t count)
{
	const uint64_t value = bin * source->width;
	const uint64_t place = value < histogram->first ? 0 : (value - histogram->first) / histogram->width;

	if (place < histogram->bins)
		histogram->count[place] += count;
	else
		histogram->beyond += count;
}

uint64_t histogram_total(const struct histogram *histogram)
{
	uint64_t total = histogram->beyond;

	for (uint64_t i = 0; i < histogram->bins; i++)
		total += histogram->count[i];
	return total;
}

uint64_t histogram_sum(const struct histogram *histogram)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < histogram->bins; i++)
		sum += histogram->count[i] * (histogram->first + i * histogram->width);
	return sum;
}

void histogram_shift(struct histogram *histogram, uint64_t offset)
{
	histogram->first -= histogram->first > offset ? offset : histogram->first;
}
