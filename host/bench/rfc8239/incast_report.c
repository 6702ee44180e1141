/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what connections and microbursts did into the numbers of the report. */
#include <math.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/bench/rfc8239/incast.h"
#include "host/trial/judging/sum.h"

static const uint64_t BITS_PER_GBIT = 1000000000;

double incast_max_goodput_gbps(uint64_t link_bps, unsigned mss, unsigned header_octets)
{
	const uint64_t on_the_line = mss + header_octets + (unsigned)FCS_OCTETS + (unsigned)LINE_OVERHEAD_OCTETS;

	return ratio_nearest((uint128)link_bps * mss, (uint128)BITS_PER_GBIT * on_the_line);
}

/* octets x 8 in so many octet times, of 8 bits at the rate of the link. */
static double gbps(uint64_t octets, uint64_t octet_times, uint64_t link_bps)
{
	return octet_times ? ratio_nearest((uint128)octets * link_bps, (uint128)octet_times * BITS_PER_GBIT) : 0;
}

static void note_connections(struct incast_case *own, const struct trial_result *trial)
{
	uint64_t octets = 0;

	for (unsigned i = 0; i < trial->connections && i < TRIAL_MAX_CONNECTIONS; i++) {
		const struct trial_connection *connection = &trial->connection[i];
		const double rate = gbps(connection->goodput_octets, trial->tcp_ot, own->link_bps);
		const bool first = own->count == 0 && i == 0;

		octets += connection->goodput_octets;
		own->segments += connection->segments;
		own->again_segments += connection->again_segments;
		own->least_gbps = first ? rate : fmin(own->least_gbps, rate);
		own->most_gbps = first ? rate : fmax(own->most_gbps, rate);
	}
	own->goodput_gbps[own->count] = gbps(octets, trial->tcp_ot, own->link_bps);
}

/* Segments in either direction that did not come out of the device. Those that it copied count against them. */
static void note_segments(struct incast_case *own, const struct trial_result *trial)
{
	uint64_t sent = 0, received = 0;

	for (unsigned port = 0; port < trial->ports && port < TRIAL_MAX_PORTS; port++) {
		sent += trial->port[port].tcp_offered_frames;
		received += trial->port[port].tcp_received_frames - trial->port[port].tcp_bad_frames;
	}
	own->lost_segments += sent > received ? sent - received : 0;
}

void incast_note(struct incast_case *own, const struct trial_result *trial)
{
	note_connections(own, trial);
	note_segments(own, trial);
	own->latency_mean_ns[own->count] =
	        trial->latency.frames ? ns_from_mean(trial->latency.mean_ot, trial->latency.frames, own->link_bps)
	                              : (double)NAN;
	trial_add_latency(&own->latency, &trial->latency);
	own->offered_frames += trial->offered_frames;
	own->lost_frames += trial->lost_frames;
	own->count++;
}

static json_t *row_of(const struct incast_case *found)
{
	json_t *row = json_object();

	result_count(row, "iteration", found->number);
	result_count(row, "stateful", (unsigned)__builtin_popcount(found->ports.stateful));
	result_count(row, "stateless", (unsigned)__builtin_popcount(found->ports.stateless));
	json_put(row, "stateful_ports", port_list(found->ports.stateful));
	json_put(row, "stateless_ports", port_list(found->ports.stateless));
	result_count(row, "egress_port", found->ports.egress);
	return row;
}

static json_t *goodput_row(const struct incast_case *found, const struct repeated *goodput,
                           const struct variation *variation)
{
	json_t *row = row_of(found);

	result_number(row, "goodput_gbps", goodput->mean);
	result_number(row, "min_goodput_gbps", goodput->min);
	result_number(row, "max_goodput_gbps", goodput->max);
	result_number(row, "least_connection_gbps", found->least_gbps);
	result_number(row, "most_connection_gbps", found->most_gbps);
	result_count(row, "segments", found->segments);
	result_count(row, "again_segments", found->again_segments);
	result_count(row, "lost_segments", found->lost_segments);
	variation_report(variation, row);
	return row;
}

