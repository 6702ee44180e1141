// SPDX-License-Identifier: Apache-2.0
/* A switch between four ports of the twin: what it floods, learns, loses and drops arrives, and is counted, where it
 * should. tests/differential compares all answers with those of the RTL. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "sim/dut/device.h"
#include "tests/sim/plain_switch.h"
#include "tests/sim/traffic.h"

enum {
	PORTS = 4,
	STREAMS = 256, /* streams of a source */
	FRAMES = 160,
	STEP_OT = 100000,
	MOST_OT = 2000000000,
	SETTLE_OT = 500000,
	PERIOD_OT = 84,     /* 64 octets at line rate */
	FIRST_STATION = 32, /* first of the numbers beyond those of ports */
};

/* Fields of four octets whose last octet is that of an address begin here. */
enum { LAST_OF_DESTINATION = 2, LAST_OF_SOURCE = 8 };
enum { INCREMENT = 1, LIST = 2 }; /* tx_field_kind */

static struct device *open_switch(const char *option, const char *other)
{
	return traffic_open(TWIN_LIBRARY, (const char *const[]){"device.ports=4", "dut.model=switch",
	                                                        "dut.latency_ns=800", option, other, NULL});
}

static uint64_t counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

/* Stations have the number of their port as the last octet; UINT32_MAX: all of them, the broadcast address. */
static void address(struct device *device, unsigned port, uint32_t flow, uint32_t to, uint32_t from)
{
	uint8_t addresses[12] = {2, 0, 0, 0, 0, (uint8_t)to, 2, 0, 0, 0, 0, (uint8_t)from};

	if (to == UINT32_MAX)
		memset(addresses, 0xff, 6);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
	for (unsigned word = 0; word < sizeof(addresses) / 4; word++) {
		uint32_t value;

		memcpy(&value, addresses + 4 * (size_t)word, sizeof(value));
		traffic_write32(device, FPGAUGE_PORT_TX_HEADER(port) + 4 * word, value);
	}
}

/* Clears all counts. Every port expects its partner's stream 0, and none sends. */
static void prepare(struct device *device, uint64_t frames, uint32_t octets)
{
	const struct sent_traffic traffic = {.frame_octets = octets, .stop_frames = frames};

	traffic_prepare(device, &traffic);
	for (unsigned port = 0; port < PORTS; port++)
		traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(port), 0);
}

static void enable(struct device *device, unsigned port, uint32_t to)
{
	address(device, port, 0, to, port);
	traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(port), 1);
}

static void play(struct device *device)
{
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, STEP_OT, MOST_OT));
	traffic_wait(device, SETTLE_OT);
	traffic_snapshot(device);
}

/* Stream 0 of a source at a port. */
static uint64_t received(struct device *device, unsigned port, unsigned from)
{
	traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(port), from * STREAMS);
	return traffic_read64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(port));
}

static uint64_t unexpected(struct device *device, unsigned port, unsigned from)
{
	traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(port), from * STREAMS);
	return traffic_read64(device, FPGAUGE_PORT_RX_STREAM_UNEXPECTED(port));
}

/* Expects that what port 0 alone has sent to port 1 arrives there, and so much at the two others. */
static void expect_from_port_0(struct device *device, uint64_t arrived, uint64_t flooded)
{
	cr_expect_eq(received(device, 1, 0), arrived, "%" PRIu64, received(device, 1, 0));
	cr_expect_eq(counter(device, 0, FPGAUGE_COUNTER_RX_FRAMES), 0);
	for (unsigned port = 2; port < PORTS; port++) {
		cr_expect_eq(received(device, port, 0), 0);
		cr_expect_eq(unexpected(device, port, 0), flooded, "port %u: %" PRIu64, port,
		             unexpected(device, port, 0));
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES), flooded);
	}
}

static void send_from(struct device *device, unsigned port, uint32_t to, uint64_t frames)
{
	prepare(device, frames, 64);
	enable(device, port, to);
	play(device);
}

