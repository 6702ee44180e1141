/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the trials of a reset test into a result: what RFC 6201 section 1.4 asks to be reported. */
#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/rfc2544/reset.h"

static json_t *command_text(const char *const *command)
{
	json_t *words = json_array();

	for (size_t i = 0; command && command[i]; i++)
		json_add(words, json_string(command[i]));
	return words;
}

json_t *reset_parameters(const struct session *session)
{
	const struct reset_settings *settings = reset_settings(session->test);
	json_t *object = result_parameters(session);

	result_count(object, "repetitions", settings->repetitions);
	result_number(object, "before_reset_s", extent_seconds(settings->before_ns));
	result_number(object, "after_reset_s", extent_seconds(settings->after_ns));
	json_put(object, "reset_by", json_string(settings->command ? "command" : "simulated device"));
	if (settings->command)
		json_put(object, "command", command_text(reset_command(session->test)));
	json_put(object, "load", json_string("frames a second, a sending port"));
	return object;
}

/* The worst of several trials counts. */
static const char *outcome_text(const struct reset_measurements *measured)
{
	if (measured->never)
		return "not_recovered";
	if (measured->came_back)
		return "recovered";
	return measured->lossless ? "no_loss" : "not_measured";
}

static json_t *list_of(const double *values, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_add(list, json_real(values[i]));
	return list;
}

static void report_values(const struct session *session, const struct reset_measurements *measured, json_t *result)
{
	/* A mean over those that came back would hide those that did not. */
	const size_t counted = measured->never ? 0 : measured->count,
	             stopped = measured->never ? 0 : measured->came_back;
	const struct repeated values = repeated_statistics(measured->values_s, counted);

	result_number(result, "reset_s", values.mean);
	result_number(result, "reset_ms", values.mean * 1000);
	result_number(result, "reset_min_s", values.min);
	result_number(result, "reset_max_s", values.max);
	result_number(result, "reset_stddev_s", values.stddev);
	json_put(result, "values_s", list_of(measured->values_s, measured->count));
	result_number(result, "reset_by_loss_s", repeated_statistics(measured->by_loss_s, counted).mean);
	result_number(result, "average_lost_frames", repeated_statistics(measured->lost_frames, counted).mean);
	result_number(result, "stop_delay_s", repeated_statistics(measured->stop_delays_s, stopped).mean);
	result_number(result, "throughput_fps", measured->throughput_fps);
	result_number(result, "throughput_bits_per_second", measured->throughput_fps * 8 * session->frame_octets);
}

/* Each lost frame is one period of silence more, on top of the period that there always is. */
static void flag_more_lost(const struct reset_measurements *measured, json_t *result)
{
	const double period_s = 1 / rate_fps(measured->load);
	unsigned more = 0;

	for (unsigned i = 0; i < measured->count; i++)
		more += measured->by_loss_s[i] > measured->values_s[i] + 2 * period_s;
	if (more)
		result_flag(result,
		            "in %u of %u trials more frames were lost than come in the longest silence: they were "
		            "queued in "
		            "the device, or there was another interruption; the time by loss has them too",
		            more, measured->count);
}

static void flag_outcome(const struct session *session, const struct reset_measurements *measured, json_t *result)
{
	const struct reset_settings *settings = reset_settings(session->test);
	const unsigned long long trials = (unsigned long long)measured->sums.trials;

	if (measured->never)
		result_flag(result,
		            "in %u of %llu trials the device did not forward again within the %.9g s of after_reset",
		            measured->never, trials, extent_seconds(settings->after_ns));
	if (measured->lossless)
		result_flag(result,
		            "in %u of %llu trials no frame was lost: \"no loss\" in the words of RFC 6201 section 3",
		            measured->lossless, trials);
	if (measured->count)
		flag_more_lost(measured, result);
	if (settings->before_ns < 15 * NS_PER_S)
		result_flag(result, "before_reset is %.9g s: RFC 6201 section 4 asks for 15 s at least",
		            extent_seconds(settings->before_ns));
	if (session->frame_octets != MIN_FRAME_OCTETS)
		result_flag(result, "RFC 2544 section 26.6 asks for the minimum frame size, 64 octets");
}

void reset_report(const struct session *session, const struct reset_measurements *measured, json_t *result)
{
	const bool measured_any = measured->sums.trials != 0;

	json_put(result, "kind", json_string(RESET_KIND_NAMES[reset_settings(session->test)->kind]));
	json_put(result, "outcome", json_string(outcome_text(measured)));
	report_values(session, measured, result);
	result_count(result, "recovered_trials", measured->came_back);
	result_count(result, "lossless_trials", measured->lossless);
	result_count(result, "unrecovered_trials", measured->never);
	result_ports(result, session, measured_any ? session->kept : NULL);
	if (measured_any)
		result_counters(result, "counters", &measured->sums);
	flag_outcome(session, measured, result);
}
