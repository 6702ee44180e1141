/* SPDX-License-Identifier: Apache-2.0 */
/* Flows, word by word. */
#include "host/trial/flow_registers.h"

#include "host/traffic/packet_checksum.h"

enum {
	LENGTHS_IN_TURN = 1, /* tx_flow_size */
	IS_UNSIGNED = 1 << 0,
	HAS_WRONG_FCS = 1 << 1,
	HAS_WRONG_CODE = 1 << 2,
	FIELD_INCREMENTS = 1, /* tx_field_kind */
	FIELD_IS_DRAWN = 3,
	IN_CHECKSUM1 = 1 << 16,
	IN_CHECKSUM2 = 1 << 17,
};

struct list {
	struct register_write *writes;
	unsigned count;
};

static void put(struct list *list, uint32_t address, uint32_t value)
{
	list->writes[list->count++] = (struct register_write){address, value};
}

static uint32_t size_word(const struct traffic_flow *flow)
{
	if (flow->lengths == 0)
		return 0;
	return (uint32_t)flow->lengths << 16 | (uint32_t)flow->first_length << 2 | LENGTHS_IN_TURN;
}

static uint32_t flags_word(const struct traffic_flow *flow)
{
	return (flow->measured ? 0 : (uint32_t)IS_UNSIGNED) |
	       (flow->wrong == TRAFFIC_WRONG_FCS ? (uint32_t)HAS_WRONG_FCS : 0) |
	       (flow->wrong == TRAFFIC_WRONG_CODE ? (uint32_t)HAS_WRONG_CODE : 0);
}

/* A length that stands nowhere still has a base: what checksum2 does not count. */
static uint32_t length_word(struct packet_length length)
{
	return (uint32_t)length.used << 31 | (uint32_t)length.base << 16 | (length.used ? length.octet : 0);
}

static uint32_t checksum_word(struct packet_checksum checksum)
{
	return (uint32_t)checksum.constant << 16 | (uint32_t)checksum.used << 15 |
	       (uint32_t)checksum.zero_as_ones << 14 | (uint32_t)checksum.times << 12 | checksum.octet;
}

static bool is_covered(const struct packet *packet, const struct traffic_field *field,
                       bool (*covers)(const struct packet *packet, unsigned octet))
{
	for (unsigned i = 0; i < 4; i++)
		if (field->mask >> (24 - 8 * i) & 0xFF)
			return covers(packet, field->octet + i);
	return false;
}

static void put_field(struct list *list, unsigned port, uint32_t index, const struct packet *packet,
                      const struct traffic_field *field)
{
	put(list, FPGAUGE_PORT_TX_FIELD_INDEX(port), index);
	if (field->count) {
		put(list, FPGAUGE_PORT_TX_FIELD_START(port), field->start);
		/* the step of a drawn field is a shift */
		put(list, FPGAUGE_PORT_TX_FIELD_STEP(port),
		    field->drawn ? (uint32_t)__builtin_ctz(field->step) : field->step);
		put(list, FPGAUGE_PORT_TX_FIELD_MASK(port), field->mask);
		put(list, FPGAUGE_PORT_TX_FIELD_COUNT(port), field->count);
		put(list, FPGAUGE_PORT_TX_FIELD_KIND(port),
		    (field->drawn ? (uint32_t)FIELD_IS_DRAWN : (uint32_t)FIELD_INCREMENTS) |
		            (uint32_t)field->octet << 8 |
		            (is_covered(packet, field, packet_checksum1_covers) ? (uint32_t)IN_CHECKSUM1 : 0) |
		            (is_covered(packet, field, packet_checksum2_covers) ? (uint32_t)IN_CHECKSUM2 : 0));
	} else {
		put(list, FPGAUGE_PORT_TX_FIELD_KIND(port), 0);
	}
}

/* Octet 0 of a word is its least significant one. */
static void put_octets(struct list *list, uint32_t address, const struct packet *packet, unsigned first)
{
	for (unsigned word = 0; word < FPGAUGE_PORT_TX_HEADER_COUNT; word++) {
		uint32_t value = 0;

		for (unsigned i = 0; i < 4; i++)
			value |= (uint32_t)packet_octet(packet, first + 4 * word + i) << 8 * i;
		put(list, address + 4 * word, value);
	}
}

unsigned flow_registers(const struct traffic *traffic, unsigned port, unsigned flow,
                        struct register_write writes[FLOW_MAX_WRITES])
{
	const struct traffic_flow *what = &traffic->port[port].flow[flow];
	const struct packet *packet = &what->packet;
	const unsigned bodies = (packet->header_octets - 1u) / FLOW_HEADER_OCTETS, first = FLOW_BODIES * flow;
	struct list list = {writes, 0};