Test(twin_switch, unknown_addresses_are_flooded_and_counted_as_unexpected_and_known_ones_are_not)
{
	struct device *device = open_switch(NULL, NULL);

	send_from(device, 0, 1, FRAMES);
	expect_from_port_0(device, FRAMES, FRAMES);
	send_from(device, 1, 0, FRAMES); /* teaches its address; that of port 0 is known */
	cr_expect_eq(received(device, 0, 1), FRAMES);
	cr_expect_eq(unexpected(device, 2, 1) + unexpected(device, 3, 1), 0);
	send_from(device, 0, 1, FRAMES);
	expect_from_port_0(device, FRAMES, 0);
	device_close(device);
}

Test(twin_switch, pairs_that_know_each_other_pass_without_loss_at_the_stated_latency)
{
	struct device *device = open_switch(NULL, NULL);
	struct dut_truth truth;

	cr_assert(device_truth(device, 64, &truth));
	cr_expect_str_eq(truth.model, "switch");
	for (unsigned round = 0; round < 2; round++) { /* the first round teaches the addresses */
		prepare(device, FRAMES, 64);
		for (unsigned port = 0; port < PORTS; port++)
			enable(device, port, port ^ 1);
		play(device);
	}
	for (unsigned port = 0; port < PORTS; port++) {
		cr_expect_eq(received(device, port, port ^ 1), FRAMES);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_FRAMES), FRAMES);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LOST_FRAMES), 0);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_MIN), truth.latency_ot);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_LATENCY_MAX), truth.latency_ot);
	}
	device_close(device);
}

/* ------------------------------------------------------------------ errors, rules, tx_send */

static void send_bad_fcs(struct device *device)
{
	prepare(device, FRAMES, 64);
	enable(device, 0, 1);
	traffic_write32(device, FPGAUGE_PORT_TX_BAD_FCS_EVERY(0), 4);
	play(device);
}

Test(twin_switch, frames_with_a_wrong_fcs_end_in_the_switch_unless_it_forwards_them)
{
	struct device *device = open_switch(NULL, NULL);

	send_bad_fcs(device);
	expect_from_port_0(device, FRAMES - FRAMES / 4, FRAMES - FRAMES / 4);
	cr_expect_eq(counter(device, 1, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES), 0);
	device_close(device);

	device = open_switch("dut.forward_errors=fcs", NULL);
	send_bad_fcs(device);
	expect_from_port_0(device, FRAMES - FRAMES / 4, FRAMES - FRAMES / 4);
	for (unsigned port = 1; port < PORTS; port++)
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES), FRAMES / 4);
	device_close(device);
}

Test(twin_switch, a_frame_of_a_rule_and_one_that_was_asked_for_have_the_addresses_of_their_flow)
{
	enum { BROADCAST_FLOW = 7 };
	const uint32_t frame = 64 << 8 | BROADCAST_FLOW;
	struct device *device = open_switch(NULL, NULL);

	send_from(device, 1, 0, 1);
	prepare(device, 0, 64);
	enable(device, 0, 1);
	address(device, 0, BROADCAST_FLOW, UINT32_MAX, 0);
	traffic_write32(device, FPGAUGE_PORT_TX_RULES(0), 1);
	traffic_write32(device, FPGAUGE_PORT_TX_RULE_INDEX(0), 0);
	traffic_write64(device, FPGAUGE_PORT_TX_RULE_TIME(0), 10000);
	traffic_write64(device, FPGAUGE_PORT_TX_RULE_PERIOD(0), 0);
	traffic_write32(device, FPGAUGE_PORT_TX_RULE_FRAME(0), frame);
	traffic_start(device);
	traffic_wait(device, STEP_OT);
	traffic_write32(device, FPGAUGE_PORT_TX_SEND(0), frame);
	traffic_wait(device, STEP_OT);
	traffic_stop(device);
	traffic_wait(device, SETTLE_OT);
	traffic_snapshot(device);
	cr_expect_eq(counter(device, 1, FPGAUGE_COUNTER_RX_FRAMES), counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES));
	cr_expect_eq(counter(device, 2, FPGAUGE_COUNTER_RX_FRAMES), 2, "the broadcasts alone");
	cr_expect_eq(counter(device, 3, FPGAUGE_COUNTER_RX_FRAMES), 2);
	device_close(device);
}

