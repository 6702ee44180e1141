/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/device/host_queue.h"

#include "host/base/octets.h"
#include "host/traffic/protocols/foreign_frame.h"
#include "host/trial/device/registers.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	FLOWS = FPGAUGE_PORT_TX_FLOW_INDEX_MAX + 1,
	FIELDS = 4, /* fields of a flow */
	IS_UNSIGNED = 1,
	BODY = FPGAUGE_PORT_TX_BODY_INDEX_MAX, /* traffic has FLOW_BODIES for each flow, so it does not come to the last
	                                        */
	HEADER_OCTETS = 4 * FPGAUGE_PORT_TX_HEADER_COUNT,
	PAYLOAD_BEHIND = 128, /* payload that begins beyond header and body, so that none of it is in a frame */
	WORD_OCTETS = 4,
};

unsigned host_queue_flow(const struct device_identity *identity)
{
	return (identity->destinations < FLOWS ? identity->destinations : FLOWS) - 1;
}

unsigned host_queue_flow_registers(unsigned port, unsigned flow, struct register_write writes[HOST_QUEUE_FLOW_WRITES])
{
	unsigned count = 0;

	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_INDEX(port), flow};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_SIZE(port), 0};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_FLAGS(port), IS_UNSIGNED};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), PAYLOAD_BEHIND};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_BODY(port), 1u << 16 | BODY};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_LENGTH1(port), 0};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_LENGTH2(port), 0};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port), 0};
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FLOW_CHECKSUM2(port), 0};
	for (unsigned field = 0; field < FIELDS; field++) {
		writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * FIELDS + field};
		writes[count++] = (struct register_write){FPGAUGE_PORT_TX_FIELD_KIND(port), 0};
	}
	return count;
}

/* Octets of the oldest frame, up to `until` or its end; words that are there already are not read again. */
static int read_octets(struct device *device, unsigned port, unsigned octets, unsigned until,
                       struct host_queue_frame *frame, struct error *error)
{
	if (until > HOST_QUEUE_MOST_OCTETS)
		until = HOST_QUEUE_MOST_OCTETS;
	if (until > octets)
		until = octets;
	for (unsigned at = frame->count; at < until; at += WORD_OCTETS) {
		uint32_t word;
		int status = device_write32(device, FPGAUGE_PORT_RX_MAIL_INDEX(port), at / WORD_OCTETS, error);

		if (status == 0)
			status = device_read32(device, FPGAUGE_PORT_RX_MAIL_DATA(port), &word, error);
		if (status)
			return status;
		put_le(frame->octets + at, word, until - at < WORD_OCTETS ? until - at : WORD_OCTETS);
	}
	frame->count = until;
	return 0;
}

int host_queue_fetch(struct device *device, unsigned port, bool whole, bool *there, struct host_queue_frame *frame,
                     struct error *error)
{
	uint32_t octets;
	int status = registers_read_alive(device, FPGAUGE_PORT_RX_MAIL_OCTETS(port), &octets, error);

	*there = status == 0 && octets != 0;
	frame->count = 0;
	if (!*there)
		return status;
	octets = octets > FCS_OCTETS ? octets - FCS_OCTETS : 0;
	status = read_octets(device, port, octets, FOREIGN_HEAD_OCTETS, frame, error);
	if (status == 0 && (whole || foreign_kind(frame->octets, frame->count) == FOREIGN_ND))
		status = read_octets(device, port, octets, octets, frame, error);
	return status ? status : device_write32(device, FPGAUGE_PORT_RX_MAIL_NEXT(port), 1, error);
}

/* Octet 0 of a word is its least significant one. */
static int write_octets(struct device *device, uint32_t address, const uint8_t *octets, unsigned count,
                        struct error *error)
{
	int status = 0;

	for (unsigned at = 0; at < count && status == 0; at += WORD_OCTETS) {
		const unsigned there = count - at < WORD_OCTETS ? count - at : WORD_OCTETS;

		status = device_write32(device, address + at, (uint32_t)get_le(octets + at, there), error);
	}
	return status;
}

int host_queue_send(struct device *device, unsigned port, unsigned flow, const struct neighbour_frame *frame,
                    struct error *error)
{
	int status = device_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow, error);

	if (status == 0)
		status = write_octets(device, FPGAUGE_PORT_TX_HEADER(port), frame->octets, HEADER_OCTETS, error);
	if (status == 0)
		status = device_write32(device, FPGAUGE_PORT_TX_BODY_INDEX(port), BODY, error);
	if (status == 0)
		status = write_octets(device, FPGAUGE_PORT_TX_BODY(port), frame->octets + HEADER_OCTETS,
		                      NEIGHBOUR_OCTETS - HEADER_OCTETS, error);
	if (status)
		return status;
	return device_write32(device, FPGAUGE_PORT_TX_SEND(port),
	                      (uint32_t)IS_UNSIGNED << 24 | (uint32_t)NEIGHBOUR_FRAME_OCTETS << 8 | flow, error);
}

int host_queue_sent(struct device *device, unsigned port, unsigned flow, uint64_t *frames, struct error *error)
{
	int status = device_write32(device, FPGAUGE_PORT_TX_STREAM_INDEX(port), flow, error);

	return status ? status : device_read64(device, FPGAUGE_PORT_TX_STREAM_FRAMES(port), frames, error);
}
