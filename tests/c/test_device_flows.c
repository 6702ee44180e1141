/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of flows, on a device whose streams count what a formula says: which rows there are, what is in them, and how
 * many accesses they cost. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "host/trial/device/flows.h"
#include "host/trial/device/registers.h"
#include "tests/c/traffic_walk.h"

/* The counts of a flow in the device. A frame lost at one receiver is lost at all. */
struct counted {
	uint64_t sent, lost;
};

struct device {
	struct device_identity identity;
	uint32_t tx_index[TRIAL_MAX_PORTS], rx_index[TRIAL_MAX_PORTS];
	struct counted counted[TRIAL_MAX_PORTS][256];
	unsigned unexpected_port;
	uint64_t accesses;
};

static struct device device;
static struct traffic traffic;
static struct trial_counters counters;
static struct trial_result result;
static struct error error;
static const struct latency_ways NO_WAYS;
static const struct trial_request REQUEST = {.traffic = &traffic};

const struct device_identity *device_identity(const struct device *from)
{
	return &from->identity;
}

static unsigned port_of(uint32_t address, uint32_t *offset)
{
	const uint32_t size = FPGAUGE_PORT_TX_STREAM_INDEX(1) - FPGAUGE_PORT_TX_STREAM_INDEX(0);

	*offset = (address - FPGAUGE_PORT_TX_ENABLE(0)) % size + FPGAUGE_PORT_TX_ENABLE(0);
	return (address - FPGAUGE_PORT_TX_ENABLE(0)) / size;
}

int device_write32(struct device *to, uint32_t address, uint32_t value, struct error *why)
{
	uint32_t offset;
	const unsigned port = port_of(address, &offset);

	(void)why;
	to->accesses++;
	if (offset == FPGAUGE_PORT_TX_STREAM_INDEX(0))
		to->tx_index[port] = value;
	else if (offset == FPGAUGE_PORT_RX_STREAM_INDEX(0))
		to->rx_index[port] = value;
	else
		cr_assert_fail("a write to 0x%x", address);
	return 0;
}

/* Latencies of flow f of port p are 1000 p + f and 4 more, half of the frames each. */
int device_read64(struct device *from, uint32_t address, uint64_t *value, struct error *why)
{
	uint32_t offset;
	const unsigned port = port_of(address, &offset);
	const unsigned source = from->rx_index[port] / 256, flow = from->rx_index[port] % 256;
	const struct counted *stream = &from->counted[source][flow];
	const uint64_t received = stream->sent - stream->lost, least = 1000 * source + flow;
	const struct {
		uint32_t address;
		uint64_t value;
	} all[] = {
	        {FPGAUGE_PORT_TX_STREAM_FRAMES(0), from->counted[port][from->tx_index[port]].sent},
	        {FPGAUGE_PORT_RX_STREAM_RECEIVED(0), received + 2},
	        {FPGAUGE_PORT_RX_STREAM_LOST(0), stream->lost},
	        {FPGAUGE_PORT_RX_STREAM_DUPLICATED(0), 2},
	        {FPGAUGE_PORT_RX_STREAM_LATE(0), 0},
	        {FPGAUGE_PORT_RX_STREAM_NEXT(0), stream->sent},
	        {FPGAUGE_PORT_RX_STREAM_REORDERED(0), flow + 1},
	        {FPGAUGE_PORT_RX_STREAM_UNEXPECTED(0), port == from->unexpected_port ? 10 * source + flow : 0},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(0), least},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(0), least + 4},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(0), (received + 2) * (least + 2)},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(0), 0},
	};

	(void)why;
	from->accesses += 2;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].address == offset) {
			*value = all[i].value;
			return 0;
		}
	*value = 0; /* counters of ports */
	return 0;
}

int device_read32(struct device *from, uint32_t address, uint32_t *value, struct error *why)
{
	uint64_t wide;
	const int status = device_read64(from, address, &wide, why);

	from->accesses--;
	*value = (uint32_t)wide;
	return status;
}

int device_write64(struct device *to, uint32_t address, uint64_t value, struct error *why)
{
	return device_write32(to, address, (uint32_t)value, why);
}

/* Builds traffic of which each flow sends 100 frames and loses none. */
static void begin(enum traffic_pattern pattern, unsigned ports, unsigned addresses)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.pattern = pattern;
	shape.addresses = addresses;
	build(&traffic, &shape, ports);
	device = (struct device){.identity = {.ports = ports}, .unexpected_port = TRIAL_MAX_PORTS};
	result = (struct trial_result){.valid = true, .ports = ports};
	for (unsigned port = 0; port < ports; port++)
		for (unsigned flow = 0; flow < traffic.port[port].flows; flow++)
			device.counted[port][flow].sent = 100;
}

static void lose(unsigned port, unsigned flow, uint64_t frames)
{
	device.counted[port][flow].lost = frames;
	result.lost_frames += frames;
}

