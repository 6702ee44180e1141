/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the trials of a line-rate test into the numbers of the report. */
#include <inttypes.h>
#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/layers.h"
#include "host/bench/result.h"
#include "host/bench/rfc8239/line_rate.h"
#include "host/trial/judging/sum.h"

/* RFC 8239 section 2.2: the load must not be above. */
static const double MOST_LOAD_PERCENT = 99.98;

struct jitter {
	double min_ns, mean_ns, max_ns;
};

/* A device that passes frames on from port to port sums up the latencies of its ports (section 2.2, snake). */
static bool has_latency(const struct line_rate *measured, const struct trial_result *trial)
{
	return measured->session->shape.pattern != TRAFFIC_SNAKE && trial->latency.frames != 0;
}

static double offered_percent(const struct line_rate *measured)
{
	return rate_percent(measured->load, measured->session->max_rate);
}

/* RFC 8238 section 3.1, RFC 5481 section 4.2: what the latency of each frame is above the smallest one. */
static struct jitter jitter_of(const struct line_rate *measured, const struct trial_result *trial)
{
	const uint64_t link_bps = session_link_bps(measured->session);
	struct latency_stats above = trial->latency;

	if (!has_latency(measured, trial))
		return (struct jitter){NAN, NAN, NAN};
	trial_shift_latency(&above, trial->latency.min_ot);
	return (struct jitter){0, ns_from_mean(above.mean_ot, above.frames, link_bps),
	                       ns_from_octet_times(above.max_ot, link_bps)};
}

/* Frames a second from the first to the last that a port received; NAN with fewer than two. */
static double received_fps(const struct line_rate *measured, const struct trial_port *port)
{
	const uint64_t received =
	        trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);

	if (received < 2 || port->rx_last_ot <= port->rx_first_ot)
		return NAN;
	return (double)(received - 1) / session_seconds(measured->session, port->rx_last_ot - port->rx_first_ot);
}

/* Each port that has to receive frames can receive line rate. All ports do, with every pattern that sends in both
 * directions; else those that received any. Nothing received at all is 0. */
static double received_percent(const struct line_rate *measured, const struct trial_result *trial)
{
	const double line_fps = rate_fps(measured->session->max_rate);
	double sum_fps = 0;
	unsigned ports = 0;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const double fps = received_fps(measured, &trial->port[i]);
		const bool receives = !isnan(fps) || (measured->session->shape.bidirectional && trial->port[i].sent);

		ports += receives;
		sum_fps += isnan(fps) ? 0 : fps;
	}
	return ports ? 100 * sum_fps / (ports * line_fps) : 0;
}

static double part_percent(uint64_t part, const struct trial_result *trial)
{
	return ratio_percent(part, (uint128)trial->received_frames + trial->lost_frames);
}

static void report_counts(const struct line_rate *measured, const struct trial_result *trial, json_t *object)
{
	const bool known = trial != NULL;
	const struct session *session = measured->session;
	const double lost = known ? part_percent(trial->lost_frames, trial) : NAN;
	const double received = known ? received_percent(measured, trial) : NAN;

	result_number(object, "received_percent", received);
	layers_report(
	        object, "",
	        layers_of(received / 100 * rate_fps(session->max_rate), session->max_rate, session_link_bps(session)));
	result_number(object, "delivered_percent", known ? part_percent(trial->received_frames, trial) : NAN);
	result_count(object, "lost_frames", known ? trial->lost_frames : COUNT_UNKNOWN);
	result_number(object, "loss_percent", lost);
	result_number(object, "loss_of_line_percent", lost * offered_percent(measured) / 100);
}

static void report_jitter(const struct line_rate *measured, const struct trial_result *trial, json_t *object)
{
	const struct jitter jitter = trial ? jitter_of(measured, trial) : (struct jitter){NAN, NAN, NAN};

	result_number(object, "jitter_min_ns", jitter.min_ns);
	result_number(object, "jitter_mean_ns", jitter.mean_ns);
	result_number(object, "jitter_max_ns", jitter.max_ns);
}

void line_rate_note(struct line_rate *measured, const struct trial_result *trial)
{
	json_t *row = json_object();

	measured->received_percent[measured->count++] = received_percent(measured, trial);
	if (measured->count == 1 || trial->lost_frames > measured->worst->lost_frames) {
		*measured->worst = *trial;
		measured->worst_number = measured->count;
	}
	result_count(row, "repetition", measured->count);
	result_count(row, "offered_frames", trial->offered_frames);
	report_counts(measured, trial, row);
	if (has_latency(measured, trial))
		result_row_latency(row, &trial->latency, session_link_bps(measured->session));
	else
		result_row_latency(row, &(const struct latency_stats){.frames = 0}, 1);
	report_jitter(measured, trial, row);
	json_add(measured->iterations, row);
}

/* The bins of the latencies, each less the smallest latency. */
static json_t *jitter_bins(const struct line_rate *measured, const struct trial_result *trial)
{
	struct latency_spread spread = {0};
	json_t *bins = json_array();

	if (!trial || !has_latency(measured, trial))
		return bins;
	spread = latency_spread_of(trial);
	for (size_t i = 0; i < spread.count; i++) {
		const struct latency_piece *piece = &spread.piece[i];
		const uint64_t least = trial->latency.min_ot, low = piece->low_ot > least ? piece->low_ot - least : 0;
		json_t *bin = json_object();

		result_number(bin, "from_ns", session_ns(measured->session, low));
		result_number(bin, "to_ns", session_ns(measured->session, piece->high_ot - least));
		result_count(bin, "frames", piece->frames);
		json_add(bins, bin);
	}
	latency_spread_free(&spread);
	return bins;
}

static void report_times(const struct line_rate *measured, const struct trial_result *worst, json_t *result)
{
	if (worst && has_latency(measured, worst))
		result_latency(result, measured->session, worst);
	else
		result_latency_unknown(result);
	report_jitter(measured, worst, result);
	json_put(result, "jitter_histogram", jitter_bins(measured, worst));
}

static void flag(const struct line_rate *measured, const struct trial_result *worst, json_t *result)
{
	if (offered_percent(measured) > MOST_LOAD_PERCENT)
		result_flag(result,
		            "the load is above %.2f%% of line rate, the most that RFC 8239 section 2.2 allows: what "
		            "is lost may be lost to clock tolerances",
		            MOST_LOAD_PERCENT);
	if (worst && worst->lost_frames && has_latency(measured, worst))
		result_flag(result, "frames were lost: there are no percentiles and no histograms of such a trial");
}

void line_rate_report(const struct line_rate *measured, json_t *result)
{
	const struct trial_result *worst = measured->count ? measured->worst : NULL;
	const struct variation variation = variation_of(measured->received_percent, measured->count);
	struct counter_sums sums = {0};

	result_number(result, "load_percent", offered_percent(measured));
	report_counts(measured, worst, result);
	report_times(measured, worst, result);
	result_count(result, "reported_repetition", worst ? measured->worst_number : COUNT_UNKNOWN);
	json_put_shared(result, "repetitions", measured->iterations);
	variation_report(&variation, result);
	variation_flag(&variation, "the received rate", result);
	result_ports(result, measured->session, worst);
	if (worst)
		counters_add(&sums, worst);
	result_counters(result, "counters", &sums);
	flag(measured, worst, result);
}
