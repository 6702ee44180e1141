/* SPDX-License-Identifier: Apache-2.0 */
/* Random routers (docs/dut-models.md), and frames for them: packets between stations, right and wrong in one thing, and
 * ARP and neighbour discovery by which the router learns where the stations are. */
#include <inttypes.h>
#include <string.h>

#include "host/base/internet_checksum.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { FIELDS_A_FLOW = 4, FLOWS = 256, STATIONS = 2, HEADER = 64, FRAME = 128, IN_USE = 15 };

void generate_router(struct random *random, struct script *script)
{
	script_option(script, "dut.model", "router");
	if (random_chance(random, 60))
		script_option(script, "dut.buffer_frames", "%" PRIu64, 1 + random_spread(random, 60));
	if (random_chance(random, 60))
		script_option(script, "dut.latency_ns", "%" PRIu64 ".%02" PRIu64, random_spread(random, 20000),
		              random_between(random, 0, 99));
	if (random_chance(random, 30))
		script_option(script, "dut.first_lookup_ns", "%" PRIu64, 1 + random_spread(random, 3000));
	if (random_chance(random, 30))
		script_option(script, "dut.gap_octets", "%" PRIu64, 8 + random_spread(random, 60));
	if (random_chance(random, 30))
		script_option(script, "dut.forwarding_fps", "%" PRIu64 "k", random_between(random, 100, 150000));
	if (random_chance(random, 60))
		script_option(script, "dut.waiting_frames", "%" PRIu64, random_spread(random, 20));
	script_option(script, "dut.ask_every", "%" PRIu64 "ns", 1000 + random_spread(random, 60000));
	if (random_chance(random, 20))
		script_option(script, "dut.neighbours", "%" PRIu64, 1 + random_spread(random, 4));
	if (random_chance(random, 40))
		script_option(script, "dut.networks", "10.0.0.0/8 198.18.1.%" PRIu64 ", 10.1.0.0/16 198.19.1.3",
		              random_between(random, 2, 4));
	if (random_chance(random, 20)) /* the last condition is of packets from station 0 of port 0 */
		script_option(script, "dut.filters",
		              "%s 198.18.1.2 to 198.19.1.%" PRIu64 ", forward 198.18.1.2 to 198.19.1.%" PRIu64,
		              random_chance(random, 50) ? "block" : "forward", random_between(random, 2, 3),
		              random_between(random, 2, 3));
}

static void put_station_mac(uint8_t *to, uint64_t port, uint64_t station)
{
	memcpy(to, (const uint8_t[]){2, 0, 0, 0, (uint8_t)port, (uint8_t)station}, 6);
}

static void put_router_mac(uint8_t *to, uint64_t port)
{
	memcpy(to, (const uint8_t[]){2, 0x52, 0x54, 0, 0, (uint8_t)port}, 6);
}

/* Node 1 is the router, stations are the nodes from 2 on. */
static void put_ipv4(uint8_t *to, uint64_t port, uint64_t node)
{
	memcpy(to, (const uint8_t[]){198, (uint8_t)(18 + port % 2), (uint8_t)(1 + port / 2), (uint8_t)node}, 4);
}

static void put_ipv6(uint8_t *to, uint64_t port, uint64_t node)
{
	memset(to, 0, 16);
	memcpy(to, (const uint8_t[]){0x20, 1, 0, 2, 0, 0, (uint8_t)(port % 2 * 0x80), (uint8_t)(1 + port / 2)}, 8);
	to[15] = (uint8_t)node;
}

/* -- frames -------------------------------------------------------------------------------------------------------- */

static void make_arp(struct generator *g, unsigned port, uint64_t station, uint8_t *frame)
{
	const bool reply = chance(g, 30);

	if (reply || chance(g, 20))
		put_router_mac(frame, port);
	else
		memset(frame, 0xff, 6);
	put_station_mac(frame + 6, port, station);
	memcpy(frame + 12, (const uint8_t[]){8, 6, 0, 1, 8, 0, 6, 4, 0, reply ? 2 : 1}, 10);
	put_station_mac(frame + 22, port, chance(g, 90) ? station : 99);
	put_ipv4(frame + 28, port, 2 + station);
	put_ipv4(frame + 38, chance(g, 90) ? port : between(g, 0, g->ports - 1), chance(g, 90) ? 1 : 2);
}

