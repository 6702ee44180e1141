// SPDX-License-Identifier: Apache-2.0
/* The FIFO model against a second implementation that is as plain as the definition in docs/dut-models.md, and its
 * stated truth against playing it. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/dut/fifo.h"

enum { LINK_BPS_G = 100, MAX_FRAMES = 400 };

static const uint64_t LINK_BPS = LINK_BPS_G * UINT64_C(1000000000);

/* xorshift64: the same in every run. */
static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

static struct fifo_service service_of(const char *rate)
{
	struct fifo_service service;
	struct quantity quantity;
	const char *why;

	cr_assert(quantity_parse(rate, &quantity, &why) == 0, "%s: %s", rate, why);
	cr_assert(fifo_service_from_fps(&quantity, LINK_BPS, &service), "%s", rate);
	return service;
}

static void start(struct fifo *fifo, const struct fifo_service *service, uint64_t latency_ot, uint64_t buffer_frames)
{
	const struct fifo_settings settings = {.service = *service, .latency_ot = latency_ot, .buffer = buffer_frames};

	cr_assert(fifo_init(fifo, &settings) == 0);
}

struct arrival {
	struct dut_frame frame;
	bool admitted;
	uint64_t departure_ot;
};

/* Every frame looks at all service ends before it. Times are octet times x denominator of the service. */
static void play_obviously(const struct fifo_service *service, uint64_t buffer_frames, uint64_t latency_ot,
                           struct arrival *arrivals, size_t count)
{
	static int128 ends[MAX_FRAMES];
	const int128 unit = service->denominator;
	const int128 group = 8 * unit;
	size_t served = 0;

	for (size_t i = 0; i < count; i++) {
		const struct dut_frame *frame = &arrivals[i].frame;
		const int128 arrival = (int128)(frame->start_ot + 8 + frame->octets) * unit;
		const int128 takes = (int128)service->numerator *
		                     (service->per_octet ? frame->octets + service->overhead_octets : 1);
		size_t held = 0;
		int128 begin = arrival;

		for (size_t k = 0; k < served; k++)
			held += ends[k] > arrival;
		arrivals[i].admitted = held < buffer_frames;
		if (!arrivals[i].admitted)
			continue;
		if (served > 0 && ends[served - 1] > begin)
			begin = ends[served - 1];
		ends[served++] = begin + takes;
		arrivals[i].departure_ot = (uint64_t)((begin + takes + latency_ot * unit + group - 1) / group * 8);
	}
}

static size_t random_arrivals(uint64_t *seed, struct arrival *arrivals)
{
	const size_t count = 2 + draw(seed, MAX_FRAMES - 2);
	const uint64_t spread =
	        draw(seed, 3) == 0 ? 1 : 1 + draw(seed, 60); /* often close, or the buffer never fills */
	const bool one_size = draw(seed, 2);
	uint64_t start = 8 * draw(seed, 1000);
	uint32_t octets = 64;

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !one_size)
			octets = draw(seed, 8) == 0 ? (uint32_t)(64 + draw(seed, 9153))
			                            : (uint32_t)(64 + draw(seed, 80));
		arrivals[i] = (struct arrival){.frame = {.start_ot = start, .octets = octets}};
		start += dut_group_up(octets + 13) + 8 * draw(seed, spread);
	}
	return count;
}

static const char *const RATES[] = {"100M",     "148809523.8095238", "67.2%", "50%",   "90%", "100%",
                                    "12500000", "33333333.3",        "200M",  "0.97G", "1",   "99.99%"};

Test(fifo, admits_exactly_the_frames_of_the_definition_and_never_lets_one_leave_early)
{
	static struct arrival obvious[MAX_FRAMES], played[MAX_FRAMES];
	uint64_t seed = 88172645463325252u;
	unsigned losses = 0, line_waits = 0;

	for (unsigned round = 0; round < 3000; round++) {
		struct fifo_service service = service_of(RATES[draw(&seed, sizeof(RATES) / sizeof(RATES[0]))]);
		uint64_t buffer_frames = draw(&seed, 3) == 0 ? 1 : 1 + draw(&seed, 40);
		uint64_t latency_ot = draw(&seed, 5000);
		size_t count = random_arrivals(&seed, obvious);
		uint64_t last_departure = 0, line_ot = 0;
		struct fifo fifo;

		memcpy(played, obvious, count * sizeof(*played));
		play_obviously(&service, buffer_frames, latency_ot, obvious, count);
		start(&fifo, &service, latency_ot, buffer_frames);
		for (size_t i = 0; i < count; i++) {
			bool admitted = fifo_admit(&fifo, &played[i].frame, &played[i].departure_ot);

			cr_assert(admitted == obvious[i].admitted, "round %u frame %zu: %d", round, i, admitted);
			losses += !admitted;
			if (!admitted)
				continue;
			/* A frame does not leave before its time; later only because the line is busy, and then by less
			 * than a group. */
			cr_assert(played[i].departure_ot % 8 == 0);
			cr_assert(played[i].departure_ot >= obvious[i].departure_ot, "round %u frame %zu", round, i);
			if (played[i].departure_ot > obvious[i].departure_ot) {
				cr_assert(played[i].departure_ot <= line_ot, "round %u frame %zu", round, i);
				line_waits++;
			}
			cr_assert(played[i].departure_ot + 7 >= line_ot, "round %u frame %zu: gap too small", round, i);
			cr_assert(i == 0 || played[i].departure_ot > last_departure);
			last_departure = played[i].departure_ot;
			/* Ideal time at which the line becomes free: sizes and gaps of 12 since it was last idle. */
			line_ot = (played[i].departure_ot > line_ot ? played[i].departure_ot : line_ot) +
			          played[i].frame.octets + 20;
		}
		fifo_release(&fifo);
	}
	cr_assert(losses > 10000 && line_waits > 1000, "%u losses, %u waits: the arrivals prove nothing", losses,
	          line_waits);
}

