/* SPDX-License-Identifier: Apache-2.0 */
/* The table of benchmarks. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "host/base/text.h"
#include "host/bench/benchmark.h"
#include "host/bench/rfc2544/bursty_traffic.h"
#include "host/bench/rfc2544/frame_loss_rate.h"
#include "host/bench/rfc2544/latency.h"
#include "host/bench/rfc2544/reset.h"
#include "host/bench/rfc2544/system_recovery.h"
#include "host/bench/rfc2544/throughput.h"
#include "host/bench/rfc2889/address_caching.h"
#include "host/bench/rfc2889/broadcast_forwarding.h"
#include "host/bench/rfc2889/broadcast_latency.h"
#include "host/bench/rfc2889/congestion_control.h"
#include "host/bench/rfc2889/errored_frames.h"
#include "host/bench/rfc2889/forward_pressure.h"
#include "host/bench/rfc2889/learning_rate.h"
#include "host/bench/rfc2889/maximum_forwarding_rate.h"
#include "host/bench/rfc2889/meshes.h"
#include "host/bench/rfc2889/multiple_devices.h"
#include "host/bench/rfc8239/head_of_line_blocking.h"
#include "host/bench/rfc8239/incast.h"
#include "host/bench/rfc8239/line_rate.h"
#include "host/bench/rfc8239/microburst.h"
#include "host/bench/rfc8239/port_buffer.h"
#include "host/bench/rfc9004/back_to_back.h"
#include "host/bench/rfc9971/mlrsearch.h"

/* One a line, to be added to. */
/* clang-format off */
const struct benchmark *const BENCHMARKS[] = {
        &THROUGHPUT,
        &BACK_TO_BACK,
        &MLRSEARCH,
        &FRAME_LOSS_RATE,
        &LATENCY,
        &SYSTEM_RECOVERY,
        &RESET,
        &BURSTY_TRAFFIC,
        &RFC2889_FULL_MESH,
        &RFC2889_ONE_TO_MANY,
        &RFC2889_MANY_TO_ONE,
        &RFC2889_MULTIPLE_DEVICES,
        &RFC2889_UNIDIRECTIONAL_MESH,
        &RFC2889_CONGESTION_CONTROL,
        &RFC2889_MAXIMUM_FORWARDING_RATE,
        &RFC2889_FORWARD_PRESSURE,
        &RFC2889_ADDRESS_CACHING,
        &RFC2889_LEARNING_RATE,
        &RFC2889_ERRORED_FRAMES,
        &RFC2889_BROADCAST_FORWARDING,
        &RFC2889_BROADCAST_LATENCY,
        &RFC8239_LINE_RATE,
        &RFC8239_MICROBURST,
        &RFC8239_HEAD_OF_LINE_BLOCKING,
        &RFC8239_BUFFER_EFFICIENCY,
        &RFC8239_PORT_BUFFER,
        &RFC8239_PORT_PAIR_BUFFER,
        &RFC8239_DEVICE_BUFFER,
        &RFC8239_INCAST,
};
/* clang-format on */
const size_t BENCHMARK_COUNT = sizeof(BENCHMARKS) / sizeof(BENCHMARKS[0]);

const struct benchmark *benchmark_find(const char *name)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		if (!strcmp(benchmark_name(BENCHMARKS[i]), name))
			return BENCHMARKS[i];
	}
	return NULL;
}

const struct benchmark *benchmark_of(const struct plan_test *test)
{
	const char *member = (const char *)test->benchmark;

	return (const struct benchmark *)(const void *)(member - offsetof(struct benchmark, plan));
}

struct effort benchmark_expected(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                                 double lossy_after_s)
{
	const struct benchmark *benchmark = benchmark_of(test);
	const struct extent extent = benchmark->extent(test, frame_octets, link_bps);

	if (extent.open && (isnan(lossy_after_s) || !benchmark->expected))
		return (struct effort){(double)NAN, (double)NAN, (double)NAN};
	if (isinf(lossy_after_s))
		return extent.least;
	return benchmark->expected && !isnan(lossy_after_s)
	               ? benchmark->expected(test, frame_octets, link_bps, lossy_after_s)
	               : extent.expected;
}

const struct quantity *benchmark_loss_of_rate(const struct plan_test *test)
{
	const struct benchmark *benchmark = benchmark_of(test);

	return benchmark->loss_of_rate ? benchmark->loss_of_rate(test) : NULL;
}

int benchmark_check_device(const struct plan_test *test, const struct device_identity *device,
                           char caution[BENCHMARK_CAUTION], struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(test);

	caution[0] = '\0';
	return benchmark->check_device ? benchmark->check_device(test, device, caution, BENCHMARK_CAUTION, error) : 0;
}

const char *benchmark_loss_text(const struct plan_test *test, char *buffer, size_t size)
{
	const struct plan_benchmark *own = test->benchmark;
	const struct quantity *loss = benchmark_loss_of_rate(test);
	const struct result_description *found = own->results_of ? own->results_of(test) : own->results[0];
	size_t length = 0;

	buffer[0] = '\0';
	if (!loss)
		return buffer;
	length = text_add(buffer, size, length, "allows a loss of %.9g%%: finds %c%s (%s)", 100 * quantity_number(loss),
	                  tolower((unsigned char)found->title[0]), found->title + 1, found->clause);
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const struct plan_benchmark *other = &BENCHMARKS[i]->plan;

		if (other->prerequisite && !strcmp(other->prerequisite, own->keys.name))
			length = text_add(buffer, size, length, ", and %s does not use it (%s)", other->keys.name,
			                  other->prerequisite_clause);
	}
	return buffer;
}

static const struct key_set *keys_of(size_t index)
{
	return index < BENCHMARK_COUNT ? &BENCHMARKS[index]->plan.keys : NULL;
}

/* Clauses as the docs write them: "RFC 2544 section 26.1". */
static const char *doc(char *buffer, size_t size)
{
	size_t length = text_add(buffer, size, 0, "The benchmark: ");

	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const char *clause = BENCHMARKS[i]->clause;
		size_t rfc = strlen("RFC ") + strcspn(clause + strlen("RFC "), " ");

		length = text_add(buffer, size, length, "%s%.*s%s%s",
		                  i == 0                     ? ""
		                  : i + 1 == BENCHMARK_COUNT ? ", or "
		                                             : ", ",
		                  (int)rfc, clause, clause[rfc] ? " section" : "", clause + rfc);
	}
	text_add(buffer, size, length, ". Required.");
	return buffer;
}

const struct key_family BENCHMARK_KEYS = {
        .set = keys_of,
        .doc = doc,
        .heading = {"run = ( { test = ", "; ... } ): further keys"},
        .of = "",
        .quote = "",
};