static void make_ipv4(struct generator *g, unsigned port, uint8_t *frame)
{
	static const uint8_t ttls[] = {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 2, 1, 0, 255};
	const uint64_t to = between(g, 0, g->ports - 1);

	put_router_mac(frame, chance(g, 95) ? port : between(g, 0, g->ports - 1));
	put_station_mac(frame + 6, port, 0);
	memcpy(frame + 12, (const uint8_t[]){8, 0, 0x45, 0, 0, (uint8_t)(chance(g, 90) ? 46 : between(g, 19, 60))}, 6);
	frame[22] = ttls[between(g, 0, sizeof(ttls) - 1)];
	frame[23] = 17;
	put_ipv4(frame + 26, port, chance(g, 95) ? 2 : 1);
	if (chance(g, 5))
		frame[26] = (uint8_t)between(g, 0, 255);
	put_ipv4(frame + 30, to, chance(g, 90) ? 2 + between(g, 0, STATIONS - 1) : between(g, 0, 255));
	if (chance(g, 10))
		memcpy(frame + 30, (const uint8_t[]){10, (uint8_t)between(g, 0, 1), 0, 7}, 4);
	if (chance(g, 3))
		frame[14] = (uint8_t)between(g, 0, 255);
}

static void make_ipv6(struct generator *g, unsigned port, uint8_t *frame)
{
	put_router_mac(frame, port);
	put_station_mac(frame + 6, port, 0);
	memcpy(frame + 12, (const uint8_t[]){0x86, 0xdd, 0x60}, 3);
	put_be16(frame + 18, chance(g, 95) ? between(g, 0, 6) & 0xff : 2000);
	frame[20] = 17;
	frame[21] = (uint8_t)(chance(g, 90) ? 64 : between(g, 0, 2));
	put_ipv6(frame + 22, port, 2);
	put_ipv6(frame + 38, between(g, 0, g->ports - 1), between(g, 1, 1 + STATIONS));
	if (chance(g, 5))
		frame[22 + 16 * between(g, 0, 1)] = (uint8_t)between(g, 0, 255);
}

/* A solicitation of the router by a station, or its answer to one. */
static void make_discovery(struct generator *g, unsigned port, uint64_t station, uint8_t *frame)
{
	const bool solicits = chance(g, 60);

	put_router_mac(frame, port);
	put_station_mac(frame + 6, port, station);
	memcpy(frame + 12, (const uint8_t[]){0x86, 0xdd, 0x60, 0, 0, 0, 0, 32, 58, 255}, 10);
	put_ipv6(frame + 22, port, 2 + station);
	put_ipv6(frame + 38, port, 1);
	frame[54] = solicits ? 135 : 136;
	frame[58] = (uint8_t)(solicits ? 0 : chance(g, 70) ? 0x60 : 0x40);
	put_ipv6(frame + 62, port, solicits ? 1 : 2 + station);
	frame[78] = solicits ? 1 : 2;
	frame[79] = 1;
	put_station_mac(frame + 80, port, chance(g, 90) ? station : 99);
	if (solicits && chance(g, 50)) {
		memcpy(frame, (const uint8_t[]){0x33, 0x33, 0xff, 0, 0, 1}, 6);
		memset(frame + 38, 0, 16);
		memcpy(frame + 38, (const uint8_t[]){0xff, 2}, 2);
		frame[49] = 1;
		memcpy(frame + 50, (const uint8_t[]){0xff, 0, 0, 1}, 4);
	}
	if (chance(g, 5))
		frame[21] = 64;
	put_be16(frame + 56, internet_checksum(frame + 54, 32, internet_sum(frame + 22, 32, 32 + 58)));
	if (chance(g, 5))
		frame[57] ^= 1;
}

/* -- registers ----------------------------------------------------------------------------------------------------- */

