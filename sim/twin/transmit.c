// SPDX-License-Identifier: Apache-2.0
/* Registers for what a port is to send: the settings that a start latches, the tables behind index registers, and
 * tx_send. */
#include "host/base/octets.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/twin.h"

static struct pacer_gap gap_of(uint64_t octets, uint64_t numerator, uint64_t denominator)
{
	return (struct pacer_gap){octets, (uint32_t)numerator, (uint32_t)denominator};
}

static struct pacer_settings pacer_settings_of(const struct twin_port *port)
{
	const uint64_t *value = port->value;
	struct pacer_settings pacer = {.offset_octets = value[PORT_TX_START_OFFSET],
	                               .burst_frames = (uint32_t)value[PORT_TX_BURST_FRAMES],
	                               .burst_gap_octets = value[PORT_TX_BURST_GAP_OCTETS],
	                               .phases = (uint32_t)value[PORT_TX_PHASES]};

	pacer.gap[0] = gap_of(value[PORT_TX_GAP_OCTETS], value[PORT_TX_GAP_NUMERATOR], value[PORT_TX_GAP_DENOMINATOR]);
	for (unsigned i = 1; i <= PACER_PHASES; i++) {
		const struct twin_phase *phase = &port->phase[i];

		pacer.gap[i] = gap_of(phase->gap_octets, phase->gap_numerator, phase->gap_denominator);
		pacer.phase_octets[i] = phase->octets;
	}
	return pacer;
}

/* A number of rules above those that there are acts as all of them. */
static struct rules_settings rules_settings_of(const struct twin_port *port)
{
	const uint64_t asked = port->value[PORT_TX_RULES];
	struct rules_settings settings = {.rules = asked < RULES_MOST ? (uint32_t)asked : RULES_MOST};

	for (unsigned i = 0; i < RULES_MOST; i++) {
		const struct twin_rule *rule = &port->rule[i];

		settings.rule[i] = (struct rule){rule->octets, rule->period_octets, rules_frame(rule->frame)};
	}
	return settings;
}

void twin_transmit_settings(const struct twin *twin, unsigned port, struct sender_settings *settings)
{
	const uint64_t *value = twin->ports[port].value;

	*settings = (struct sender_settings){
	        .pacer = pacer_settings_of(&twin->ports[port]),
	        .turns = {.order = value[PORT_TX_ORDER] <= ORDER_TABLE ? (uint32_t)value[PORT_TX_ORDER] : ORDER_IN_TURN,
	                  .flows = (uint32_t)value[PORT_TX_FLOWS],
	                  .turns = (uint32_t)value[PORT_TX_TURNS],
	                  .seed = (uint32_t)value[PORT_TX_SEED],
	                  .size_seed = (uint32_t)value[PORT_TX_SIZE_SEED],
	                  .frame_octets = (uint32_t)value[PORT_TX_FRAME_OCTETS],
	                  .every = (uint32_t)value[PORT_TX_EVERY],
	                  .every_flow = (uint8_t)value[PORT_TX_EVERY_FLOW]},
	        .rules = rules_settings_of(&twin->ports[port]),
	        .stop_frames = value[PORT_TX_STOP_FRAMES],
	        .duration = value[PORT_TX_DURATION],
	        .tag_enable = value[PORT_TX_TAG_ENABLE] != 0,
	        .tag_first = value[PORT_TX_TAG_FIRST],
	        .tag_interval = value[PORT_TX_TAG_INTERVAL],
	        .bad_fcs_every = (uint32_t)value[PORT_TX_BAD_FCS_EVERY],
	        .obey_pause = value[PORT_TX_OBEY_PAUSE] != 0,
	        .run_id = (uint8_t)twin->value[GLOBAL_RUN_ID]};
}

static uint32_t bits(uint32_t value, unsigned last, unsigned first)
{
	return value >> first & ((UINT32_C(1) << (last - first + 1)) - 1);
}

static void put_rule(struct twin_rule *rule, const struct register_word *word, uint32_t value)
{
	if (word->reg == PORT_TX_RULE_TIME)
		register_put(&rule->octets, word, value);
	else if (word->reg == PORT_TX_RULE_PERIOD)
		register_put(&rule->period_octets, word, value);
	else
		rule->frame = value;
}

