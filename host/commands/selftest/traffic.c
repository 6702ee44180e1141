/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and starts traffic through registers. */
#include "host/commands/selftest/traffic.h"

#include <inttypes.h>

#include "host/base/rate.h"
#include "host/traffic/frame_template.h"
#include "host/trial/plain_flow.h"

bool traffic_expects(const struct traffic *traffic, unsigned entry)
{
	return !(traffic->unexpected[entry / 32] >> entry % 32 & 1);
}

int traffic_write_expected(struct session *session, unsigned port, unsigned source, const struct traffic *traffic)
{
	enum { WORDS = TRAFFIC_ENTRIES / 32 };
	int status = 0;

	for (unsigned word = 0; !status && word < session->identity->ports * WORDS; word++)
		status = put32(session, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * word,
		               word / WORDS == source ? ~traffic->unexpected[word % WORDS] : 0);
	return status;
}

/* The frames of all entries are alike, with the same headers, because nothing looks at them. */
static int write_entries(struct session *session, unsigned port, const struct traffic *traffic)
{
	struct register_write writes[PLAIN_FLOW_WRITES];
	uint8_t octets[TEMPLATE_OCTETS];
	int status = 0;

	frame_template(octets, port, port, 0,
	               traffic->frame_octets < MIN_FRAME_OCTETS ? MIN_FRAME_OCTETS : traffic->frame_octets);
	for (unsigned entry = 0; !status && entry < traffic->destinations; entry++) {
		plain_flow(writes, port, entry, octets);
		for (unsigned i = 0; !status && i < PLAIN_FLOW_WRITES; i++)
			status = put32(session, writes[i].address, writes[i].value);
	}
	return status;
}

static int write_settings(struct session *session, unsigned port, const struct traffic *traffic, bool looped)
{
	const struct {
		uint32_t address;
		unsigned bits;
		uint64_t value;
	} settings[] = {
#define SETTING(NAME, value) {FPGAUGE_PORT_##NAME(port), FPGAUGE_PORT_##NAME##_BITS, value}
	        SETTING(LOOPBACK, looped),
	        SETTING(TX_ENABLE, 1),
	        SETTING(TX_FRAME_OCTETS, traffic->frame_octets),
	        SETTING(TX_GAP_OCTETS, MIN_GAP_OCTETS),
	        SETTING(TX_GAP_NUMERATOR, 0),
	        SETTING(TX_GAP_DENOMINATOR, 1),
	        SETTING(TX_BURST_FRAMES, 0),
	        SETTING(TX_BURST_GAP_OCTETS, MIN_GAP_OCTETS),
	        SETTING(TX_STOP_FRAMES, traffic->frames),
	        SETTING(TX_DURATION, 0),
	        SETTING(TX_FLOWS, traffic->destinations),
	        SETTING(TX_ORDER, 0),
	        SETTING(TX_PHASES, 0),
	        SETTING(TX_EVERY, 0),
	        SETTING(TX_RULES, 0),
	        SETTING(TX_START_OFFSET, 0),
	        SETTING(TX_SEED, 1),
	        SETTING(TX_TAG_ENABLE, traffic->tag_interval_ot != 0),
	        SETTING(TX_OBEY_PAUSE, 0),
	        SETTING(TX_TAG_FIRST, 0),
	        SETTING(TX_TAG_INTERVAL, traffic->tag_interval_ot),
	        SETTING(TX_BAD_FCS_EVERY, traffic->bad_fcs_every),
	        SETTING(RX_SHORT_GAP_OCTETS, traffic->short_gap_octets),
	        SETTING(RX_MAX_FRAME_OCTETS, traffic->max_frame_octets),
	        SETTING(RX_PAYLOAD_OFFSET, TEMPLATE_PAYLOAD_OFFSET),
	        SETTING(RX_MAIL_FILTER, 0),
	        SETTING(RX_HISTOGRAM_BASE, 0),
	        SETTING(RX_HISTOGRAM_WIDTH_LOG2, 3),
#undef SETTING
	};
	int status = 0;

	for (size_t i = 0; !status && i < sizeof(settings) / sizeof(*settings); i++)
		status = settings[i].bits > 32 ? put64(session, settings[i].address, settings[i].value)
		                               : put32(session, settings[i].address, (uint32_t)settings[i].value);
	return status;
}

int traffic_program(struct session *session, unsigned port, const struct traffic *traffic, bool looped)
{
	int status = write_settings(session, port, traffic, looped);

	if (!status)
		status = write_entries(session, port, traffic);
	return status || !looped ? status : traffic_write_expected(session, port, port, traffic);
}

int traffic_mute(struct session *session, unsigned port, bool looped)
{
	int status = put32(session, FPGAUGE_PORT_TX_ENABLE(port), 0);

	if (!status)
		status = put32(session, FPGAUGE_PORT_LOOPBACK(port), looped);
	if (!status)
		status = put32(session, FPGAUGE_PORT_RX_PAYLOAD_OFFSET(port), TEMPLATE_PAYLOAD_OFFSET);
	if (!status)
		status = put32(session, FPGAUGE_PORT_RX_MAIL_FILTER(port), 0);
	return status ? status : put32(session, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), MAX_FRAME_OCTETS);
}

int traffic_run(struct session *session, const struct traffic *longest, uint64_t drain_ot)
{
	uint64_t sending_ot = longest->frames * (longest->frame_octets + LINE_OVERHEAD_OCTETS);
	int status = put32(session, FPGAUGE_GLOBAL_RUN_ID, ++session->run_id);

	if (!status)
		status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	if (!status)
		status = session_settle(session, FPGAUGE_GLOBAL_STATUS_CLEARING, "clearing");
	if (!status)
		status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	if (!status)
		status = session_wait(session, sending_ot);
	if (!status)
		status = session_settle(session, FPGAUGE_GLOBAL_STATUS_SENDING, "sending");
	if (!status)
		status = session_wait(session, drain_ot);
	return status ? status : put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
}

int traffic_read(struct session *session, unsigned port, struct counters *counters)
{
	int status = 0;

	for (unsigned i = 0; !status && i < FPGAUGE_COUNTER_COUNT; i++)
		status = get64(session, FPGAUGE_COUNTER(port, i), &counters->value[i]);
	return status;
}

const char *counter_name(unsigned counter)
{
#define NAME_OF(NAME, name) #name,
	static const char *const NAMES[] = {FPGAUGE_COUNTERS(NAME_OF)};
#undef NAME_OF

	return NAMES[counter];
}

unsigned traffic_compare(struct selftest_row *row, const struct counters *seen, const struct counters *expected)
{
	unsigned wrong = 0, first = 0;

	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++) {
		if (seen->value[i] == expected->value[i])
			continue;
		first = wrong++ == 0 ? i : first;
	}
	if (wrong == 1)
		row_fail(row, "%s is %" PRIu64 ", must be %" PRIu64, counter_name(first), seen->value[first],
		         expected->value[first]);
	else if (wrong > 1)
		row_fail(row, "%s is %" PRIu64 ", must be %" PRIu64 "; and %u more counters are wrong",
		         counter_name(first), seen->value[first], expected->value[first], wrong - 1);
	return wrong;
}
