/* SPDX-License-Identifier: Apache-2.0 */
/* Mixes of frame lengths, from text and back. */
#include "host/traffic/sizes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/text.h"

/* Lengths by letter (RFC 6985 section 4). The first that fits is written. */
static const struct {
	char letter;
	uint16_t octets;
} GENOME[] = {
        {'a', 64},   {'b', 128},  {'c', 256},  {'d', 512},   {'e', 1024}, {'f', 1280},
        {'g', 1518}, {'h', 2112}, {'i', 9000}, {'j', 16000}, {'z', 1518},
};
enum { LETTERS = sizeof(GENOME) / sizeof(GENOME[0]) };

static const char IMIX_TEXT[] = "imix", GENOME_PREFIX[] = "genome:";
static const struct traffic_sizes IMIX = {12, {64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 64, 570}};

const char TRAFFIC_SIZES_FORMS[] =
        "\"imix\", \"genome:\" and 1 to 64 letters (RFC 6985 section 4), or a list of 1 to 64 lengths";

int traffic_sizes_add(struct traffic_sizes *sizes, uint64_t octets, struct error *error)
{
	if (sizes->count == TRAFFIC_MAX_SIZES)
		return error_set(error, ERROR_PLAN, "must have at most %d entries", TRAFFIC_MAX_SIZES);
	if (octets < MIN_FRAME_OCTETS || octets > MAX_FRAME_OCTETS)
		return error_set(error, ERROR_PLAN, "must be %d to %d (octets, FCS included)", MIN_FRAME_OCTETS,
		                 MAX_FRAME_OCTETS);
	sizes->octets[sizes->count++] = (uint16_t)octets;
	return 0;
}

static int add_letter(struct traffic_sizes *sizes, char letter, struct error *error)
{
	const unsigned position = sizes->count + 1;
	size_t i = 0;

	while (i < LETTERS && GENOME[i].letter != letter)
		i++;
	if (i < LETTERS) {
		if (traffic_sizes_add(sizes, GENOME[i].octets, error))
			error_prefix(error, "letter %u, %c for %u octets: ", position, letter, GENOME[i].octets);
		return error->code;
	}
	if (letter >= 'A' && letter <= 'Z')
		return error_set(
		        error, ERROR_PLAN,
		        "letter %u, %c: must be a to i or z; write a custom IMIX (RFC 6985 section 5) as a list "
		        "of lengths",
		        position, letter);
	return error_set(error, ERROR_PLAN, "letter %u, %c: must be a to i or z (RFC 6985 section 4)", position,
	                 isprint((unsigned char)letter) ? letter : '?');
}

static int refuse_form(struct error *error)
{
	return error_set(error, ERROR_PLAN, "must be %s", TRAFFIC_SIZES_FORMS);
}

