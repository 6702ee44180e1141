// SPDX-License-Identifier: Apache-2.0
/* The filters of a router. */
#include "sim/dut/router_filters.h"

enum { WORDS = 4 }; /* words of a condition */

struct word {
	const char *at;
	size_t length;
};

static bool is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

/* The words of an entry up to its end; one more than there can be: there are more. */
static unsigned split(const char *at, const char *end, struct word words[WORDS + 1])
{
	unsigned count = 0;

	while (count <= WORDS) {
		at += strspn(at, " ");
		if (at >= end)
			break;
		words[count].at = at;
		words[count].length = strcspn(at, " ,");
		at += words[count++].length;
	}
	return count;
}

static bool read_condition(const struct word words[WORDS], unsigned count, struct router_filter *filter)
{
	if (count != WORDS || !is(&words[2], "to"))
		return false;
	filter->forwards = is(&words[0], "forward");
	return (filter->forwards || is(&words[0], "block")) &&
	       net_parse(words[1].at, words[1].length, &filter->source) &&
	       net_parse(words[3].at, words[3].length, &filter->destination) &&
	       filter->source.version == filter->destination.version;
}

const char *router_filters_read(struct router_filters *filters, const char *list, const char **wrong, int *length)
{
	struct word words[WORDS + 1] = {0};

	filters->count = 0;
	for (const char *at = list, *end;; at = end + 1) {
		unsigned count;

		at += strspn(at, " ");
		end = at + strcspn(at, ",");
		count = split(at, end, words);
		*wrong = at;
		*length = (int)(end - at);
		if (*end == '\0' && filters->count && count == 3 && is(&words[0], "block") && is(&words[1], "all") &&
		    is(&words[2], "else"))
			return NULL;
		if (filters->count == ROUTER_FILTERS)
			return "there are too many: at most 64";
		if (!read_condition(words, count, &filters->filter[filters->count]))
			return "must be as in \"block 198.18.24.1 to 198.19.152.1\", \"forward 198.18.1.2 to "
			       "198.19.1.2\", or at the end \"block all else\"";
		filters->count++;
		if (*end == '\0')
			return NULL;
	}
}

bool router_filters_pass(const struct router_filters *filters, const struct net_address *source,
                         const struct net_address *destination)
{
	for (unsigned i = 0; i < filters->count; i++) {
		const struct router_filter *filter = &filters->filter[i];

		if (net_equal(&filter->source, source) && net_equal(&filter->destination, destination))
			return filter->forwards;
	}
	return filters->count == 0;
}
