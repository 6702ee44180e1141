// SPDX-License-Identifier: Apache-2.0
/* Traffic through a device by plain register accesses. Any failure ends the program: nothing can be tested after it. */
#include "tests/sim/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/ethernet.h"
#include "host/base/internet_checksum.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	HEADER_OCTETS = 64,
	IP_OCTETS = 20,
	PAYLOAD_OFFSET = 42,
	MAX_OPTIONS = 16,
	RUN_ID = 7,
	SETTLE_OT = 6400,
};

static void check(int result, const struct error *error)
{
	if (result == 0)
		return;
	fprintf(stderr, "%s\n", error->text);
	exit(3);
}

struct device *traffic_open(const char *library, const char *const *options)
{
	struct device_option list[MAX_OPTIONS];
	char names[MAX_OPTIONS][64];
	struct device_config config = {.backend = "sim", .library = library, .options = list};
	struct device *device;
	const char *bad_option;
	struct error error;

	for (; options != NULL && *options != NULL && config.option_count < MAX_OPTIONS; options++) {
		const char *equals = strchr(*options, '=');
		size_t n = config.option_count++;

		snprintf(names[n], sizeof(names[n]), "%.*s", (int)(equals - *options), *options);
		list[n] = (struct device_option){names[n], equals + 1};
	}
	check(device_open(&config, &device, &bad_option, &error), &error);
	return device;
}

uint32_t traffic_read32(struct device *device, uint32_t address)
{
	struct error error;
	uint32_t value = 0;

	check(device_read32(device, address, &value, &error), &error);
	return value;
}

uint64_t traffic_read64(struct device *device, uint32_t address)
{
	struct error error;
	uint64_t value = 0;

	check(device_read64(device, address, &value, &error), &error);
	return value;
}

void traffic_write32(struct device *device, uint32_t address, uint32_t value)
{
	struct error error;

	check(device_write32(device, address, value, &error), &error);
}

void traffic_write64(struct device *device, uint32_t address, uint64_t value)
{
	struct error error;

	check(device_write64(device, address, value, &error), &error);
}

void traffic_wait(struct device *device, uint64_t octet_times)
{
	struct error error;

	check(device_wait(device, octet_times, &error), &error);
}

/* The test frame of RFC 2544 C.2.6.4: UDP to the echo port, here with one MAC address per destination. */
static void make_header(uint8_t header[HEADER_OCTETS], unsigned from, unsigned to, unsigned destination,
                        uint32_t frame_octets)
{
	const unsigned ip_octets = frame_octets - ETHERNET_OCTETS - FCS_OCTETS;
	uint8_t *ip = header + ETHERNET_OCTETS;
	uint8_t *udp = ip + IP_OCTETS;

	memset(header, 0, HEADER_OCTETS);
	header[0] = header[6] = 0x02; /* locally administered */
	header[4] = (uint8_t)to;
	header[5] = (uint8_t)destination;
	header[10] = (uint8_t)from;
	header[11] = 0xff;
	put_be16(header + 12, 0x0800);
	ip[0] = 0x45;
	put_be16(ip + 2, ip_octets);
	ip[8] = 0x0a;
	ip[9] = 17;
	memcpy(ip + 12, (const uint8_t[]){198, 18, 0, 1}, 4); /* RFC 2544 C.2.2 */
	memcpy(ip + 16, (const uint8_t[]){198, 19, 0, 1}, 4);
	ip[14] = (uint8_t)from;
	ip[18] = (uint8_t)to;
	ip[19] = (uint8_t)(destination + 1);
	put_be16(ip + 10, internet_checksum(ip, IP_OCTETS, 0));
	put_be16(udp, 0xc020);
	put_be16(udp + 2, 7);
	put_be16(udp + 4, ip_octets - IP_OCTETS);
	for (unsigned i = PAYLOAD_OFFSET; i < HEADER_OCTETS; i++)
		header[i] = (uint8_t)(i - PAYLOAD_OFFSET);
}