static void put_table(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value)
{
	const uint64_t *values = twin->ports[port].value;
	struct twin_phase *phase = &twin->ports[port].phase[values[PORT_TX_PHASE_INDEX]];
	struct turns_tables *tables = &twin->play.directions[port].sender.tables;
	struct flow *flow = &tables->flow[values[PORT_TX_FLOW_INDEX]];

	switch (word->reg) {
	case PORT_TX_FLOW_SIZE:
		flow->how = (uint8_t)bits(value, 1, 0);
		flow->first = (uint16_t)bits(value, 15, 2);
		flow->count = (uint16_t)bits(value, 30, 16);
		break;
	case PORT_TX_FLOW_FLAGS:
		flow->flags = (uint8_t)value;
		break;
	case PORT_TX_SIZE_OCTETS:
		tables->octets[values[PORT_TX_SIZE_INDEX]] = (uint16_t)value;
		break;
	case PORT_TX_TURN_FLOW:
		tables->turn[values[PORT_TX_TURN_INDEX]] = (uint8_t)value;
		break;
	case PORT_TX_PHASE_TIME:
		register_put(&phase->octets, word, value);
		break;
	case PORT_TX_PHASE_GAP_OCTETS:
		register_put(&phase->gap_octets, word, value);
		break;
	case PORT_TX_PHASE_GAP_NUMERATOR:
		phase->gap_numerator = value;
		break;
	case PORT_TX_PHASE_GAP_DENOMINATOR:
		phase->gap_denominator = value;
		break;
	default:
		put_rule(&twin->ports[port].rule[values[PORT_TX_RULE_INDEX]], word, value);
	}
}

/* The core applies a change of a table in mid-trial to frames that are not in its queue yet. No trial needs that. */
static bool stands_still(struct twin *twin, unsigned port, uint64_t clock)
{
	if (!play_port(&twin->play, port, clock, true))
		return false;
	if (sender_sending(&twin->play.directions[port].sender, clock))
		return play_fail(&twin->play,
		                 "port %u: tables of flows, lengths, turns, phases and rules, and with a device that "
		                 "reads frames their contents, are written while the port sends: the twin needs them "
		                 "to stand still",
		                 port);
	return true;
}

static bool write_table(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value,
                        uint64_t clock)
{
	if (!stands_still(twin, port, clock))
		return false;
	put_table(twin, port, word, value & word->mask);
	return true;
}

static void put_field(struct contents *contents, const uint64_t *values, const struct register_word *word,
                      uint32_t value)
{
	const uint64_t index = values[PORT_TX_FIELD_INDEX];
	struct contents_field *field = &contents->flow[index / CONTENTS_FIELDS].field[index % CONTENTS_FIELDS];

	switch (word->reg) {
	case PORT_TX_FIELD_START:
		field->start = value;
		break;
	case PORT_TX_FIELD_STEP:
		field->step = value;
		break;
	case PORT_TX_FIELD_MASK:
		field->mask = value;
		break;
	case PORT_TX_FIELD_COUNT:
		field->count = value;
		break;
	case PORT_TX_FIELD_KIND:
		contents_put_kind(field, value);
		break;
	default:
		contents->value[values[PORT_TX_VALUE_INDEX]] = value;
	}
}

static void put_frame_tables(struct frame_tables *tables, const uint64_t *values, const struct register_word *word,
                             uint32_t value)
{
	const uint64_t index = values[PORT_TX_FIELD_INDEX];
	struct frame_flow *flow = &tables->flow[values[PORT_TX_FLOW_INDEX]];

	switch (word->reg) {
	case PORT_TX_HEADER:
		put_le(flow->header + 4 * (size_t)word->word, value, 4);
		break;
	case PORT_TX_BODY:
		put_le(tables->body[values[PORT_TX_BODY_INDEX]] + 4 * (size_t)word->word, value, 4);
		break;
	case PORT_TX_FLOW_BODY:
		flow->body_first = (uint16_t)bits(value, 8, 0);
		flow->body_entries = (uint8_t)bits(value, 20, 16);
		break;
	case PORT_TX_FLOW_PAYLOAD:
		flow->payload = (uint8_t)value;
		break;
	case PORT_TX_FLOW_CHECKSUM1:
	case PORT_TX_FLOW_CHECKSUM2:
		flow->checksum[word->reg == PORT_TX_FLOW_CHECKSUM2] = value;
		break;
	case PORT_TX_FIELD_KIND:
		tables->flow[index / CONTENTS_FIELDS].in_checksum[index % CONTENTS_FIELDS] =
		        (uint8_t)bits(value, 17, 16);
		break;
	default:
		break;
	}
}

static void put_contents(struct post *post, const uint64_t *values, const struct register_word *word, uint32_t value)
{
	struct contents_flow *flow = &post->contents.flow[values[PORT_TX_FLOW_INDEX]];

	put_frame_tables(&post->tables, values, word, value);
	switch (word->reg) {
	case PORT_TX_HEADER:
		contents_put_header(flow, word->word, value);
		break;
	case PORT_TX_FLOW_LENGTH1:
	case PORT_TX_FLOW_LENGTH2:
		contents_put_length(&flow->length[word->reg == PORT_TX_FLOW_LENGTH2], value);
		break;
	case PORT_TX_FLOW_BODY:
	case PORT_TX_BODY:
	case PORT_TX_FLOW_PAYLOAD:
	case PORT_TX_FLOW_CHECKSUM1:
	case PORT_TX_FLOW_CHECKSUM2:
		break;
	default:
		put_field(&post->contents, values, word, value);
	}
}

