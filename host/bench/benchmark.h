/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark is one row to the rest of the program. A new benchmark goes into the folder of its RFC, with its row,
 * its keys and their settings struct, and adds a line to the table in benchmarks.c. Everything else learns about a
 * benchmark from its row. */
#ifndef FPGAUGE_BENCH_BENCHMARK_H
#define FPGAUGE_BENCH_BENCHMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/bench/extent.h"
#include "host/bench/shorter.h"
#include "host/plan/plan_benchmark.h"
#include "host/result/description.h"

struct known_queue;
struct needed_trial;
struct session;
struct traffic;

struct benchmark {
	struct plan_benchmark plan; /* name, keys and checks, for reading a plan */

	const char *title;  /* name for people: "Throughput" */
	const char *clause; /* where it is defined: "RFC 2544 26.1" */

	/* The name of the points of its searches in progress reports. */
	const char *point_key;  /* "load_fps" */
	const char *point_unit; /* "fps" */
	bool line_rate_only;    /* its trials send at line rate, whatever the point */
	bool measures_mtu; /* a size of which nothing arrives has a result if a shorter one does: rate 0, all lost */

	/* Runs the whole test at one frame size. 0 when a result was appended (valid or not), or a negative error; what
	 * was measured is then appended too, marked invalid. */
	int (*run)(struct session *session, struct error *error);

	/* Makes of the traffic of a test's pattern, between all ports of the device, what its trials send; refuses a
	 * number of ports with ERROR_PLAN, without the place. NULL: they send just that. */
	int (*traffic)(const struct plan_test *test, struct traffic *traffic, struct error *error);

	/* Checks that only its search can make of a test, at one frame size: 0, or ERROR_PLAN without the place. May be
	 * NULL. */
	int (*check)(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);

	/* Checks what trials of a test ask of a device, beyond their traffic: 0, or ERROR_PLAN without the place.
	 * caution: what may go wrong for all that, as "has segments of ...", for check and run; untouched if nothing.
	 * May be NULL. */
	int (*check_device)(const struct plan_test *test, const struct device_identity *device, char *caution,
	                    size_t size, struct error *error);

	struct extent (*extent)(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);

	/* Replaces what extent() expects, for a device that loses frames at line rate after so long. NULL: extent()
	 * says it. */
	struct effort (*expected)(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
	                          double lossy_after_s);

	/* The longest that a trial may send. */
	double (*longest_trial_s)(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);

	/* Trials this long settle what shorter ones found; 0: none do. May be NULL. */
	double (*settling_trial_s)(const struct plan_test *test);

	/* Tells how long the trials of a test must be, at a frame size, to find through a known queue what those of the
	 * default length find (known_queue.h). False: that is not known. NULL: it never is. */
	bool (*needed_trial)(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
	                     const struct known_queue *queue, struct needed_trial *needed);

	/* Adds the settings that shorten its longest trials by a factor. */
	void (*shorten)(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

	/* The loss allowed at the rate this test finds, or NULL when none is; a rate found with loss allowed has a
	 * different name. May be NULL. */
	const struct quantity *(*loss_of_rate)(const struct plan_test *test);
};

extern const struct benchmark *const BENCHMARKS[];
extern const size_t BENCHMARK_COUNT;

/* Finds a benchmark by its name in plans and results; NULL: there is none. */
const struct benchmark *benchmark_find(const char *name);

/* The benchmarks of the table by their names in a plan, for plan_read(). */
extern const struct key_family BENCHMARK_KEYS;

/* The name in plans and results: "throughput". */
static inline const char *benchmark_name(const struct benchmark *benchmark)
{
	return benchmark->plan.keys.name;
}

/* The effort that a test at a frame size will take; NAN: the device decides. lossy_after_s: a trial of that length at
 * line rate lost frames; INFINITY: none did; NAN: none was made. */
struct effort benchmark_expected(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                                 double lossy_after_s);

/* Returns what the row's loss_of_rate says about the test; NULL without one. */
const struct quantity *benchmark_loss_of_rate(const struct plan_test *test);

/* Appends "allows a loss of 0.5%: finds conditional throughput (RFC 9971; ...), and back_to_back does not use it (RFC
 * 9004 section 5)", from the rows. Nothing if the rate that the test finds may have no loss. Returns the buffer. */
const char *benchmark_loss_text(const struct plan_test *test, char *buffer, size_t size);

/* Asks the row's check_device; *caution is "" if it has nothing to say. */
enum { BENCHMARK_CAUTION = 400 };
int benchmark_check_device(const struct plan_test *test, const struct device_identity *device,
                           char caution[BENCHMARK_CAUTION], struct error *error);

/* The benchmark that a test of a plan asks for. */
const struct benchmark *benchmark_of(const struct plan_test *test);

#endif
