// SPDX-License-Identifier: Apache-2.0
/* Registers that are written and read for an exchange of frames. */
#include "host/commands/clock/registers.h"

#include "host/base/rate.h"
#include "host/traffic/frame_template.h"
#include "host/trial/plain_flow.h"

enum {
	RUN_ID = 0xc1,
	STREAMS = 256, /* flows of a source */
	WORDS = STREAMS / 32,
	HOW_IT_IS = 0xff, /* link_status: bits above these say what happened since the clear */
};

static int put(struct device *device, uint32_t address, unsigned bits, uint64_t value, struct error *error)
{
	return bits > 32 ? device_write64(device, address, value, error)
	                 : device_write32(device, address, (uint32_t)value, error);
}

static int write_settings(struct device *device, unsigned port, const struct clock_stream *stream, struct error *error)
{
	const struct {
		uint32_t address;
		unsigned bits;
		uint64_t value;
	} settings[] = {
#define SETTING(NAME, value) {FPGAUGE_PORT_##NAME(port), FPGAUGE_PORT_##NAME##_BITS, value}
	        SETTING(LOOPBACK, 0),
	        SETTING(TX_ENABLE, 1),
	        SETTING(TX_FRAME_OCTETS, stream->frame_octets),
	        SETTING(TX_GAP_OCTETS, stream->interval_ot - PREAMBLE_OCTETS - stream->frame_octets),
	        SETTING(TX_GAP_NUMERATOR, 0),
	        SETTING(TX_GAP_DENOMINATOR, 1),
	        SETTING(TX_BURST_FRAMES, 0),
	        SETTING(TX_STOP_FRAMES, stream->frames),
	        SETTING(TX_DURATION, 0),
	        SETTING(TX_FLOWS, 1),
	        SETTING(TX_ORDER, 0),
	        SETTING(TX_PHASES, 0),
	        SETTING(TX_EVERY, 0),
	        SETTING(TX_RULES, 0),
	        SETTING(TX_START_OFFSET, 0),
	        SETTING(TX_OBEY_PAUSE, 0),
	        SETTING(TX_TAG_ENABLE, 1),
	        SETTING(TX_TAG_FIRST, 0),
	        SETTING(TX_TAG_INTERVAL, stream->interval_ot),
	        SETTING(TX_BAD_FCS_EVERY, 0),
	        SETTING(RX_MAX_FRAME_OCTETS, MAX_FRAME_OCTETS),
	        SETTING(RX_PAYLOAD_OFFSET, TEMPLATE_PAYLOAD_OFFSET),
	        SETTING(RX_MAIL_FILTER, 0),
#undef SETTING
	};
	int status = 0;

	for (size_t i = 0; !status && i < sizeof(settings) / sizeof(*settings); i++)
		status = put(device, settings[i].address, settings[i].bits, settings[i].value, error);
	return status;
}

/* Frames go from the host of one card to that of the other, whatever the numbers of the ports: a bridge between them
 * learns both.
 *  */
static int write_flow(const struct clock_role *role, const struct clock_stream *stream, struct error *error)
{
	struct register_write writes[PLAIN_FLOW_WRITES];
	uint8_t octets[TEMPLATE_OCTETS];
	int status = 0;

	frame_template(octets, role->host, 1 - role->host, 0, stream->frame_octets);
	plain_flow(writes, role->port, 0, octets);
	for (unsigned i = 0; !status && i < PLAIN_FLOW_WRITES; i++)
		status = device_write32(role->device, writes[i].address, writes[i].value, error);
	return status;
}

static int write_expected(struct device *device, unsigned port, unsigned from, struct error *error)
{
	const unsigned words = device_identity(device)->ports * WORDS;
	int status = 0;

	for (unsigned word = 0; !status && word < words; word++)
		status = device_write32(device, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * word, word == from * WORDS, error);
	return status;
}

int clock_take_over(struct device *device, struct error *error)
{
	int status = device_write32(device, FPGAUGE_GLOBAL_RUN_ID, RUN_ID, error);

	for (unsigned i = 0; !status && i < device_identity(device)->ports; i++)
		status = device_write32(device, FPGAUGE_PORT_TX_ENABLE(i), 0, error);
	return status;
}

int clock_program(const struct clock_role *role, const struct clock_stream *stream, struct error *error)
{
	int status = write_settings(role->device, role->port, stream, error);

	if (!status)
		status = write_flow(role, stream, error);
	return status ? status : write_expected(role->device, role->port, role->from, error);
}

bool clock_link_lost(uint32_t link_status)
{
	const uint32_t present = FPGAUGE_PORT_LINK_STATUS_PRESENT, up = FPGAUGE_PORT_LINK_STATUS_UP;

	return link_status & present && (!(link_status & up) || link_status & ~(uint32_t)HOW_IT_IS);
}

int clock_read_counts(struct device *device, unsigned port, struct clock_counts *counts, struct error *error)
{
	const struct {
		enum fpgauge_counter counter;
		uint64_t *value;
	} reads[] = {
	        {FPGAUGE_COUNTER_TX_FRAMES, &counts->sent},
	        {FPGAUGE_COUNTER_TX_LATE_FRAMES, &counts->late},
	        {FPGAUGE_COUNTER_RX_RECEIVED_FRAMES, &counts->received},
	        {FPGAUGE_COUNTER_RX_TAGGED_FRAMES, &counts->tagged},
	        {FPGAUGE_COUNTER_RX_BAD_FRAMES, &counts->bad},
	};
	uint32_t link = 0;
	int status = device_read32(device, FPGAUGE_PORT_LINK_STATUS(port), &link, error);

	for (size_t i = 0; !status && i < sizeof(reads) / sizeof(*reads); i++)
		status = device_read64(device, FPGAUGE_COUNTER(port, reads[i].counter), reads[i].value, error);
	counts->link_lost = clock_link_lost(link);
	return status;
}

int clock_read_tag(struct device *device, unsigned port, unsigned index, struct clock_tag *tag, struct error *error)
{
	uint32_t stream = 0;
	int status = device_write32(device, FPGAUGE_PORT_RX_TAG_INDEX(port), index, error);

	if (!status)
		status = device_read32(device, FPGAUGE_PORT_RX_TAG_STREAM(port), &stream, error);
	if (!status)
		status = device_read64(device, FPGAUGE_PORT_RX_TAG_LATENCY(port), &tag->latency_ot, error);
	if (!status)
		status = device_read64(device, FPGAUGE_PORT_RX_TAG_TIME(port), &tag->time_ot, error);
	tag->source = stream / STREAMS;
	return status;
}
