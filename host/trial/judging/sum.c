/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the ports of a trial. Unsigned throughout: hostile counters may wrap, never trap. */
#include "host/trial/judging/sum.h"

#include <math.h>

#include "host/base/ratio.h"
#include "host/traffic/traffic.h"
#include "host/trial/judging/rules.h"

struct latency_stats trial_latency(uint64_t frames, uint64_t min_ot, uint64_t max_ot, uint64_t sum, uint64_t sum_high)
{
	return (struct latency_stats){frames, min_ot, max_ot,
	                              frames ? ratio_nearest((uint128)sum_high << 64 | sum, frames) : 0};
}

static struct trial_port port_of_counters(const struct port_counters *c, bool sent, bool reads_silence)
{
	return (struct trial_port){
	        .sent = sent,
	        .offered_frames = c->tx_frames,
	        .tx_first_ot = c->tx_first_time,
	        .tx_last_ot = c->tx_last_time,
	        .tx_gap = {c->tx_gaps, c->tx_gap_min_octets, c->tx_gap_max_octets, c->tx_gap_sum_octets},
	        .received_frames = c->rx_received_frames,
	        .rx_first_ot = c->rx_first_time,
	        .rx_last_ot = c->rx_last_time,
	        .last_loss_ot = c->rx_last_loss_time,
	        .silence_max_ot = c->rx_silence_max,
	        .silence_ot = reads_silence ? c->rx_silence_time : 0,
	        .obeyed_pause_frames = c->rx_pause_frames,
	        .obeyed_resume_frames = c->rx_resume_frames,
	        .held_ot = c->tx_held_time,
	        .rx_gap = {c->rx_gaps, c->rx_gap_min_octets, c->rx_gap_max_octets, c->rx_gap_sum_octets},
	        .latency = trial_latency(c->rx_latency_frames, c->rx_latency_min, c->rx_latency_max, c->rx_latency_sum,
	                                 c->rx_latency_sum_high),
#define READ_COUNTER(name, counter, ...) .name = c->counter,
	        PORT_COUNTERS(READ_COUNTER)
#undef READ_COUNTER
	};
}

static void add_gaps(struct gap_stats *sum, const struct gap_stats *gaps)
{
	if (gaps->gaps == 0)
		return;
	if (sum->gaps == 0 || gaps->min_octets < sum->min_octets)
		sum->min_octets = gaps->min_octets;
	if (gaps->max_octets > sum->max_octets)
		sum->max_octets = gaps->max_octets;
	sum->gaps += gaps->gaps;
	sum->sum_octets += gaps->sum_octets;
}

/* Exactly, where both are means of whole octet times. */
static double mean_of_both(const struct latency_stats *a, const struct latency_stats *b)
{
	const double frames = (double)a->frames + (double)b->frames;
	uint64_t sum_a = 0, sum_b;

	if ((a->frames == 0 || ratio_numerator(a->mean_ot, a->frames, &sum_a)) &&
	    ratio_numerator(b->mean_ot, b->frames, &sum_b))
		return ratio_nearest(sum_a + sum_b, a->frames + b->frames);
	return a->mean_ot * ((double)a->frames / frames) + b->mean_ot * ((double)b->frames / frames);
}

void trial_add_latency(struct latency_stats *sum, const struct latency_stats *latency)
{
	if (latency->frames == 0)
		return;
	if (sum->frames == 0 || latency->min_ot < sum->min_ot)
		sum->min_ot = latency->min_ot;
	if (latency->max_ot > sum->max_ot)
		sum->max_ot = latency->max_ot;
	sum->mean_ot = mean_of_both(sum, latency);
	sum->frames += latency->frames;
}

/* Frames over the time from the first to the last received (RFC 2889 forwarding rate, without the edges). */
static double port_forwarding_fps(const struct trial_port *port, uint64_t link_bps)
{
	if (port->received_frames < 2 || port->rx_last_ot <= port->rx_first_ot)
		return 0;
	return (double)(port->received_frames - 1) /
	       seconds_from_octet_times(port->rx_last_ot - port->rx_first_ot, link_bps);
}

uint64_t trial_distinct_received(uint64_t received, uint64_t duplicated, uint64_t late)
{
	return received > duplicated && received - duplicated > late ? received - duplicated - late : 0;
}

uint64_t trial_test_frames(const struct trial_counters *counters, unsigned port)
{
	const uint64_t sent = counters->port[port].tx_frames;
	const uint64_t others =
	        counters->host_frames[port] + counters->tcp_frames[port] + trial_rule_frames(counters, port);

	return others < sent ? sent - others : 0;
}

static uint64_t less(uint64_t all, uint64_t some)
{
	return all > some ? all - some : 0;
}

/* Leaves the counts of test frames. */
static void take_out(struct trial_port *port, const struct apart_counters *apart)
{
	port->received_frames = less(port->received_frames, apart->received);
	port->duplicated_frames = less(port->duplicated_frames, apart->duplicated);
	port->late_frames = less(port->late_frames, apart->late);
}

static void take_apart(struct trial_port *port, const struct apart_counters *apart, uint64_t sent, uint64_t expected)
{
	port->broadcast_offered_frames = sent;
	port->broadcast_expected_frames = expected;
	port->broadcast_received_frames = trial_distinct_received(apart->received, apart->duplicated, apart->late);
	port->offered_frames = less(port->offered_frames, sent);
	take_out(port, apart);
}

