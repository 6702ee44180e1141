// SPDX-License-Identifier: Apache-2.0
/* Models in a chain: the output line of one is the input line of the next. Also the model reset, which makes the whole
 * device go dark: frames inside are lost, frames that have begun to leave do leave, and frames on the input line are
 * not taken. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dut/models.h"
#include "sim/dut/outage.h"

enum { BLOCK = 256 };

/* A model, and the frames that the one before it gave and it has not taken yet. */
struct stage {
	struct dut *dut;
	uint64_t delay_ot; /* if it only delays the line; through any other model frames start after they are whole */
	uint64_t promised_ot; /* frames after those in `in` end at this time or later */
	bool more;            /* the model before it had more to give */
	size_t from, end;     /* range in use of `in` */
	struct dut_frame in[BLOCK];
};

struct chain {
	struct dut dut;
	struct outage outage;
	size_t count;
	struct stage *stages;
};

/* The input of the first stage. */
struct input {
	const struct dut_frame *frames;
	size_t count, taken;
	uint64_t known_ot;
};

static size_t pull(struct chain *chain, size_t last, struct input *input, struct dut_frame *out, size_t room);

static size_t pull_first(struct chain *chain, struct input *input, struct dut_frame *out, size_t room)
{
	size_t count = input->count - input->taken;
	const size_t given =
	        dut_pass(chain->stages[0].dut, input->frames + input->taken, &count, input->known_ot, out, room);

	input->taken += count;
	return given;
}

/* A promise of "never" stays "never". */
static uint64_t later(uint64_t promised_ot, uint64_t by_ot)
{
	return promised_ot <= UINT64_MAX - by_ot ? promised_ot + by_ot : UINT64_MAX;
}

static void refill(struct chain *chain, size_t number, struct input *input)
{
	struct stage *stage = &chain->stages[number];
	const struct stage *before = &chain->stages[number - 1];

	stage->from = 0;
	stage->end = pull(chain, number - 1, input, stage->in, BLOCK);
	stage->more = stage->end == BLOCK;
	if (stage->more)
		stage->promised_ot = dut_frame_end_ot(&stage->in[BLOCK - 1]);
	else
		stage->promised_ot = later(number == 1 ? input->known_ot : before->promised_ot, before->delay_ot);
}

/* Gives the frames that come out of stage `last`, as dut_pass() does: fewer than room if all the input was taken and
 * nothing more is due. */
static size_t pull(struct chain *chain, size_t last, struct input *input, struct dut_frame *out, size_t room)
{
	struct stage *stage = &chain->stages[last];
	bool asked = false;
	size_t given = 0;

	if (last == 0)
		return pull_first(chain, input, out, room);
	for (;;) {
		size_t count;

		if (stage->from == stage->end) {
			if (asked && !stage->more)
				return given;
			refill(chain, last, input);
			asked = true;
		}
		count = stage->end - stage->from;
		given += dut_pass(stage->dut, stage->in + stage->from, &count, stage->promised_ot, out + given,
		                  room - given);
		stage->from += count;
		if (given == room)
			return given;
	}
}

/* -- in the dark --------------------------------------------------------------------------------------------------- */

static void empty(struct chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		struct stage *stage = &chain->stages[i];

		stage->dut->ops->clear(stage->dut);
		stage->from = stage->end = 0;
	}
}

static size_t chain_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                         struct dut_frame *out, size_t room)
{
	struct chain *chain = (struct chain *)dut;
	struct outage *outage = &chain->outage;
	const size_t all = *count;
	size_t taken = 0, given = 0;
	bool done = false;

	while (!done && given < room) {
		const size_t asked = room - given;
		struct input input = {.known_ot = known_ot};
		uint64_t dark_ot;
		size_t pulled;

		if (outage->on)
			taken += outage_lose(outage, in + taken, all - taken);
		if (outage->on)
			break;
		dark_ot = outage_from_ot(outage);
		input.frames = in + taken;
		input.count = outage_before(outage, in + taken, all - taken);
		if (input.count < all - taken || known_ot > dark_ot)
			input.known_ot = dark_ot;
		pulled = pull(chain, chain->count - 1, &input, out + given, asked);
		taken += input.taken;
		given += pulled;
		while (given > 0 && out[given - 1].start_ot >= dark_ot)
			given--;
		if (pulled == asked)
			continue;
		done = input.known_ot < dark_ot || dark_ot == UINT64_MAX;
		if (!done) {
			outage->on = true;
			empty(chain);
		}
	}
	*count = taken;
	return given;
}

static bool chain_reset(struct dut *dut, uint64_t from_ot)
{
	struct chain *chain = (struct chain *)dut;

	if (chain->outage.length_ot == 0)
		return false;
	if (outage_command(&chain->outage, from_ot))
		empty(chain);
	return true;
}

/* -- what the stages say, combined --------------------------------------------------------------------------------- */

static bool waits(const struct stage *stage)
{
	return stage->from != stage->end;
}

static uint64_t chain_quiet_until(const struct dut *dut)
{
	const struct chain *chain = (const struct chain *)dut;
	uint64_t least_ot = UINT64_MAX;

	for (size_t i = 0; i < chain->count; i++) {
		const uint64_t stage_ot = waits(&chain->stages[i]) ? 0 : dut_quiet_until(chain->stages[i].dut);

		least_ot = stage_ot < least_ot ? stage_ot : least_ot;
	}
	return least_ot;
}

