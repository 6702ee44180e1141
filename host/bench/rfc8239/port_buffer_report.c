/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the searches at each egress port into the buffers of the report, and holds the two estimates against each
 * other. */
#include "host/base/json_write.h"
#include "host/bench/rfc8239/port_buffer.h"

#include <math.h>
#include <stdio.h>

#include "host/bench/repeat.h"
#include "host/bench/result.h"

enum {
	AGREE_FRAMES = 1,
	TIMES_OCTETS = 2 * 8 /* two latencies, of which each is off by up to a group of octets */
};

/* A port at line rate is off by no more than where its first and last frame begin. */
static const double LINE_RATE_PART = 0.999;

/* The estimates agree within a frame, and what the times of frames are off. */
static bool agree(const struct port_buffer *measured, const struct port_buffer_case *found, double frames,
                  double latency_frames)
{
	const double off_s = session_seconds(measured->session, TIMES_OCTETS);

	return fabs(frames - latency_frames) <= AGREE_FRAMES + off_s * found->egress_fps;
}

/* True if the maximum latency was the same in all trials with loss: within the time of a frame. */
static bool is_constant(const struct port_buffer_case *found)
{
	return found->growing_ns * found->egress_fps <= AGREE_FRAMES * (double)NS_PER_S;
}

/* The reason why they do not agree; NULL: they do. */
static const char *why_not(const struct port_buffer *measured, const struct port_buffer_case *found, double frames,
                           double latency_frames)
{
	if (found->limited)
		return "no frame was lost, so there is no inflection";
	if (isnan(frames))
		return "too few frames came out of the port to measure a buffer";
	if (isnan(latency_frames))
		return "one frame came out of the port in the shortest trial with loss, so it has no rate";
	if (!found->procedure->all_send && found->egress_fps < LINE_RATE_PART * rate_fps(measured->session->max_rate))
		return "the egress port forwards less than line rate, so its queue grows by more frames than those "
		       "that "
		       "oversubscribe";
	if (!is_constant(found))
		return "the maximum latency goes on growing after the first loss: frames do not wait in one queue of a "
		       "fixed size";
	return agree(measured, found, frames, latency_frames)
	               ? NULL
	               : "frames wait behind fewer or more than were sent in excess: the device drops them for another "
	                 "reason than a full queue, or they wait in several queues";
}

static void report_ports(const struct port_buffer *measured, const struct port_buffer_case *found, json_t *row)
{
	const unsigned ports = measured->session->context->tester->info.device->ports;
	const struct buffer_queue *queue = &found->queue;

	if (found->procedure->all_send) {
		json_put(row, "ingress_ports", port_list(((1u << ports) - 1) & ~(1u << queue->egress)));
	} else {
		result_count(row, "ingress_port", queue->ingress);
		result_count(row, "oversubscribing_port", queue->extra);
	}
	result_count(row, "egress_port", queue->egress);
	if (found->procedure == &PORT_PAIRS)
		result_count(row, "place", found->place);
}

static json_t *row_of(const struct port_buffer *measured, const struct port_buffer_case *found,
                      const struct repeated *frames, const struct repeated *by_latency)
{
	const bool ends = found->limited == 0;
	const struct variation variation = variation_of(found->frames, found->count);
	const char *why = why_not(measured, found, frames->mean, by_latency->mean);
	json_t *row = json_object();

	report_ports(measured, found, row);
	result_number(row, "buffer_frames", ends ? frames->mean : NAN);
	result_number(row, "min_buffer_frames", ends ? frames->min : NAN);
	result_number(row, "max_buffer_frames", ends ? frames->max : NAN);
	result_number(row, "buffer_octets", ends ? frames->mean * measured->session->frame_octets : NAN);
	result_number(row, "buffer_from_latency_frames", by_latency->mean);
	result_number(row, "egress_fps", ends ? found->egress_fps : NAN);
	json_put(row, "agrees", json_boolean(!why));
	json_put(row, "remark", json_string(why ? why : "the estimates agree"));
	variation_report(&variation, row);
	return row;
}

