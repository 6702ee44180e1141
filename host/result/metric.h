/* SPDX-License-Identifier: Apache-2.0 */
/* A metric describes a key of a result: its unit, which direction is better, how people read it. A benchmark says it
 * once, in its description (description.h); reports, the JSON Schema, docs/results.md, `require` and `compare` all read
 * it. Its row begins with key, heading and unit, and names the other members that it has. */
#ifndef FPGAUGE_RESULT_METRIC_H
#define FPGAUGE_RESULT_METRIC_H

#include <stdbool.h>
#include <stddef.h>

enum metric_unit {
	METRIC_TEXT,
	METRIC_YES_NO,
	METRIC_NUMBER,  /* a number without a unit */
	METRIC_RATIO,   /* 0.5 is a half */
	METRIC_PERCENT, /* 50 is a half */
	METRIC_FPS,
	METRIC_GBPS, /* 10^9 bits a second */
	METRIC_S,
	METRIC_NS,
	METRIC_FRAMES,
	METRIC_OCTETS,
	METRIC_FRAMES_LIST, /* a list of numbers of frames */
	METRIC_NS_LIST,     /* a list of times; null: not measured */
	METRIC_S_LIST,      /* a list of numbers of seconds */
	METRIC_NUMBERS,     /* a list of numbers without a unit */
	METRIC_LIST,        /* a list of objects */
	METRIC_OBJECT,

	METRIC_UNITS,
};

struct result_bins; /* description.h */

enum metric_better { BETTER_NEITHER, BETTER_MORE, BETTER_LESS };

/* The results that have a key. A frame size that the RFC leaves out has a result too, with `skipped` true. */
enum metric_presence {
	IN_TESTED_RESULTS, /* all results except those of sizes that were left out */
	IN_EVERY_RESULT,
	IN_VALID_RESULTS,
	IN_SOME_RESULTS,
};

/* A number that was not measured is null, and so is a yes or no that is known if a result is valid. */
enum metric_known { KNOWN_OR_NULL, KNOWN_IF_VALID, KNOWN_ALWAYS, KNOWN_NEVER };

enum metric_range { RANGE_ANY, RANGE_FROM_ZERO, RANGE_ABOVE_ZERO };

struct metric {
	const char *key;     /* includes its unit: "throughput_fps"; in an inner object: "counters.lost_frames" */
	const char *heading; /* heading of a column, without the unit: "First lossy"; in items of a list with it */
	enum metric_unit unit;
	const char *sql_heading;   /* its heading in an SQL view, with the unit; NULL: heading and unit */
	unsigned places;           /* decimal places */
	enum metric_better better; /* needed for a limit or a comparison */
	bool whole;                /* counted, so an integer in the JSON */
	enum metric_presence presence;
	enum metric_known known;
	bool or_null;            /* a yes or no that is not always known */
	enum metric_range range; /* range of what is always known; whole numbers are never below zero */
	bool from_trials;        /* worked out by a report from the trials of a run file: not in the JSON */
	const char *choices;     /* values of a text that has few, separated by spaces; NULL: any */
	const char *definition;  /* name in the JSON Schema for the items of a list, or for an object: "latency_bin" */
	const struct metric_slice *items; /* keys of the objects in a list */
	bool items_open;                  /* others are allowed in them too */
	bool details;                     /* an item that is too much for a terminal */

	/* Fields for `compare`, which looks at every metric that has a better direction and is not derived; a derived
	 * one restates what others say, and is there for limits. samples: the list whose mean this is. step: the key,
	 * of the result or its parameters, that holds the smallest difference that can be resolved; "a-b": the
	 * difference of two. bins: the list that this is read from; the step is then one bin. spread: without
	 * repetitions, changes up to this ratio mean nothing; 0: only --tolerance. at_answer: depends on the load that
	 * the test found; where that differs between the two, changes up to ten times the spread mean nothing. */
	bool derived, at_answer;
	bool lower_limit; /* no more than that in a result that is `at_least` */
	const char *samples, *step;
	const struct result_bins *bins;
	double spread;

	const char *meaning; /* a cell of docs/results.md */
};

/* Metrics that come together, for every benchmark that has them. */
struct metric_slice {
	const struct metric *metrics;
	size_t count;
};

#define METRIC_SLICE(array)                                                                                            \
	{                                                                                                              \
		(array), sizeof(array) / sizeof((array)[0])                                                            \
	}

#endif
