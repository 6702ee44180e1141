/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 9004 6.4 and 7: turns the values of N searches into the numbers of the report. */
#include <inttypes.h>
#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/rfc9004/back_to_back.h"
#include "host/bench/rfc_math.h"

double burst_forwarding_fps(const struct burst_measurements *measured)
{
	return measured->weight > 0 ? measured->weighted_rate / measured->weight : NAN;
}

json_t *back_to_back_parameters(const struct session *session, const struct search_config *config)
{
	json_t *object = result_parameters(session);

	result_count(object, "repetitions", back_to_back_settings(session->test)->repetitions);
	result_count(object, "step_frames", config->step);
	result_count(object, "max_burst_frames", config->high);
	result_number(object, "max_burst_s", (double)config->high / rate_fps(session->max_rate));
	result_count(object, "first_burst_frames", config->first ? config->first : config->high);
	json_put(object, "stddev", json_string("of a sample: divisor N - 1"));
	json_put(object, "burst", json_string("frames a sending port, from idle, at the minimum gap"));
	return object;
}

static void report_values(const struct burst_measurements *measured, json_t *result)
{
	struct sample_statistics statistics = sample_statistics(measured->values, measured->count);
	json_t *values = json_array();

	for (unsigned i = 0; i < measured->count; i++)
		json_add(values, json_integer((json_int_t)measured->values[i]));
	json_put(result, "values_frames", values);
	result_count(result, "repetitions", measured->count);
	result_number(result, "average_frames", statistics.average);
	result_count(result, "min_frames", measured->count ? statistics.min : UINT64_MAX);
	result_count(result, "max_frames", measured->count ? statistics.max : UINT64_MAX);
	result_number(result, "stddev_frames", statistics.stddev);
	result_number(result, "confidence95_low_frames", statistics.confidence95_low);
	result_number(result, "confidence95_high_frames", statistics.confidence95_high);
}

static double plan_rate_fps(const struct quantity *rate, double max_fps)
{
	double value = rate->denominator ? (double)rate->numerator / (double)rate->denominator : NAN;

	return rate->unit == QUANTITY_PERCENT ? value * max_fps : value;
}

static void report_buffer(const struct session *session, const struct prerequisite *before,
                          const struct burst_measurements *measured, json_t *result)
{
	double max_fps = rate_fps(session->max_rate);
	double implied_s = implied_buffer_s(result_get(result, "average_frames"), max_fps);
	double corrected_s = corrected_buffer_s(implied_s, before->throughput_fps, max_fps);
	double filling_fps = filling_rate_fps(max_fps, before->throughput_fps);
	double latency_buffer =
	        measured->latency_buffer_count ? measured->latency_buffer_sum / measured->latency_buffer_count : NAN;
	const struct back_to_back_settings *settings = back_to_back_settings(session->test);
	double actual_fps = settings->has_actual_rate ? plan_rate_fps(&settings->actual_rate, max_fps) : NAN;

	result_number(result, "throughput_fps", before->throughput_fps);
	json_put(result, "throughput_source", json_string(before->result ? "throughput" : "forwarding_rate"));
	result_number(result, "forwarding_rate_fps", burst_forwarding_fps(measured));
	result_number(result, "implied_buffer_s", implied_s);
	result_number(result, "corrected_buffer_s", corrected_s);
	result_number(result, "buffer_frames", corrected_s * max_fps);
	result_number(result, "buffer_octets", corrected_s * max_fps * session->frame_octets);
	result_number(result, "latency_buffer_frames", latency_buffer);
	result_number(result, "filling_rate_fps", filling_fps);
	/* RFC 9004 4, item 4: with the buffer known by other means, here the growth of latency, the time to fill it is
	 * a check on the burst: it should equal the implied buffer time. */
	result_number(result, "fill_time_s", filling_fps > 0 ? latency_buffer / filling_fps : NAN);
	result_number(result, "actual_rate_fps", actual_fps);
	result_number(result, "actual_buffer_s", actual_buffer_s(corrected_s, max_fps, actual_fps));
	if (before->is_at_least)
		result_flag(result, "the throughput is only known to be at least the highest load that was tried: "
		                    "the forwarding rate during the bursts stands in (RFC 9004 section 6.4)");
	else if (before->result == NULL)
		result_flag(result, "no valid throughput result without loss of this size and traffic: the "
		                    "forwarding rate during the bursts stands in (RFC 9004 section 6.4)");
	if (!isnan(actual_fps) && actual_fps >= before->throughput_fps)
		result_flag(result,
		            "actual_rate %.0f fps is not below throughput: actual buffer time says nothing (RFC 9004 "
		            "section 7)",
		            actual_fps);
}

