/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting on a card whose clock runs at any pace, stands still, goes back, disappears, or is read by another program
 * too. The functions of device.h that card_time.c uses are implemented here; the clock is wall time multiplied by a
 * factor, or advances at each access by as much as a test says. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drivers/card_time.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/seed.h"

static const uint64_t OT_PER_S = UINT64_C(12500000000); /* 100G */

struct device {
	struct device_identity identity;
	double ratio;                                      /* device time per wall time */
	double began_s;                                    /* start in wall time */
	uint64_t began_ot;                                 /* the clock's reading then */
	uint64_t looks;                                    /* reads of the low word */
	uint64_t stops_after, goes_back_after, gone_after; /* looks; 0: never */
	uint64_t last_ot;
	uint32_t held; /* the high word, as latched for all programs by the last read of the low word */
	/* Called before each access; NULL: the clock follows wall time. True: another program then reads the low
	 * word. */
	bool (*step)(struct device *device);
	uint64_t accesses;
	uint64_t script; /* state of step() */
};

static double wall_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct device make(double ratio)
{
	struct device device = {.ratio = ratio, .began_s = wall_s(), .began_ot = UINT64_C(0xfffffff0)};

	strcpy(device.identity.name, "fake card");
	device.identity.link_bps = OT_PER_S * 8;
	return device;
}

const struct device_identity *device_identity(const struct device *device)
{
	return &device->identity;
}

/* Reads the low word of the current time; the high word is kept in `held`. */
static int read_low(struct device *device, uint32_t *value, struct error *error)
{
	device->looks++;
	if (device->gone_after && device->looks > device->gone_after)
		return error_set(error, ERROR_DEVICE, "fake card: the device is gone");
	if (device->goes_back_after && device->looks > device->goes_back_after)
		device->last_ot = 0;
	else if (!device->step && (!device->stops_after || device->looks <= device->stops_after))
		device->last_ot =
		        device->began_ot + (uint64_t)((wall_s() - device->began_s) * device->ratio * (double)OT_PER_S);
	device->held = (uint32_t)(device->last_ot >> 32);
	*value = (uint32_t)device->last_ot;
	return 0;
}

/* Reads the time as csr_global.v does. */
int device_read32(struct device *device, uint32_t address, uint32_t *value, struct error *error)
{
	device->accesses++;
	if (device->step && device->step(device))
		device->held = (uint32_t)(device->last_ot >> 32);
	if (address == FPGAUGE_GLOBAL_TIME)
		return read_low(device, value, error);
	cr_assert_eq(address, FPGAUGE_GLOBAL_TIME + 4);
	*value = device->held;
	return 0;
}

int device_read64(struct device *device, uint32_t address, uint64_t *value, struct error *error)
{
	uint32_t low = 0, high = 0;
	int result = device_read32(device, address, &low, error);

	if (result == 0)
		result = device_read32(device, address + 4, &high, error);
	*value = (uint64_t)high << 32 | low;
	return result;
}

static void expect_waited(double ratio, uint64_t octet_times)
{
	struct device device = make(ratio);
	struct error error = {0};
	uint64_t before, after;

	cr_assert_eq(card_now(&device, &before, &error), 0);
	cr_assert_eq(card_wait(&device, octet_times, &error), 0, "%s", error.text);
	cr_assert_eq(card_now(&device, &after, &error), 0);
	cr_expect_geq(after - before, octet_times, "ratio %g: waited %llu of %llu", ratio,
	              (unsigned long long)(after - before), (unsigned long long)octet_times);
}

Test(card_time, no_wait_ends_before_its_time_whatever_the_pace_of_the_card)
{
	static const double ratios[] = {0.001, 0.1, 1, 1000};
	static const uint64_t waits[] = {1, 328, 4096, 1 << 20};

	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++)
		for (size_t k = 0; k < sizeof(waits) / sizeof(waits[0]); k++)
			expect_waited(ratios[i], waits[k]);
}

/* Counts reads, not the time they took: machines are busy. */
Test(card_time, two_seconds_of_a_fast_card_cost_a_few_looks)
{
	struct device device = make(1000);
	struct error error = {0};

	cr_assert_eq(card_wait(&device, 2 * OT_PER_S, &error), 0, "%s", error.text);
	cr_expect_leq(device.looks, 20, "%llu looks", (unsigned long long)device.looks);
}

Test(card_time, a_long_wait_is_slept_and_not_polled)
{
	struct device device = make(1);
	struct error error = {0};

	cr_assert_eq(card_wait(&device, OT_PER_S / 5, &error), 0, "%s", error.text);
	/* 200 ms in sleeps of up to 5 ms, the first eight shorter; the last ones shrink again to 20 us */
	cr_expect_leq(device.looks, 200, "%llu looks", (unsigned long long)device.looks);
}

