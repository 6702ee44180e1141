/* SPDX-License-Identifier: Apache-2.0 */
/* The FIFO tester. */
#include "fifo_tester.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"
#include "host/traffic/sizes.h"

enum { PORTS = 2, FIFO_MOST_PLAYED = 128 /* frames that it can hold, when bursts are played */ };
static const uint64_t LINK_BPS = UINT64_C(100000000000);

uint64_t fifo_lost(uint64_t frames, uint64_t buffer_frames, struct rate arrival, struct rate service)
{
	uint128 served;

	if (frames == 0 || rate_compare(service, arrival) >= 0)
		return 0;
	/* (N - 1) A / S = (N - 1) service / arrival */
	served = (uint128)(frames - 1) * service.numerator * arrival.denominator /
	         ((uint128)service.denominator * arrival.numerator);
	return frames > buffer_frames + (uint64_t)served ? frames - buffer_frames - (uint64_t)served : 0;
}

uint64_t fifo_lost_of_bursts(const struct fifo_tester *fifo, const struct trial_request *request)
{
	/* Times are in octet times x service_n, which makes a service, (frame + 20) x service_d / service_n octet
	 * times, whole. */
	const uint64_t line = request->shape.frame_octets + LINE_OVERHEAD_OCTETS, service = line * fifo->service_d;
	const uint64_t period = request->burst_frames * line + request->burst_gap_octets - request->gap_octets;
	uint64_t ends[FIFO_MOST_PLAYED] = {0}, held = 0, next = 0, end = 0, lost = 0;

	for (uint64_t i = 0; i < request->bursts * request->burst_frames; i++) {
		const uint64_t now =
		        fifo->service_n * (i / request->burst_frames * period + i % request->burst_frames * line);

		for (; held && ends[next % FIFO_MOST_PLAYED] <= now; held--)
			next++;
		lost += held == fifo->buffer_frames;
		if (held == fifo->buffer_frames)
			continue;
		end = (end > now ? end : now) + service;
		ends[(next + held++) % FIFO_MOST_PLAYED] = end;
	}
	return lost;
}

static struct rate service_of(const struct fifo_tester *fifo, uint32_t frame_octets)
{
	return rate_scale(rate_max_theoretical(LINK_BPS, frame_octets), fifo->service_n, fifo->service_d);
}

/* The rate of a mix is that of frames of its average length. */
static struct rate line_of(const struct traffic_shape *shape)
{
	return shape->sizes.count ? traffic_sizes_max_rate(&shape->sizes, LINK_BPS)
	                          : rate_max_theoretical(LINK_BPS, shape->frame_octets);
}

static struct rate service_for(const struct fifo_tester *fifo, const struct traffic_shape *shape)
{
	return rate_scale(line_of(shape), fifo->service_n, fifo->service_d);
}

