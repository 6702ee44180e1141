/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the bursty traffic benchmark, RFC 2544 section 21. */
#include "host/bench/rfc2544/bursty_traffic.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct bursty_traffic_settings

/* The longest gap is that of tx_burst_gap_octets, 40 bits: 1T octets, and 20 s at 400 Gb/s. */
static const struct plan_key KEYS[] = {
        {.name = "bursts",
         .value = COUNTS(bursts),
         .ranges = {{"1", "1000000"}},
         .unit = "frames",
         .default_text = "16 64 256 1024",
         .doc = "Burst sizes in frames, 1 to 16 of them; a search for each (RFC 2544 section 21)."},
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", "100000s"}},
         .default_text = "60s",
         .doc = "Length of every trial, rounded up to whole bursts, at least two (RFC 2544 section 24)."},
        {.name = "search_trial_duration",
         .value = TIME(search_trial_duration_ns),
         .ranges = {{"1us", "100000s"}},
         .doc = "Length of the trials while searching; default: trial_duration. With a shorter one, trials of full "
                "length then settle the result."},
        {.name = "max_inter_burst_gap",
         .value = QUANTITY(max_gap),
         .ranges = {{"10ns", "20s"}, {"12", "1T"}},
         .unit = "octets",
         .doc = "Longest gap between bursts that is tried, by time or octets; default: an average load of 1% of line "
                "rate."},
        {.name = "resolution",
         .value = QUANTITY(resolution),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "octets",
         .default_text = "0.1%",
         .doc = "Step of the gap; percent of the time that a burst takes at line rate, so that the average load is "
                "known to within this share of itself; or octets."},
};
const struct key_slice BURSTY_TRAFFIC_KEYS = {OWN_SLICE(KEYS)};

int bursty_traffic_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                          struct error *error)
{
	struct bursty_traffic_settings *settings = test->settings;
	const struct node *searching = node_child(group, "search_trial_duration");

	(void)plan;
	if (!searching)
		settings->search_trial_duration_ns = settings->trial_duration_ns;
	if (settings->search_trial_duration_ns > settings->trial_duration_ns)
		return plan_complain(error, searching, "search_trial_duration",
		                     "must be at most trial_duration, %.9g s",
		                     (double)settings->trial_duration_ns / NS_PER_S);
	return 0;
}
