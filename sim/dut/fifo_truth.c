// SPDX-License-Identifier: Apache-2.0
/* The behaviour of a FIFO in closed form. */
#include "host/base/uint128.h"
#include "sim/dut/fifo.h"

static uint64_t service_factor(const struct fifo_service *service, uint32_t frame_octets)
{
	return service->per_octet ? (uint64_t)frame_octets + service->overhead_octets : 1;
}

uint64_t fifo_buffer_frames(const struct fifo_settings *settings, uint32_t frame_octets)
{
	return settings->buffer / fifo_cost(settings, frame_octets);
}

uint64_t fifo_latency_ot(const struct fifo_settings *settings, uint32_t frame_octets)
{
	const struct dut_frame lone = {.octets = frame_octets};
	const struct fifo_time service = fifo_service_time(&settings->service, frame_octets);
	const uint64_t ready_ot =
	        fifo_arrival_ot(settings, &lone) + service.whole + (service.part != 0) + settings->latency_ot;
	const uint64_t whole_ot = dut_frame_end_ot(&lone);

	return dut_group_up(ready_ot > whole_ot ? ready_ot : whole_ot);
}

/* Frame n of a tester's burst at the minimum gap starts at n x P rounded down to a group, with P = frame + 20. That is
 * 0 to 7 octets early, in a pattern that repeats at least every 8 frames. */
static uint64_t early_octets(uint64_t n, uint64_t period_ot)
{
	return n % DUT_GROUP_OCTETS * period_ot % DUT_GROUP_OCTETS;
}

/* Service no slower than the line: only a buffer of one frame can lose, if two starts are closer together than the
 * service time. */
static uint64_t burst_into_fast_service(uint128 service, uint64_t denominator, uint64_t buffer_frames,
                                        uint64_t period_ot)
{
	if (buffer_frames > 1)
		return UINT64_MAX;
	for (uint64_t n = 1; n <= DUT_GROUP_OCTETS; n++) {
		uint64_t apart = period_ot + early_octets(n - 1, period_ot) - early_octets(n, period_ot);

		if (service > (uint128)apart * denominator)
			return n;
	}
	return UINT64_MAX;
}

/* Service slower than the line: the server is never idle, service k ends (k + 1) S after the first arrival, and frame
 * n = m + B - 1 is lost if service m - 1 has not ended by then: m S > n P - early(n). For each class of m with the same
 * early(n), the first such m is found by a division. */
static uint64_t burst_into_slow_service(uint128 service, uint64_t denominator, uint64_t buffer_frames,
                                        uint64_t period_ot)
{
	uint128 surplus = service - (uint128)period_ot * denominator;
	uint64_t first = UINT64_MAX;

	for (uint64_t class = 1; class <= DUT_GROUP_OCTETS; class ++) {
		uint64_t early = early_octets(class + buffer_frames - 1, period_ot);
		uint128 head_start = (uint128)(buffer_frames - 1) * period_ot; /* m (S - P) > (B - 1) P - early */
		uint128 least = 1;

		if (head_start >= early)
			least = (head_start - early) * denominator / surplus + 1;
		if (least < class)
			least = class;
		least += (class + DUT_GROUP_OCTETS - least % DUT_GROUP_OCTETS) % DUT_GROUP_OCTETS;
		if (least + buffer_frames - 1 < first)
			first = (uint64_t)(least + buffer_frames - 1);
	}
	return first;
}

uint64_t fifo_longest_burst(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets)
{
	uint64_t period_ot = line_out_octets(frame_octets);
	uint128 time = (uint128)service->numerator * service_factor(service, frame_octets);

	if (buffer_frames == 0)
		return 0;

	if (time <= (uint128)period_ot * service->denominator)
		return burst_into_fast_service(time, service->denominator, buffer_frames, period_ot);
	return burst_into_slow_service(time, service->denominator, buffer_frames, period_ot);
}

struct rate fifo_lossless_period_ot(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets)
{
	uint64_t period_ot = line_out_octets(frame_octets);
	uint64_t factor = service_factor(service, frame_octets);
	uint128 time = (uint128)service->numerator * factor;
	uint128 whole_up = (time + service->denominator - 1) / service->denominator;

	if (time <= (uint128)period_ot * service->denominator &&
	    burst_into_fast_service(time, service->denominator, buffer_frames, period_ot) == UINT64_MAX)
		return (struct rate){period_ot, 1};
	/* The next frame must not arrive before the service ends if there is only one slot. Starts are rounded down to
	 * a group, so with a period that is not a whole number of groups some starts are closer together than the
	 * period. */
	if (buffer_frames == 1)
		return (struct rate){dut_group_up((uint64_t)whole_up), 1};
	return rate_scale((struct rate){service->numerator, service->denominator}, factor, 1);
}
