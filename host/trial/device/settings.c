/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/device/settings.h"

#include "host/trial/device/host_queue.h"
#include "host/trial/device/registers.h"
#include "host/trial/pacing/frames.h"
#include "host/trial/traffic.h"

enum { SMALLEST_LEGAL_GAP = 5 }; /* 802.3 81.3.1.4: 12 minus the 7 that deficit idle count may take off */

/* Registers that say something only in some traffic are written only there: the access is saved for the rest. */
static int write_order(struct device *device, unsigned port, const struct traffic_port *from, struct error *error)
{
	int status = 0;

	if (from->order == TRAFFIC_BY_TABLE)
		status = device_write32(device, FPGAUGE_PORT_TX_TURNS(port), from->turns, error);
	if (status == 0 && from->every)
		status = device_write32(device, FPGAUGE_PORT_TX_EVERY_FLOW(port), from->every_flow, error);
	return status;
}

/* The second gap of a trial, where it has one. */
static int write_phase(struct device *device, unsigned port, const struct pacing *pacing, struct error *error)
{
	int status = device_write32(device, FPGAUGE_PORT_TX_PHASE_INDEX(port), 1, error);

	if (status == 0)
		status = device_write64(device, FPGAUGE_PORT_TX_PHASE_TIME(port), pacing->next_ot, error);
	if (status == 0)
		status = device_write64(device, FPGAUGE_PORT_TX_PHASE_GAP_OCTETS(port), pacing->next.gap_octets, error);
	if (status == 0)
		status = device_write32(device, FPGAUGE_PORT_TX_PHASE_GAP_NUMERATOR(port), pacing->next.numerator,
		                        error);
	if (status == 0)
		status = device_write32(device, FPGAUGE_PORT_TX_PHASE_GAP_DENOMINATOR(port), pacing->next.denominator,
		                        error);
	return status;
}

static uint32_t order_value(enum traffic_order order)
{
	switch (order) {
	case TRAFFIC_IN_TURN:
		return 0;
	case TRAFFIC_DRAWN:
		return 1;
	case TRAFFIC_BY_TABLE:
		return 2;
	}
	return 0;
}

static int write_port_settings(struct device *device, unsigned port, const struct traffic *traffic,
                               const struct pacing *pacing, const struct slow_path *slow, struct error *error)
{
	const struct traffic_port *from = &traffic->port[port];
	const bool sends = traffic_sends(traffic, port), serves = slow && slow->port[port].serves;
	const uint32_t longest = traffic_longest(traffic);
	const struct pacing_gap gap = pacing_gap_of(pacing, port);
	const struct {
		uint32_t address;
		unsigned bits;
		uint64_t value;
	} settings[] = {
#define SETTING(NAME, value) {FPGAUGE_PORT_##NAME(port), FPGAUGE_PORT_##NAME##_BITS, value}
	        SETTING(TX_ENABLE, sends || serves),
	        SETTING(TX_FRAME_OCTETS, from->frame_octets ? from->frame_octets : longest),
	        SETTING(TX_GAP_OCTETS, gap.gap_octets),
	        SETTING(TX_GAP_NUMERATOR, gap.numerator),
	        SETTING(TX_GAP_DENOMINATOR, gap.denominator),
	        SETTING(TX_BURST_FRAMES, sends ? pacing->burst_frames : 0), /* 0: stop_frames ends the only burst */
	        SETTING(TX_BURST_GAP_OCTETS, pacing->burst_frames ? pacing->burst_gap_octets : gap.gap_octets),
	        SETTING(TX_STOP_FRAMES, sends ? pacing->stop_frames : 0),
	        SETTING(TX_DURATION, sends ? pacing->duration_ot : pacing->sending_ot),
	        SETTING(TX_FLOWS, from->ordered),
	        SETTING(TX_ORDER, order_value(from->order)),
	        SETTING(TX_PHASES, sends && pacing->next_ot ? 1 : 0),
	        SETTING(TX_EVERY, from->every),
	        SETTING(TX_RULES, sends ? from->rules : 0),
	        SETTING(TX_START_OFFSET, 0),
	        SETTING(TX_SEED, from->seed ? from->seed : 1),
	        SETTING(TX_TAG_ENABLE, sends && pacing->tag_after_ot),
	        SETTING(TX_OBEY_PAUSE, sends && pacing->obeys_pause),

	        SETTING(TX_BAD_FCS_EVERY, 0),
	        SETTING(RX_SHORT_GAP_OCTETS, SMALLEST_LEGAL_GAP),
	        SETTING(RX_MAX_FRAME_OCTETS, longest > MAX_FRAME_OCTETS ? longest : MAX_FRAME_OCTETS),
	        SETTING(RX_PAYLOAD_OFFSET, trial_traffic_payload(traffic)),
	        SETTING(RX_MAIL_FILTER, slow ? HOST_QUEUE_FILTER_ALL : 0),
	        SETTING(RX_HISTOGRAM_BASE, 0),
	        SETTING(RX_HISTOGRAM_WIDTH_LOG2, REGISTERS_HISTOGRAM_WIDTH_LOG2),
	        SETTING(LOOPBACK, 0), /* loopback left on by a killed self-test must not answer instead of the DUT */
#undef SETTING
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		int status = settings[i].bits > 32
		                     ? device_write64(device, settings[i].address, settings[i].value, error)
		                     : device_write32(device, settings[i].address, (uint32_t)settings[i].value, error);

		if (status)
			return status;
	}
	if (device_identity(device)->tcp_connections) { /* connections that a killed run left on must not answer */
		const int status = device_write32(device, FPGAUGE_PORT_TCP_ENABLE(port), 0, error);

		if (status)
			return status;
	}
	if (sends && pacing->next_ot) {
		const int status = write_phase(device, port, pacing, error);

		if (status)
			return status;
	}
	return write_order(device, port, from, error);
}

/* Most trials tag nothing, and need not say when. */
static int write_tag(struct device *device, unsigned port, const struct pacing *pacing, struct error *error)
{
	int status = 0;

	if (pacing->tag_after_ot)
		status = device_write64(device, FPGAUGE_PORT_TX_TAG_FIRST(port), pacing->tag_after_ot, error);
	if (status == 0 && pacing->tag_after_ot)
		status = device_write64(device, FPGAUGE_PORT_TX_TAG_INTERVAL(port), 0, error);
	return status;
}

static bool is_drawn(const struct traffic_port *port)
{
	for (unsigned flow = 0; flow < port->flows; flow++)
		for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
			if (port->flow[flow].field[i].count && port->flow[flow].field[i].drawn)
				return true;
	return false;
}

/* Ports draw from one seed, but not the same. */
static int write_field_seed(struct device *device, const struct traffic *traffic, unsigned port, struct error *error)
{
	const uint32_t PORT_STEP = 0x85ebca6b;

	if (!is_drawn(&traffic->port[port]))
		return 0;
	return device_write32(device, FPGAUGE_PORT_TX_FIELD_SEED(port), traffic->port[port].seed ^ port * PORT_STEP,
	                      error);
}

int device_settings_write(struct device *device, const struct traffic *traffic, const struct pacing *pacing,
                          const struct slow_path *slow, struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports && status == 0; port++) {
		status = write_port_settings(device, port, traffic, pacing, slow, error);
		if (status == 0)
			status = write_tag(device, port, pacing, error);
		if (status == 0)
			status = write_field_seed(device, traffic, port, error);
	}
	return status;
}