static void write_destinations(struct device *device, unsigned port, const struct sent_traffic *traffic, unsigned count)
{
	uint8_t header[HEADER_OCTETS];

	for (unsigned d = 0; d < count; d++) {
		traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(port), d);
		traffic_write32(device, FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), PAYLOAD_OFFSET);
		make_header(header, port, port ^ 1, d, traffic->frame_octets);
		for (unsigned word = 0; word < HEADER_OCTETS / 4; word++) {
			uint32_t value;

			memcpy(&value, header + 4 * (size_t)word, sizeof(value));
			traffic_write32(device, FPGAUGE_PORT_TX_HEADER(port) + 4 * word, value);
		}
	}
}

/* A port expects what its partner sends to it. */
static void write_expected(struct device *device, unsigned port, unsigned ports, unsigned count)
{
	enum { WORDS = 256 / 32 }; /* words of a source */

	for (unsigned word = 0; word < ports * WORDS; word++) {
		const unsigned first = word % WORDS * 32;
		const bool any = word / WORDS == (port ^ 1) && count > first;

		traffic_write32(device, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * word,
		                !any                 ? 0
		                : count - first < 32 ? (UINT32_C(1) << (count - first)) - 1
		                                     : UINT32_MAX);
	}
}

static void prepare_port(struct device *device, unsigned port, const struct sent_traffic *traffic)
{
	const unsigned destinations = traffic->destinations != 0 ? traffic->destinations : 1;

	traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(port), !(traffic->one_way && port % 2 == 1));
	traffic_write32(device, FPGAUGE_PORT_TX_FRAME_OCTETS(port), traffic->frame_octets);
	traffic_write64(device, FPGAUGE_PORT_TX_GAP_OCTETS(port), traffic->gap_octets != 0 ? traffic->gap_octets : 12);
	traffic_write32(device, FPGAUGE_PORT_TX_GAP_NUMERATOR(port), traffic->gap_numerator);
	traffic_write32(device, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port),
	                traffic->gap_denominator != 0 ? traffic->gap_denominator : 1);
	traffic_write32(device, FPGAUGE_PORT_TX_BURST_FRAMES(port), 0);
	traffic_write64(device, FPGAUGE_PORT_TX_STOP_FRAMES(port), traffic->stop_frames);
	traffic_write64(device, FPGAUGE_PORT_TX_DURATION(port), traffic->duration_ot);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(port), destinations);
	traffic_write32(device, FPGAUGE_PORT_TX_ORDER(port), 0);
	traffic_write32(device, FPGAUGE_PORT_RX_PAYLOAD_OFFSET(port), traffic->rx_payload_offset);
	traffic_write32(device, FPGAUGE_PORT_TX_TAG_ENABLE(port), 0);
	traffic_write32(device, FPGAUGE_PORT_TX_BAD_FCS_EVERY(port), traffic->bad_fcs_every);
	traffic_write32(device, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), 12);
	traffic_write32(device, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), 9216);
	traffic_write64(device, FPGAUGE_PORT_RX_HISTOGRAM_BASE(port), 0);
	traffic_write32(device, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), 8);
	write_destinations(device, port, traffic, destinations);
	write_expected(device, port, device_identity(device)->ports, destinations);
}

void traffic_prepare(struct device *device, const struct sent_traffic *traffic)
{
	const struct device_identity *identity = device_identity(device);

	traffic_write32(device, FPGAUGE_GLOBAL_RUN_ID, RUN_ID);
	for (unsigned port = 0; port < identity->ports; port++)
		prepare_port(device, port, traffic);
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	while (traffic_read32(device, FPGAUGE_GLOBAL_STATUS) & FPGAUGE_GLOBAL_STATUS_CLEARING)
		traffic_wait(device, SETTLE_OT);
}

void traffic_start(struct device *device)
{
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
}

void traffic_stop(struct device *device)
{
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
}

void traffic_snapshot(struct device *device)
{
	traffic_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
}

bool traffic_wait_sent(struct device *device, uint64_t step_ot, uint64_t most_ot)
{
	for (uint64_t waited = 0; waited <= most_ot; waited += step_ot) {
		if (!(traffic_read32(device, FPGAUGE_GLOBAL_STATUS) & FPGAUGE_GLOBAL_STATUS_SENDING))
			return true;
		traffic_wait(device, step_ot);
	}
	return false;
}
