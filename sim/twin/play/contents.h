/* SPDX-License-Identifier: Apache-2.0 */
/* The first octets of frames, for a device that reads them: hw/rtl/tx/tx_flows.v, tx_fields.v and the lengths of
 * tx_checksum.v, as far as they reach into the addresses. What comes after the addresses no device goes by. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_CONTENTS_H
#define FPGAUGE_SIM_TWIN_PLAY_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/dut/header.h"
#include "sim/twin/play/turns.h"

enum {
	CONTENTS_OCTETS = 12, /* destination and source MAC */
	CONTENTS_FIELDS = 4,
	CONTENTS_LENGTHS = 2,
	CONTENTS_VALUES = 4096,
};

/* A field of a flow. Where it is in the trial counts once the flow has been used in it. */
struct contents_field {
	uint32_t start, step, mask, count;
	uint32_t position, offset; /* state at the next frame; offset: position x step */
	uint8_t kind, octet;       /* octet: where its first one stands */
};

struct contents_length {
	uint16_t uncounted;
	uint8_t octet;
	bool in_use;
};

struct contents_flow {
	uint8_t header[CONTENTS_OCTETS];
	bool used;     /* used in this trial */
	bool constant; /* it has no field in this trial, and no length in the addresses */
	struct contents_length length[CONTENTS_LENGTHS];
	struct contents_field field[CONTENTS_FIELDS];
};

/* The addresses that a port sends. All zero when the device is loaded. */
struct contents {
	struct contents_flow flow[TURNS_FLOWS];
	uint32_t value[CONTENTS_VALUES];
	uint32_t draw[CONTENTS_FIELDS]; /* stepped already */
	bool constant;                  /* all flows are constant in this trial, and these are their addresses */
	struct dut_addresses addresses[TURNS_FLOWS];
};

/* tx_flow_length1 and 2, tx_field_kind; tx_header. */
void contents_put_length(struct contents_length *length, uint32_t value);
void contents_put_kind(struct contents_field *field, uint32_t value);
void contents_put_header(struct contents_flow *flow, unsigned word, uint32_t value);

/* Ways in which the addresses vary by a field: not at all, if it is not in them. */
enum contents_course { CONTENTS_CONSTANT, CONTENTS_ROUND, CONTENTS_DRAWN };

enum contents_course contents_course(const struct contents_field *field);
/* True if it has a field. */
bool contents_varies(const struct contents_flow *flow);

/* A trial begins. */
void contents_start(struct contents *contents, uint32_t seed);

void contents_take_varied(struct contents *contents, uint32_t flow, uint32_t octets,
                          uint8_t addresses[CONTENTS_OCTETS]);

/* The addresses of the next frame of the trial; every frame must be asked for, in order. */
static inline void contents_take(struct contents *contents, uint32_t flow, uint32_t octets,
                                 uint8_t addresses[CONTENTS_OCTETS])
{
	memcpy(addresses, contents->flow[flow].header, CONTENTS_OCTETS);
	if (!contents->flow[flow].constant)
		contents_take_varied(contents, flow, octets, addresses);
}

/* Number of values that a field of a flow goes through, or draws from; and one of them. */
uint32_t contents_choices(const struct contents_field *field);
uint32_t contents_choice(const struct contents *contents, uint32_t flow, unsigned field, uint32_t choice);

/* Goes on as if so many more frames of each flow had been asked for. */
void contents_skip(struct contents *contents, const uint64_t frames[TURNS_FLOWS]);

/* The values of its fields instead, 0 of those that there are not; for whoever puts them in. */
void contents_values(struct contents *contents, uint32_t flow, uint32_t values[CONTENTS_FIELDS]);

#endif
