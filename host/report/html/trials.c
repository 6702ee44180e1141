/* SPDX-License-Identifier: Apache-2.0 */
/* The trials of the run file, as far as charts want them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/report/html/page.h"

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

static int out_of_memory(struct page *page)
{
	return error_set(page->error, ERROR_INTERNAL, "--html: out of memory");
}

static int add_trial(void *user, uint64_t number, const struct store_trial *trial)
{
	struct page *page = user;
	const struct trial_request *request = &trial->request;
	const struct trial_result *result = &trial->result;
	struct html_trial *made;

	if ((page->trial_count & (page->trial_count - 1)) == 0) { /* room doubles */
		size_t room = page->trial_count ? 2 * page->trial_count : 1;
		struct html_trial *grown = realloc(page->trials, room * sizeof(*grown));

		if (!grown)
			return out_of_memory(page);
		page->trials = grown;
	}
	made = &page->trials[page->trial_count++];
	*made = (struct html_trial){
	        .number = number,
	        .place = trial->place,
	        .burst = request->kind == TRIAL_BURST,
	        .valid = result->valid,
	        .burst_frames = request->burst_frames,
	        .load_fps = result->intended_fps > 0 ? result->intended_fps : rate_fps(request->load),
	        .duration_s = (double)request->duration_ot * 8 / page->link_bps,
	        .offered_frames = result->offered_frames,
	        .lost_frames = result->lost_frames,
	        .latency = result->latency,
	};
	add_gaps(&made->tx_gap, &result->tx_gap);
	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS; i++)
		add_gaps(&made->rx_gap, &result->port[i].rx_gap);
	if (!result->valid) {
		made->why_invalid = strdup(result->why_invalid);
		if (!made->why_invalid)
			return out_of_memory(page);
	}
	return 0;
}

int html_trials_load(struct page *page)
{
	return store_trials_each(page->store, add_trial, page, page->error);
}

void html_trials_free(struct page *page)
{
	for (size_t i = 0; i < page->trial_count; i++)
		free(page->trials[i].why_invalid);
	free(page->trials);
}

double html_theoretical_fps(const struct page *page, uint32_t frame_octets)
{
	return page->link_bps / 8 / (frame_octets + (double)LINE_OVERHEAD_OCTETS);
}

double html_load_percent(const struct page *page, const struct html_trial *trial)
{
	return 100 * trial->load_fps / html_theoretical_fps(page, trial->place.frame_octets);
}

/* RFC 2544 section 26.3: (input - output) x 100 / input. */
double html_loss_percent(const struct html_trial *trial)
{
	if (trial->offered_frames == 0 || trial->offered_frames == COUNT_UNKNOWN || trial->lost_frames == COUNT_UNKNOWN)
		return (double)NAN;
	return 100 * (double)trial->lost_frames / (double)trial->offered_frames;
}

double html_seconds(const struct page *page, double octet_times)
{
	return octet_times * 8 / page->link_bps;
}