/* The non-empty bins; the last one extends to the longest gap. */
static json_t *gap_histogram(const struct burst_measurements *measured)
{
	json_t *list = json_array();

	for (uint64_t octets = 0; octets < GAP_COUNTS; octets++) {
		const bool longer = octets == GAP_COUNTS - 1;
		json_t *bin;

		if (measured->gap_counts[octets] == 0)
			continue;
		bin = json_object();
		result_count(bin, "from_octets", octets);
		result_count(bin, "to_octets", longer ? measured->gaps.max_octets + 1 : octets + 1);
		result_count(bin, "gaps", measured->gap_counts[octets]);
		json_add(list, bin);
	}
	return list;
}

static void report_gaps(const struct burst_measurements *measured, json_t *result)
{
	const struct gap_stats *gaps = &measured->gaps;
	bool known = gaps->gaps != 0;

	result_count(result, "bursts_proven", measured->bursts_proven);
	result_count(result, "bursts_unproven", measured->bursts_unproven);
	if (measured->bursts_unproven)
		result_flag(result,
		            "%" PRIu64
		            " bursts have only the tester's word: it did not say which gaps it sent, so nothing "
		            "shows that they left at the minimum gap",
		            measured->bursts_unproven);
	result_count(result, "gap_min_octets", known ? gaps->min_octets : UINT64_MAX);
	result_number(result, "gap_mean_octets", known ? (double)gaps->sum_octets / (double)gaps->gaps : NAN);
	result_count(result, "gap_max_octets", known ? gaps->max_octets : UINT64_MAX);
	json_put(result, "gap_histogram", gap_histogram(measured));
}

/* Other bursts than were intended may leave more between what passed and what failed than the search does. */
static void flag_apart(const struct burst_measurements *measured, json_t *result)
{
	if (measured->apart_frames > (double)measured->config.step)
		result_flag(result,
		            "the longest burst that passed and the shortest that failed are up to %.0f frames apart as "
		            "they "
		            "were offered, more than the resolution of %" PRIu64 " that was asked for",
		            measured->apart_frames, measured->config.step);
}

static bool known_and_some(uint64_t count)
{
	return count != 0 && count != COUNT_UNKNOWN;
}

void back_to_back_report(const struct session *session, const struct prerequisite *before,
                         const struct burst_measurements *measured, json_t *result)
{
	json_put(result, "parameters", back_to_back_parameters(session, &measured->config));
	result_count(result, "step_frames", measured->config.step);
	result_count(result, "max_burst_frames", measured->config.high);
	json_put(result, "search_bracket", json_string(measured->by_doubling ? "doubling" : "limit"));
	report_values(measured, result);
	report_buffer(session, before, measured, result);
	report_gaps(measured, result);
	flag_apart(measured, result);
	result_ports(result, session, session->kept);
	result_counters(result, "counters", &measured->passed);
	result_counters(result, "upper_counters", &measured->failed);
	if (known_and_some(measured->passed.foreign_frames) || known_and_some(measured->failed.foreign_frames))
		result_flag(result, "unexpected frames came during deciding trials; not counted (RFC 2544 10)");
	if ((double)session->test->settle_ns < 2 * NS_PER_S)
		result_flag(result, "settle is %g s: RFC 9004 section 6.2 asks for 2 s at least",
		            (double)session->test->settle_ns / NS_PER_S);
}
