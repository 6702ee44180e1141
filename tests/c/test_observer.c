/* SPDX-License-Identifier: Apache-2.0 */
/* Two programs on one card: one drives it, as a trial does, and one looks on with live_read(). The functions of
 * device.h are implemented here over a card with one set of frozen counters, a time register that is read as in
 * csr_global.v, and one lock. Before each access of the observer the driver makes a random number of its own, so that
 * after some thousand looks every order of their accesses has occurred. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/trial/device/live_counters.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/seed.h"

enum { PORTS = 2, LOOKS = 3000, MOST_STEPS = 40 };

/* The next thing that the driver does. */
enum driver_state { AWAY, WAITS, READS };

struct device { /* the card, as the observer sees it */
	struct device_identity identity;
	uint64_t now_ot, frozen_ot;
	uint64_t random;
	bool driven, claimed;
	enum driver_state state;
	unsigned next_counter;    /* next counter that the driver reads */
	uint64_t driver_froze_ot; /* time by its own snapshot */
	unsigned busy;            /* out of 8: how often the driver has something to do */
	uint64_t driver_trials, looks_beside, looks_alone;
};

static uint64_t next_random(struct device *card)
{
	card->random ^= card->random << 13;
	card->random ^= card->random >> 7;
	card->random ^= card->random << 17;
	return card->random >> 16;
}

/* The value of counter `index` of a port at a time: different for every counter and time, and beyond 32 bits. */
static uint64_t counter_at(uint64_t time_ot, unsigned port, unsigned index)
{
	return time_ot * (UINT64_C(0x100000001) + 2 * (port * FPGAUGE_COUNTER_COUNT + index));
}

static void freeze(struct device *card)
{
	card->frozen_ot = card->now_ot;
}

/* Makes one access of the driver, or none. The driver takes snapshots and reads all counters, which assumes that it is
 * alone. */
static void drive(struct device *card)
{
	enum { COUNTERS = PORTS * FPGAUGE_COUNTER_COUNT };

	card->now_ot += next_random(card) % (UINT64_C(1) << 30);
	if (card->state == AWAY) {
		card->driven = !card->claimed && next_random(card) % 4 == 0;
		card->state = card->driven ? WAITS : AWAY;
	} else if (card->state == WAITS) {
		if (next_random(card) % 64 == 0) {
			card->state = AWAY;
			card->driven = false;
		} else if (next_random(card) % 16 == 0) {
			freeze(card);
			card->driver_froze_ot = card->now_ot;
			card->next_counter = 0;
			card->state = READS;
		}
	} else {
		cr_assert_eq(counter_at(card->frozen_ot, card->next_counter / FPGAUGE_COUNTER_COUNT,
		                        card->next_counter % FPGAUGE_COUNTER_COUNT),
		             counter_at(card->driver_froze_ot, card->next_counter / FPGAUGE_COUNTER_COUNT,
		                        card->next_counter % FPGAUGE_COUNTER_COUNT),
		             "the driver reads what another program froze");
		if (++card->next_counter == COUNTERS) {
			card->state = WAITS;
			card->driver_trials++;
		}
	}
}

/* Usually nothing, so that the driver leaves room for a look; otherwise anything from one access to a whole trial. */
static void between_accesses(struct device *card)
{
	unsigned steps = next_random(card) % 64 < card->busy ? 1 + (unsigned)(next_random(card) % MOST_STEPS) : 0;

	while (steps-- > 0)
		drive(card);
	card->now_ot += 8;
}

/* -- device.h ------------------------------------------------------------------------------------------------------ */

const struct device_identity *device_identity(const struct device *device)
{
	return &device->identity;
}

static uint64_t frozen_register(const struct device *card, uint32_t address)
{
	for (unsigned port = 0; port < PORTS; port++)
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			if ((address & ~UINT32_C(4)) == FPGAUGE_COUNTER(port, i))
				return counter_at(card->frozen_ot, port, i);
	cr_assert_eq(address & ~UINT32_C(4), FPGAUGE_GLOBAL_SNAPSHOT_TIME, "0x%x is not for observers", address);
	return card->frozen_ot;
}