static json_t *latency_row(const struct incast_case *found, const struct variation *variation)
{
	json_t *row = row_of(found);

	result_row_latency(row, &found->latency, found->link_bps);
	result_count(row, "offered_frames", found->offered_frames);
	result_count(row, "lost_frames", found->lost_frames);
	result_number(row, "loss_percent", ratio_percent(found->lost_frames, found->offered_frames));
	variation_report(variation, row);
	return row;
}

static void note_variation(struct incast_varied *most, unsigned number, const struct variation *variation)
{
	if (isnan(variation->relative_stddev) ||
	    (most->number && variation->relative_stddev <= most->variation.relative_stddev))
		return;
	*most = (struct incast_varied){number, *variation};
}

void incast_note_case(struct incast *measured, const struct incast_case *found)
{
	const struct repeated goodput = repeated_statistics(found->goodput_gbps, found->count);
	const struct variation variation = variation_of(found->goodput_gbps, found->count);
	const struct variation of_latency = variation_of(found->latency_mean_ns, found->count);

	json_add(measured->iterations, goodput_row(found, &goodput, &variation));
	json_add(measured->latencies, latency_row(found, &of_latency));
	note_variation(&measured->goodput, found->number, &variation);
	note_variation(&measured->latency, found->number, &of_latency);
	measured->again_segments += found->again_segments;
	measured->lost_frames += found->lost_frames;
	if (found->latency.frames)
		measured->most_latency_ns =
		        fmax(measured->most_latency_ns, ns_from_octet_times(found->latency.max_ot, found->link_bps));
	if (measured->has_least && goodput.mean >= measured->least_gbps)
		return;
	measured->has_least = true;
	measured->least_gbps = goodput.mean;
	measured->least = found->ports;
	measured->least_number = found->number;
	measured->variation = variation;
}

/* Flags the variation of the answer and of the worst iteration: RFC 8239 section 1.2 is about everything that is
 * measured. */
static void flag_variation(const struct incast *measured, json_t *result)
{
	char what[64];

	variation_flag(&measured->variation, "the goodput", result);
	if (measured->goodput.number && measured->goodput.number != measured->least_number) {
		snprintf(what, sizeof(what), "the goodput of iteration %u", measured->goodput.number);
		variation_flag(&measured->goodput.variation, what, result);
	}
	if (measured->latency.number) {
		snprintf(what, sizeof(what), "the stateless latency of iteration %u", measured->latency.number);
		variation_flag(&measured->latency.variation, what, result);
	}
}

void incast_report(const struct incast *measured, bool finished, json_t *result)
{
	const bool known = measured->has_least && finished;
	const struct variation unknown = {NAN, NAN, NAN, NAN};
	const double least = known ? measured->least_gbps : NAN;

	result_number(result, "goodput_gbps", least);
	result_number(result, "goodput_percent", 100 * (least / measured->max_goodput_gbps));
	result_number(result, "max_theoretical_goodput_gbps", measured->max_goodput_gbps);
	result_number(result, "latency_max_ns",
	              known && measured->most_latency_ns > 0 ? measured->most_latency_ns : NAN);
	result_count(result, "stateful", known ? (unsigned)__builtin_popcount(measured->least.stateful) : UINT64_MAX);
	result_count(result, "stateless", known ? (unsigned)__builtin_popcount(measured->least.stateless) : UINT64_MAX);
	result_count(result, "again_segments", known ? measured->again_segments : UINT64_MAX);
	result_count(result, "lost_frames", known ? measured->lost_frames : UINT64_MAX);
	json_put_shared(result, "iterations", measured->iterations);
	json_put_shared(result, "latencies", measured->latencies);
	variation_report(known ? &measured->variation : &unknown, result);
	if (known)
		flag_variation(measured, result);
}