uint64_t fifo_longest_burst(const struct fifo_tester *fifo, uint32_t frame_octets)
{
	struct rate line = rate_max_theoretical(LINK_BPS, frame_octets), service = service_of(fifo, frame_octets);
	uint64_t low = 1, high = UINT64_C(1) << 40;

	if (rate_compare(service, line) >= 0)
		return UINT64_MAX;
	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;

		if (fifo_lost(middle, fifo->buffer_frames, line, service))
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* A device that serves nothing has no time: 0. */
static uint64_t group_floor(double octet_times)
{
	return isfinite(octet_times) ? (uint64_t)(octet_times / 8) * 8 : 0;
}

static uint64_t next_random(struct fifo_tester *fifo)
{
	fifo->random ^= fifo->random << 13;
	fifo->random ^= fifo->random >> 7;
	fifo->random ^= fifo->random << 17;
	return fifo->random;
}

static void fill_port(const struct fifo_tester *fifo, const struct trial_request *request, struct rate arrival,
                      uint64_t offered, uint64_t received, struct trial_port *port)
{
	double octet_rate = (double)LINK_BPS / 8;
	double a = octet_rate / rate_fps(arrival), s = octet_rate / rate_fps(service_for(fifo, &request->shape));
	double growth = s > a ? (double)(offered - 1) * (s - a) : 0, spacing = s > a ? s : a;

	if (growth > (double)fifo->buffer_frames * s) /* full: the last frame waits behind a whole buffer */
		growth = ((double)fifo->buffer_frames - 1) * s;
	port->sent = true;
	port->offered_frames = offered;
	port->received_frames = received;
	port->tx_gap.gaps = offered - 1;
	port->tx_gap.min_octets = request->kind == TRIAL_BURST ? 8 : 12;
	port->tx_gap.max_octets = 16;
	port->tx_gap.sum_octets = 12 * (offered - 1);
	port->rx_first_ot = 1000;
	port->rx_last_ot = received ? 1000 + group_floor((double)(received - 1) * spacing) : 1000;
	port->latency.frames = received;
	port->latency.min_ot = fifo->latency_ot + group_floor(s);
	port->latency.max_ot = fifo->latency_ot + group_floor(s + growth);
	port->latency.mean_ot = (double)(port->latency.min_ot + port->latency.max_ot) / 2;
	if (request->tag_after_ot &&
	    received) { /* an odd trial's tag is the fastest frame, an even one's the slowest */
		port->tagged_frames = 1;
		port->tagged_latency_ot = fifo->trials % 2 ? port->latency.min_ot : port->latency.max_ot;
	}
}

static int fifo_run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                    struct error *error)
{
	struct fifo_tester *fifo = (struct fifo_tester *)tester;
	struct rate line = line_of(&request->shape);
	struct rate arrival = request->kind == TRIAL_BURST ? line : request->load;
	unsigned senders = request->shape.bidirectional ? 2 : 1;
	uint64_t offered = trial_bursts(request) * request->burst_frames, lost;

	if (fifo->cancel_after && fifo->trials >= fifo->cancel_after)
		return error_set(error, ERROR_CANCELLED, "stopped by the user");
	fifo->trials++;
	fifo->last = *request;
	if (request->kind == TRIAL_BURST && request->burst_frames > fifo->longest_burst.burst_frames)
		fifo->longest_burst = *request;
	memset(result, 0, sizeof(*result));
	result->valid = true;
	if (fifo->invalid_trials || (fifo->invalid_every && fifo->trials % fifo->invalid_every == 0)) {
		fifo->invalid_trials -= fifo->invalid_trials != 0;
		result->valid = false;
		result->lost_frames = 12345; /* must not be believed */
		snprintf(result->why_invalid, sizeof(result->why_invalid), "port 0: offered 1 frames, intended 2");
		return 0;
	}
	if (request->kind == TRIAL_LOAD)
		offered = (uint64_t)(((uint128)request->duration_ot * 8 * arrival.numerator +
		                      (uint128)LINK_BPS * arrival.denominator - 1) /
		                     ((uint128)LINK_BPS * arrival.denominator));
	lost = request->kind == TRIAL_BURST && request->bursts
	               ? fifo_lost_of_bursts(fifo, request)
	               : fifo_lost(offered, fifo->buffer_frames, arrival, service_for(fifo, &request->shape));
	if (lost < offered && fifo->noise_one_in && next_random(fifo) % fifo->noise_one_in == 0)
		lost++;
	result->ports = PORTS;
	for (unsigned i = 0; i < senders; i++) {
		struct trial_port *port = &result->port[senders == 2 ? i : 1];

		fill_port(fifo, request, arrival, offered, offered - lost, port);
		result->offered_frames += offered;
		result->received_frames += offered - lost;
		result->lost_frames += lost;
		result->tx_gap.gaps += port->tx_gap.gaps;
		result->tx_gap.sum_octets += port->tx_gap.sum_octets;
		result->tx_gap.min_octets = port->tx_gap.min_octets;
		result->tx_gap.max_octets = port->tx_gap.max_octets;
		result->latency = port->latency;
		if (port->rx_last_ot > port->rx_first_ot)
			result->forwarding_rate_fps =
			        (double)(port->received_frames - 1) /
			        seconds_from_octet_times(port->rx_last_ot - port->rx_first_ot, LINK_BPS);
	}
	if (fifo->false_rate_fps > 0)
		result->forwarding_rate_fps = fifo->false_rate_fps;
	result->intended_frames = result->offered_frames;
	result->duration_s = (double)offered / rate_fps(arrival);
	return 0;
}

static bool fifo_truth(struct tester *tester, uint32_t frame_octets, struct dut_truth *truth)
{
	const struct fifo_tester *fifo = (const struct fifo_tester *)tester;
	struct rate line = rate_max_theoretical(LINK_BPS, frame_octets), service = service_of(fifo, frame_octets);

	*truth = (struct dut_truth){
	        .model = "fifo",
	        .throughput_fps = rate_fps(rate_compare(service, line) < 0 ? service : line),
	        .buffer_frames = fifo->buffer_frames,
	        .longest_burst_frames = fifo_longest_burst(fifo, frame_octets),
	        .latency_ot = fifo->latency_ot,
	};
	return !fifo->no_truth;
}

static const struct tester_ops FIFO_OPS = {.run = fifo_run, .truth = fifo_truth};

void fifo_begin(struct fifo_tester *fifo, uint64_t buffer_frames, uint64_t service_n, uint64_t service_d)
{
	*fifo = (struct fifo_tester){
	        .tester = {.ops = &FIFO_OPS, .info = {.link_bps = LINK_BPS, .senders = PORTS}},
	        .buffer_frames = buffer_frames,
	        .service_n = service_n,
	        .service_d = service_d,
	        .latency_ot = 10000,
	        .random = 88172645463325252u,
	};
}