/* Accesses besides those for the verdict. */
static uint64_t read_flows(void)
{
	cr_assert_eq(registers_read_counters(&device, &traffic, &counters, &error), 0);
	device.accesses = 0;
	cr_assert_eq(device_flows_read(&device, &REQUEST, &counters, &NO_WAYS, &result, &error), 0);
	return device.accesses;
}

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(device_flows, .fini = tear_down);

Test(device_flows, between_pairs_cost_nothing_and_are_what_the_ports_counted)
{
	begin(TRAFFIC_PAIRS, 2, 1);
	lose(1, 0, 7);
	result.port[0].latency = (struct latency_stats){95, 10, 20, 14.5};
	result.port[0].reordered_frames = 3;
	cr_expect_eq(read_flows(), 0);
	cr_expect_eq(result.flow_count, 2);
	cr_assert_eq(result.flows, 2);
	cr_expect(result.flow[1].port == 1 && result.flow[1].flow == 0 && result.flow[1].arrives == 1);
	cr_expect(result.flow[1].offered_frames == 100 && result.flow[1].received_frames == 93);
	cr_expect(result.flow[1].lost_frames == 7 && result.flow[1].duplicated_frames == 2);
	cr_expect(result.flow[1].reordered_frames == 3 && result.flow[1].latency.min_ot == 10);
	cr_expect_float_eq(result.flow[1].latency.mean_ot, 14.5, 1e-9);
}

Test(device_flows, of_a_mesh_of_16_take_13_accesses_each_besides_the_verdict)
{
	begin(TRAFFIC_MESH, 16, 1);
	lose(15, 14, 1);
	cr_expect_eq(read_flows(), 240 * 13);
	cr_expect_eq(counters.stream_count, 240);
	cr_assert(result.flow_count == 240 && result.flows == 240);
	for (unsigned i = 0; i < 240; i++) {
		const struct trial_flow *flow = &result.flow[i];

		cr_assert(flow->port == i / 15 && flow->flow == i % 15 &&
		          flow->arrives == 1u << (flow->port + 1 + flow->flow) % 16);
		cr_assert(flow->lost_frames == (i == 239) && flow->reordered_frames == flow->flow + 1);
		cr_assert(flow->latency.min_ot == 1000 * flow->port + flow->flow &&
		          flow->latency.max_ot == flow->latency.min_ot + 4);
		cr_assert_float_eq(flow->latency.mean_ot, (double)flow->latency.min_ot + 2, 1e-6);
	}
}

/* 3 x 254 = 762 flows, of which 300 lose: those with most come first, equals in order, and the last has no room. */
Test(device_flows, that_have_no_room_are_those_that_lost_least)
{
	begin(TRAFFIC_MESH, 3, 127);
	cr_assert_eq(traffic.port[0].flows, 254);
	for (unsigned i = 0; i < 300; i++)
		lose(i / 150, 5 + i % 150, 1 + i % 7);
	read_flows();
	cr_expect_eq(result.flow_count, 3 * 254);
	cr_assert_eq(result.flows, TRIAL_MAX_FLOWS);
	for (unsigned i = 1; i < TRIAL_MAX_FLOWS; i++) {
		const struct trial_flow *one = &result.flow[i - 1], *next = &result.flow[i];

		cr_assert(one->lost_frames > next->lost_frames ||
		          (one->lost_frames == next->lost_frames &&
		           256 * one->port + one->flow < 256 * next->port + next->flow));
	}
	/* 300 is 42 x 7 + 6, so 42 lost 7 frames, and 43 each of 6 to 1: 257 lost more than one. */
	cr_expect_eq(result.flow[0].lost_frames, 7);
	cr_expect_eq(result.flow[42 + 4 * 43 - 1].lost_frames, 3);
	cr_expect_eq(result.flow[42 + 4 * 43].lost_frames, 2);
	cr_expect_eq(result.flow[TRIAL_MAX_FLOWS - 1].lost_frames, 2);
}

Test(device_flows, without_loss_are_the_first_ones_and_others_are_not_read)
{
	begin(TRAFFIC_MESH, 3, 127);
	/* The verdict read 8 of each port, and those of them that have rows are not read again: 8, and 1 of port 1. */
	cr_expect_eq(read_flows(), 256 * (14 + 13) - 9 * 14);
	cr_expect_eq(result.flows, TRIAL_MAX_FLOWS);
	cr_expect(result.flow[255].port == 1 && result.flow[255].flow == 1);
}

/* 3 x 254 = 762 flows, of which 8 of each port are read: flow n x 253 / 7, rounded down, at the lowest port where it
 * must arrive. */