int device_read32(struct device *device, uint32_t address, uint32_t *value, struct error *error)
{
	(void)error;
	between_accesses(device);
	if (address == FPGAUGE_GLOBAL_ID)
		*value = FPGAUGE_MAP_ID;
	else
		*value = (uint32_t)(frozen_register(device, address) >> (address & 4) * 8);
	return 0;
}

int device_write32(struct device *device, uint32_t address, uint32_t value, struct error *error)
{
	(void)error;
	between_accesses(device);
	cr_assert(address == FPGAUGE_GLOBAL_CONTROL && value == FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	cr_assert_not(device->driven, "a snapshot while another program drives the card");
	freeze(device);
	return 0;
}

int device_read64(struct device *device, uint32_t address, uint64_t *value, struct error *error)
{
	uint32_t low = 0, high = 0;

	device_read32(device, address, &low, error);
	device_read32(device, address + 4, &high, error);
	*value = (uint64_t)high << 32 | low;
	return 0;
}

int device_write64(struct device *device, uint32_t address, uint64_t value, struct error *error)
{
	(void)error;
	cr_assert_fail("%s: 0x%x = %llu", device->identity.name, address, (unsigned long long)value);
	return 0;
}

int device_claim(struct device *device, bool *claimed, struct error *error)
{
	(void)error;
	between_accesses(device);
	*claimed = device->claimed = !device->driven;
	return 0;
}

void device_release(struct device *device)
{
	device->claimed = false;
}

int device_wait(struct device *device, uint64_t octet_times, struct error *error)
{
	(void)error;
	for (uint64_t i = 0; i < octet_times >> 17; i++)
		drive(device);
	return 0;
}

/* -- cases --------------------------------------------------------------------------------------------------------- */

static struct device make_card(unsigned busy)
{
	struct device card = {.identity = {.name = "card", .ports = PORTS, .link_bps = UINT64_C(100000000000)},
	                      .now_ot = UINT64_C(0xfffff0000),
	                      .random = test_seed() | 1,
	                      .busy = busy};

	return card;
}

static void expect_one_instant(struct device *card, const struct live_snapshot *snapshot)
{
	for (unsigned port = 0; port < PORTS; port++)
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			cr_assert_eq(live_counter(&snapshot->port[port], i), counter_at(snapshot->time_ot, port, i),
			             "counter %u of port %u is of another time", i, port);
	if (card->driven)
		card->looks_beside++;
	else
		card->looks_alone++;
}

Test(observer, neither_sees_what_the_other_does)
{
	static struct live_snapshot snapshot;
	struct device card = make_card(1);
	struct error error = {0};
	unsigned given_up = 0;

	for (unsigned i = 0; i < LOOKS; i++) {
		if (live_read(&card, &snapshot, &error) == 0)
			expect_one_instant(&card, &snapshot);
		else
			given_up++;
		cr_assert_not(card.claimed, "the look is over, and the driver still waits for it");
	}
	cr_expect_gt(card.driver_trials, LOOKS / 20);
	cr_expect_gt(card.looks_beside, LOOKS / 20);
	cr_expect_gt(card.looks_alone, LOOKS / 20);
	cr_expect_leq(given_up, LOOKS / 100, "%u of %d looks were given up", given_up, LOOKS);
}

Test(observer, a_driver_that_never_rests_is_given_up_with_a_word)
{
	static struct live_snapshot snapshot;
	struct device card = make_card(64);
	struct error error = {0};
	int result = 0;

	for (unsigned i = 0; i < 100 && result == 0; i++)
		result = live_read(&card, &snapshot, &error);
	cr_assert_eq(result, ERROR_DEVICE);
	cr_expect_not_null(strstr(error.text, "takes snapshots faster than one can be read"), "%s", error.text);
}
