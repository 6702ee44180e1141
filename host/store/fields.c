/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a trial, and what can be done with fields in general. */
#include "host/store/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/port_counters.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"
#include "host/trial/tester.h"

#define FIELD(type, kind, name) MEMBER(type, kind, #name, name)
#define MEMBER(type, kind, name, member) ROW(type, kind, name, member, NULL, false)
#define SPARSE(type, kind, name) SPARSE_MEMBER(type, kind, #name, name)
#define SPARSE_MEMBER(type, kind, name, member) ROW(type, kind, name, member, NULL, true)
#define ROW(type, kind, name, member, choices, sparse)                                                                 \
	{                                                                                                              \
		name, kind, offsetof(struct type, member), sizeof(((struct type *)NULL)->member), choices, sparse      \
	}
#define FIELDS(list)                                                                                                   \
	{                                                                                                              \
		list, sizeof(list) / sizeof((list)[0])                                                                 \
	}

#define AND_ONE(...) +1
enum { FLOW_COUNTER_COUNT = 0 FLOW_COUNTERS(AND_ONE), PORT_COUNTER_COUNT = 0 PORT_COUNTERS(AND_ONE) };

/* A member that is added without a field would be lost on resume: add the field, raise the schema version
 * (docs/run-file.md), and set the size here. A member that few trials have may be SPARSE instead: documents without it
 * stay as they are, and so does the version. A request's traffic is not kept: the benchmark makes it
 * again. Nor is what only the plan says: its reset_command, its filters, and in its shape what management queries and
 * routing updates are; nor the trial before it, nor that it listens. */
_Static_assert(sizeof(struct trial_request) == 456, "struct trial_request has changed: see REQUEST");
_Static_assert(sizeof(struct trial_port) == 10240 + PORT_COUNTER_COUNT * sizeof(uint64_t),
               "struct trial_port has changed: see PORT");
_Static_assert(sizeof(struct trial_flow) == 80 + FLOW_COUNTER_COUNT * sizeof(uint64_t),
               "struct trial_flow has changed: see FLOW");
_Static_assert(sizeof(struct trial_connection) == 48, "struct trial_connection has changed: see CONNECTION");
_Static_assert(sizeof(struct trial_result) - offsetof(struct trial_result, tcp_ot) ==
                       16 + TRIAL_MAX_CONNECTIONS * sizeof(struct trial_connection),
               "struct trial_result has changed: see RESULT");
_Static_assert(offsetof(struct trial_result, port) == 472 + FLOW_COUNTER_COUNT * sizeof(uint64_t),
               "struct trial_result has changed: see RESULT");

static const char *const KINDS[] = {[TRIAL_LOAD] = "load", [TRIAL_BURST] = "burst", NULL};
static const char *const DIRECTIONS[] = {[false] = "unidirectional", [true] = "bidirectional", NULL};

static const char *const RESETS[] = {
        [TRIAL_LEFT_ALONE] = "none", [TRIAL_RESET_DEVICE] = "device", [TRIAL_RESET_COMMAND] = "command", NULL};

