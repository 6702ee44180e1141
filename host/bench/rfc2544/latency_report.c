/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the streams of a latency test into the numbers of the report. */
#include <math.h>

#include "host/bench/rfc2544/latency.h"
#include "host/bench/rfc_math.h"
#include "host/trial/trial_sum.h"

static void append(json_t *list, double value)
{
	json_array_append_new(list, isnan(value) ? json_null() : json_real(value));
}

/* The mean over the ports that sent, each of which tagged one frame; NAN: none came back. */
static double note_tags(const struct trial_result *trial, unsigned repetition, double ns, json_t *rows)
{
	double sum_ot = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &trial->port[i];
		json_t *row;

		if (!port->sent)
			continue;
		row = json_object();
		result_count(row, "repetition", repetition);
		result_count(row, "source_port", i);
		result_number(row, "latency_ns", port->tagged_frames ? (double)port->tagged_latency_ot * ns : NAN);
		json_array_append_new(rows, row);
		sum_ot += port->tagged_frames ? (double)port->tagged_latency_ot : 0;
		count += port->tagged_frames != 0;
	}
	return count ? sum_ot / count : (double)NAN;
}

void latency_note(const struct session *session, const struct trial_result *trial, enum tag_destination destination,
                  struct latency_measurements *measured)
{
	struct latency_tags *to = &measured->to[destination];
	const double ns = session_seconds(session, 1) * NS_PER_S;
	const double mean_ns = note_tags(trial, to->count + 1, ns, to->tags) * ns;

	if (!isnan(mean_ns))
		to->tagged_ns[to->tagged++] = mean_ns;
	append(to->values, mean_ns);
	to->count++;
	counters_add(&measured->sums, trial);
	measured->lossy += trial->lost_frames != 0;
	if (destination != TAG_SAME)
		return;
	trial_add_latency(&measured->all, &trial->latency);
	latency_spread_add(&measured->spread, trial);
	measured->last = *trial;
}

/* Measured is from the first octet in to the first octet out. A frame is as long on the line when it leaves as when it
 * came, so the other pairs differ from it by that: last octet in is a frame after the first, and so is last octet out.
 */
static void report_pairs(const struct session *session, double fifo_ns, double ns, json_t *result)
{
	const double frame_ns = session->frame_octets ? session->frame_octets * ns : NAN;

	result_number(result, "tagged_fifo_ns", fifo_ns);
	result_number(result, "tagged_lifo_ns", fifo_ns - frame_ns);
	result_number(result, "tagged_filo_ns", fifo_ns + frame_ns);
	result_number(result, "tagged_lilo_ns", fifo_ns);
}

static void report_tagged(const struct session *session, const struct latency_tags *to, double ns, json_t *result)
{
	const struct sample tagged = sample_of(to->tagged_ns, to->tagged);

	json_object_set(result, "tagged_latency_ns", to->values);
	json_object_set(result, "tags", to->tags);
	result_number(result, "tagged_latency_mean_ns", tagged.mean);
	result_number(result, "tagged_latency_stddev_ns", tagged.stddev);
	report_pairs(session, tagged.mean, ns, result);
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
static void report_new_network(const struct latency_tags *to, json_t *result)
{
	const struct sample tagged = sample_of(to->tagged_ns, to->tagged);

	json_object_set(result, "new_network_latency_ns", to->values);
	json_object_set(result, "new_network_tags", to->tags);
	result_number(result, "new_network_latency_mean_ns", tagged.mean);
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
	const double fps = load->known ? rate_fps(load->load) : NAN;

	result_number(result, "load_fps", fps);
	result_number(result, "load_percent", 100 * (fps / rate_fps(session->max_rate)));
	json_object_set_new(result, "load_source", json_string(load->known ? load->source : "none"));
}

void latency_report(const struct session *session, const struct stream_load *load,
                    const struct latency_measurements *measured, json_t *result)
{
	const double ns = session_seconds(session, 1) * NS_PER_S;

	report_load(session, load, result);
	json_object_set_new(result, "reference", json_string("fifo"));
	result_count(result, "repetitions", measured->to[TAG_SAME].count);
	report_tagged(session, &measured->to[TAG_SAME], ns, result);
	if (latency_settings(session->test)->to_new_network)
		report_new_network(&measured->to[TAG_NEW_NETWORK], result);
	result_latency_of(result, session, &measured->all, &measured->spread);
	result_variation(result);
	result_ports(result, session, measured->to[TAG_SAME].count ? &measured->last : NULL);
	result_counters(result, "counters", &measured->sums);
	if (measured->lossy)
		result_flag(
		        result,
		        "frames were lost in %u of %u streams: the load is above the throughput, and percentiles and "
		        "histogram are of the other streams",
		        measured->lossy, measured->to[TAG_SAME].count + measured->to[TAG_NEW_NETWORK].count);
}
