/* SPDX-License-Identifier: Apache-2.0 */
/* A test of a plan: its settings, and what follows from them. */
#ifndef FPGAUGE_PLAN_PLAN_TEST_H
#define FPGAUGE_PLAN_PLAN_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/base/quantity.h"
#include "host/base/rate.h"
#include "host/traffic/sizes.h"

enum plan_search { PLAN_SEARCH_BINARY, PLAN_SEARCH_LOSS_VERIFICATION, PLAN_SEARCH_MLRSEARCH };
enum plan_preset { PLAN_PRESET_RFC2544, PLAN_PRESET_TST009, PLAN_PRESET_NDRPDR };

enum { PLAN_MAX_GOALS = 16, PLAN_FRAMES_TEXT = TRAFFIC_SIZES_TEXT };

struct plan_benchmark;

/* An MLRsearch goal (RFC 9971 4.7.7). Ratios are below 1, in whole parts per million. */
struct plan_goal {
	struct quantity loss_ratio, exceed_ratio, width;
	uint64_t final_trial_duration_ns;
	uint64_t duration_sum_ns;
	uint64_t initial_trial_duration_ns; /* at most final_trial_duration_ns */
};

/* A limit for a key of the results (docs/results.md). */
struct plan_requirement {
	uint32_t frame_octets; /* 0: every size of the test */
	const char *key;       /* key of a metric in its results */
	bool at_least;         /* else at most */
	double limit;          /* limit in the unit of the key */
};

enum { PLAN_MOST_COUNTS = 16 };

/* A list of different whole numbers, in the order of the plan. */
struct plan_counts {
	unsigned count;
	uint32_t value[PLAN_MOST_COUNTS];
};

/* A command that sets filters reads one of these: text, or a file for nft. */
enum plan_filters { PLAN_FILTERS_TEXT, PLAN_FILTERS_NFT };

/* Unset keys have the default of their row in keys_*.c. */
struct plan_test {
	const struct plan_benchmark *benchmark;
	void *settings; /* settings of this benchmark only, a struct of its own; NULL: none */
	unsigned line;  /* line of the test in the plan file */
	/* Settings of every test. */
	struct traffic_shape shape;   /* frame_octets is not used: frame_sizes has the lengths, one after the other */
	bool each_alone;              /* first without the modifiers of shape, then with each of them alone */
	const char **filters_command; /* sets the filters of RFC 2544 section 11.4; ends with NULL; NULL: none */
	unsigned filters_format;      /* enum plan_filters: what it reads */
	const char **filters_interfaces; /* interfaces of the device, by port; ends with NULL; NULL: not named */
	uint32_t *frame_sizes;           /* a single 0 where shape.sizes is set */
	size_t frame_size_count;
	uint32_t raised_octets; /* sizes that nobody typed were below it, and are it: its headers need it; 0: none */
	enum plan_search search;
	unsigned trials_limit;       /* limit for one search; 0: none */
	bool if_possible;            /* a device that lacks what it needs leaves it out */
	unsigned left_out_before;    /* how many tests before it were: its place in run is as much later */
	uint64_t settle_ns;          /* wait after each trial; default 2 s (RFC 9004 6.2, RFC 2544 section 23) */
	uint64_t drain_ns;           /* longest wait for the last frame; default 2 s */
	bool says_duration;          /* one of its keys sets how long its trials are */
	bool for_simulation;         /* duration_chosen_for */
	const char *duration_reason; /* NULL: none */
	struct plan_requirement *requirements; /* require */
	size_t requirement_count;
	/* Tests that take a binary search. */
	unsigned max_trials;                 /* loss verification: trials at one point (max(r)) */
	bool counts_repeats;                 /* the plan sets max_repeats instead of max_trials */
	unsigned max_repeats;                /* loss verification: repeats after the first trial at a point */
	struct quantity loss_verification_z; /* frames, or percent of the frames offered */
	/* Tests that search loads, and so take MLRsearch: goals from the plan, or (goal_count 0) a preset, which the
	 * settings below override where has_... is set or they are above 0. */
	uint64_t traffic_limit_ns; /* limit for one search; 0: none */
	enum plan_preset preset;
	struct plan_goal *goals;
	size_t goal_count;
	bool has_width;
	struct quantity width;              /* a ratio */
	uint64_t preset_trial_duration_ns;  /* trial_duration; 0: the preset's */
	uint64_t initial_trial_duration_ns; /* 0: the preset's */
	uint64_t warm_up_ns;                /* 0 none */
	/* Tests that try several loads: percent of line rate, or frames per second; denominator 0: the plan does not
	 * say, or the test has none. */
	struct quantity min_load, max_load;
};

/* The benchmark, as the key `test` names it. */
const char *plan_test_name(const struct plan_test *test);

/* Maximum theoretical frame rate of a link for one of the frame sizes of a test; for 0, of the mix of the test. */
struct rate plan_max_rate(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);

/* "64 octets", for one of the frame sizes of a test; for 0, the mix of the test, "imix". Returns text. */
const char *plan_frames_text(const struct plan_test *test, uint32_t frame_octets, char *text, size_t size);

/* Returns how often a test runs at all of its frame sizes: with all modifiers together once, else once without and once
 * with each (RFC 2544 section 11). */
unsigned plan_runs(const struct plan_test *test);

/* The modifiers of such a run, from 0. */
uint32_t plan_modifiers(const struct plan_test *test, unsigned run);

/* Checks that the traffic of every such run may have these modifiers too. Returns 0, or ERROR_PLAN with what is
 * wrong. */
int plan_check_with_modifiers(const struct plan_test *test, uint32_t more, struct error *error);

/* A load from a plan, in percent of line rate or frames per second, as a rate. */
struct rate plan_load(const struct quantity *load, struct rate line);

#endif
