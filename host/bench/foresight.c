/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses. What was seen at a point will be seen there again. Elsewhere: a device that loses frames above what it can
 * forward, or beyond what it can hold, loses the more the higher the point, in proportion to the excess. So the loss
 * for each frame offered, times the point, lies on a line, which two lossy points give, and one if its slope is 1. */
#include "host/bench/foresight.h"

#include <stddef.h>

void foresight_begin(struct foresight *foresight, const struct search_config *config)
{
	if (foresight->kind == config->kind && foresight->low == config->low && foresight->high == config->high &&
	    foresight->step == config->step)
		return;
	*foresight = (struct foresight){
	        .kind = config->kind, .low = config->low, .high = config->high, .step = config->step};
}

static const struct foreseen *find(const struct foresight *foresight, const struct search_request *wanted)
{
	for (unsigned i = 0; i < foresight->count; i++)
		if (foresight->seen[i].point == wanted->point && foresight->seen[i].duration_ns == wanted->duration_ns)
			return &foresight->seen[i];
	return NULL;
}

void foresight_note(struct foresight *foresight, const struct search_request *wanted,
                    const struct search_observation *observed)
{
	const struct foreseen *known = find(foresight, wanted);
	const unsigned at = known ? (unsigned)(known - foresight->seen) : foresight->next;

	foresight->seen[at] =
	        (struct foreseen){wanted->point, wanted->duration_ns, observed->expected_frames, observed->lost_frames};
	if (known)
		return;
	foresight->next = (at + 1) % FORESIGHT_POINTS;
	if (foresight->count < FORESIGHT_POINTS)
		foresight->count++;
}

/* The loss of all frames offered, in points. */
static double loss_of(const struct foreseen *seen)
{
	return seen->expected_frames ? (double)seen->lost_frames / (double)seen->expected_frames * (double)seen->point
	                             : 0;
}

/* Guesses the loss in points; 0 where nothing says that frames will be lost. */
static double guess_loss(const struct foresight *foresight, uint64_t point)
{
	const struct foreseen *first = NULL, *second = NULL; /* the lowest that lost, and the next */
	double slope = 1, loss;

	for (unsigned i = 0; i < foresight->count; i++) {
		const struct foreseen *seen = &foresight->seen[i];

		if (seen->lost_frames == 0 && seen->point >= point)
			return 0;
		if (seen->lost_frames == 0)
			continue;
		if (!first || seen->point < first->point) {
			second = first;
			first = seen;
		} else if (seen->point > first->point && (!second || seen->point < second->point)) {
			second = seen;
		}
	}
	if (!first)
		return 0;
	if (second && second->point > first->point && loss_of(second) > loss_of(first))
		slope = (loss_of(second) - loss_of(first)) / (double)(second->point - first->point);
	loss = loss_of(first) + slope * ((double)point - (double)first->point);
	return loss > 0 ? loss : 0;
}

/* Guesses as many frames as in the last trial, for this point and duration. */
static double guess_frames(const struct foresight *foresight, const struct search_request *wanted)
{
	const struct foreseen *last;
	double frames;

	if (foresight->count == 0)
		return 1e6;
	last = &foresight->seen[(foresight->next + FORESIGHT_POINTS - 1) % FORESIGHT_POINTS];
	frames = (double)last->expected_frames;
	if (last->point)
		frames *= (double)wanted->point / (double)last->point;
	if (last->duration_ns)
		frames *= (double)wanted->duration_ns / (double)last->duration_ns;
	return frames < 1 ? 1 : frames < 0x1p62 ? frames : 0x1p62;
}

struct search_observation foresight_guess(const struct foresight *foresight, const struct search_request *wanted)
{
	const struct foreseen *known = find(foresight, wanted);
	struct search_observation guess = {0};
	double frames, lost;

	if (known) {
		guess.expected_frames = known->expected_frames;
		guess.lost_frames = known->lost_frames;
		return guess;
	}
	frames = guess_frames(foresight, wanted);
	lost = wanted->point ? guess_loss(foresight, wanted->point) / (double)wanted->point * frames : 0;
	guess.expected_frames = (uint64_t)frames;
	guess.lost_frames = lost < frames ? (uint64_t)lost : guess.expected_frames;
	return guess;
}