/* A flow that has a turn, or every n-th frame. */
static bool takes_turns(const struct sender *sender, uint64_t flow)
{
	const struct turns_settings *settings = &sender->settings.turns;

	if (settings->every != 0 && settings->every_flow == flow)
		return true;
	if (settings->order != ORDER_TABLE)
		return flow < settings->flows;
	for (uint32_t i = 0; i < settings->turns; i++)
		if (sender->tables.turn[i] == flow)
			return true;
	return false;
}

/* The flow that a register is about; TURNS_FLOWS: perhaps all. */
static uint64_t flow_of(const uint64_t *values, unsigned reg)
{
	switch (reg) {
	case PORT_TX_FIELD_START:
	case PORT_TX_FIELD_STEP:
	case PORT_TX_FIELD_MASK:
	case PORT_TX_FIELD_COUNT:
	case PORT_TX_FIELD_KIND:
		return values[PORT_TX_FIELD_INDEX] / CONTENTS_FIELDS;
	case PORT_TX_VALUE:
	case PORT_TX_BODY:
		return TURNS_FLOWS;
	default:
		return values[PORT_TX_FLOW_INDEX];
	}
}

/* Contents of flows that take turns must stand still while they are sent, where somebody looks into frames. The host
 * may at any time prepare other flows, which it sends by tx_send; and bodies, whoever has them. */
static bool write_contents(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value,
                           uint64_t clock)
{
	const uint64_t *values = twin->ports[port].value;
	const struct sender *sender = &twin->play.directions[port].sender;
	const uint64_t flow = flow_of(values, word->reg);

	if (twin_follows(twin, port)) {
		if (word->reg != PORT_TX_BODY && (flow == TURNS_FLOWS || takes_turns(sender, flow))) {
			if (!stands_still(twin, port, clock))
				return false;
		} else if (!play_port(&twin->play, port, clock, true)) {
			return false;
		}
	} else if (twin->play.tcp && !play_port(&twin->play, port, clock, true)) {
		return false;
	}
	put_contents(twin->play.posts[port], values, word, value & word->mask);
	return true;
}

/* The twin makes only the addresses, without checksums, for a device that reads no more of a frame. */
static bool write_checksum(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value,
                           uint64_t clock)
{
	enum { IN_USE_BIT = 15, OCTET_MASK = 0x7e };
	const struct dut_device *device = twin->play.device;

	if (device->reads_frames && device->header_octets <= CONTENTS_OCTETS && (value >> IN_USE_BIT & 1) &&
	    (value & OCTET_MASK) < CONTENTS_OCTETS)
		return play_fail(&twin->play,
		                 "port %u: a checksum at octet %u, in the addresses, which the device reads: the twin "
		                 "computes none there",
		                 port, value & OCTET_MASK);
	return write_contents(twin, port, word, value, clock);
}

static bool ask(struct twin *twin, unsigned port, uint32_t value, uint64_t clock)
{
	struct direction *from = &twin->play.directions[port];
	const struct descriptor frame = rules_frame(value);

	if (twin->play.device->header_octets <= CONTENTS_OCTETS && !post_may_send(twin->play.posts[port], &frame))
		return play_fail(&twin->play,
		                 "port %u: tx_send of a flow with fields, without a signature: the twin follows these "
		                 "only if tx_flow_flags of the flow say so when the trial starts",
		                 port);
	if (!play_port_ahead(&twin->play, port, clock, sender_begun(clock)))
		return false;
	sender_ask(&from->sender, &frame, clock);
	return true;
}

bool twin_transmit_write(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value,
                         uint64_t clock, bool *done)
{
	*done = true;
	switch (word->reg) {
	case PORT_TX_FLOW_SIZE:
	case PORT_TX_FLOW_FLAGS:
	case PORT_TX_SIZE_OCTETS:
	case PORT_TX_TURN_FLOW:
	case PORT_TX_PHASE_TIME:
	case PORT_TX_PHASE_GAP_OCTETS:
	case PORT_TX_PHASE_GAP_NUMERATOR:
	case PORT_TX_PHASE_GAP_DENOMINATOR:
	case PORT_TX_RULE_TIME:
	case PORT_TX_RULE_PERIOD:
	case PORT_TX_RULE_FRAME:
		return write_table(twin, port, word, value, clock);
	case PORT_TX_HEADER:
	case PORT_TX_FLOW_LENGTH1:
	case PORT_TX_FLOW_LENGTH2:
	case PORT_TX_FIELD_START:
	case PORT_TX_FIELD_STEP:
	case PORT_TX_FIELD_MASK:
	case PORT_TX_FIELD_COUNT:
	case PORT_TX_FIELD_KIND:
	case PORT_TX_VALUE:
	case PORT_TX_BODY:
	case PORT_TX_FLOW_BODY:
	case PORT_TX_FLOW_PAYLOAD:
		return write_contents(twin, port, word, value, clock);
	case PORT_TX_FLOW_CHECKSUM1:
	case PORT_TX_FLOW_CHECKSUM2:
		return write_checksum(twin, port, word, value, clock);
	case PORT_TX_SEND:
		return ask(twin, port, value, clock);
	default:
		*done = false;
		return true;
	}
}
