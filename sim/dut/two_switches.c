// SPDX-License-Identifier: Apache-2.0
/* Two switches with an uplink between them, as a device. docs/dut-models.md defines it in words.
 *
 * Each is a switch of its own (switch.h) with a port more than the tester sees, where the uplink is. What one decides
 * depends on what has come from the other before, so they take turns: each goes on up to the time before which nothing
 * can come from the other that has not come yet. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/rate.h"
#include "sim/dut/switch_truth.h"
#include "sim/dut/switch_uplink.h"

enum { SWITCHES = 2 };

enum { RULE_FIRST_PORTS, RULE_UPLINK_BPS, RULES };

static const struct sim_option_rule table[RULES] = {
        [RULE_FIRST_PORTS] = {.name = "dut.first_ports",
                              .kind = SIM_OPTION_INTEGER,
                              .min = 1,
                              .max = DUT_MAX_PORTS - 1},
        [RULE_UPLINK_BPS] = {.name = "dut.uplink_bps",
                             .fallback = "100%",
                             .kind = SIM_OPTION_RATE,
                             .min = 1000,
                             .max = 10000000000000,
                             .unit = "bit/s"},
};

struct two_switches {
	struct dut_device device;
	unsigned first_ports;
	uint32_t least_octets; /* least length of a frame that crosses */
	struct switch_device *of[SWITCHES];
	unsigned uplink_port[SWITCHES];         /* port of each switch */
	struct switch_uplink uplinks[SWITCHES]; /* uplinks by the switch that frames come from */
};

static struct two_switches *two_of(struct dut_device *device)
{
	return (struct two_switches *)device;
}

/* The switch that a port belongs to, and its number there. */
static struct switch_device *switch_at(const struct two_switches *two, unsigned *port)
{
	struct switch_device *dut = two->of[*port >= two->first_ports];

	*port -= dut->first_port;
	return dut;
}

static struct switch_port *uplink_port(const struct two_switches *two, unsigned at)
{
	return &two->of[at]->ports[two->uplink_port[at]];
}

/* -- frames in and out --------------------------------------------------------------------------------------------- */

static void two_put_many(struct dut_device *device, unsigned port, const struct dut_frame *frames, size_t count,
                         const struct dut_addresses *addresses)
{
	struct switch_device *dut = switch_at(two_of(device), &port);

	switch_put_many(dut, port, frames, count, addresses);
}

static void two_put(struct dut_device *device, unsigned port, const struct dut_frame *frame, const uint8_t *header)
{
	struct switch_device *dut = switch_at(two_of(device), &port);

	dut->device.ops->put(&dut->device, port, frame, header);
}

/* Time before which nothing is decided on here that has not come yet; it is later than that of the next decision at the
 * other switch. Frames that have not been put in are decided on at until_ot or later. */
static uint64_t certain_until(const struct two_switches *two, unsigned at, uint64_t until_ot)
{
	const unsigned other = 1 - at;
	const uint64_t next_ot = earliest_ot(&two->of[other]->events);
	const uint64_t ready_ot = next_ot < until_ot ? next_ot : until_ot;
	const uint64_t certain_ot = switch_uplink_earliest_ot(&two->uplinks[other], ready_ot, two->least_octets);

	return certain_ot < until_ot ? certain_ot : until_ot;
}

static void bring_crossed(struct two_switches *two, unsigned from)
{
	struct ring *crossed = &two->uplinks[from].crossed;

	for (; !ring_empty(crossed); crossed->first++)
		switch_bring(two->of[1 - from], two->uplink_port[1 - from],
		             ring_first(crossed, sizeof(struct switch_arrival)));
}

/* The switch whose decision is the next goes that far, at least. */
static void two_known(struct dut_device *device, uint64_t known_ot)
{
	struct two_switches *two = two_of(device);
	const uint64_t lead_ot = switch_lead_ot(&two->of[0]->settings);
	const uint64_t until_ot = known_ot < UINT64_MAX - lead_ot ? known_ot + lead_ot : UINT64_MAX;
	bool done;

	do {
		done = true;
		for (unsigned at = 0; at < SWITCHES; at++) {
			switch_do_events(two->of[at], certain_until(two, at, until_ot));
			bring_crossed(two, at);
		}
		for (unsigned at = 0; at < SWITCHES; at++) {
			done = done && earliest_ot(&two->of[at]->events) >= until_ot;
			device->failed = device->failed || two->of[at]->device.failed;
		}
	} while (!done);
}

static size_t two_take(struct dut_device *device, unsigned port, struct dut_frame *out, size_t room)
{
	struct switch_device *dut = switch_at(two_of(device), &port);

	return dut_device_take_ring(&dut->ports[port].out, out, room);
}

