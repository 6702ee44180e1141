// SPDX-License-Identifier: Apache-2.0
/* The MAC of a device in Verilog: frames of any length come through its receiver and its transmitter whole, at every
 * width, with a device that is ready now and then; what is broken is marked, and what finds no room is cut off. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/line/fcs.h"
#include "sim/line/line.h"
#include "sim/verilog/axis_rules.h"
#include "sim/verilog/axis_rx.h"
#include "sim/verilog/axis_tx.h"

enum { MOST = 1600, BUFFER = 4096, PATIENCE = 100000 };

static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

/* A frame with its FCS, which is wrong if bad; returns its length. */
static uint32_t make(uint8_t *octets, uint32_t data, bool bad, uint64_t *seed)
{
	for (uint32_t i = 0; i < data; i++)
		octets[i] = (uint8_t)draw(seed, 256);
	line_put_fcs(octets, data);
	octets[data] ^= bad;
	return data + FCS_OCTETS;
}

/* Group `index` of a frame on the line, from its preamble on; false: it is over. */
static bool group_of(const uint8_t *octets, uint32_t length, unsigned index, uint64_t *value, uint8_t *ctrl)
{
	const uint32_t at = (index - 1) * LINE_GROUP_OCTETS;

	*value = LINE_PREAMBLE;
	*ctrl = 1;
	if (index == 0)
		return true;
	if (at > length)
		return false;
	*value = LINE_IDLE_GROUP;
	memcpy(value, octets + at, length - at < LINE_GROUP_OCTETS ? length - at : LINE_GROUP_OCTETS);
	*ctrl = 0;
	if (length - at >= LINE_GROUP_OCTETS)
		return true;
	((uint8_t *)value)[length - at] = LINE_TERMINATE;
	*ctrl = (uint8_t)(0xff << (length - at));
	return true;
}

/* Frames as the device is given them: octets, and how each ends. */
struct given {
	uint8_t octets[MOST];
	uint32_t length;
	bool ended, bad;
};

static void edge(struct axis_rx *rx, struct fpgauge_dut_pins *pins, bool ready, struct given *given)
{
	pins->ready = ready;
	if (pins->valid && ready) {
		const unsigned count = (unsigned)__builtin_popcountll(pins->keep);

		cr_assert(pins->last || count == rx->octets, "only the last beat may be short");
		memcpy(given->octets + given->length, pins->data, count);
		given->length += count;
		given->ended = pins->last;
		given->bad = pins->user;
	}
	axis_rx_edge(rx, pins);
}

static void receive(struct axis_rx *rx, const uint8_t *octets, uint32_t length, struct given *given, uint64_t *seed)
{
	struct fpgauge_dut_pins pins = {.valid = 0};
	uint64_t value;
	uint8_t ctrl;

	memset(given, 0, sizeof(*given));
	for (unsigned i = 0; group_of(octets, length, i, &value, &ctrl); i++) {
		axis_rx_group(rx, value, ctrl);
		for (uint64_t edges = draw(seed, 9); edges > 0; edges--)
			edge(rx, &pins, draw(seed, 3) != 0, given);
	}
	for (unsigned i = 0; i < PATIENCE && !given->ended; i++)
		edge(rx, &pins, true, given);
}

Test(axis, a_frame_arrives_whole_at_every_width_and_a_bad_one_is_marked)
{
	uint64_t seed = 88172645463325252;
	struct axis_rx *rx = malloc(sizeof(*rx));
	uint8_t octets[MOST + LINE_GROUP_OCTETS];
	struct given given;

	for (unsigned width = 1; width <= 64; width++) {
		for (unsigned n = 0; n < 40; n++) {
			const bool bad = draw(&seed, 4) == 0, strips = draw(&seed, 2) == 0;
			const uint32_t length = make(octets, 1 + (uint32_t)draw(&seed, MOST - 4), bad, &seed);

			axis_rx_init(rx, width, strips, BUFFER);
			receive(rx, octets, length, &given, &seed);
			cr_assert(given.ended, "width %u, %u octets", width, length);
			cr_assert_eq(given.length, strips ? length - FCS_OCTETS : length, "width %u, %u octets", width,
			             length);
			cr_assert_eq(memcmp(given.octets, octets, given.length), 0);
			cr_assert_eq(given.bad, bad);
			cr_assert(axis_rx_rests(rx));
		}
	}
	free(rx);
}

Test(axis, what_finds_no_room_is_cut_off_and_marked)
{
	uint64_t seed = 1;
	struct axis_rx *rx = malloc(sizeof(*rx));
	uint8_t octets[MOST + LINE_GROUP_OCTETS], ctrl;
	struct fpgauge_dut_pins pins = {.valid = 0};
	struct given given = {.length = 0};
	uint64_t value;

	axis_rx_init(rx, 8, true, 256);
	const uint32_t length = make(octets, 1000, false, &seed);
	for (unsigned frame = 0; frame < 2; frame++)
		for (unsigned i = 0; group_of(octets, length, i, &value, &ctrl); i++)
			axis_rx_group(rx, value, ctrl);
	for (unsigned i = 0; i < PATIENCE && !given.ended; i++)
		edge(rx, &pins, true, &given);
	cr_assert(given.bad);
	cr_assert_eq(given.length, 256 - FCS_OCTETS);
	cr_assert_eq(memcmp(given.octets, octets, given.length), 0);
	cr_assert(axis_rx_rests(rx), "nothing of the second frame was stored, so it is lost whole");
	free(rx);
}

