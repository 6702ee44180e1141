/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/plain_flow.h"

#include <string.h>

#include "host/base/octets.h"
#include "hw/regs/fpgauge_regs.h"

void plain_flow(struct register_write writes[PLAIN_FLOW_WRITES], unsigned port, unsigned flow,
                const uint8_t octets[TEMPLATE_OCTETS])
{
	const struct register_write settings[PLAIN_FLOW_SETTINGS] = {
	        {FPGAUGE_PORT_TX_FLOW_INDEX(port), flow},
	        {FPGAUGE_PORT_TX_FLOW_SIZE(port), 0},
	        {FPGAUGE_PORT_TX_FLOW_FLAGS(port), 0},
	        {FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), TEMPLATE_PAYLOAD_OFFSET},
	        {FPGAUGE_PORT_TX_FLOW_BODY(port), 0},
	        {FPGAUGE_PORT_TX_FLOW_LENGTH1(port), 0},
	        {FPGAUGE_PORT_TX_FLOW_LENGTH2(port), 0},
	        {FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port), 0},
	        {FPGAUGE_PORT_TX_FLOW_CHECKSUM2(port), 0},
	};
	struct register_write *write = writes + PLAIN_FLOW_SETTINGS;

	_Static_assert(FPGAUGE_PORT_TX_HEADER_COUNT == TEMPLATE_OCTETS / 4, "a header is a template");
	memcpy(writes, settings, sizeof(settings));
	for (uint32_t field = 0; field < PLAIN_FLOW_FIELDS; field++) {
		*write++ = (struct register_write){FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * PLAIN_FLOW_FIELDS + field};
		*write++ = (struct register_write){FPGAUGE_PORT_TX_FIELD_KIND(port), 0};
	}
	for (uint32_t at = 0; at < TEMPLATE_OCTETS; at += 4)
		*write++ = (struct register_write){FPGAUGE_PORT_TX_HEADER(port) + at, (uint32_t)get_le(octets + at, 4)};
}