Test(card_time, nothing_to_wait_for_is_no_look)
{
	struct device device = make(1);
	struct error error = {0};

	cr_expect_eq(card_wait(&device, 0, &error), 0);
	cr_expect_eq(device.looks, 0);
}

static void expect_error(struct device device, uint64_t octet_times, const char *says)
{
	struct error error = {0};

	cr_assert_eq(card_wait(&device, octet_times, &error), ERROR_DEVICE);
	cr_expect(strstr(error.text, says) != NULL, "%s", error.text);
}

Test(card_time, a_clock_that_stands_still_is_an_error_that_says_where)
{
	struct device device = make(1);

	device.stops_after = 3;
	expect_error(device, OT_PER_S, "fake card: its clock stands still at 4");
}

Test(card_time, a_clock_that_goes_back_is_a_card_that_was_reset)
{
	struct device device = make(1);

	device.goes_back_after = 2;
	expect_error(device, OT_PER_S, "to 0 octet times: the card was reset");
}

Test(card_time, a_card_that_goes_in_mid_wait_ends_it)
{
	struct device device = make(1);

	device.gone_after = 4;
	expect_error(device, 10 * OT_PER_S, "the device is gone");
}

Test(card_time, an_error_of_the_first_look_is_passed_on)
{
	struct device device = make(1);
	struct error error = {0};

	device.gone_after = 1;
	device.looks = 1;
	cr_expect_eq(card_wait(&device, 1, &error), ERROR_DEVICE);
}

/* -- two programs -------------------------------------------------------------------------------------------------- */

/* Three bits of the script say what happens before an access. Two of them: nothing, a moment passes, the clock passes
 * the end of its low word, or does so twice. The third: the other program then reads the low word. */
enum { SCRIPT_BITS = 3, SCRIPT_ACCESSES = 6 };

static bool step_by_script(struct device *device)
{
	static const uint64_t advances_ot[] = {0, 64, UINT64_C(1) << 31, UINT64_C(1) << 33};
	unsigned step = device->script & 7;

	device->script >>= SCRIPT_BITS;
	device->last_ot += advances_ot[step & 3];
	return (step & 4) != 0;
}

/* A time read is one that the clock had between the beginning and the end of the reading. */
Test(card_time, a_time_read_beside_another_reader_is_the_time_whatever_order_their_accesses_have)
{
	for (uint64_t script = 0; script < UINT64_C(1) << SCRIPT_BITS * SCRIPT_ACCESSES; script++) {
		struct device device = {.step = step_by_script, .last_ot = UINT64_C(0x5ffffff00), .script = script};
		struct device_clock clock = {0};
		struct error error = {0};

		device.held = 5;
		cr_assert_eq(device_read_clock(&device, &clock, &error), 0);
		cr_assert(clock.octet_times >= UINT64_C(0x5ffffff00) && clock.octet_times <= device.last_ot,
		          "script %llo: %llx is not within 5ffffff00 to %llx", (unsigned long long)script,
		          (unsigned long long)clock.octet_times, (unsigned long long)device.last_ot);
	}
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Advances by up to a third of the low word's range per access, with the other reader always present. */
static bool step_at_random(struct device *device)
{
	uint64_t random = next_random(&device->script);

	device->last_ot += random % (UINT64_C(1) << 32) / 3;
	return (random >> 40 & 1) != 0;
}

Test(card_time, a_wait_beside_another_reader_ends_neither_early_nor_with_a_reset)
{
	uint64_t seed = test_seed() | 1;

	for (unsigned trial = 0; trial < 300; trial++) {
		struct device device = {
		        .step = step_at_random, .last_ot = next_random(&seed) >> 16, .script = next_random(&seed)};
		uint64_t before_ot = device.last_ot, wait_ot = next_random(&seed) >> 29;
		struct error error = {0};

		/* Faster than any sleep. */
		strcpy(device.identity.name, "fake card");
		device.identity.link_bps = UINT64_C(1) << 62;
		cr_assert_eq(card_wait(&device, wait_ot, &error), 0, "trial %u: %s", trial, error.text);
		cr_assert_geq(device.last_ot - before_ot, wait_ot, "trial %u ended early", trial);
	}
}

Test(card_time, a_clock_whose_high_word_never_holds_still_is_read_all_the_same)
{
	struct device device = make(1e8);
	struct device_clock clock = {0};
	struct error error = {0};

	cr_assert_eq(device_read_clock(&device, &clock, &error), 0);
	cr_expect_leq(device.accesses, 300);
	cr_expect_eq(clock.octet_times, device.last_ot);
}