/* ------------------------------------------------------------------ fields */

static void vary(struct device *device, unsigned port, uint32_t kind, uint32_t octet, uint32_t count)
{
	traffic_write32(device, FPGAUGE_PORT_TX_FIELD_INDEX(port), 0);
	traffic_write32(device, FPGAUGE_PORT_TX_FIELD_START(port), kind == INCREMENT ? FIRST_STATION : 0);
	traffic_write32(device, FPGAUGE_PORT_TX_FIELD_STEP(port), 1);
	traffic_write32(device, FPGAUGE_PORT_TX_FIELD_MASK(port), 0xff);
	traffic_write32(device, FPGAUGE_PORT_TX_FIELD_COUNT(port), count);
	traffic_write32(device, FPGAUGE_PORT_TX_FIELD_KIND(port), octet << 8 | kind);
}

/* Port 0 shows 16 addresses, of which the switch learns the first ten; port 1 sends four frames to each. */
Test(twin_switch, of_more_addresses_than_the_table_has_room_for_the_last_are_flooded)
{
	enum { ADDRESSES = 16, ROOM = 10, TIMES = 4 };
	static const uint32_t kinds[] = {INCREMENT, LIST};
	struct device *device = open_switch("dut.table_addresses=11", NULL); /* one is for port 1, which is first */

	send_from(device, 1, 99, 1);
	prepare(device, ADDRESSES, 64);
	traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(0), 1);
	address(device, 0, 0, 99, 0);
	vary(device, 0, INCREMENT, LAST_OF_SOURCE, ADDRESSES);
	play(device);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		prepare(device, (uint64_t)TIMES * ADDRESSES, 64);
		traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(1), 1);
		address(device, 1, 0, 0, 1);
		vary(device, 1, kinds[i], LAST_OF_DESTINATION, ADDRESSES);
		for (uint32_t k = 0; k < ADDRESSES; k++) {
			traffic_write32(device, FPGAUGE_PORT_TX_VALUE_INDEX(1), k);
			traffic_write32(device, FPGAUGE_PORT_TX_VALUE(1), FIRST_STATION + ADDRESSES - 1 - k);
		}
		play(device);
		cr_expect_eq(received(device, 0, 1), TIMES * ADDRESSES);
		cr_expect_eq(unexpected(device, 2, 1), TIMES * (ADDRESSES - ROOM), "kind %u: %" PRIu64,
		             (unsigned)kinds[i], unexpected(device, 2, 1));
	}
	device_close(device);
}

static bool refuses(struct device *device, uint32_t to, uint32_t value, const char *why)
{
	struct error error = {.text = ""};

	return device_write32(device, to, value, &error) != 0 && strstr(error.text, why) != NULL;
}

Test(twin_switch, contents_must_stand_still_while_a_port_sends_and_checksums_stay_out_of_addresses)
{
	struct device *device = open_switch(NULL, NULL);

	prepare(device, 0, 64);
	enable(device, 0, 1);
	cr_expect(refuses(device, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(0), 0x8000 | 10, "octet 10, in the addresses"));
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(0), 0x8000 | 12);
	traffic_start(device);
	cr_expect(refuses(device, FPGAUGE_PORT_TX_HEADER(0), 0, "stand still"));
	cr_expect(refuses(device, FPGAUGE_PORT_TX_VALUE(0), 0, "stand still"));
	traffic_write32(device, FPGAUGE_PORT_TX_HEADER(1), 0);
	device_close(device);
}

/* ------------------------------------------------------------------ loss */

enum { SENT = 300 };

static size_t add_frames(unsigned port, uint8_t to, uint64_t frames, uint64_t start_ot, struct plain_switch_frame *in)
{
	for (uint64_t i = 0; i < frames; i++)
		in[i] = (struct plain_switch_frame){.port = port,
		                                    .start_ot = start_ot + i * PERIOD_OT / 8 * 8,
		                                    .id = i,
		                                    .octets = 64,
		                                    .destination = {2, 0, 0, 0, 0, to},
		                                    .source = {2, 0, 0, 0, 0, (uint8_t)port}};
	return (size_t)frames;
}

