/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a flow whose frames are all of one length and alike, with nothing special about them. */
#ifndef FPGAUGE_TRIAL_PLAIN_FLOW_H
#define FPGAUGE_TRIAL_PLAIN_FLOW_H

#include <stdint.h>

#include "host/traffic/frame_template.h"
#include "host/trial/register_write.h"

enum {
	PLAIN_FLOW_FIELDS = 4,   /* fields of each flow */
	PLAIN_FLOW_SETTINGS = 9, /* the flow's index, and what it is */
	PLAIN_FLOW_WRITES = PLAIN_FLOW_SETTINGS + 2 * PLAIN_FLOW_FIELDS + TEMPLATE_OCTETS / 4,
};

/* Fills `writes`, to be written in this order: flow `flow` (0 to TEMPLATE_MAX_ENTRIES - 1) of `port` sends frames that
 * begin with `octets` and have the length of tx_frame_octets. */
void plain_flow(struct register_write writes[PLAIN_FLOW_WRITES], unsigned port, unsigned flow,
                const uint8_t octets[TEMPLATE_OCTETS]);

#endif