static uint64_t two_quiet_until(const struct dut_device *device)
{
	const struct two_switches *two = (const struct two_switches *)device;
	const uint64_t first_ot = earliest_ot(&two->of[0]->events), second_ot = earliest_ot(&two->of[1]->events);

	return first_ot < second_ot ? first_ot : second_ot;
}

/* Frames that have crossed came in before those that have not been decided on here. */
static uint64_t two_oldest_id(const struct dut_device *device, unsigned number)
{
	const struct two_switches *two = (const struct two_switches *)device;
	const struct ring *crossing = &uplink_port(two, number < two->first_ports)->arrivals;
	const struct switch_arrival *arrival;
	unsigned port = number;

	for (uint64_t i = crossing->first; i != crossing->end; i++) {
		arrival = ring_at(crossing, i, sizeof(*arrival));
		if (arrival->frame.from == number)
			return arrival->frame.id;
	}
	crossing = &switch_at(two, &port)->ports[port].arrivals;
	arrival = ring_first(crossing, sizeof(*arrival));
	return ring_empty(crossing) ? UINT64_MAX : arrival->frame.id;
}

/* -- truth --------------------------------------------------------------------------------------------------------- */

/* One pair at most has a port at each switch: the last port of the first one, and the first of the second. */
static bool pair_crosses(const struct two_switches *two, const struct dut_load *load)
{
	return load->senders == 1 && two->first_ports % 2 == 1 && load->receivers > 1;
}

/* Frames of that pair come at a rate that the uplink may not have, and are ready at both switches. */
static void cross_truth(const struct two_switches *two, uint32_t octets, struct fpgauge_sim_truth *truth)
{
	const struct fifo_service *service = &two->uplinks[0].service;
	const struct fifo_time frame = fifo_service_time(service, octets + DUT_PREAMBLE_OCTETS);
	const struct fifo_time whole = fifo_service_time(service, (uint32_t)line_out_octets(octets));
	const double period_ot = (double)whole.whole + (double)whole.part / (double)service->denominator;
	const double uplink_fps = (double)two->device.link_bps / 8 / period_ot;
	const struct switch_settings *settings = &two->of[0]->settings;
	const uint64_t decided_ot = DUT_PREAMBLE_OCTETS + octets + settings->latency_ot;

	truth->latency_ot = dut_group_up(decided_ot + frame.whole + (frame.part != 0) + settings->latency_ot);
	if (truth->throughput_fps == 0)
		return;
	/* A frame may come before the one before it has crossed, where there is room for one. */
	if (truth->buffer_frames == 1 || settings->shared) {
		truth->throughput_fps = NAN;
		truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
	} else if (uplink_fps < truth->throughput_fps) {
		truth->throughput_fps = uplink_fps;
		truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
	}
}

static void two_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	const struct two_switches *two = (const struct two_switches *)device;

	switch_settings_truth(&two->of[0]->settings, device->link_bps, load, truth);
	snprintf(truth->model, sizeof(truth->model), "%s", DUT_TWO_SWITCHES);
	if (pair_crosses(two, load))
		cross_truth(two, load->frame_octets, truth);
	if (load->senders == 1)
		return;
	truth->throughput_fps = NAN; /* it depends on which ports send */
	truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

static size_t two_state(struct dut_device *device, uint64_t base_ot, const uint64_t *base_ids, uint8_t *buffer,
                        size_t size)
{
	struct two_switches *two = two_of(device);
	size_t octets = 0;

	for (unsigned at = 0; at < SWITCHES; at++) {
		const size_t room = octets < size ? size - octets : 0;

		octets += switch_state(&two->of[at]->device, base_ot, base_ids, buffer + (size - room), room);
	}
	return octets;
}

static uint64_t two_steady_until(const struct dut_device *device, uint64_t since_ot, uint64_t base_ot)
{
	const struct two_switches *two = (const struct two_switches *)device;
	const uint64_t first_ot = switch_steady_until(&two->of[0]->device, since_ot, base_ot);
	const uint64_t second_ot = switch_steady_until(&two->of[1]->device, since_ot, base_ot);

	return first_ot < second_ot ? first_ot : second_ot;
}

static void two_shift(struct dut_device *device, uint64_t since_ot, uint64_t ot, const uint64_t *ids)
{
	for (unsigned at = 0; at < SWITCHES; at++)
		switch_shift(&two_of(device)->of[at]->device, since_ot, ot, ids);
}

/* -- making -------------------------------------------------------------------------------------------------------- */