/* Ports 1 to 3 send to port 0, all from one instant on: counts of what arrives, by source. Once by the description of a
 * switch, once by the model. */
static void count_plain(const struct plain_switch *settings, uint64_t counts[PORTS])
{
	static struct plain_switch_frame in[1 + 3 * SENT], out[PLAIN_SWITCH_OUT];
	struct plain_switch_counts happened = {0};
	size_t count = add_frames(0, 99, 1, 0, in), left;

	for (unsigned port = 1; port < PORTS; port++)
		count += add_frames(port, 0, SENT, STEP_OT * 8, in + count);
	left = plain_switch_play(settings, in, count, out, &happened);
	for (size_t i = 0; i < left; i++)
		counts[out[i].from] += out[i].port == 0;
	cr_assert(happened.lost + happened.threshold > 0);
}

static void count_model(const struct fpgauge_sim_option *settings, size_t setting_count, uint64_t counts[PORTS])
{
	const char *bad = NULL;
	char error[256] = "";
	const struct sim_options options = {settings, setting_count, &bad, error, sizeof(error)};
	struct dut_device *device;
	struct dut_frame out;

	cr_assert(dut_device_create(&options, NULL, 0, UINT64_C(100000000000), PORTS, &device) == 0, "%s", error);
	for (unsigned port = 0; port < PORTS; port++) {
		const uint8_t header[DUT_HEADER_OCTETS] = {2, 0, 0, 0, 0, port == 0 ? 99 : 0,
		                                           2, 0, 0, 0, 0, (uint8_t)port};

		for (uint64_t i = 0; i < (port == 0 ? 1 : SENT); i++) {
			const uint64_t start_ot = port == 0 ? 0 : STEP_OT * 8 + i * PERIOD_OT / 8 * 8;
			const struct dut_frame frame = {.start_ot = start_ot, .id = i, .octets = 64};

			dut_device_put(device, port, &frame, header);
		}
	}
	dut_device_known(device, UINT64_MAX / 2);
	while (dut_device_take(device, 0, &out, 1) != 0)
		counts[out.from]++;
	dut_device_destroy(device);
}

static void expect_loss(const char *const *twin_options, const struct plain_switch *settings,
                        const struct fpgauge_sim_option *options, size_t option_count)
{
	struct device *device = open_switch(twin_options[0], twin_options[1]);
	uint64_t plain[PORTS] = {0}, model[PORTS] = {0}, lost = 0;

	send_from(device, 0, 99, 1); /* teaches its address */
	prepare(device, SENT, 64);
	for (unsigned port = 1; port < PORTS; port++) {
		enable(device, port, 0);
		traffic_write32(device, FPGAUGE_PORT_RX_EXPECTED(0) + 4 * 8 * port, 1);
	}
	play(device);
	count_plain(settings, plain);
	count_model(options, option_count, model);
	for (unsigned port = 1; port < PORTS; port++) {
		cr_expect_eq(received(device, 0, port), plain[port], "from %u: %" PRIu64 ", not %" PRIu64, port,
		             received(device, 0, port), plain[port]);
		cr_expect_eq(model[port], plain[port]);
		cr_expect_eq(counter(device, port, FPGAUGE_COUNTER_RX_FRAMES), 0);
		lost += SENT - plain[port];
	}
	cr_expect_eq(counter(device, 0, FPGAUGE_COUNTER_RX_FRAMES), 3 * SENT - lost);
	cr_expect_eq(counter(device, 0, FPGAUGE_COUNTER_RX_DUPLICATED_FRAMES), 0);
	device_close(device);
}