static uint64_t chain_oldest_id(const struct dut *dut)
{
	const struct chain *chain = (const struct chain *)dut;
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < chain->count; i++) {
		const struct stage *stage = &chain->stages[i];
		const uint64_t id = dut_oldest_id(stage->dut);

		least = id < least ? id : least;
		for (size_t k = stage->from; k < stage->end; k++)
			least = stage->in[k].id < least ? stage->in[k].id : least;
	}
	return least;
}

static uint64_t chain_steady_until(const struct dut *dut)
{
	const struct chain *chain = (const struct chain *)dut;
	uint64_t least_ot = outage_change_ot(&chain->outage);

	for (size_t i = 0; i < chain->count; i++) {
		const uint64_t stage_ot = dut_steady_until(chain->stages[i].dut);

		least_ot = stage_ot < least_ot ? stage_ot : least_ot;
	}
	return least_ot;
}

/* Frames reach the first stage as they come; in the dark they reach none. */
static uint64_t chain_spares(struct dut *dut, uint64_t most)
{
	const struct chain *chain = (const struct chain *)dut;

	return chain->outage.on ? UINT64_MAX : dut_spares(chain->stages[0].dut, most);
}

/* A stage behind another does not have the number of frames that were passed in, and those inside have been drawn for
 * in part. */
static bool draws_inside(const struct chain *chain)
{
	for (size_t i = 1; i < chain->count; i++)
		if (dut_spares(chain->stages[i].dut, 0) != UINT64_MAX)
			return true;
	return false;
}

/* The state of each stage, preceded by its size so that no two can be confused. */
static size_t chain_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	const struct chain *chain = (const struct chain *)dut;
	size_t needed = 1;

	if (draws_inside(chain))
		return 0;
	if (needed <= size)
		buffer[0] = chain->outage.on;
	for (size_t i = 0; i < chain->count; i++) {
		const struct stage *stage = &chain->stages[i];
		const size_t at = needed + sizeof(uint64_t);
		const bool fits = at <= size;
		const uint64_t octets =
		        dut_state(stage->dut, base_ot, base_id, fits ? buffer + at : NULL, fits ? size - at : 0);

		if (octets == 0 || waits(stage))
			return 0;
		if (fits)
			memcpy(buffer + needed, &octets, sizeof(octets));
		needed = at + (size_t)octets;
	}
	return needed;
}

static void chain_shift(struct dut *dut, uint64_t ot, uint64_t ids)
{
	struct chain *chain = (struct chain *)dut;

	if (chain->outage.on)
		ids = 0; /* nothing is inside, and nothing came in */
	for (size_t i = 0; i < chain->count; i++) {
		chain->stages[i].promised_ot = later(chain->stages[i].promised_ot, ot);
		dut_shift(chain->stages[i].dut, ot, ids);
	}
}

/* One stage at most limits throughput and burst; the others pass whatever comes. If any of them has no value, neither
 * has the chain. A lone frame takes the sum of the latencies: it leaves each stage on a group and so enters the next on
 * one. */
static void chain_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	const struct chain *chain = (const struct chain *)dut;

	chain->stages[0].dut->ops->truth(chain->stages[0].dut, frame_octets, truth);
	for (size_t i = 1; i < chain->count; i++) {
		struct fpgauge_sim_truth stage = {.buffer_frames = 0};

		chain->stages[i].dut->ops->truth(chain->stages[i].dut, frame_octets, &stage);
		truth->buffer_frames += stage.buffer_frames;
		truth->latency_ot += stage.latency_ot;
		if (isnan(stage.throughput_fps) || stage.throughput_fps < truth->throughput_fps)
			truth->throughput_fps = stage.throughput_fps;
		if (stage.longest_burst_frames < truth->longest_burst_frames)
			truth->longest_burst_frames = stage.longest_burst_frames;
	}
	if (isnan(truth->throughput_fps))
		truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
}

static void chain_destroy(struct dut *dut)
{
	struct chain *chain = (struct chain *)dut;

	for (size_t i = 0; i < chain->count; i++)
		dut_destroy(chain->stages[i].dut);
	free(chain->stages);
	free(chain);
}

static const struct dut_ops chain_ops = {
        .destroy = chain_destroy,
        .pass = chain_pass,
        .quiet_until = chain_quiet_until,
        .oldest_id = chain_oldest_id,
        .steady_until = chain_steady_until,
        .spares = chain_spares,
        .state = chain_state,
        .shift = chain_shift,
        .truth = chain_truth,
        .reset = chain_reset,
};

struct dut *chain_create(const struct dut_setup *setup, struct dut **stages, size_t count)
{
	struct chain *chain = calloc(1, sizeof(*chain));

	if (chain != NULL)
		chain->stages = calloc(count, sizeof(*chain->stages));
	if (chain == NULL || chain->stages == NULL) {
		sim_options_refuse(setup->options, NULL, "out of memory");
		goto fail;
	}
	if (outage_read(setup, &chain->outage) != 0)
		goto fail;
	chain->dut = (struct dut){.ops = &chain_ops, .link_bps = setup->link_bps};
	chain->count = count;
	for (size_t i = 0; i < count; i++) {
		uint64_t delay_ot = 0;

		dut_delays_line(stages[i], &delay_ot);
		chain->stages[i].dut = stages[i];
		chain->stages[i].delay_ot = delay_ot;
	}
	return &chain->dut;
fail:
	for (size_t i = 0; i < count; i++)
		dut_destroy(stages[i]);
	if (chain != NULL)
		free(chain->stages);
	free(chain);
	return NULL;
}