static void two_destroy(struct dut_device *device)
{
	struct two_switches *two = two_of(device);

	for (unsigned at = 0; at < SWITCHES; at++) {
		if (two->of[at] != NULL)
			switch_free(two->of[at]);
		ring_release(&two->uplinks[at].crossed);
	}
	free(two);
}

static const struct dut_device_ops two_ops = {
        .destroy = two_destroy,
        .put = two_put,
        .put_many = two_put_many,
        .known = two_known,
        .take = two_take,
        .quiet_until = two_quiet_until,
        .oldest_id = two_oldest_id,
        .truth = two_truth,
        .state = two_state,
        .steady_until = two_steady_until,
        .shift = two_shift,
};

/* A frame crosses as a whole, and frames take turns on the uplink in the order of decisions. */
static int refuse_others(const struct dut_device_setup *setup, const struct switch_settings *settings)
{
	const char *name = settings->cut_through             ? "dut.forwarding"
	                   : settings->head_of_line_blocking ? "dut.head_of_line_blocking"
	                   : settings->back_pressure         ? "dut.back_pressure"
	                                                     : NULL;

	if (name == NULL)
		return 0;
	return sim_options_refuse(setup->options, name, "%s: not with dut.model = \"" DUT_TWO_SWITCHES "\"",
	                          sim_options_find(setup->options, name)->value);
}

static int read_uplink(const struct dut_device_setup *setup, struct two_switches *two)
{
	const char *const ports = table[RULE_FIRST_PORTS].name, *const bps = table[RULE_UPLINK_BPS].name;
	struct sim_option_value values[RULES];
	struct fifo_service *service = &two->uplinks[0].service;

	if (sim_options_read(setup->options, table, RULES, values) != 0)
		return -1;
	two->first_ports =
	        values[RULE_FIRST_PORTS].set ? (unsigned)values[RULE_FIRST_PORTS].number.numerator : setup->ports / 2;
	if (two->first_ports >= setup->ports)
		return sim_options_refuse(setup->options, ports,
		                          "%u: must be below the number of ports, %u, so that there are some at the "
		                          "second switch",
		                          two->first_ports, setup->ports);
	if (!fifo_service_from_bps(&values[RULE_UPLINK_BPS].number, 0, setup->link_bps, service))
		return sim_options_refuse(setup->options, bps, "%s: too many digits", values[RULE_UPLINK_BPS].text);
	/* Frames must come at different octet times. */
	if (service->numerator < (service->denominator + 9) / 10)
		return sim_options_refuse(setup->options, bps, "%s: must not be above 1000%% of the link",
		                          values[RULE_UPLINK_BPS].text);
	two->uplinks[1].service = *service;
	return 0;
}

static bool make_switches(const struct dut_device_setup *setup, const struct switch_settings *settings,
                          struct two_switches *two)
{
	const unsigned ports[SWITCHES] = {two->first_ports, setup->ports - two->first_ports};

	two->least_octets = settings->forwards[SWITCH_SHORT] ? SWITCH_LEAST_OCTETS : MIN_FRAME_OCTETS;
	for (unsigned at = 0; at < SWITCHES; at++) {
		two->of[at] = switch_make(settings, setup->link_bps, ports[at] + 1);
		if (two->of[at] == NULL || ring_init(&two->uplinks[at].crossed, sizeof(struct switch_arrival)) != 0)
			return false;
		two->of[at]->first_port = at == 0 ? 0 : two->first_ports;
		two->of[at]->ports[ports[at]].uplink = &two->uplinks[at];
		two->uplink_port[at] = ports[at];
		two->uplinks[at].latency_ot = settings->latency_ot;
	}
	two->device = (struct dut_device){.ops = &two_ops,
	                                  .link_bps = setup->link_bps,
	                                  .ports = setup->ports,
	                                  .reads_frames = true,
	                                  .header_octets = two->of[0]->device.header_octets};
	return true;
}

struct dut_device *two_switches_create(const struct dut_device_setup *setup)
{
	struct switch_settings settings;
	struct two_switches *two;

	if (switch_read(setup, table, RULES, &settings) != 0 || refuse_others(setup, &settings) != 0)
		return NULL;
	two = calloc(1, sizeof(*two));
	if (two == NULL)
		goto out_of_memory;
	if (read_uplink(setup, two) != 0) {
		free(two);
		return NULL;
	}
	if (make_switches(setup, &settings, two))
		return &two->device;
	two_destroy(&two->device);
out_of_memory:
	sim_options_refuse(setup->options, NULL, "out of memory");
	return NULL;
}