static const struct field REQUEST[] = {
        ROW(trial_request, FIELD_CHOICE, "kind", kind, KINDS, false),
        MEMBER(trial_request, FIELD_U32, "frame_octets", shape.frame_octets),
        ROW(trial_request, FIELD_CHOICE, "direction", shape.bidirectional, DIRECTIONS, false),
        MEMBER(trial_request, FIELD_U32, "destinations", shape.addresses),
        FIELD(trial_request, FIELD_U32, gap_octets),
        MEMBER(trial_request, FIELD_U64, "load_fps_numerator", load.numerator),
        MEMBER(trial_request, FIELD_U64, "load_fps_denominator", load.denominator),
        FIELD(trial_request, FIELD_U64, duration_ot),
        FIELD(trial_request, FIELD_U64, burst_frames),
        FIELD(trial_request, FIELD_U64, drain_ot),
        FIELD(trial_request, FIELD_U64, settle_ot),
        FIELD(trial_request, FIELD_U64, tag_after_ot),
        MEMBER(trial_request, FIELD_BOOL, "routed", shape.routed),
        ROW(trial_request, FIELD_CHOICE, "pattern", shape.pattern, TRAFFIC_PATTERN_NAMES, false),
        ROW(trial_request, FIELD_CHOICE, "frame", shape.frame, TRAFFIC_FRAME_NAMES, false),
        MEMBER(trial_request, FIELD_VLAN, "vlan", shape.vlan),
        MEMBER(trial_request, FIELD_SIZES, "sizes", shape.sizes),
        MEMBER(trial_request, FIELD_U32, "seed", shape.seed),
        SPARSE_MEMBER(trial_request, FIELD_MODIFIERS, "modifiers", shape.modifiers),
        SPARSE(trial_request, FIELD_U64, next_load_ot),
        SPARSE_MEMBER(trial_request, FIELD_U64, "next_load_fps_numerator", next_load.numerator),
        SPARSE_MEMBER(trial_request, FIELD_U64, "next_load_fps_denominator", next_load.denominator),
        SPARSE(trial_request, FIELD_U64, reset_ot),
        ROW(trial_request, FIELD_CHOICE, "reset_by", reset, RESETS, true),
        SPARSE(trial_request, FIELD_U64, bursts),
        SPARSE(trial_request, FIELD_U64, burst_gap_octets),
        SPARSE(trial_request, FIELD_U64, pause_ot),
        SPARSE(trial_request, FIELD_BOOL, obeys_pause),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_senders", tcp.senders),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_receiver", tcp.receiver),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_connections", tcp.connections),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_mss", tcp.mss),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_window", tcp.window),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_window_scale", tcp.window_scale),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_initial_segments", tcp.initial_segments),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_ack_every", tcp.ack_every),
        SPARSE_MEMBER(trial_request, FIELD_U32, "tcp_octets", tcp.octets),
        SPARSE_MEMBER(trial_request, FIELD_U64, "tcp_ack_delay_ot", tcp.ack_delay_ot),
        SPARSE_MEMBER(trial_request, FIELD_U64, "tcp_rto_min_ot", tcp.rto_min_ot),
        SPARSE_MEMBER(trial_request, FIELD_U64, "tcp_rto_initial_ot", tcp.rto_initial_ot),
        SPARSE_MEMBER(trial_request, FIELD_U64, "tcp_lead_ot", tcp.lead_ot),
        SPARSE_MEMBER(trial_request, FIELD_U64, "tcp_duration_ot", tcp.duration_ot),
};

/* Rows of host/base/port_counters.h. */
#define RESULT_COUNTER(name, ...) FIELD(trial_result, FIELD_U64, name),
#define PORT_COUNTER(name, ...) FIELD(trial_port, FIELD_U64, name),
#define FLOW_COUNTER(name, ...) FIELD(trial_flow, FIELD_U64, name),

