// SPDX-License-Identifier: Apache-2.0
/* Unexpected frames, kept by the simulated core for the host: one without a signature is sent between test frames at
 * line rate, and read at the other end of a wire, octet for octet, with its time. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/fcs.h"
#include "tests/sim/traffic.h"

enum {
	US_OT = 12500, /* octet times per microsecond at 100G */
	LATENCY_OT = 10000,
	FRAMES = 400,
	OCTETS = 64,
	PLACE_OCTETS = OCTETS + 20,
	HEADER_OCTETS = 64,
	BODY_OCTETS = 64,
	FLOW = 9,
	BODY = 77, /* entry of the table of bodies */
	UNSIGNED = 1,
	LONGEST = 512,
};

enum { OWN = 1, BROADCAST = 2, GROUPS = 4, ANYONE = 8, ANY_TYPE = 16 }; /* rx_mail_filter */

/* Line rate, one way: port 1 hears nothing else. */
static const struct sent_traffic LINE_RATE = {.frame_octets = OCTETS, .stop_frames = FRAMES, .one_way = true};

static struct device *open_wire(void)
{
	const char *library = getenv("FPGAUGE_TEST_LIBRARY");

	return traffic_open(library != NULL ? library : "rtl",
	                    (const char *const[]){"dut.model=wire", "dut.latency_ns=800", NULL});
}

static uint64_t counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

/* An ARP request, and behind it, in longer frames, anything. */
static void make_frame(uint8_t *frame, uint32_t octets)
{
	static const uint8_t request[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,   1,  8, 6,
	                                  0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,   0,  0, 1,
	                                  198,  18,   0,    1,    0,    0,    0, 0, 0, 0, 198, 18, 0, 2};
	uint32_t fcs;

	memset(frame, 0, octets);
	memcpy(frame, request, sizeof(request));
	for (uint32_t i = HEADER_OCTETS; i < HEADER_OCTETS + 2 * BODY_OCTETS && i < octets; i++)
		frame[i] = (uint8_t)(i * 37 + i / 64);
	for (uint32_t i = HEADER_OCTETS + 2 * BODY_OCTETS; i < octets; i++)
		frame[i] = (uint8_t)i; /* the counting payload goes on */
	fcs = fcs_of(frame, octets - FCS_OCTETS);
	put_le(frame + octets - FCS_OCTETS, fcs, FCS_OCTETS);
}

static void write_flow(struct device *device)
{
	uint8_t frame[LONGEST];

	make_frame(frame, LONGEST);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(0), FLOW);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_PAYLOAD(0), 0);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_BODY(0), 2 << 16 | BODY);
	for (uint32_t word = 0; word < HEADER_OCTETS / 4; word++)
		traffic_write32(device, FPGAUGE_PORT_TX_HEADER(0) + 4 * word,
		                (uint32_t)get_le(frame + 4 * (size_t)word, 4));
	for (uint32_t body = 0; body < 2; body++) {
		traffic_write32(device, FPGAUGE_PORT_TX_BODY_INDEX(0), BODY + body);
		for (uint32_t word = 0; word < BODY_OCTETS / 4; word++)
			traffic_write32(
			        device, FPGAUGE_PORT_TX_BODY(0) + 4 * word,
			        (uint32_t)get_le(frame + HEADER_OCTETS + BODY_OCTETS * (size_t)body + 4 * (size_t)word,
			                         4));
	}
}

/* Runs one trial, in which unexpected frames are sent after some time, of these lengths. */
static void run(struct device *device, uint32_t filter, uint16_t type, const uint32_t *lengths, unsigned count)
{
	traffic_prepare(device, &LINE_RATE);
	write_flow(device);
	traffic_write32(device, FPGAUGE_PORT_TX_TAG_ENABLE(0), 1); /* all */
	traffic_write64(device, FPGAUGE_PORT_TX_TAG_FIRST(0), 0);
	traffic_write64(device, FPGAUGE_PORT_TX_TAG_INTERVAL(0), 1);
	traffic_write64(device, FPGAUGE_PORT_RX_MAIL_TYPES(1), (uint64_t)type << 32);
	traffic_write64(device, FPGAUGE_PORT_RX_MAIL_ADDRESS(1), 0);
	traffic_write32(device, FPGAUGE_PORT_RX_MAIL_FILTER(1), filter);
	traffic_start(device);
	for (unsigned i = 0; i < count; i++) {
		traffic_wait(device, US_OT / 4);
		traffic_write32(device, FPGAUGE_PORT_TX_SEND(0), UNSIGNED << 24 | lengths[i] << 8 | FLOW);
	}
	cr_assert(traffic_wait_sent(device, US_OT, 1000 * US_OT));
	traffic_wait(device, 10 * US_OT);
	traffic_snapshot(device);
	cr_assert_leq(counter(device, 0, FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS), 12 + 7, "not sent at line rate");
	cr_assert_eq(counter(device, 1, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES), count);
}

