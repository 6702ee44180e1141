/* SPDX-License-Identifier: Apache-2.0 */
/* The first octets of frames, for a device that reads them: hw/rtl/tx/tx_flows.v, tx_fields.v and the lengths of
 * tx_checksum.v, as far as they reach into the addresses. What comes after the addresses no device goes by. */
#ifndef FPGAUGE_SIM_TWIN_CONTENTS_H
#define FPGAUGE_SIM_TWIN_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/turns.h"

enum {
	CONTENTS_OCTETS = 12, /* destination and source MAC */
	CONTENTS_FIELDS = 4,
	CONTENTS_LENGTHS = 2,
	CONTENTS_VALUES = 4096,
};

/* A field of a flow. Where it is in the trial counts once the flow has been used in it. */
struct contents_field {
	uint32_t start, step, mask, count;
	uint32_t position, offset; /* of the next frame; offset: position x step */
	uint8_t kind, octet;       /* octet: where its first one stands */
};

struct contents_length {
	uint16_t uncounted;
	uint8_t octet;
	bool in_use;
};

struct contents_flow {
	uint8_t header[CONTENTS_OCTETS];
	bool used; /* in this trial */
	struct contents_length length[CONTENTS_LENGTHS];
	struct contents_field field[CONTENTS_FIELDS];
};

/* Of a port. All zero when the device is loaded. */
struct contents {
	struct contents_flow flow[TURNS_FLOWS];
	uint32_t value[CONTENTS_VALUES];
	uint32_t draw[CONTENTS_FIELDS]; /* stepped already */
};

/* tx_flow_length1 and 2, tx_field_kind; tx_header. */
void contents_put_length(struct contents_length *length, uint32_t value);
void contents_put_kind(struct contents_field *field, uint32_t value);
void contents_put_header(struct contents_flow *flow, unsigned word, uint32_t value);

/* A trial begins. */
void contents_start(struct contents *contents, uint32_t seed);

/* The addresses of the next frame of the trial; every frame must be asked for, in order. */
void contents_take(struct contents *contents, uint32_t flow, uint32_t octets, uint8_t addresses[CONTENTS_OCTETS]);

#endif