#define GAPS(type, prefix)                                                                                             \
	MEMBER(type, FIELD_U64, #prefix "s", prefix.gaps),                                                             \
	        MEMBER(type, FIELD_U64, #prefix "_min_octets", prefix.min_octets),                                     \
	        MEMBER(type, FIELD_U64, #prefix "_max_octets", prefix.max_octets),                                     \
	        MEMBER(type, FIELD_U64, #prefix "_sum_octets", prefix.sum_octets)
#define LATENCY_OF(type)                                                                                               \
	MEMBER(type, FIELD_U64, "latency_frames", latency.frames),                                                     \
	        MEMBER(type, FIELD_U64, "latency_min_ot", latency.min_ot),                                             \
	        MEMBER(type, FIELD_U64, "latency_max_ot", latency.max_ot),                                             \
	        MEMBER(type, FIELD_DOUBLE, "latency_mean_ot", latency.mean_ot)

static const struct field RESULT[] = {
        FIELD(trial_result, FIELD_BOOL, valid),
        FIELD(trial_result, FIELD_TEXT, why_invalid),
        FIELD(trial_result, FIELD_U64, intended_frames),
        FIELD(trial_result, FIELD_DOUBLE, intended_fps),
        FIELD(trial_result, FIELD_U64, offered_frames),
        FIELD(trial_result, FIELD_U64, received_frames),
        FIELD(trial_result, FIELD_U64, lost_frames),
        FLOW_COUNTERS(RESULT_COUNTER) /* judged flow by flow */
        GAPS(trial_result, tx_gap),
        FIELD(trial_result, FIELD_BOOL, gaps_unproven),
        LATENCY_OF(trial_result),
        FIELD(trial_result, FIELD_DOUBLE, forwarding_rate_fps),
        FIELD(trial_result, FIELD_DOUBLE, duration_s),
        FIELD(trial_result, FIELD_U64, truncated_ot),
        FIELD(trial_result, FIELD_U32, ports),
        FIELD(trial_result, FIELD_U64, flow_count),
        SPARSE(trial_result, FIELD_U64, reset_ot),
        SPARSE_MEMBER(trial_result, FIELD_U64, "before_offered_frames", before.offered_frames),
        SPARSE_MEMBER(trial_result, FIELD_U64, "before_received_frames", before.received_frames),
        SPARSE_MEMBER(trial_result, FIELD_U64, "before_wrong_port_frames", before.wrong_port_frames),
        SPARSE_MEMBER(trial_result, FIELD_U64, "before_last_ot", before.last_ot),
        SPARSE(trial_result, FIELD_U64, tcp_ot),
        SPARSE(trial_result, FIELD_U64, far_reordered_frames),
};

#define FOREIGN(name, kind) MEMBER(trial_port, FIELD_U64, name, foreign[kind])

static const struct field PORT[] = {
        FIELD(trial_port, FIELD_BOOL, sent),
        FIELD(trial_port, FIELD_U64, offered_frames),
        FIELD(trial_port, FIELD_U64, tx_first_ot),
        FIELD(trial_port, FIELD_U64, tx_last_ot),
        GAPS(trial_port, tx_gap),
        FIELD(trial_port, FIELD_U64, received_frames),
        PORT_COUNTERS(PORT_COUNTER) /* the receiver's */
        FOREIGN("foreign_arp_frames", FOREIGN_ARP),
        FOREIGN("foreign_nd_frames", FOREIGN_ND),
        FOREIGN("foreign_lldp_frames", FOREIGN_LLDP),
        FOREIGN("foreign_stp_frames", FOREIGN_STP),
        FOREIGN("foreign_pause_frames", FOREIGN_PAUSE),
        FOREIGN("foreign_other_frames", FOREIGN_OTHER),
        FIELD(trial_port, FIELD_U64, foreign_unread_frames),
        FIELD(trial_port, FIELD_U64, host_frames),
        FIELD(trial_port, FIELD_U64, rx_first_ot),
        FIELD(trial_port, FIELD_U64, rx_last_ot),
        FIELD(trial_port, FIELD_U64, last_loss_ot),
        FIELD(trial_port, FIELD_U64, silence_max_ot),
        GAPS(trial_port, rx_gap),
        LATENCY_OF(trial_port),
        FIELD(trial_port, FIELD_U64, tagged_frames),
        FIELD(trial_port, FIELD_U64, tagged_latency_ot),
        FIELD(trial_port, FIELD_HISTOGRAM, latency_histogram),
        FIELD(trial_port, FIELD_OCTAVES, latency_octaves),
        FIELD(trial_port, FIELD_HISTOGRAM, tx_gap_histogram),
        SPARSE(trial_port, FIELD_U64, next_load_ot),
        SPARSE(trial_port, FIELD_U64, silence_ot),
        SPARSE(trial_port, FIELD_HISTOGRAM, rx_gap_histogram),
        SPARSE(trial_port, FIELD_U64, broadcast_offered_frames),
        SPARSE(trial_port, FIELD_U64, broadcast_expected_frames),
        SPARSE(trial_port, FIELD_U64, broadcast_received_frames),
        SPARSE(trial_port, FIELD_U64, management_queries),
        SPARSE(trial_port, FIELD_U64, management_answers),
        SPARSE(trial_port, FIELD_U64, management_wrong_frames),
        SPARSE(trial_port, FIELD_U64, management_verdict),
        SPARSE(trial_port, FIELD_U64, routing_updates),
        SPARSE(trial_port, FIELD_U64, new_network_offered_frames),
        SPARSE(trial_port, FIELD_U64, new_network_received_frames),
        SPARSE(trial_port, FIELD_U64, obeyed_pause_frames),
        SPARSE(trial_port, FIELD_U64, obeyed_resume_frames),
        SPARSE(trial_port, FIELD_U64, held_ot),
        SPARSE(trial_port, FIELD_U64, tcp_offered_frames),
        SPARSE(trial_port, FIELD_U64, tcp_received_frames),
        SPARSE(trial_port, FIELD_U64, tcp_bad_frames),
};

static const struct field FLOW[] = {
        FIELD(trial_flow, FIELD_U32, port),
        FIELD(trial_flow, FIELD_U32, flow),
        FIELD(trial_flow, FIELD_U32, arrives),
        FIELD(trial_flow, FIELD_U64, offered_frames),
        FIELD(trial_flow, FIELD_U64, received_frames),
        FIELD(trial_flow, FIELD_U64, lost_frames),
        FLOW_COUNTERS(FLOW_COUNTER) /* where its frames must arrive */
        FIELD(trial_flow, FIELD_U64, wrong_port_frames),
        LATENCY_OF(trial_flow),
};

static const struct field CONNECTION[] = {
        FIELD(trial_connection, FIELD_U32, port),           FIELD(trial_connection, FIELD_U32, connection),
        FIELD(trial_connection, FIELD_U32, receiver),       FIELD(trial_connection, FIELD_U32, receiving_connection),
        FIELD(trial_connection, FIELD_U64, goodput_octets), FIELD(trial_connection, FIELD_U64, octets),
        FIELD(trial_connection, FIELD_U64, segments),       FIELD(trial_connection, FIELD_U64, again_segments),
};

const struct fields REQUEST_FIELDS = FIELDS(REQUEST);
const struct fields RESULT_FIELDS = FIELDS(RESULT);
const struct fields PORT_FIELDS = FIELDS(PORT);
const struct fields FLOW_FIELDS = FIELDS(FLOW);
const struct fields CONNECTION_FIELDS = FIELDS(CONNECTION);

const void *field_at(const struct field *field, const void *base)
{
	return (const unsigned char *)base + field->offset;
}

uint64_t field_integer(const struct field *field, const void *base)
{
	const void *at = field_at(field, base);
	uint64_t wide;
	uint32_t narrow;
	bool flag;

	if (field->size == sizeof(wide)) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	if (field->size == sizeof(flag)) {
		memcpy(&flag, at, sizeof(flag));
		return flag;
	}
	memcpy(&narrow, at, sizeof(narrow)); /* an enum is as wide as an unsigned */
	return narrow;
}

int field_set_integer(const struct field *field, void *base, uint64_t value)
{
	unsigned char *at = (unsigned char *)base + field->offset;
	uint32_t narrow = (uint32_t)value;
	bool flag = value != 0;

	if (field->size == sizeof(value))
		memcpy(at, &value, sizeof(value));
	else if (field->size == sizeof(flag))
		memcpy(at, &flag, sizeof(flag));
	else
		memcpy(at, &narrow, sizeof(narrow));
	return field->size == sizeof(value) || value <= (field->size == sizeof(flag) ? 1 : UINT32_MAX) ? 0 : -1;
}

double field_double(const struct field *field, const void *base)
{
	double value;

	memcpy(&value, field_at(field, base), sizeof(value));
	return value;
}

void field_set_double(const struct field *field, void *base, double value)
{
	memcpy((unsigned char *)base + field->offset, &value, sizeof(value));
}

const char *field_choice(const struct field *field, const void *base)
{
	uint64_t value = field_integer(field, base), i = 0;

	while (i < value && field->choices[i])
		i++;
	return field->choices[i] ? field->choices[i] : "?";
}

int field_set_choice(const struct field *field, void *base, const char *name)
{
	for (size_t i = 0; name && field->choices[i]; i++) {
		if (!strcmp(field->choices[i], name))
			return field_set_integer(field, base, i);
	}
	return -1;
}

int field_set_text(const struct field *field, void *base, const char *text)
{
	if (!text || strlen(text) >= field->size)
		return -1;
	memcpy((unsigned char *)base + field->offset, text, strlen(text) + 1);
	return 0;
}

const struct field *fields_difference(const struct fields *fields, const void *a, const void *b)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];
		bool same;

		if (field->type == FIELD_TEXT)
			same = !strcmp((const char *)field_at(field, a), (const char *)field_at(field, b));
		else if (field->type == FIELD_SIZES)
			same = traffic_sizes_equal(field_at(field, a), field_at(field, b));
		else
			same = !memcmp(field_at(field, a), field_at(field, b), field->size);
		if (!same)
			return field;
	}
	return NULL;
}

static void show_sizes(const struct traffic_sizes *sizes, char *text, size_t size)
{
	if (sizes->count)
		traffic_sizes_text(sizes, text, size);
	else
		snprintf(text, size, "none");
}

static void show_modifiers(uint32_t modifiers, char *text, size_t size)
{
	if (modifiers)
		traffic_modifiers_text(modifiers, text, size);
	else
		snprintf(text, size, "none");
}

const char *field_show(const struct field *field, const void *base, char *text, size_t size)
{
	if (field->type == FIELD_TEXT)
		snprintf(text, size, "\"%s\"", (const char *)field_at(field, base));
	else if (field->type == FIELD_CHOICE)
		snprintf(text, size, "%s", field_choice(field, base));
	else if (field->type == FIELD_DOUBLE)
		snprintf(text, size, "%.17g", field_double(field, base));
	else if (field->type == FIELD_VLAN && field_integer(field, base) == TRAFFIC_NO_VLAN)
		snprintf(text, size, "none");
	else if (field->type == FIELD_MODIFIERS)
		show_modifiers((uint32_t)field_integer(field, base), text, size);
	else if (field->type == FIELD_SIZES)
		show_sizes(field_at(field, base), text, size);
	else if (field->type == FIELD_HISTOGRAM || field->type == FIELD_OCTAVES)
		snprintf(text, size, "a histogram");
	else
		snprintf(text, size, "%" PRIu64, field_integer(field, base));
	return text;
}