/* Reads the oldest frame and gives it back; returns its time. */
static uint64_t read_frame(struct device *device, uint32_t octets)
{
	const uint64_t time_ot = traffic_read64(device, FPGAUGE_PORT_RX_MAIL_TIME(1));
	uint8_t frame[LONGEST];

	make_frame(frame, octets);
	cr_assert_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(1)), octets);
	for (uint32_t i = 0; i < octets; i++) {
		uint32_t word;

		traffic_write32(device, FPGAUGE_PORT_RX_MAIL_INDEX(1), i / 4);
		word = traffic_read32(device, FPGAUGE_PORT_RX_MAIL_DATA(1));
		cr_assert_eq((uint8_t)(word >> 8 * (i % 4)), frame[i], "octet %u of %u is %02x, not %02x", i, octets,
		             (uint8_t)(word >> 8 * (i % 4)), frame[i]);
	}
	traffic_write32(device, FPGAUGE_PORT_RX_MAIL_NEXT(1), 1);
	return time_ot;
}

static uint64_t start_of_place(uint64_t place)
{
	return place * PLACE_OCTETS / 8 * 8;
}

/* Every test frame is tagged, so the place without one is that of the other frame. */
static uint64_t place_of_other(struct device *device)
{
	uint64_t first_ot = 0;

	for (uint32_t i = 0; i < FRAMES; i++) {
		uint64_t time_ot;

		traffic_write32(device, FPGAUGE_PORT_RX_TAG_INDEX(1), i);
		time_ot = traffic_read64(device, FPGAUGE_PORT_RX_TAG_TIME(1));
		first_ot = i == 0 ? time_ot : first_ot;
		if (time_ot != first_ot + start_of_place(i))
			return i;
	}
	return FRAMES;
}

Test(rtl_mail, a_frame_between_test_frames_is_read_octet_for_octet_with_its_time)
{
	struct device *device = open_wire();
	uint64_t place, time_ot;

	run(device, BROADCAST, 0x0806, (const uint32_t[]){OCTETS}, 1);
	place = place_of_other(device);
	cr_assert(place > 10 && place < FRAMES - 10, "place %" PRIu64, place);
	cr_expect_eq(counter(device, 1, FPGAUGE_COUNTER_RX_MAIL_FRAMES), 1);
	cr_expect_eq(counter(device, 1, FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES), 0);
	time_ot = read_frame(device, OCTETS);
	cr_expect_eq(time_ot, traffic_read64(device, FPGAUGE_GLOBAL_START_TIME) + start_of_place(place) + LATENCY_OT,
	             "it came at %" PRIu64 ", in place %" PRIu64, time_ot, place);
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(1)), 0, "it has been given back");
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(0)), 0);
	device_close(device);
}

Test(rtl_mail, frames_of_several_lengths_are_read_in_order)
{
	static const uint32_t lengths[] = {65, 132, 191, 301, LONGEST, OCTETS};
	enum { COUNT = sizeof(lengths) / sizeof(*lengths) };
	struct device *device = open_wire();
	uint64_t before = 0;

	run(device, ANYONE | ANY_TYPE, 0, lengths, COUNT);
	cr_expect_eq(counter(device, 1, FPGAUGE_COUNTER_RX_MAIL_FRAMES), COUNT);
	for (unsigned i = 0; i < COUNT; i++) {
		const uint64_t time_ot = read_frame(device, lengths[i]);

		cr_expect(time_ot > before, "%" PRIu64 " after %" PRIu64, time_ot, before);
		before = time_ot;
	}
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(1)), 0);
	device_close(device);
}

Test(rtl_mail, a_clear_empties_the_box)
{
	struct device *device = open_wire();

	run(device, BROADCAST | ANY_TYPE, 0, (const uint32_t[]){OCTETS, OCTETS}, 2);
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(1)), OCTETS);
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(1)), 0);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_MAIL_TIME(1)), 0);
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_DATA(1)), 0);
	device_close(device);
}

/* Reads what a trial counts with this filter. Nothing is kept. */
static void count_without(uint32_t filter, uint64_t counts[FPGAUGE_COUNTER_COUNT])
{
	struct device *device = open_wire();

	run(device, filter, 0x88cc, (const uint32_t[]){OCTETS, 132}, 2);
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
		counts[i] = counter(device, 1, i);
	cr_expect_eq(counts[FPGAUGE_COUNTER_RX_MAIL_FRAMES], 0);
	cr_expect_eq(counts[FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES], 0);
	cr_expect_eq(traffic_read32(device, FPGAUGE_PORT_RX_MAIL_OCTETS(1)), 0, "filter %u", filter);
	device_close(device);
}

Test(rtl_mail, a_filter_changes_no_other_counter)
{
	uint64_t off[FPGAUGE_COUNTER_COUNT], counts[FPGAUGE_COUNTER_COUNT];
	struct device *device = open_wire();

	count_without(0, off);
	cr_expect_eq(off[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES], FRAMES - 2); /* two places went to the others */
	cr_expect_eq(off[FPGAUGE_COUNTER_RX_LOST_FRAMES], 0);
	cr_expect_eq(off[FPGAUGE_COUNTER_RX_BAD_FRAMES], 0);
	count_without(OWN | GROUPS | ANY_TYPE, counts);
	cr_expect_arr_eq(counts, off, sizeof(off), "another destination");
	count_without(BROADCAST | ANYONE, counts);
	cr_expect_arr_eq(counts, off, sizeof(off), "another type");
	run(device, ANYONE | ANY_TYPE, 0x88cc, (const uint32_t[]){OCTETS, 132}, 2);
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
		cr_expect_eq(counter(device, 1, i), i == FPGAUGE_COUNTER_RX_MAIL_FRAMES ? 2 : off[i], "counter %u", i);
	device_close(device);
}