Test(twin_switch, many_to_one_loses_at_each_sender_exactly_what_the_description_and_the_model_lose)
{
	static const struct fpgauge_sim_option own[] = {
	        {"dut.model", "switch"}, {"dut.latency_ns", "800"}, {"dut.buffer_frames", "40"}};
	static const struct fpgauge_sim_option shared[] = {{"dut.model", "switch"},
	                                                   {"dut.latency_ns", "800"},
	                                                   {"dut.shared_buffer_frames", "90"},
	                                                   {"dut.alpha", "0.5"}};
	const struct plain_switch plain = {.ports = PORTS,
	                                   .table_addresses = 8192,
	                                   .ageing_ot = UINT64_MAX / 4,
	                                   .buffer = 40,
	                                   .latency_ot = 10000,
	                                   .gap_octets = 12};
	struct plain_switch plain_shared = plain;

	plain_shared.buffer = 90;
	plain_shared.shared = true;
	plain_shared.alpha_thousandths = 500;
	expect_loss((const char *const[]){"dut.buffer_frames=40", NULL}, &plain, own, 3);
	expect_loss((const char *const[]){"dut.shared_buffer_frames=90", "dut.alpha=0.5"}, &plain_shared, shared, 4);
}

/* ------------------------------------------------------------------ loopback, memory */

Test(twin_switch, a_port_in_loopback_hears_itself_and_the_switch_goes_on_without_it)
{
	struct device *device = open_switch(NULL, NULL);

	prepare(device, FRAMES, 64);
	traffic_write32(device, FPGAUGE_PORT_LOOPBACK(3), 1);
	traffic_write32(device, FPGAUGE_PORT_RX_EXPECTED(3) + 4 * 8 * 3, 1);
	enable(device, 0, 1);
	enable(device, 3, 0);
	play(device);
	cr_expect_eq(received(device, 3, 3), FRAMES);
	cr_expect_eq(counter(device, 3, FPGAUGE_COUNTER_RX_FRAMES), FRAMES);
	cr_expect_eq(received(device, 1, 0), FRAMES);
	cr_expect_eq(unexpected(device, 2, 0), FRAMES, "flooded as before");
	cr_expect_eq(unexpected(device, 2, 3), 0);
	device_close(device);
}

/* Frames of its queue in the switch that have not left yet would come in, in the core. */
Test(twin_switch, a_port_does_not_leave_loopback_while_frames_for_it_wait_in_the_switch)
{
	struct device *device = open_switch(NULL, NULL);

	prepare(device, FRAMES, 64);
	traffic_write32(device, FPGAUGE_PORT_LOOPBACK(3), 1);
	for (unsigned port = 0; port < 3; port++) /* all of it is flooded, more than the line of port 3 can carry */
		enable(device, port, 99);
	traffic_start(device);
	traffic_wait(device, 30000);
	cr_expect(refuses(device, FPGAUGE_PORT_LOOPBACK(3), 0, "in flight"));
	traffic_wait(device, SETTLE_OT);
	traffic_write32(device, FPGAUGE_PORT_LOOPBACK(3), 0);
	send_from(device, 0, 99, FRAMES);
	cr_expect_eq(counter(device, 3, FPGAUGE_COUNTER_RX_FRAMES), FRAMES);
	device_close(device);
}

static size_t memory(void)
{
	const struct mallinfo2 now = mallinfo2();

	return now.uordblks + now.hblkhd;
}

/* A frame has a record of 16 octets, its place in two queues of 24 more. */
Test(twin_switch, memory_does_not_grow_with_the_trial)
{
	enum { SHORT_OT = 2000000, TIMES = 20 };
	struct device *device = open_switch("dut.buffer_frames=1000", "device.jumps=false");
	size_t after_short, after_long;

	prepare(device, 0, 64);
	for (unsigned port = 0; port < PORTS; port++) /* three to one: full queues, and loss */
		enable(device, port, port == 0 ? 1 : 0);
	traffic_start(device);
	traffic_wait(device, SHORT_OT);
	traffic_snapshot(device);
	after_short = memory();
	traffic_wait(device, (uint64_t)TIMES * SHORT_OT);
	traffic_snapshot(device);
	after_long = memory();
	cr_expect(counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES) > TIMES * (SHORT_OT / PERIOD_OT));
	cr_expect(after_long <= after_short, "%zu octets, then %zu", after_short, after_long);
	device_close(device);
}