static int parse_genome(const char *letters, struct traffic_sizes *sizes, struct error *error)
{
	if (!*letters)
		return refuse_form(error);
	for (; *letters; letters++) {
		if (add_letter(sizes, *letters, error))
			return error->code;
	}
	return 0;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* Decimal without leading zeros, as far as a length may be too large to complain about it. NULL: no number. */
static const char *parse_number(const char *text, uint64_t *number)
{
	const size_t digits = strspn(text, "0123456789");

	if (digits < 1 || digits > 18 || (*text == '0' && digits > 1))
		return NULL;
	*number = 0;
	for (size_t i = 0; i < digits; i++)
		*number = 10 * *number + (uint64_t)(text[i] - '0');
	return text + digits;
}

/* text: behind the bracket. */
static int parse_list(const char *text, struct traffic_sizes *sizes, struct error *error)
{
	for (;;) {
		uint64_t octets;

		text = parse_number(skip_blanks(text), &octets);
		if (!text)
			return refuse_form(error);
		if (traffic_sizes_add(sizes, octets, error)) {
			error_prefix(error, "entry %u: ", sizes->count + 1);
			return error->code;
		}
		text = skip_blanks(text);
		if (*text != ',')
			break;
		text++;
	}
	return strcmp(text, "]") == 0 ? 0 : refuse_form(error);
}

static int parse(const char *text, struct traffic_sizes *sizes, struct error *error)
{
	const size_t prefix = strlen(GENOME_PREFIX);

	if (!strcmp(text, IMIX_TEXT)) {
		*sizes = IMIX;
		return 0;
	}
	if (!strncmp(text, GENOME_PREFIX, prefix))
		return parse_genome(text + prefix, sizes, error);
	return *text == '[' ? parse_list(text + 1, sizes, error) : refuse_form(error);
}

int traffic_sizes_parse(const char *text, struct traffic_sizes *sizes, struct error *error)
{
	*sizes = (struct traffic_sizes){0};
	*error = (struct error){0};
	if (parse(text, sizes, error))
		*sizes = (struct traffic_sizes){0};
	return error->code;
}

/* 0: the length has none. */
static char letter_of(uint16_t octets)
{
	for (size_t i = 0; i < LETTERS; i++) {
		if (GENOME[i].octets == octets)
			return GENOME[i].letter;
	}
	return 0;
}

const char *traffic_sizes_text(const struct traffic_sizes *sizes, char *buffer, size_t size)
{
	unsigned lettered = 0;
	size_t length;

	if (!sizes->count || traffic_sizes_equal(sizes, &IMIX)) {
		text_add(buffer, size, 0, "%s", sizes->count ? IMIX_TEXT : "");
		return buffer;
	}
	while (lettered < sizes->count && letter_of(sizes->octets[lettered]))
		lettered++;
	if (lettered == sizes->count) {
		length = text_add(buffer, size, 0, "%s", GENOME_PREFIX);
		for (unsigned i = 0; i < sizes->count; i++)
			length = text_add(buffer, size, length, "%c", letter_of(sizes->octets[i]));
		return buffer;
	}
	length = text_add(buffer, size, 0, "[");
	for (unsigned i = 0; i < sizes->count; i++)
		length = text_add(buffer, size, length, "%s%u", i ? ", " : "", sizes->octets[i]);
	text_add(buffer, size, length, "]");
	return buffer;
}

const char *traffic_sizes_word(uint32_t frame_octets, const struct traffic_sizes *sizes, char *buffer, size_t size)
{
	size_t length = 0;

	if (frame_octets) {
		snprintf(buffer, size, "%" PRIu32, frame_octets);
		return buffer;
	}
	traffic_sizes_text(sizes, buffer, size);
	for (size_t i = 0; buffer[i]; i++) {
		if (buffer[i] != ' ')
			buffer[length++] = buffer[i];
	}
	buffer[length] = 0;
	return buffer;
}

uint32_t traffic_sizes_round_octets(const struct traffic_sizes *sizes)
{
	uint32_t octets = 0;

	for (unsigned i = 0; i < sizes->count; i++)
		octets += sizes->octets[i];
	return octets;
}

struct traffic_average traffic_sizes_average(const struct traffic_sizes *sizes)
{
	const uint32_t octets = traffic_sizes_round_octets(sizes);
	uint32_t divisor = octets, rest = sizes->count;

	while (rest) {
		const uint32_t next = divisor % rest;

		divisor = rest;
		rest = next;
	}
	return (struct traffic_average){octets / divisor, sizes->count / divisor};
}

unsigned traffic_sizes_shares(const struct traffic_sizes *sizes, struct traffic_share shares[TRAFFIC_MAX_SIZES])
{
	unsigned count = 0;

	for (unsigned i = 0; i < sizes->count; i++) {
		const uint16_t octets = sizes->octets[i];
		unsigned at = 0;

		while (at < count && shares[at].octets < octets)
			at++;
		if (at == count || shares[at].octets != octets) {
			memmove(&shares[at + 1], &shares[at], (count - at) * sizeof(shares[0]));
			shares[at] = (struct traffic_share){.octets = octets};
			count++;
		}
		shares[at].frames++;
	}
	return count;
}

struct rate traffic_sizes_max_rate(const struct traffic_sizes *sizes, uint64_t link_bps)
{
	const uint64_t wire_octets = traffic_sizes_round_octets(sizes) + (uint64_t)LINE_OVERHEAD_OCTETS * sizes->count;

	return rate_scale((struct rate){link_bps, 1}, sizes->count, 8 * wire_octets);
}