/* Test frames among those that the request asks for, beside the frames of rules that were sent. */
static uint64_t intended_frames(const struct trial_request *request, const struct pacing *pacing,
                                const struct trial_counters *counters)
{
	const struct traffic *traffic = request->traffic;
	uint64_t frames[TRIAL_MAX_PORTS] = {0}, apart[TRIAL_MAX_PORTS], ignored[TRIAL_MAX_PORTS], intended = 0;

	for (unsigned i = 0; i < traffic->ports; i++)
		frames[i] = trial_frames_beside_rules(request, pacing, counters, i);
	traffic_expected_apart(traffic, frames, apart, ignored);
	for (unsigned i = 0; i < traffic->ports; i++)
		if (traffic_sends(traffic, i))
			intended += less(frames[i], apart[i]);
	return intended;
}

/* Frames of rules, by whose they are. */
static void count_rules(struct trial_port *port, const struct traffic_port *from, const uint64_t frames[TRAFFIC_RULES])
{
	for (unsigned i = 0; i < from->rules; i++)
		*(from->rule[i].at_tag                           ? &port->new_network_offered_frames
		  : from->rule[i].modifier == TRAFFIC_MANAGEMENT ? &port->management_queries
		                                                 : &port->routing_updates) += frames[i];
}

#define ADD_TO_TRIAL(name, ...) result->name += port->name;

void trial_sum(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps,
               const struct trial_counters *counters, const struct trial_expected *expected,
               struct trial_result *result)
{
	uint64_t tx_last_ot = 0, rx_last_ot = 0;
	double forwarding_fps = 0;
	unsigned forwarding = 0;

	result->intended_frames = intended_frames(request, pacing, counters);
	for (unsigned i = 0; i < counters->ports; i++) {
		struct trial_port *port = &result->port[i];
		double fps, period_s = pacing->fps > 0 ? 1 / pacing->fps : 0;
		uint64_t received;

		*port = port_of_counters(&counters->port[i], traffic_sends(request->traffic, i),
		                         request->reset != TRIAL_LEFT_ALONE);
		if (port->sent && pacing->next_ot && port->offered_frames)
			port->next_load_ot = port->tx_first_ot + pacing->next_start_ot[i] / 8 * 8;
		port->host_frames = counters->host_frames[i];
		port->offered_frames = trial_test_frames(counters, i);
		count_rules(port, &request->traffic->port[i], counters->rule_frames[i]);
		port->new_network_received_frames = counters->at_tag_arrived[i];
		take_out(port, &counters->at_tag[i]);
		take_apart(port, &counters->apart[i], expected->apart_sent[i], expected->apart[i]);
		received = trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);
		result->offered_frames += port->offered_frames;
		result->received_frames += received;
		result->lost_frames += less(less(expected->all[i], expected->apart[i]), received);
		FLOW_COUNTERS(ADD_TO_TRIAL)
		add_gaps(&result->tx_gap, &port->tx_gap);
		trial_add_latency(&result->latency, &port->latency);
		if (port->sent) {
			if (port->offered_frames && port->tx_last_ot >= port->tx_first_ot)
				result->duration_s =
				        fmax(result->duration_s,
				             seconds_from_octet_times(port->tx_last_ot - port->tx_first_ot, link_bps) +
				                     period_s);
			if (port->tx_last_ot > tx_last_ot)
				tx_last_ot = port->tx_last_ot;
		}
		if (port->received_frames && port->rx_last_ot > rx_last_ot)
			rx_last_ot = port->rx_last_ot;
		fps = port_forwarding_fps(port, link_bps);
		if (fps > 0) {
			forwarding_fps += fps;
			forwarding++;
		}
	}
	if (forwarding)
		result->forwarding_rate_fps = forwarding_fps / forwarding;
	if (rx_last_ot > tx_last_ot)
		result->truncated_ot = rx_last_ot - tx_last_ot;
}

void trial_shift_latency(struct latency_stats *latency, uint64_t offset_ot)
{
	const uint128 less_ot = (uint128)offset_ot * latency->frames;
	uint64_t sum_ot;

	if (ratio_numerator(latency->mean_ot, latency->frames, &sum_ot))
		latency->mean_ot = sum_ot > less_ot ? ratio_nearest(sum_ot - less_ot, latency->frames) : 0;
	else
		latency->mean_ot = fmax(0, latency->mean_ot - (double)offset_ot);
	latency->min_ot -= latency->min_ot > offset_ot ? offset_ot : latency->min_ot;
	latency->max_ot -= latency->max_ot > offset_ot ? offset_ot : latency->max_ot;
}

/* None of the values becomes less than 0; both histograms move by as much, so that their bins stay where they are to
 * each other. */
static void shift_histograms(struct trial_port *port, uint64_t offset)
{
	if (port->latency_octaves.bins)
		port->latency_octaves.offset =
		        offset < port->latency_histogram.first ? offset : port->latency_histogram.first;
	histogram_shift(&port->latency_histogram, offset);
}

void trial_subtract_latency(struct trial_result *result, const uint64_t offset_ot[TRIAL_MAX_PORTS])
{
	result->latency = (struct latency_stats){0};
	for (unsigned i = 0; i < result->ports; i++) {
		struct latency_stats *latency = &result->port[i].latency;
		uint64_t offset = offset_ot[i];

		trial_shift_latency(latency, offset);
		shift_histograms(&result->port[i], offset);
		trial_add_latency(&result->latency, latency);
	}
}
