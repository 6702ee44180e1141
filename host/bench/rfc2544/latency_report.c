/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the streams of a latency test into the numbers of the report. */
#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/rfc2544/latency.h"
#include "host/bench/rfc_math.h"
#include "host/trial/judging/sum.h"

static void append(json_t *list, double value)
{
	json_add(list, isnan(value) ? json_null() : json_real(value));
}

/* The mean over the ports that sent, each of which tagged one frame; 0 / 0: none came back. */
static struct rate note_tags(const struct session *session, const struct trial_result *trial, unsigned repetition,
                             json_t *rows)
{
	uint64_t sum_ot = 0, count = 0;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &trial->port[i];
		json_t *row;

		if (!port->sent)
			continue;
		row = json_object();
		result_count(row, "repetition", repetition);
		result_count(row, "source_port", i);
		result_number(row, "latency_ns",
		              port->tagged_frames ? session_ns(session, port->tagged_latency_ot) : NAN);
		json_add(rows, row);
		sum_ot += port->tagged_frames ? port->tagged_latency_ot : 0;
		count += port->tagged_frames != 0;
	}
	return (struct rate){count ? sum_ot : 0, count};
}

/* Octet times / count as the nearest double in nanoseconds. */
static double ns_of(const struct session *session, struct rate octet_times, unsigned count)
{
	const struct rate ns = rate_scale(octet_times, UINT64_C(8) * NS_PER_S, session_link_bps(session));

	return ratio_nearest(octet_times.denominator ? ns.numerator : 0,
	                     octet_times.denominator ? (uint128)ns.denominator * count : 0);
}

void latency_note(const struct session *session, const struct trial_result *trial, enum tag_destination destination,
                  struct latency_measurements *measured)
{
	struct latency_tags *to = &measured->to[destination];
	const struct rate mean_ot = note_tags(session, trial, to->count + 1, to->tags);
	const double mean_ns = ns_of(session, mean_ot, 1);

	if (mean_ot.denominator) {
		to->sum_ot = to->tagged ? rate_add(to->sum_ot, mean_ot) : mean_ot;
		to->tagged_ns[to->tagged++] = mean_ns;
	}
	append(to->values, mean_ns);
	to->count++;
	counters_add(&measured->sums, trial);
	measured->lossy += trial->lost_frames != 0;
	if (destination != TAG_SAME)
		return;
	trial_add_latency(&measured->all, &trial->latency);
	latency_spread_add(&measured->spread, trial);
	*session->kept = *trial;
}

static struct rate less(struct rate a, struct rate b)
{
	return (struct rate){a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator};
}

/* The measurement is from the first octet in to the first octet out. A frame is as long on the line when it leaves as
 * when it came, so the other pairs differ from it by that: last octet in is a frame after the first, and so is last
 * octet out. */
static void report_pairs(const struct session *session, const struct latency_tags *to, double fifo_ns, json_t *result)
{
	const struct rate frames_ot = {(uint64_t)session->frame_octets * to->tagged, 1};
	const bool known = to->tagged && session->frame_octets, below = rate_compare(to->sum_ot, frames_ot) < 0;
	const struct rate between = below ? less(frames_ot, to->sum_ot) : less(to->sum_ot, frames_ot);
	const double lifo_ns = known ? ns_of(session, between, to->tagged) : (double)NAN;

	result_number(result, "tagged_fifo_ns", fifo_ns);
	result_number(result, "tagged_lifo_ns", below ? -lifo_ns : lifo_ns);
	result_number(result, "tagged_filo_ns",
	              known ? ns_of(session, rate_add(to->sum_ot, frames_ot), to->tagged) : (double)NAN);
	result_number(result, "tagged_lilo_ns", fifo_ns);
}

static void report_tagged(const struct session *session, const struct latency_tags *to, json_t *result)
{
	const struct sample tagged = sample_of(to->tagged_ns, to->tagged);
	const double mean_ns = to->tagged ? ns_of(session, to->sum_ot, to->tagged) : (double)NAN;

	json_put_shared(result, "tagged_latency_ns", to->values);
	json_put_shared(result, "tags", to->tags);
	result_number(result, "tagged_latency_mean_ns", mean_ns);
	result_number(result, "tagged_latency_stddev_ns", tagged.stddev);
	report_pairs(session, to, mean_ns, result);
	if (to->count && to->tagged == 0)
		result_invalid(result, "no tagged frame came back%s",
		               session->context->tester->info.device
		                       ? ""
		                       : ": an external program tags none (RFC 2544 section 26.2)");
	else if (to->tagged < to->count)
		result_flag(result, "in %u of %u streams no tagged frame came back: the mean is of the others",
		            to->count - to->tagged, to->count);
}

/* The same where it goes to a new network. That none came back says something of the routes of the device, and takes
 * nothing from the other results. */
static void report_new_network(const struct session *session, const struct latency_tags *to, json_t *result)
{
	const struct sample tagged = sample_of(to->tagged_ns, to->tagged);

	json_put_shared(result, "new_network_latency_ns", to->values);
	json_put_shared(result, "new_network_tags", to->tags);
	result_number(result, "new_network_latency_mean_ns",
	              to->tagged ? ns_of(session, to->sum_ot, to->tagged) : (double)NAN);
	result_number(result, "new_network_latency_stddev_ns", tagged.stddev);
	if (to->tagged < to->count)
		result_flag(
		        result,
		        "in %u of %u streams no tagged frame to a new network came back: the device must have routes "
		        "to the networks behind node 10 of each port (RFC 2544 C.2.2.2)",
		        to->count - to->tagged, to->count);
}

static void report_load(const struct session *session, const struct stream_load *load, json_t *result)
{
	const struct rate rate = load->known ? load->load : (struct rate){0, 0};

	result_number(result, "load_fps", rate_fps(rate));
	result_number(result, "load_percent", rate_percent(rate, session->max_rate));
	json_put(result, "load_source", json_string(load->known ? load->source : "none"));
}

void latency_report(const struct session *session, const struct stream_load *load,
                    const struct latency_measurements *measured, json_t *result)
{
	report_load(session, load, result);
	json_put(result, "reference", json_string("fifo"));
	result_count(result, "repetitions", measured->to[TAG_SAME].count);
	report_tagged(session, &measured->to[TAG_SAME], result);
	if (latency_settings(session->test)->to_new_network)
		report_new_network(session, &measured->to[TAG_NEW_NETWORK], result);
	result_latency_of(result, session, &measured->all, &measured->spread);
	result_variation_of(result, session, &measured->all, &measured->spread);
	result_ports(result, session, measured->to[TAG_SAME].count ? session->kept : NULL);
	result_counters(result, "counters", &measured->sums);
	if (measured->lossy)
		result_flag(
		        result,
		        "frames were lost in %u of %u streams: the load is above the throughput, and percentiles and "
		        "histogram are of the other streams",
		        measured->lossy, measured->to[TAG_SAME].count + measured->to[TAG_NEW_NETWORK].count);
}
