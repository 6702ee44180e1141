// SPDX-License-Identifier: Apache-2.0
/* A switch at the ports of the simulated core: what it floods is counted as unexpected where it should not arrive, and
 * only there. FPGAUGE_TEST_LIBRARY names a library of more than two ports, found through FPGAUGE_LIBRARY_PATH. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum { US_OT = 12500 /* octet times per microsecond at 100G */, FRAMES = 160, STREAMS_A_PORT = 256 };

static struct device *open_switch(void)
{
	const char *library = getenv("FPGAUGE_TEST_LIBRARY");

	return traffic_open(library != NULL ? library : "rtl",
	                    (const char *const[]){"dut.model=switch", "dut.latency_ns=800", NULL});
}

/* All ports send, or one, to the address of its partner from its own address. */
static void send(struct device *device, int only, uint32_t octets, uint32_t bad_fcs_every)
{
	const struct sent_traffic traffic = {
	        .frame_octets = octets, .stop_frames = FRAMES, .bad_fcs_every = bad_fcs_every, .gap_octets = 28};
	const unsigned ports = device_identity(device)->ports;

	traffic_prepare(device, &traffic);
	for (unsigned port = 0; port < ports; port++) {
		const uint8_t addresses[12] = {2, 0, 0, 0, 0, (uint8_t)(port ^ 1), 2, 0, 0, 0, 0, (uint8_t)port};

		traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(port), only < 0 || port == (unsigned)only);
		traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(port), 0);
		for (unsigned word = 0; word < sizeof(addresses) / 4; word++) {
			uint32_t value;

			memcpy(&value, addresses + 4 * (size_t)word, sizeof(value));
			traffic_write32(device, FPGAUGE_PORT_TX_HEADER(port) + 4 * word, value);
		}
	}
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, 10 * US_OT, UINT64_C(100000) * US_OT));
	traffic_wait(device, 40 * US_OT);
	traffic_snapshot(device);
}

static uint64_t counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

/* Expects what a port has of the stream of another one. */
static void expect(struct device *device, unsigned port, unsigned from, uint64_t received, uint64_t unexpected)
{
	traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(port), from * STREAMS_A_PORT);
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(port)), received,
	             "port %u from %u: %" PRIu64, port, from,
	             traffic_read64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(port)));
	cr_expect_eq(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_UNEXPECTED(port)), unexpected,
	             "port %u from %u: %" PRIu64, port, from,
	             traffic_read64(device, FPGAUGE_PORT_RX_STREAM_UNEXPECTED(port)));
}

/* Port 0 alone sends to port 1: all of it arrives there, and so much at the others. */
static void expect_from_port_0(struct device *device, uint64_t received, uint64_t flooded)
{
	for (unsigned port = 0; port < device_identity(device)->ports; port++) {
		const uint64_t unexpected = port > 1 ? flooded : 0;

		expect(device, port, 0, port == 1 ? received : 0, unexpected);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES), unexpected);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_BAD_FRAMES), 0);
	}
}

Test(rtl_switch, unknown_addresses_are_flooded_and_counted_as_unexpected_and_known_ones_are_not)
{
	struct device *device = open_switch();

	send(device, 0, 64, 0);
	expect_from_port_0(device, FRAMES, FRAMES);
	send(device, 1, 64, 0); /* teaches its address; that of port 0 is known */
	expect(device, 0, 1, FRAMES, 0);
	for (unsigned port = 2; port < device_identity(device)->ports; port++)
		expect(device, port, 1, 0, 0);
	send(device, 0, 500, 0);
	expect_from_port_0(device, FRAMES, 0);
	device_close(device);
}

Test(rtl_switch, pairs_that_know_each_other_pass_without_loss_at_the_stated_latency)
{
	struct device *device = open_switch();
	struct dut_truth truth;

	cr_assert(device_truth(device, 64, &truth));
	send(device, -1, 64, 0); /* all learn; the first of some is flooded */
	send(device, -1, 64, 0);
	for (unsigned port = 0; port < device_identity(device)->ports; port++) {
		expect(device, port, port ^ 1, FRAMES, 0);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES), 0);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LOST_FRAMES), 0);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_MIN), truth.latency_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_MAX), truth.latency_ot);
	}
	device_close(device);
}

Test(rtl_switch, frames_with_a_bad_fcs_end_in_the_switch)
{
	struct device *device = open_switch();

	send(device, 1, 64, 0);
	send(device, 0, 64, 4);
	expect_from_port_0(device, FRAMES - FRAMES / 4, 0);
	device_close(device);
}
