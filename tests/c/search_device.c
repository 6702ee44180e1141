/* SPDX-License-Identifier: Apache-2.0 */
/* A fluid queue, followed from one change of its service rate to the next. */
#include "search_device.h"

#include <math.h>

#include "host/base/splitmix64.h"

double search_device_random(uint64_t *seed)
{
	return (double)(splitmix64(seed) >> 11) * 0x1p-53;
}

static double service_fps(const struct search_device *device, double load_fps)
{
	double capacity = device->capacity_fps;

	if (load_fps <= capacity || device->overload == OVERLOAD_HARMLESS)
		return capacity;
	if (device->overload == OVERLOAD_STEP)
		return capacity * device->droop;
	return capacity * (1 - (1 - device->droop) * (load_fps - capacity) / (device->line_fps - capacity));
}

struct queue {
	double buffer_frames, queued_frames, lost_frames;
};

static void run(struct queue *queue, double load_fps, double served_fps, double seconds)
{
	double level = queue->queued_frames + (load_fps - served_fps) * seconds;

	if (level > queue->buffer_frames)
		queue->lost_frames += level - queue->buffer_frames;
	queue->queued_frames = fmax(0, fmin(level, queue->buffer_frames));
}

struct search_observation search_device_trial(struct search_device *device, uint64_t load_fps, uint64_t duration_ns)
{
	double end_s = (double)duration_ns / 1e9, load = (double)load_fps, served = service_fps(device, load);
	struct queue queue = {.buffer_frames = device->buffer_frames};
	uint64_t expected = (uint64_t)((long double)load_fps * duration_ns / 1e9L);
	uint64_t lost;

	for (double now_s = 0; now_s < end_s;) {
		double stall_s = end_s;

		if (device->stalls_per_s > 0)
			stall_s = now_s - log(1 - search_device_random(&device->seed)) / device->stalls_per_s;
		run(&queue, load, served, fmin(stall_s, end_s) - now_s);
		if (stall_s < end_s)
			run(&queue, load, 0, fmin(device->stall_s, end_s - stall_s));
		now_s = stall_s + device->stall_s;
	}
	lost = (uint64_t)queue.lost_frames;
	if (expected == 0)
		expected = 1;
	return (struct search_observation){.expected_frames = expected,
	                                   .lost_frames = lost < expected ? lost : expected};
}
