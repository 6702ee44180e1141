/* SPDX-License-Identifier: Apache-2.0 */
/* A model states buffer and throughput (docs/dut-models.md). That is all that trials can find out only where nothing
 * else depends on time, on addresses or on what a frame is: on a wire or a fifo alone, and on a switch or router of
 * which the plan sets no more than its queues. */
#include "host/forecast/known_queue_of.h"

#include <string.h>

#include "host/base/array.h"

/* Each of them knows twice as many by default (docs/dut-models.md). */
enum { MOST_ADDRESSES = 4096 };

/* Settings that say no more than what its queues are. */
static const char *const WIRE[] = {"model", "latency_ns", NULL};
static const char *const FIFO[] = {"model",           "latency_ns",  "buffer_frames",
                                   "buffer_octets",   "service_fps", "service_bps",
                                   "overhead_octets", "forwarding",  NULL};
static const char *const SWITCH[] = {"model", "latency_ns",  "buffer_frames", "shared_buffer_frames",
                                     "alpha", "cell_octets", "forwarding",    "gap_octets",
                                     NULL};
static const char *const ROUTER[] = {"model",      "latency_ns", "buffer_frames", "forwarding_fps",
                                     "gap_octets", "addresses",  "networks",      NULL};

static const struct {
	const char *model;
	const char *const *settings;
	bool reads_frames; /* forwards by address */
} QUEUES[] = {{"wire", WIRE, false}, {"fifo", FIFO, false}, {"switch", SWITCH, true}, {"router", ROUTER, true}};

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static bool sets_only(const struct device_config *device, const char *const *settings)
{
	static const char PREFIX[] = "dut.";

	for (size_t i = 0; i < device->option_count; i++) {
		const char *name = device->options[i].name;

		if (!strncmp(name, PREFIX, sizeof(PREFIX) - 1) && !is_among(name + sizeof(PREFIX) - 1, settings))
			return false;
	}
	return true;
}

static bool is_queue(const struct setup *setup, const struct plan_test *test, const char *model)
{
	const unsigned ports = device_identity(setup->device)->ports;

	for (size_t i = 0; i < sizeof(QUEUES) / sizeof(QUEUES[0]); i++) {
		if (strcmp(model, QUEUES[i].model) != 0)
			continue;
		if (!sets_only(&setup->plan->device, QUEUES[i].settings))
			return false;
		return !QUEUES[i].reads_frames ||
		       (test->shape.modifiers == 0 && test->shape.addresses <= MOST_ADDRESSES / ports);
	}
	return false;
}

bool known_queue_of(const struct setup *setup, const struct plan_test *test, uint32_t frame_octets,
                    struct known_queue *queue)
{
	struct dut_truth truth;

	if (frame_octets == 0 || test->shape.pattern != TRAFFIC_PAIRS ||
	    !device_truth(setup->device, frame_octets, &truth) || !is_queue(setup, test, truth.model) ||
	    !(truth.throughput_fps > 0))
		return false;
	*queue = (struct known_queue){.fps = truth.throughput_fps, .buffer_frames = truth.buffer_frames};
	return true;
}
