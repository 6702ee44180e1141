// SPDX-License-Identifier: Apache-2.0
/* The twin with every number of ports: pairs beside each other, and the last port of an odd number alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum {
	LEAST_PORTS = 2,
	MOST_PORTS = FPGAUGE_MAX_PORTS,
	STREAMS = 256, /* streams of a source */
	WORD_OCTETS = 64,
	DURATION_OT = 200000,
	SETTLE_OT = 100000,
	PERIOD_OT = 84, /* 64 octets at line rate */
	FRAMES = (DURATION_OT + PERIOD_OT - 1) / PERIOD_OT,
};

static uint64_t counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

static struct device *open_with(unsigned ports, const char *option)
{
	char setting[32];

	snprintf(setting, sizeof(setting), "device.ports=%u", ports);
	return traffic_open(TWIN_LIBRARY, (const char *const[]){setting, "dut.model=fifo", option, NULL});
}

static void play(struct device *device, uint64_t duration_ot)
{
	traffic_start(device);
	traffic_wait(device, duration_ot + SETTLE_OT);
	traffic_snapshot(device);
}

static bool is_paired(unsigned port, unsigned ports)
{
	return (port ^ 1) < ports;
}

/* Returns what port `port` has received of stream 0 of a source. */
static uint64_t received_of(struct device *device, unsigned port, unsigned source)
{
	traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(port), source * STREAMS);
	return traffic_read64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(port));
}

static void expect_port(struct device *device, unsigned port, unsigned ports)
{
	const uint64_t frames = is_paired(port, ports) ? FRAMES : 0;

	cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_TX_FRAMES), FRAMES, "port %u of %u", port, ports);
	cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), frames, "port %u of %u", port, ports);
	cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_FRAMES), frames, "port %u of %u", port, ports);
	for (unsigned source = 0; source < ports; source++)
		cr_expect_eq(received_of(device, port, source), source == (port ^ 1) ? frames : 0,
		             "port %u of %u, of %u", port, ports, source);
}

Test(twin_ports, every_number_of_ports_has_that_many_and_carries_frames_in_pairs)
{
	const struct sent_traffic traffic = {.frame_octets = 64, .duration_ot = DURATION_OT};

	for (unsigned ports = LEAST_PORTS; ports <= MOST_PORTS; ports++) {
		struct device *device = open_with(ports, NULL);
		struct error error;
		uint32_t value;

		cr_assert_eq(device_identity(device)->ports, ports);
		traffic_prepare(device, &traffic);
		play(device, DURATION_OT);
		for (unsigned port = 0; port < ports; port++)
			expect_port(device, port, ports);
		cr_expect_neq(device_read32(device, FPGAUGE_PORT_TX_FLOWS(ports), &value, &error), 0);
		cr_expect(strstr(error.text, "refuses to read") != NULL, "%s", error.text);
		traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(0), ports * STREAMS);
		cr_expect(ports == MOST_PORTS ||
		          device_read32(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(0), &value, &error) != 0);
		device_close(device);
	}
}

Test(twin_ports, the_last_port_of_an_odd_number_hears_itself_in_loopback)
{
	const struct sent_traffic traffic = {.frame_octets = 64, .duration_ot = DURATION_OT};
	const unsigned ports = 5, last = ports - 1;
	struct device *device = open_with(ports, NULL);

	traffic_prepare(device, &traffic);
	traffic_write32(device, FPGAUGE_PORT_LOOPBACK(last), 1);
	traffic_write32(device, FPGAUGE_PORT_RX_EXPECTED(last) + 4 * 8 * last, 1);
	play(device, DURATION_OT);
	cr_expect_eq(counter(device, last, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), FRAMES);
	cr_expect_eq(received_of(device, last, last), FRAMES);
	cr_expect_eq(counter(device, last, FPGAUGE_COUNTER_RX_LATENCY_MAX), 0, "a wire without delay");
	for (unsigned port = 0; port < last; port++)
		cr_expect_eq(received_of(device, port, port ^ 1), FRAMES);
	device_close(device);
}

/* The table of streams is cleared entry by entry, and is the longest from 5 ports on. */
Test(twin_ports, clearing_takes_a_clock_for_each_stream_of_as_many_ports_as_the_next_power_of_two)
{
	static const struct {
		unsigned ports;
		uint64_t words;
	} rows[] = {{2, 1024}, {3, 1024}, {4, 1024}, {5, 2048}, {8, 2048}, {9, 4096}, {16, 4096}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct device *device = open_with(rows[i].ports, NULL);
		uint64_t begin_ot, now_ot;
		struct error error;

		traffic_wait(device, 2 * 4096 * WORD_OCTETS);
		traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
		cr_assert_eq(device_now(device, &begin_ot, &error), 0);
		do
			cr_assert_eq(device_now(device, &now_ot, &error), 0);
		while (traffic_read32(device, FPGAUGE_GLOBAL_STATUS) & FPGAUGE_GLOBAL_STATUS_CLEARING);
		/* The read that sees the end, and how the strobe and the status lag. */
		cr_expect((now_ot - begin_ot) / WORD_OCTETS >= rows[i].words - 16 &&
		                  (now_ot - begin_ot) / WORD_OCTETS <= rows[i].words + 16,
		          "%u ports: %u words", rows[i].ports, (unsigned)((now_ot - begin_ot) / WORD_OCTETS));
		device_close(device);
	}
}

Test(twin_ports, jumps_give_what_playing_gives_on_sixteen_ports)
{
	const uint64_t duration_ot = UINT64_C(12500000);
	const struct sent_traffic traffic = {.frame_octets = 64,
	                                     .duration_ot = duration_ot,
	                                     .destinations = 3,
	                                     .gap_octets = 12,
	                                     .bad_fcs_every = 1000};
	struct device *jumps = open_with(MOST_PORTS, "dut.service_fps=100M");
	struct device *plays =
	        traffic_open(TWIN_LIBRARY, (const char *const[]){"device.ports=16", "dut.model=fifo",
	                                                         "dut.service_fps=100M", "device.jumps=false", NULL});

	traffic_prepare(jumps, &traffic);
	traffic_prepare(plays, &traffic);
	play(jumps, duration_ot);
	play(plays, duration_ot);
	for (unsigned port = 0; port < MOST_PORTS; port++) {
		for (unsigned which = 0; which < FPGAUGE_COUNTER_COUNT; which++)
			cr_expect_eq(counter(jumps, port, which), counter(plays, port, which), "port %u counter %u",
			             port, which);
		cr_expect_eq(received_of(jumps, port, port ^ 1), received_of(plays, port, port ^ 1));
		cr_expect(counter(plays, port, FPGAUGE_COUNTER_RX_LOST_FRAMES) > 1000);
	}
	device_close(jumps);
	device_close(plays);
}

Test(twin_ports, other_numbers_are_refused)
{
	static const char *const refused[] = {"0", "1", "17", "x", "2.5", "-2", ""};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const struct device_option option = {"device.ports", refused[i]};
		const struct device_config config = {
		        .backend = "sim", .library = TWIN_LIBRARY, .options = &option, .option_count = 1};
		const char *bad_option = NULL;
		struct device *device;
		struct error error;

		cr_assert_eq(device_open(&config, &device, &bad_option, &error), ERROR_PLAN, "%s", refused[i]);
		cr_expect_str_eq(bad_option, "device.ports");
		cr_expect(strstr(error.text, "2 to 16") != NULL, "%s", error.text);
	}
}