	put(&list, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
	put(&list, FPGAUGE_PORT_TX_FLOW_SIZE(port), size_word(what));
	put(&list, FPGAUGE_PORT_TX_FLOW_FLAGS(port), flags_word(what));
	put(&list, FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), packet->header_octets);
	put(&list, FPGAUGE_PORT_TX_FLOW_BODY(port), bodies ? bodies << 16 | first : 0);
	put(&list, FPGAUGE_PORT_TX_FLOW_LENGTH1(port), length_word(packet_length1(packet)));
	put(&list, FPGAUGE_PORT_TX_FLOW_LENGTH2(port), length_word(packet_length2(packet)));
	put(&list, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port), checksum_word(packet_checksum1(packet)));
	put(&list, FPGAUGE_PORT_TX_FLOW_CHECKSUM2(port), checksum_word(packet_checksum2(packet)));
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
		put_field(&list, port, flow * TRAFFIC_FIELDS + i, packet, &what->field[i]);
	put_octets(&list, FPGAUGE_PORT_TX_HEADER(port), packet, 0);
	for (unsigned i = 0; i < bodies; i++) {
		put(&list, FPGAUGE_PORT_TX_BODY_INDEX(port), first + i);
		put_octets(&list, FPGAUGE_PORT_TX_BODY(port), packet, (i + 1) * FLOW_HEADER_OCTETS);
	}
	return list.count;
}

unsigned length_registers(const struct traffic *traffic, unsigned port, struct register_write writes[TABLE_MAX_WRITES])
{
	struct list list = {writes, 0};

	for (unsigned i = 0; i < traffic->port[port].lengths; i++) {
		put(&list, FPGAUGE_PORT_TX_SIZE_INDEX(port), i);
		put(&list, FPGAUGE_PORT_TX_SIZE_OCTETS(port), traffic->port[port].length[i]);
	}
	return list.count;
}

unsigned turn_registers(const struct traffic *traffic, unsigned port, struct register_write writes[TABLE_MAX_WRITES])
{
	const struct traffic_port *from = &traffic->port[port];
	struct list list = {writes, 0};

	for (unsigned i = 0; from->order == TRAFFIC_BY_TABLE && i < from->turns; i++) {
		put(&list, FPGAUGE_PORT_TX_TURN_INDEX(port), i);
		put(&list, FPGAUGE_PORT_TX_TURN_FLOW(port), from->turn[i]);
	}
	return list.count;
}

unsigned rule_registers(const struct traffic *traffic, unsigned port, uint64_t link_bps, uint64_t tag_after_ot,
                        struct register_write writes[RULE_MAX_WRITES])
{
	const struct traffic_port *from = &traffic->port[port];
	struct list list = {writes, 0};

	for (unsigned i = 0; i < from->rules; i++) {
		const struct traffic_rule *rule = &from->rule[i];
		const uint64_t first_ot = rule->at_tag ? tag_after_ot : octet_times_from_ns(rule->first_ns, link_bps);
		const uint64_t period_ot = octet_times_from_ns(rule->period_ns, link_bps);

		put(&list, FPGAUGE_PORT_TX_RULE_INDEX(port), i);
		put(&list, FPGAUGE_PORT_TX_RULE_TIME(port), (uint32_t)first_ot);
		put(&list, FPGAUGE_PORT_TX_RULE_TIME(port) + 4, (uint32_t)(first_ot >> 32));
		put(&list, FPGAUGE_PORT_TX_RULE_PERIOD(port), (uint32_t)period_ot);
		put(&list, FPGAUGE_PORT_TX_RULE_PERIOD(port) + 4, (uint32_t)(period_ot >> 32));
		put(&list, FPGAUGE_PORT_TX_RULE_FRAME(port),
		    rule->flow | rule->frame_octets << 8 | flags_word(&from->flow[rule->flow]) << 24);
	}
	return list.count;
}

unsigned expected_registers(const struct traffic *traffic, unsigned port, unsigned source,
                            struct register_write writes[EXPECTED_WORDS])
{
	const struct traffic_port *from = &traffic->port[source];
	struct list list = {writes, 0};

	for (uint32_t word = 0; word < EXPECTED_WORDS; word++) {
		uint32_t streams = 0;

		for (unsigned flow = 32 * word; flow < 32 * word + 32 && flow < from->flows; flow++)
			streams |= (uint32_t)(from->flow[flow].arrives >> port & 1) << flow % 32;
		put(&list, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * (source * EXPECTED_WORDS + word), streams);
	}
	return list.count;
}
