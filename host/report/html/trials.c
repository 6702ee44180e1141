/* SPDX-License-Identifier: Apache-2.0 */
/* The trials of the run file, as far as charts need them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/json_write.h"
#include "host/base/rate.h"
#include "host/report/html/page.h"
#include "host/report/value.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

static void add_gaps(struct gap_stats *sum, const struct gap_stats *gaps)
{
	/* an external program may not know them */
	if (gaps->gaps == 0 || gaps->gaps == COUNT_UNKNOWN)
		return;
	if (sum->gaps == 0 || gaps->min_octets < sum->min_octets)
		sum->min_octets = gaps->min_octets;
	if (sum->gaps == 0 || gaps->max_octets > sum->max_octets)
		sum->max_octets = gaps->max_octets;
	sum->gaps += gaps->gaps;
	sum->sum_octets += gaps->sum_octets;
}

static double average_octets(const struct store_trial *trial)
{
	const struct traffic_sizes *sizes = &trial->request.shape.sizes;
	struct traffic_average average;

	if (!sizes->count)
		return trial->place.frame_octets;
	average = traffic_sizes_average(sizes);
	return (double)average.octets / average.frames;
}

struct format_text html_frames(uint32_t frame_octets)
{
	struct format_text out = {"a mix"};

	if (frame_octets)
		snprintf(out.text, sizeof(out.text), "%u octets", frame_octets);
	return out;
}

/* An external program may have offered another load than it was asked for; a device is paced. */
static double load_fps_of(const struct page *page, const struct store_trial *trial, double start_octets)
{
	const struct trial_result *result = &trial->result;
	const double senders = value_number(json_object_get(page->report, "device"), "senders");
	const double fps = result->intended_fps > 0 ? result->intended_fps : rate_fps(trial->request.load);

	if (!(senders >= 1) || trial->request.kind == TRIAL_BURST)
		return fps;
	return rate_offered_fps(fps, page->link_bps / 8 / start_octets, (unsigned)senders, result->offered_frames,
	                        result->duration_s);
}

static int add_trial(void *user, uint64_t number, const struct store_trial *trial)
{
	struct page *page = user;
	const struct trial_request *request = &trial->request;
	const struct trial_result *result = &trial->result;
	const double start_octets = average_octets(trial) + LINE_OVERHEAD_OCTETS;
	struct html_trial *made;

	(void)number;
	/* Frames that such a trial lost belong to no single load. */
	if (request->next_load_ot || request->reset != TRIAL_LEFT_ALONE)
		return 0;
	made = array_add(&page->trials, page->trial_count, sizeof(*made));
	if (!made)
		return error_set(page->error, ERROR_INTERNAL, "--html: out of memory");
	page->trial_count++;
	*made = (struct html_trial){
	        .place = trial->place,
	        .modifiers = request->shape.modifiers,
	        .start_octets = start_octets,
	        .burst = request->kind == TRIAL_BURST,
	        .valid = result->valid,
	        .burst_frames = request->burst_frames,
	        .burst_gap_octets = request->burst_gap_octets,
	        .load_fps = load_fps_of(page, trial, start_octets),
	        .duration_s = (double)request->duration_ot * 8 / page->link_bps,
	        .offered_frames = result->offered_frames,
	        .expected_frames = result->received_frames == COUNT_UNKNOWN || result->lost_frames == COUNT_UNKNOWN
	                                   ? result->offered_frames
	                                   : result->received_frames + result->lost_frames,
	        .lost_frames = result->lost_frames,
	        .latency = result->latency,
	};
	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS; i++)
		add_gaps(&made->rx_gap, &result->port[i].rx_gap);
	return 0;
}

int html_trials_load(struct page *page)
{
	return store_trials_each(page->store, add_trial, page, page->error);
}

void html_trials_free(struct page *page)
{
	free(page->trials);
}

bool html_is_of(uint32_t modifiers, const json_t *result)
{
	const char *said = json_string_value(json_object_get(result, "modifier"));
	char text[TRAFFIC_MODIFIERS_TEXT];

	return !strcmp(said ? said : "", traffic_modifiers_text(modifiers, text, sizeof(text)));
}

struct format_text html_frames_of(const struct html_trial *trial)
{
	struct format_text out = html_frames(trial->place.frame_octets);
	char text[TRAFFIC_MODIFIERS_TEXT];
	const size_t length = strlen(out.text);

	if (trial->modifiers)
		snprintf(out.text + length, sizeof(out.text) - length, ", %s",
		         traffic_modifiers_text(trial->modifiers, text, sizeof(text)));
	return out;
}

static struct gap_stats received_gaps(const struct page *page, const json_t *result)
{
	const double test_number = value_number(result, "test_number"),
	             octets = value_known(result, "frame_octets") ? value_number(result, "frame_octets") : 0;
	struct gap_stats sum = {0};

	for (size_t i = 0; i < page->trial_count; i++) {
		const struct html_trial *trial = &page->trials[i];

		if (trial->burst && trial->valid && trial->place.test_number == test_number &&
		    trial->place.frame_octets == octets && html_is_of(trial->modifiers, result))
			add_gaps(&sum, &trial->rx_gap);
	}
	return sum;
}

void html_add_received_gaps(struct page *page)
{
	json_t *result;
	size_t i;

	json_array_foreach(json_object_get(page->report, "results"), i, result)
	{
		struct gap_stats gaps = received_gaps(page, result);

		if (gaps.gaps == 0)
			continue;
		json_put(result, "received_gap_min_octets", json_integer((json_int_t)gaps.min_octets));
		json_put(result, "received_gap_mean_octets", json_real((double)gaps.sum_octets / (double)gaps.gaps));
		json_put(result, "received_gap_max_octets", json_integer((json_int_t)gaps.max_octets));
	}
}

double html_load_percent(const struct page *page, const struct html_trial *trial)
{
	return 100 * trial->load_fps / (page->link_bps / 8 / trial->start_octets);
}

/* RFC 2544 section 26.3: (input - output) x 100 / input. */
double html_loss_percent(const struct html_trial *trial)
{
	if (trial->expected_frames == 0 || trial->offered_frames == COUNT_UNKNOWN ||
	    trial->lost_frames == COUNT_UNKNOWN)
		return (double)NAN;
	return 100 * (double)trial->lost_frames / (double)trial->expected_frames;
}

double html_seconds(const struct page *page, double octet_times)
{
	return octet_times * 8 / page->link_bps;
}