Test(device_flows, that_a_verdict_reads_are_spread_over_all_with_the_first_and_the_last)
{
	static const unsigned EIGHT[] = {0, 36, 72, 108, 144, 180, 216, 253};

	begin(TRAFFIC_MESH, 3, 127);
	traffic.port[1].flow[253].arrives = 1 << 0 | 1 << 2;
	traffic.port[2].flow[0].arrives = 0; /* nothing to read */
	cr_assert_eq(registers_read_counters(&device, &traffic, &counters, &error), 0);
	cr_assert_eq(counters.stream_count, 3 * 8 - 1);
	for (unsigned i = 0; i < counters.stream_count; i++) {
		const struct stream_counters *stream = &counters.stream[i];
		const unsigned place = i + (i >= 16); /* counts the one that is not read */
		const unsigned arrives = traffic.port[place / 8].flow[EIGHT[place % 8]].arrives;

		cr_expect(stream->source_port == place / 8 && stream->entry == EIGHT[place % 8],
		          "%u: flow %u of port %u", i, stream->entry, stream->source_port);
		cr_expect_eq(stream->receiver_port, (unsigned)__builtin_ctz(arrives));
	}
}

/* 4 ports x 64 flows are all of them still, and one more is not. */
Test(device_flows, that_a_verdict_reads_are_all_if_they_are_at_most_256)
{
	const struct traffic_flow last = {.arrives = 1};
	struct traffic_flow more[65], *before;

	begin(TRAFFIC_PAIRS, 4, 64);
	cr_assert_eq(traffic.port[3].flows, 64);
	cr_assert_eq(registers_read_counters(&device, &traffic, &counters, &error), 0);
	cr_assert_eq(counters.stream_count, 256);
	for (unsigned i = 0; i < 256; i++)
		cr_expect(counters.stream[i].source_port == i / 64 && counters.stream[i].entry == i % 64);

	memcpy(more, traffic.port[3].flow, 64 * sizeof(more[0]));
	more[64] = last;
	before = traffic.port[3].flow;
	traffic.port[3].flow = more;
	traffic.port[3].flows = 65;
	cr_assert_eq(registers_read_counters(&device, &traffic, &counters, &error), 0);
	cr_expect_eq(counters.stream_count, 4 * 8);
	cr_expect_eq(counters.stream[31].entry, 64);
	traffic.port[3].flow = before;
}

Test(device_flows, that_came_to_another_port_are_found_where_unexpected_frames_came)
{
	begin(TRAFFIC_MESH, 4, 1);
	device.unexpected_port = 2;
	result.port[2].wrong_port_frames = 1;
	/* Nine flows do not have to arrive at port 2. */
	cr_expect_eq(read_flows(), 12 * 13 + 9 * 3);
	for (unsigned i = 0; i < 12; i++)
		cr_expect_eq(result.flow[i].wrong_port_frames,
		             result.flow[i].arrives == 1 << 2 ? 0 : 10 * (i / 3) + i % 3);
}

Test(device_flows, to_several_ports_are_one_row)
{
	const struct latency_ways ways = {.ot = {[1] = {900, 900, 900}, [3] = {0, 100, 200, LATENCY_WAY_UNKNOWN}}};

	begin(TRAFFIC_MESH, 4, 1);
	traffic.port[3].flow[2].arrives = 1 << 0 | 1 << 1 | 1 << 2;
	lose(3, 2, 5);
	cr_assert_eq(registers_read_counters(&device, &traffic, &counters, &error), 0);
	cr_assert_eq(device_flows_read(&device, &REQUEST, &counters, &ways, &result, &error), 0);
	cr_expect(result.flow[11].offered_frames == 100 && result.flow[11].received_frames == 3 * 95);
	cr_expect(result.flow[11].lost_frames == 15 && result.flow[11].duplicated_frames == 6);
	/* 3002 octet times and 4 more at port 0, 200 less at port 2. */
	cr_expect(result.flow[11].latency.min_ot == 2802 && result.flow[11].latency.max_ot == 3006);
	cr_expect_float_eq(result.flow[11].latency.mean_ot, 3004 - 100, 1e-6);
	cr_expect_eq(result.flow[11].latency.frames, 3 * 97);
}

Test(device_flows, that_are_not_what_the_ports_counted_make_a_trial_invalid)
{
	struct traffic_flow flows[3] = {0};
	const struct traffic two = {.ports = 2, .port[0] = {.flow = flows, .flows = 3}};

	result = (struct trial_result){.valid = true,
	                               .ports = 2,
	                               .flow_count = 2,
	                               .flows = 2,
	                               .offered_frames = 30,
	                               .received_frames = 25,
	                               .lost_frames = 5};
	result.flow[0] = (struct trial_flow){.offered_frames = 10, .received_frames = 5, .lost_frames = 5};
	result.flow[1] = (struct trial_flow){.offered_frames = 20, .received_frames = 20};
	result.port[1].wrong_port_frames = 4;
	result.flow[1].wrong_port_frames = 4;
	trial_judge_flows(&two, &result);
	cr_expect(result.valid, "%s", result.why_invalid);
	result.flow[1].wrong_port_frames = 3;
	trial_judge_flows(&two, &result);
	cr_expect(!result.valid);
	cr_expect_str_eq(result.why_invalid, "frames unexpected: 3 by flows, but 4 by ports");
	result.valid = true;
	result.flow_count = 3; /* nothing is known of some flows */
	trial_judge_flows(&two, &result);
	cr_expect(result.valid);
}