/* Plays a burst at the minimum gap until the first frame is lost, at most `most` frames. */
static uint64_t play_burst(const struct fifo_service *service, uint64_t buffer_frames, uint32_t octets, uint64_t most)
{
	struct fifo fifo;
	uint64_t n, departure_ot;

	start(&fifo, service, 0, buffer_frames);
	for (n = 0; n < most; n++) {
		struct dut_frame frame = {.start_ot = n * (octets + 20) / 8 * 8, .octets = octets};

		if (!fifo_admit(&fifo, &frame, &departure_ot))
			break;
	}
	fifo_release(&fifo);
	return n;
}

static void compare_burst(const char *rate, uint64_t buffer_frames, uint32_t octets)
{
	const uint64_t most = 300000;
	struct fifo_service service = service_of(rate);
	uint64_t truth = fifo_longest_burst(&service, buffer_frames, octets);
	uint64_t played = play_burst(&service, buffer_frames, octets, most);

	if (played == most)
		cr_assert(truth >= most, "%s B %" PRIu64 " size %u: truth %" PRIu64 ", played at least %" PRIu64, rate,
		          buffer_frames, octets, truth, played);
	else
		cr_assert(truth == played, "%s B %" PRIu64 " size %u: truth %" PRIu64 ", played %" PRIu64, rate,
		          buffer_frames, octets, truth, played);
}

Test(fifo, longest_burst_truth_is_what_playing_the_burst_gives)
{
	static const uint64_t buffers[] = {1, 2, 3, 7, 64, 500, 2000, 65536};
	static const char *const rates[] = {"50%",       "67.2%",        "90%", "99%",  "99.9%", "100%",
	                                    "100.5%",    "96%",          "40M", "100M", "8.2M",  "148809523.8095238",
	                                    "148809524", "142857142.857"};
	static const uint32_t sizes[] = {64, 65, 66, 67, 68, 69, 70, 71, 72, 76, 128, 256, 512, 1518, 9216};

	for (size_t b = 0; b < sizeof(buffers) / sizeof(buffers[0]); b++)
		for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
			for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
				compare_burst(rates[r], buffers[b], sizes[s]);
}

Test(fifo, longest_burst_truth_holds_for_random_rates)
{
	uint64_t seed = 42;

	for (unsigned round = 0; round < 3000; round++) {
		char rate[32];

		snprintf(rate, sizeof(rate), "%" PRIu64 ".%03" PRIu64 "%%", 20 + draw(&seed, 85), draw(&seed, 1000));
		compare_burst(rate, 1 + draw(&seed, 300), (uint32_t)(64 + draw(&seed, 300)));
	}
}

/* True when no frame of a long constant load is lost. period: octet times between frames as numerator / denominator. */
static bool lossless(const struct fifo_service *service, uint64_t buffer_frames, uint32_t octets, uint64_t numerator,
                     uint64_t denominator, uint64_t frames)
{
	struct fifo fifo;
	uint64_t departure_ot;
	bool none_lost = true;

	start(&fifo, service, 0, buffer_frames);
	for (uint64_t n = 0; n < frames && none_lost; n++) {
		uint64_t start = (uint64_t)((uint128)n * numerator / denominator) / 8 * 8;
		struct dut_frame frame = {.start_ot = start, .octets = octets};

		none_lost = fifo_admit(&fifo, &frame, &departure_ot);
	}
	fifo_release(&fifo);
	return none_lost;
}

Test(fifo, throughput_truth_is_lossless_and_a_load_one_per_mille_above_it_is_not)
{
	static const char *const rates[] = {"50%", "67.2%", "90%", "100%", "40M", "100M", "200M"};
	static const uint64_t buffers[] = {1, 2, 64};
	static const uint32_t sizes[] = {64, 65, 128, 256, 1518};

	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		for (size_t b = 0; b < 3; b++) {
			for (size_t s = 0; s < 5; s++) {
				struct fifo_service service = service_of(rates[r]);
				struct rate period = fifo_lossless_period_ot(&service, buffers[b], sizes[s]);
				uint64_t n = period.numerator, d = period.denominator;

				cr_assert(lossless(&service, buffers[b], sizes[s], n, d, 200000),
				          "%s B %" PRIu64 " size %u", rates[r], buffers[b], sizes[s]);
				if (n > (uint64_t)(sizes[s] + 20) * d)
					cr_assert(!lossless(&service, buffers[b], sizes[s], n * 999, d * 1000, 200000),
					          "%s B %" PRIu64 " size %u", rates[r], buffers[b], sizes[s]);
			}
		}
	}
}

Test(fifo, a_slot_that_frees_at_the_instant_of_an_arrival_is_free)
{
	struct fifo_service service = service_of("50%"); /* 64 octets take 168 octet times */
	struct dut_frame first = {.start_ot = 0, .octets = 64};
	struct dut_frame at_the_end = {.start_ot = 168, .octets = 64};
	struct dut_frame too_early = {.start_ot = 328, .octets = 64};
	uint64_t departure_ot;
	struct fifo fifo;

	start(&fifo, &service, 0, 1);
	cr_assert(fifo_admit(&fifo, &first, &departure_ot));
	cr_expect(departure_ot == 240); /* 8 + 64 + 168 */
	cr_expect(fifo_admit(&fifo, &at_the_end, &departure_ot));
	cr_expect(!fifo_admit(&fifo, &too_early, &departure_ot));
	fifo_release(&fifo);
}