void port_buffer_note(struct port_buffer *measured, const struct port_buffer_case *found)
{
	const struct repeated frames = repeated_statistics(found->frames, found->count);
	const struct repeated by_latency = repeated_statistics(found->latency_frames, found->count);

	json_add(measured->rows, row_of(measured, found, &frames, &by_latency));
	if (found->limited) {
		measured->limited++;
		return;
	}
	if (isnan(frames.mean)) {
		measured->unknown++;
		measured->unknown_port = found->queue.egress;
		return;
	}
	measured->disagreeing += why_not(measured, found, frames.mean, by_latency.mean) != NULL;
	measured->most_frames = fmax(measured->most_frames, frames.mean);
	if (measured->has_least && frames.mean >= measured->least_frames)
		return;
	measured->has_least = true;
	measured->least_frames = frames.mean;
	measured->least_latency_frames = by_latency.mean;
	measured->least_port = found->queue.egress;
	measured->variation = variation_of(found->frames, found->count);
}

static void flag_disagreement(const struct port_buffer *measured, json_t *result)
{
	const json_t *row;
	char by_latency[40] = "none";
	double latency;
	size_t i;

	json_array_foreach(measured->rows, i, row)
	{
		if (json_is_true(json_object_get(row, "agrees")))
			continue;
		latency = result_get(row, "buffer_from_latency_frames");
		if (!isnan(latency))
			snprintf(by_latency, sizeof(by_latency), "%.2f", latency);
		result_flag(result,
		            "at egress port %.0f the two estimates, %.2f frames by count and %s by latency, are not "
		            "the same buffer: %s%s",
		            result_get(row, "egress_port"), result_get(row, "buffer_frames"), by_latency,
		            json_string_value(json_object_get(row, "remark")),
		            measured->disagreeing > 1 ? " (there are more such ports)" : "");
		return;
	}
}

/* Reports the buffer of the two egress ports that are congested at once, at the place where it is largest. */
static void report_pairs(const struct port_buffer *measured, bool known, json_t *result)
{
	const json_t *row;
	double before = NAN, place = NAN, most = NAN;
	size_t i;

	json_array_foreach(measured->rows, i, row)
	{
		const double frames = result_get(row, "buffer_frames");

		if (result_get(row, "place") == place)
			most = fmax(most, before + frames);
		before = frames;
		place = result_get(row, "place");
	}
	result_number(result, "pair_buffer_frames", known ? most : NAN);
	result_number(result, "pair_buffer_octets", known ? most * measured->session->frame_octets : NAN);
}

void port_buffer_report(const struct port_buffer *measured, bool finished, json_t *result)
{
	const bool known = finished && measured->has_least && measured->limited == 0 && measured->unknown == 0;
	const struct variation unknown = {NAN, NAN, NAN, NAN};
	const double frames = known ? measured->least_frames : NAN;
	const uint32_t octets = measured->session->frame_octets;

	result_number(result, "buffer_frames", frames);
	result_number(result, "buffer_octets", frames * octets);
	result_number(result, "buffer_from_latency_frames", known ? measured->least_latency_frames : NAN);
	result_number(result, "largest_buffer_frames", known ? measured->most_frames : NAN);
	result_count(result, "egress_port", known ? measured->least_port : UINT64_MAX);
	if (measured->procedure == &PORT_PAIRS)
		report_pairs(measured, known, result);
	if (known)
		json_put(result, "estimates_agree", json_boolean(!measured->disagreeing));
	json_put_shared(result, measured->list, measured->rows);
	variation_report(known ? &measured->variation : &unknown, result);
	if (known)
		variation_flag(&measured->variation, "the buffer", result);
	if (known)
		flag_disagreement(measured, result);
	if (measured->unknown)
		result_invalid(result,
		               "not known at %u of %zu egress ports: too few frames came out of them while they were "
		               "congested, last at port %u",
		               measured->unknown, json_array_size(measured->rows), measured->unknown_port);
	if (measured->limited)
		result_invalid(
		        result,
		        "at %u of %zu egress ports max_frames lost nothing: repeat with more, or these ports were "
		        "not congested",
		        measured->limited, json_array_size(measured->rows));
}