/* Sends a frame at one beat every `slow` groups, and reads it back from the line. Returns its length, or 0 if it broke
 * off. */
static uint32_t send(struct axis_tx *tx, const uint8_t *octets, uint32_t length, bool user, unsigned slow,
                     uint8_t *line)
{
	struct fpgauge_dut_pins pins = {.valid = 0};
	uint32_t given = 0, read = 0;
	uint64_t value;
	uint8_t ctrl;

	for (uint64_t group = 0; group < PATIENCE; group++) {
		for (unsigned i = 0; i < LINE_GROUP_OCTETS / tx->octets + 1 && group % slow == 0; i++) {
			const uint32_t count = length - given < tx->octets ? length - given : tx->octets;

			pins.valid = given < length;
			pins.keep = count != 0 ? UINT64_MAX >> (64 - count) : 0;
			pins.last = given + count == length;
			pins.user = pins.last && user;
			memcpy(pins.data, octets + given, count);
			given += pins.valid && pins.ready ? count : 0;
			cr_assert_null(axis_tx_edge(tx, &pins));
		}
		if (!axis_tx_group(tx, group * LINE_GROUP_OCTETS, &value, &ctrl) || ctrl == 1)
			continue;
		const unsigned count = ctrl != 0 ? (unsigned)__builtin_ctz(ctrl) : LINE_GROUP_OCTETS;

		memcpy(line + read, &value, count);
		read += count;
		if (ctrl != 0)
			return ((uint8_t *)&value)[count] == LINE_TERMINATE ? read : 0;
	}
	return 0;
}

Test(axis, a_frame_leaves_padded_with_its_fcs_and_breaks_off_if_it_is_to)
{
	uint64_t seed = 4101842887655102017;
	struct axis_tx *tx = malloc(sizeof(*tx));
	uint8_t octets[MOST + LINE_GROUP_OCTETS], line[MOST + 64];

	for (unsigned width = 1; width <= 64; width++) {
		for (unsigned n = 0; n < 20; n++) {
			const uint32_t length =
			        make(octets, 1 + (uint32_t)draw(&seed, MOST - 64), false, &seed) - FCS_OCTETS;
			const uint32_t padded = length < 60 ? 60 : length;
			const bool user = draw(&seed, 4) == 0, waits = draw(&seed, 2) == 0;

			axis_tx_init(tx, width, true, waits);
			const uint32_t sent = send(tx, octets, length, user, 1, line);

			cr_assert_eq(sent, user ? 0 : padded + FCS_OCTETS, "width %u, %u octets: %u", width, length,
			             sent);
			if (user)
				continue;
			cr_assert(line_has_right_fcs(line, sent));
			cr_assert_eq(memcmp(line, octets, length), 0);
		}
	}
	free(tx);
}

Test(axis, a_device_that_is_too_slow_breaks_its_frame_unless_the_mac_waits)
{
	uint64_t seed = 7;
	struct axis_tx *tx = malloc(sizeof(*tx));
	uint8_t octets[MOST + LINE_GROUP_OCTETS], line[MOST + 64];

	make(octets, 500, false, &seed);
	axis_tx_init(tx, 8, true, false);
	cr_assert_eq(send(tx, octets, 500, false, 3, line), 0);
	axis_tx_init(tx, 8, true, true);
	cr_assert_eq(send(tx, octets, 500, false, 3, line), 504);
	cr_assert_eq(memcmp(line, octets, 500), 0);
	free(tx);
}

Test(axis, a_beat_that_breaks_a_rule_is_named)
{
	static const struct {
		uint64_t keep;
		uint8_t last;
		const char *says;
	} beats[] = {{0, 1, "tkeep is 0"}, {0x5, 1, "hole"}, {0x7, 0, "not full"}, {0x7, 1, NULL}, {0xff, 0, NULL}};
	struct axis_tx *tx = malloc(sizeof(*tx));

	for (size_t i = 0; i < sizeof(beats) / sizeof(beats[0]); i++) {
		struct fpgauge_dut_pins pins = {.valid = 1, .ready = 1, .keep = beats[i].keep, .last = beats[i].last};

		axis_tx_init(tx, 8, true, false);
		const char *why = axis_tx_edge(tx, &pins);

		cr_assert_eq(why != NULL, beats[i].says != NULL);
		cr_assert(why == NULL || strstr(why, beats[i].says) != NULL, "%s", why);
	}
	free(tx);
}

Test(axis, what_waits_must_stay_as_it_is)
{
	const struct fpgauge_dut_pins first = {.valid = 1, .keep = 0x0f, .last = 1, .data = {1, 2, 3, 4, 5}};
	struct fpgauge_dut_pins next = first;
	struct axis_rules rules = {.waits = false};

	cr_assert_null(axis_rules_check(&rules, &first, 8));
	next.data[4] = 9; /* not kept: it does not count */
	cr_assert_null(axis_rules_check(&rules, &next, 8));
	next.data[0] = 9;
	cr_assert_not_null(axis_rules_check(&rules, &next, 8));
	rules = (struct axis_rules){.waits = true, .pins = first};
	next = first;
	next.last = 0;
	cr_assert_not_null(axis_rules_check(&rules, &next, 8));
	rules = (struct axis_rules){.waits = true, .pins = first};
	next = first;
	next.valid = 0;
	cr_assert_not_null(axis_rules_check(&rules, &next, 8));
	cr_assert_null(axis_rules_check(&rules, &next, 8), "then it no longer waits");
}