static void write_frame(struct generator *g, unsigned port, uint64_t flow, const uint8_t *frame)
{
	const uint64_t body = between(g, 0, 3) == 0 ? 511 : flow;

	for (uint32_t i = 0; i < HEADER / 4; i++)
		write32(g, FPGAUGE_PORT_TX_HEADER(port) + 4 * i, get_le(frame + 4 * (size_t)i, 4));
	write32(g, FPGAUGE_PORT_TX_FLOW_BODY(port), (uint64_t)chance(g, 95) << 16 | body);
	write32(g, FPGAUGE_PORT_TX_BODY_INDEX(port), body);
	for (uint32_t i = 0; i < HEADER / 4; i++)
		write32(g, FPGAUGE_PORT_TX_BODY(port) + 4 * i, get_le(frame + HEADER + 4 * (size_t)i, 4));
}

/* The header checksum of IPv4: a constant, or computed for each frame because the destination or the length varies. */
static void write_checksum(struct generator *g, unsigned port, uint64_t flow, uint8_t *frame)
{
	const bool varies = chance(g, 40), has_length = chance(g, 30);
	uint32_t sum;

	if (varies)
		frame[33] = 0;
	if (has_length)
		put_be16(frame + 16, 0);
	sum = internet_sum(frame + 14, 20, 0);
	write32(g, FPGAUGE_PORT_TX_FLOW_LENGTH1(port), (uint64_t)has_length << 31 | 18 << 16 | 16);
	if (varies || has_length)
		write32(g, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port), (uint64_t)sum << 16 | 1 << IN_USE | 24);
	else
		put_be16(frame + 24, (~sum & 0xffff) ^ (uint32_t)chance(g, 5));
	if (!varies)
		return;
	write32(g, FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * FIELDS_A_FLOW + between(g, 0, FIELDS_A_FLOW - 1));
	write32(g, FPGAUGE_PORT_TX_FIELD_START(port), 2);
	write32(g, FPGAUGE_PORT_TX_FIELD_STEP(port), between(g, 0, 1));
	write32(g, FPGAUGE_PORT_TX_FIELD_MASK(port), 7);
	write32(g, FPGAUGE_PORT_TX_FIELD_COUNT(port), 1 + random_spread(&g->random, 5));
	write32(g, FPGAUGE_PORT_TX_FIELD_KIND(port), 1 << 16 | 30 << 8 | between(g, 1, 3));
}

/* Makes a flow what it is when the device is loaded. */
static void forget_inserts(struct generator *g, unsigned port, uint64_t flow)
{
	write32(g, FPGAUGE_PORT_TX_FLOW_LENGTH1(port), 0);
	write32(g, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port), 0);
	for (uint64_t i = 0; i < FIELDS_A_FLOW; i++) {
		write32(g, FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * FIELDS_A_FLOW + i);
		write32(g, FPGAUGE_PORT_TX_FIELD_KIND(port), 0);
	}
}

static void write_packet(struct generator *g, unsigned port, uint64_t flow)
{
	const uint64_t station = between(g, 0, STATIONS - 1);
	uint8_t frame[FRAME] = {0};

	/* The first flows are those of stations that tell where they are. */
	switch (flow < STATIONS && chance(g, 80) ? 0 : flow == STATIONS && chance(g, 80) ? 3 : between(g, 0, 9)) {
	case 0:
	case 1:
	case 2:
		make_arp(g, port, flow < STATIONS ? flow : station, frame);
		break;
	case 3:
		make_discovery(g, port, station, frame);
		break;
	case 4:
		make_ipv6(g, port, frame);
		break;
	default:
		make_ipv4(g, port, frame);
		write_checksum(g, port, flow, frame);
	}
	write_frame(g, port, flow, frame);
}

void write_packets(struct generator *g, unsigned port)
{
	for (uint64_t flow = 0; flow < SIZED_FLOWS; flow++) {
		if (!chance(g, flow == 0 ? 95 : 75))
			continue;
		write32(g, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
		forget_inserts(g, port, flow);
		write_packet(g, port, flow);
		write32(g, FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), between(g, 0, 128));
	}
	if (chance(g, 50))
		write32(g, FPGAUGE_PORT_TX_FIELD_SEED(port), random_spread(&g->random, UINT32_MAX));
}
