/* SPDX-License-Identifier: Apache-2.0 */
/* All octets of frames, for a device that reads or changes more of them than addresses, and for the host:
 * hw/rtl/tx/tx_flows.v, tx_inserts.v, tx_checksum.v, tx_build.v. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_FRAME_OCTETS_H
#define FPGAUGE_SIM_TWIN_PLAY_FRAME_OCTETS_H

#include <stdint.h>

#include "host/base/ethernet.h"
#include "sim/twin/play/contents.h"
#include "sim/twin/play/records.h"

enum {
	FRAME_HEADER_OCTETS = 64, /* octets of tx_header, and of an entry of a body */
	FRAME_BODIES = 512,
};

struct frame_flow {
	uint8_t header[FRAME_HEADER_OCTETS];
	uint32_t checksum[2];                 /* registers as written */
	uint8_t in_checksum[CONTENTS_FIELDS]; /* bit 0, 1: the field is in checksum1, 2 */
	uint16_t body_first;
	uint8_t body_entries, payload;
};

/* Tables of a port, besides what is in its contents. All zero when the device is loaded. */
struct frame_tables {
	struct frame_flow flow[TURNS_FLOWS];
	uint8_t body[FRAME_BODIES][FRAME_HEADER_OCTETS];
};

/* Writes the first `count` octets of a frame, at most all of them. values: of its fields, as contents_values() gives
 * them. The FCS is written only with all the rest. */
void frame_octets_make(const struct frame_tables *tables, const struct contents *contents, const uint32_t *values,
                       const struct record *record, uint32_t octets, uint8_t *to, uint32_t count);

/* Writes the right FCS into a frame of so many octets. */
void frame_put_fcs(uint8_t *frame, uint32_t octets);

#endif
