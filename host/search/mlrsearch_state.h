/* SPDX-License-Identifier: Apache-2.0 */
/* State of an MLRsearch, private to its files: mlrsearch.c maintains it, mlrsearch_bounds.c reads bounds from it,
 * mlrsearch_select.c chooses the next trial from it, mlrsearch_class.c has the arithmetic of RFC 9971.
 *
 * Loads are tried only on rungs: a ladder from the highest load down, each rung as far below the one above as the
 * narrowest goal width allows. Neighbours on it are bounds of a regular result, a bisection halves a ratio, and two
 * searches of one device end on the same rungs, whatever noise they met on the way. */
#ifndef FPGAUGE_SEARCH_MLRSEARCH_STATE_H
#define FPGAUGE_SEARCH_MLRSEARCH_STATE_H

#include "host/search/mlrsearch.h"
#include "host/search/stepper.h"

/* The likely class of a load, before it is certain. */
enum lean { LEAN_NONE, LEAN_LOW, LEAN_HIGH };

/* A load as one goal sees it. */
struct standing {
	struct mlrsearch_sums sums;
	enum mlrsearch_class class;
	enum lean lean;
	uint64_t longest_pass_ns; /* the longest low-loss trial */
};

/* A load that was tried. */
struct load {
	size_t rung;
	uint64_t longest_ns;        /* longest trial at this load */
	struct standing standing[]; /* one per goal */
};

/* The high-loss trials of one duration: the lowest of their loads and the next, each with the rate that came through;
 * in points. */
struct overload {
	uint64_t duration_ns;
	double load, rate;
	double next_load, next_rate; /* 0: none */
};

enum { MAX_OVERLOADS = 16 };

/* Why a trial was requested, which decides what its goal learns from the outcome (mlrsearch_select.c). */
enum purpose {
	PURPOSE_FIRST,  /* the highest load, to learn the forwarding rate */
	PURPOSE_LOWER,  /* low loss is expected */
	PURPOSE_UPPER,  /* high loss is expected, once more */
	PURPOSE_ABOVE,  /* high loss is expected, just above the capacity estimated from overloads */
	PURPOSE_CLIMB,  /* further up, in growing steps */
	PURPOSE_BISECT, /* either outcome is expected */
};

struct pursuit {
	struct mlrsearch_goal goal;
	uint64_t explore_ns; /* duration of exploratory trials; grows when short trials mislead */
	size_t stride;       /* rungs that the goal width spans */
	size_t climb;        /* next step up in strides; 0: not climbing */
	unsigned misses;     /* loads that were expected to pass and did not */
	unsigned chases;     /* capacity estimates in a row that proved wrong */
	bool limited;        /* the last load that was expected to pass failed at a confirmed limit, not by chance */
	/* Trials that were expected to pass: their total duration, the traffic time they lost, and the smallest loss of
	 * any of them, which is taken as the size of one disturbance. */
	double watched_ns, lost_ns, least_lost_ns;
	struct overload overloads[MAX_OVERLOADS];
	size_t overload_count;
	enum search_end end;
};

struct mlrsearch {
	struct search base;
	uint64_t *rungs; /* points, ascending */
	size_t rung_count;
	struct load **loads; /* ascending by rung */
	size_t load_count, load_room;
	struct mlrsearch_trial *trials;
	size_t trial_count, trial_room;
	uint64_t warm_up_ns; /* 0 once it is over */
	size_t asked_by;     /* the goal whose trial is under way, and why */
	enum purpose asked_why;
	size_t goal_count;
	struct pursuit pursuits[MLRSEARCH_MAX_GOALS];
};

/* A trial that a goal asks for. */
struct nomination {
	size_t rung;
	uint64_t duration_ns;
	enum purpose purpose;
};

/* Relevant bounds, by lean or by class; NULL where there is none. Lower is the largest below upper. */
struct bracket {
	const struct load *lower, *upper;
};

/* mlrsearch_bounds.c */
struct bracket bracket_of_leans(const struct mlrsearch *search, size_t goal);
struct bracket bracket_of_classes(const struct mlrsearch *search, size_t goal);

/* The highest rung not above the point; the lowest if all are above. */
size_t rung_at_or_below(const struct mlrsearch *search, uint64_t point);

/* (upper - lower) / upper <= goal width */
bool bounds_fit(const struct mlrsearch *search, size_t goal, size_t lower_rung, size_t upper_rung);

/* The trial that the goal needs next; false, with pursuit->end set, once the goal is settled. */
bool nominate(struct mlrsearch *search, size_t goal, struct nomination *nomination);

/* Updates, from the outcome of a trial, where and how long each goal looks next; standings are up to date. */
void learn(struct mlrsearch *search, const struct load *load, const struct mlrsearch_trial *trial,
           const uint64_t *passed_before_ns);

#endif
