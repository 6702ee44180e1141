/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a device that make traffic (docs/hardware-core.md), as writes to registers. */
#ifndef FPGAUGE_TRIAL_FLOW_REGISTERS_H
#define FPGAUGE_TRIAL_FLOW_REGISTERS_H

#include <stdint.h>

#include "host/traffic/traffic.h"
#include "host/trial/register_write.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	FLOW_HEADER_OCTETS = 4 * FPGAUGE_PORT_TX_HEADER_COUNT,
	STREAMS_OF_SOURCE = FPGAUGE_PORT_TX_STREAM_INDEX_MAX + 1,
	EXPECTED_WORDS = STREAMS_OF_SOURCE / 32,
	FLOW_BODIES = 2, /* entries of the table of bodies that a flow has */
	FLOW_MAX_WRITES =
	        9 + 6 * TRAFFIC_FIELDS + FPGAUGE_PORT_TX_HEADER_COUNT + FLOW_BODIES * (1 + FPGAUGE_PORT_TX_BODY_COUNT),
	RULE_MAX_WRITES = 6 * TRAFFIC_RULES,
	TABLE_MAX_WRITES = 2 * TRAFFIC_TURNS,
};

/* Each fills `writes`, to be written in this order, and returns how many they are. */

/* Gives what the frames of flow `flow` are; what a header has beyond FLOW_HEADER_OCTETS is in its body, from entry
 * FLOW_BODIES times `flow` on. */
unsigned flow_registers(const struct traffic *traffic, unsigned port, unsigned flow,
                        struct register_write writes[FLOW_MAX_WRITES]);

/* The table of lengths of a port. */
unsigned length_registers(const struct traffic *traffic, unsigned port, struct register_write writes[TABLE_MAX_WRITES]);

/* The table of turns of a port; none if it has another order. */
unsigned turn_registers(const struct traffic *traffic, unsigned port, struct register_write writes[TABLE_MAX_WRITES]);

/* The rules of a port; none if it has none. tag_after_ot: the time of one at the tag. */
unsigned rule_registers(const struct traffic *traffic, unsigned port, uint64_t link_bps, uint64_t tag_after_ot,
                        struct register_write writes[RULE_MAX_WRITES]);

/* Gives the streams of `source` that are expected at a port. */
unsigned expected_registers(const struct traffic *traffic, unsigned port, unsigned source,
                            struct register_write writes[EXPECTED_WORDS]);

#endif
