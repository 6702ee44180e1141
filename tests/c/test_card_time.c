/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting on a card, against clocks that run at any pace, stand still, go back or are gone. The functions of device.h
 * that card_time.c uses are made here; the clock is the wall's, times a factor. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drivers/card_time.h"
#include "hw/regs/fpgauge_regs.h"

static const uint64_t OT_PER_S = UINT64_C(12500000000); /* 100G */

struct device {
	struct device_identity identity;
	double ratio;      /* device time a wall time */
	double began_s;    /* of the wall */
	uint64_t began_ot; /* what the clock said then */
	uint64_t looks;
	uint64_t stops_after, goes_back_after, gone_after; /* looks; 0: never */
	uint64_t last_ot;
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

int device_read64(struct device *device, uint32_t address, uint64_t *value, struct error *error)
{
	cr_assert_eq(address, FPGAUGE_GLOBAL_TIME);
	device->looks++;
	if (device->gone_after && device->looks > device->gone_after)
		return error_set(error, ERROR_DEVICE, "fake card: the device is gone");
	if (device->goes_back_after && device->looks > device->goes_back_after)
		device->last_ot = 0;
	else if (!device->stops_after || device->looks <= device->stops_after)
		device->last_ot =
		        device->began_ot + (uint64_t)((wall_s() - device->began_s) * device->ratio * (double)OT_PER_S);
	*value = device->last_ot;
	return 0;
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

/* The count of looks, not the time that it took: machines are busy. */
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
	/* 200 ms in sleeps up to 5 ms, the first eight shorter; the last ones shrink again to 20 us */
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
