/* SPDX-License-Identifier: Apache-2.0 */
/* The program with an odd way between it and the simulated device: FPGAUGE_ODD is "dead N", port N receives nothing, or
 * "shift N", what should come in at a port comes in N ports further on. It changes what trials counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/trial/device/tester.h"

static const struct tester_ops *real;

static struct {
	unsigned dead, shift;
	bool is_dead, is_shifted;
} odd;

static bool is_cut(unsigned port)
{
	return odd.is_shifted || port == odd.dead;
}

/* Takes away all frames that came in at a port. Returns how many. */
static uint64_t cut(struct trial_port *port)
{
	const uint64_t distinct = port->received_frames - port->duplicated_frames - port->late_frames;

	port->received_frames = port->duplicated_frames = port->reordered_frames = port->late_frames = 0;
	port->tagged_frames = port->broadcast_received_frames = port->new_network_received_frames = 0;
	port->rx_gap = (struct gap_stats){0};
	port->latency = (struct latency_stats){0};
	port->latency_histogram = port->rx_gap_histogram = (struct histogram){0};
	port->latency_octaves = (struct octaves){0};
	return distinct;
}

static void cut_flows(struct trial_result *trial)
{
	for (unsigned i = 0; i < trial->flows; i++) {
		struct trial_flow *flow = &trial->flow[i];

		if (!odd.is_shifted && flow->arrives != 1u << odd.dead)
			continue;
		flow->wrong_port_frames += odd.is_shifted ? flow->received_frames : 0;
		flow->lost_frames += flow->received_frames;
		flow->received_frames = flow->duplicated_frames = flow->reordered_frames = flow->late_frames = 0;
		flow->latency = (struct latency_stats){0};
	}
}

static void distort(struct trial_result *trial)
{
	for (unsigned i = 0; i < trial->ports; i++) {
		const uint64_t frames = is_cut(i) ? cut(&trial->port[i]) : 0;

		trial->received_frames -= frames;
		trial->lost_frames += frames;
		if (odd.is_shifted)
			trial->port[(i + odd.shift) % trial->ports].wrong_port_frames += frames;
	}
	cut_flows(trial);
	if (trial->received_frames == 0) {
		trial->duplicated_frames = trial->reordered_frames = trial->late_frames = 0;
		trial->latency = (struct latency_stats){0};
		trial->forwarding_rate_fps = 0;
	}
	if (odd.is_shifted) {
		trial->before.wrong_port_frames += trial->before.received_frames;
		trial->before.received_frames = 0;
	}
}

static int run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
               struct error *error)
{
	const int status = real->run(tester, request, result, error);

	/* A connection over such a way does not open, which makes a trial INVALID. */
	if (status == 0 && result->valid && request->tcp.senders == 0)
		distort(result);
	return status;
}

int __real_device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester,
                              struct error *error);
int __wrap_device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester,
                              struct error *error);

int __wrap_device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester,
                              struct error *error)
{
	static struct tester_ops ops;
	const char *wanted = getenv("FPGAUGE_ODD");
	const int status = __real_device_tester_open(device, cancel, tester, error);

	odd.is_dead = wanted && sscanf(wanted, "dead %u", &odd.dead) == 1;
	odd.is_shifted = wanted && sscanf(wanted, "shift %u", &odd.shift) == 1;
	if (status == 0 && (odd.is_dead || odd.is_shifted)) {
		real = (*tester)->ops;
		ops = *real;
		ops.run = run;
		(*tester)->ops = &ops;
	}
	return status;
}
