/* SPDX-License-Identifier: Apache-2.0 */
/* Where an MLRsearch looks next, and for how long. RFC 9971 leaves both open (4.9.2). Nothing here decides a class, so
 * a wrong guess costs only time, and guesses may use floating point.
 *
 * With short trials a goal looks for two neighbouring rungs of which the lower leans low and the upper leans high, and
 * then makes both certain with the trials that the goal asks for. Where to look:
 *
 * - The rate that came through an overload estimates the capacity. If the device has a buffer, two overloads of
 *   different duration give capacity and buffer: forwarded = C x T + B. So the first trial, at the highest load,
 *   usually selects the two rungs.
 * - If the device does better than it did under overload, climb in steps of 1, 8, 64 ... rungs, then bisect.
 * - If loads that were expected to pass fail, go down: rung by rung at first, because one stall in a long trial says
 *   nothing about the rung below, then in doubling steps.
 *
 * How long: as short as the goal allows (initial duration) where high loss is expected, and where little depends on the
 * answer. A pre-check, PRECHECK times as long as that, precedes a full-length trial, because it costs little and often
 * saves it. A load that passed a short trial and failed a longer one shows that short trials mislead: from then on all
 * exploratory trials are PRECHECK times longer. Where a buffer hides an overload, the trial is long enough to fill it.
 */
#include <math.h>

#include "host/base/uint128.h"
#include "host/search/mlrsearch_state.h"

enum {
	PRECHECK = 4, /* a pre-check is this many times an exploratory trial, at most 1 / PRECHECK of the final one */
	CLIMB_FACTOR = 8,  /* steps up grow by this factor */
	MAX_CHASES = 3,    /* losses that do not shrink are not from overload, so they do not show the capacity */
	PATIENT_STEPS = 8, /* steps down of one stride before they start to double */
};

static const double FEW = 3;            /* some trials still pass with fewer disturbances per full-length trial */
static const double FILL_MARGIN = 1.05; /* a trial is this much longer than an overload needs to fill the buffer */

/* The device as estimated from the overloads so far: forwarded = rate x T + buffer. */
struct capacity {
	double rate;   /* points */
	double buffer; /* points x ns; 0 when unknown */
};

/* The rate that comes through at the load where the goal starts to fail, for trials of one duration. A device may
 * forward less the more it is overloaded: the solution of F(x) = x (1 - L), with F the line through two overloads. If
 * it forwards more at the higher load, that is not the effect of overload. */
static double boundary_rate(const struct pursuit *pursuit, const struct overload *overload)
{
	double kept = 1 - (double)pursuit->goal.loss_ppm / MLRSEARCH_PPM, slope = 0;

	if (overload->next_load > overload->load)
		slope = fmin(0, (overload->next_rate - overload->rate) / (overload->next_load - overload->load));
	return kept * (overload->rate - slope * overload->load) / (kept - slope);
}

static struct capacity capacity_of(const struct pursuit *pursuit)
{
	const struct overload *longest = NULL, *other = NULL;
	struct capacity capacity = {0};

	for (size_t i = 0; i < pursuit->overload_count; i++) {
		const struct overload *overload = &pursuit->overloads[i];

		if (longest == NULL || overload->duration_ns > longest->duration_ns) {
			other = longest;
			longest = overload;
		} else if (other == NULL || overload->duration_ns > other->duration_ns) {
			other = overload;
		}
	}
	if (longest)
		capacity.rate = boundary_rate(pursuit, longest);
	if (other) {
		double long_ns = (double)longest->duration_ns, short_ns = (double)other->duration_ns;
		double forwarded = capacity.rate * long_ns;
		double rate = (forwarded - boundary_rate(pursuit, other) * short_ns) / (long_ns - short_ns);
		double buffer = forwarded - rate * long_ns;

		/* Other pairs, such as one with a stall in the longer trial, do not describe a buffer. */
		if (rate > 0 && buffer > 0)
			capacity = (struct capacity){.rate = rate, .buffer = buffer};
	}
	return capacity;
}

/* The highest rung that should meet the goal at its final duration, on the goal's own ladder of every stride-th rung
 * from the top; the lowest if none should, -1 if nothing is known. Frames above the capacity are all lost, so with a
 * loss ratio the goal is met up to rate / (1 - loss). */
static long long hinted_rung(const struct mlrsearch *search, const struct pursuit *pursuit)
{
	struct capacity capacity = capacity_of(pursuit);
	double rate = capacity.rate + capacity.buffer / (double)pursuit->goal.final_ns;
	double point = rate / (1 - (double)pursuit->goal.loss_ppm / MLRSEARCH_PPM);
	size_t top = search->rung_count - 1, below;

	if (pursuit->overload_count == 0)
		return -1;
	below = point < (double)search->rungs[top] ? top - rung_at_or_below(search, (uint64_t)point) : 0;
	below = (below + pursuit->stride - 1) / pursuit->stride * pursuit->stride;
	return below < top ? (long long)(top - below) : 0;
}

/* Rounds up to whole initial durations: round numbers in the report, and whole seconds for testers that take no other.
 */
static uint64_t rounded_up(const struct mlrsearch_goal *goal, double ns)
{
	double parts = ceil(ns / (double)goal->initial_ns);

	if (!(parts * (double)goal->initial_ns < (double)goal->final_ns))
		return goal->final_ns;
	return (uint64_t)parts * goal->initial_ns;
}

/* Long enough to see an overload at the rung. */
static uint64_t overload_duration(const struct mlrsearch *search, const struct pursuit *pursuit, size_t rung)
{
	struct capacity capacity = capacity_of(pursuit);
	double excess =
	        (double)search->rungs[rung] * (1 - (double)pursuit->goal.loss_ppm / MLRSEARCH_PPM) - capacity.rate;
	uint64_t fill_ns = 0;

	if (capacity.buffer > 0 && excess > 0)
		fill_ns = rounded_up(&pursuit->goal, FILL_MARGIN * capacity.buffer / excess);
	return fill_ns > pursuit->explore_ns ? fill_ns : pursuit->explore_ns;
}

/* Disturbances per full-length trial, at loads that were expected to pass. */
static double disturbances(const struct pursuit *pursuit)
{
	if (!(pursuit->least_lost_ns > 0))
		return 0;
	return pursuit->lost_ns / pursuit->least_lost_ns / pursuit->watched_ns * (double)pursuit->goal.final_ns;
}

/* The duration of the trial before a full-length one; the full length itself if anything shorter would save nothing. */
static uint64_t precheck_duration(const struct pursuit *pursuit)
{
	const uint64_t final_ns = pursuit->goal.final_ns, longest_ns = final_ns / PRECHECK;
	uint64_t duration_ns = pursuit->misses ? pursuit->explore_ns : PRECHECK * pursuit->explore_ns;

	/* Where most loads fail, a pre-check pays off even if short trials were misleading. */
	if (duration_ns > longest_ns && disturbances(pursuit) >= FEW && longest_ns >= pursuit->goal.initial_ns)
		return longest_ns;
	return duration_ns > longest_ns ? final_ns : duration_ns;
}

static bool trial_at(struct nomination *nomination, long long rung, uint64_t duration_ns, enum purpose purpose)
{
	*nomination = (struct nomination){.rung = (size_t)rung, .duration_ns = duration_ns, .purpose = purpose};
	return true;
}

/* The least further high-loss time that makes a load with these sums UPPER: the smallest H with H x P > W x e, minus
 * the H already present (names as in the RFC's classification; products with q as in mlrsearch_class.c). */
static uint64_t missing_high_ns(const struct mlrsearch_goal *goal, const struct mlrsearch_sums *sums)
{
	const uint128 e = goal->exceed_ppm, q = MLRSEARCH_PPM - goal->exceed_ppm;
	const uint128 of_sum = goal->sum_ns * q * e / MLRSEARCH_PPM, of_low = sums->full_low_ns * e;
	const uint128 wanted = (of_sum > of_low ? of_sum : of_low) + 1 + sums->short_low_ns * e;
	const uint128 present = (sums->full_high_ns + (uint128)sums->short_high_ns) * q;

	return present >= wanted ? 1 : (uint64_t)((wanted - present + q - 1) / q);
}

static uint64_t full_length_ns(const struct load *load, size_t goal)
{
	return load->standing[goal].sums.full_low_ns + load->standing[goal].sums.full_high_ns;
}

static bool prove_lower(const struct pursuit *pursuit, const struct load *load, struct nomination *nomination)
{
	uint64_t duration_ns = precheck_duration(pursuit);

	if (load->longest_ns >= duration_ns)
		duration_ns = pursuit->goal.final_ns;
	return trial_at(nomination, (long long)load->rung, duration_ns, PURPOSE_LOWER);
}

static bool prove_upper(const struct mlrsearch *search, const struct pursuit *pursuit, size_t goal,
                        const struct load *load, struct nomination *nomination)
{
	const struct standing *standing = &load->standing[goal];
	const uint64_t final_ns = pursuit->goal.final_ns;
	uint64_t duration_ns = rounded_up(&pursuit->goal, (double)missing_high_ns(&pursuit->goal, &standing->sums));
	uint64_t fill_ns = overload_duration(search, pursuit, load->rung);

	if (duration_ns > final_ns / 2)
		duration_ns = final_ns; /* the trial takes little more time, and counts whichever way it ends */
	if (duration_ns < fill_ns)
		duration_ns = fill_ns;
	/* The trials that passed were too short to see an overload. */
	if (standing->longest_pass_ns >= duration_ns)
		duration_ns = standing->longest_pass_ns > final_ns / PRECHECK ? final_ns
		                                                              : standing->longest_pass_ns * PRECHECK;
	return trial_at(nomination, (long long)load->rung, duration_ns, PURPOSE_UPPER);
}

/* Both bounds lean the right way and are close enough: make them certain. The lower bound comes first, because if it
 * fails, its trials make it the new upper bound. If many trials are needed the bounds take turns, so that the one with
 * less evidence gets the next trial. */
static bool prove(struct mlrsearch *search, size_t goal, struct bracket bracket, struct nomination *nomination)
{
	struct pursuit *pursuit = &search->pursuits[goal];
	bool lower = bracket.lower && bracket.lower->standing[goal].class == MLRSEARCH_UNDECIDED;
	bool upper = bracket.upper && bracket.upper->standing[goal].class == MLRSEARCH_UNDECIDED;

	if (lower && (!upper || full_length_ns(bracket.lower, goal) <= full_length_ns(bracket.upper, goal)))
		return prove_lower(pursuit, bracket.lower, nomination);
	if (upper)
		return prove_upper(search, pursuit, goal, bracket.upper, nomination);
	if (bracket.upper == NULL)
		pursuit->end = SEARCH_NO_UPPER;
	else if (bracket.lower == NULL)
		pursuit->end = SEARCH_NO_LOWER;
	else if (bounds_fit(search, goal, bracket.lower->rung, bracket.upper->rung))
		pursuit->end = SEARCH_FOUND;
	else
		pursuit->end = SEARCH_GRID_TOO_WIDE;
	return false;
}

static long long step_down(const struct pursuit *pursuit)
{
	unsigned patience = disturbances(pursuit) < FEW ? PATIENT_STEPS : 0;
	unsigned doublings = pursuit->misses > patience ? pursuit->misses - patience : 0;

	return (long long)(pursuit->stride << (doublings < 24 ? doublings : 24));
}

/* Picks a rung strictly between `low` (-1: none leans low) and `high`, which are further apart than the width. */
static bool look_between(const struct mlrsearch *search, const struct pursuit *pursuit, long long low, long long high,
                         bool doubtful, struct nomination *nomination)
{
	long long stride = (long long)pursuit->stride, middle = low + (high - low) / 2;
	long long hint = hinted_rung(search, pursuit), down = high - step_down(pursuit);

	if (pursuit->chases >= MAX_CHASES)
		hint = down;
	else if (hint >= 0 && hint + stride > low && hint + stride < high)
		return trial_at(nomination, hint + stride, overload_duration(search, pursuit, (size_t)(hint + stride)),
		                PURPOSE_ABOVE);
	if (pursuit->misses && !pursuit->limited && down < hint)
		hint = down;
	if (hint > low && hint < high)
		return trial_at(nomination, hint, precheck_duration(pursuit), PURPOSE_LOWER);
	if (doubtful)
		return trial_at(nomination, low, pursuit->explore_ns, PURPOSE_LOWER);
	if (pursuit->climb && low >= 0 && low + (long long)pursuit->climb * stride < middle)
		return trial_at(nomination, low + (long long)pursuit->climb * stride, pursuit->explore_ns,
		                PURPOSE_CLIMB);
	if (pursuit->misses && down > middle)
		return trial_at(nomination, down, precheck_duration(pursuit), PURPOSE_LOWER);
	if (low < 0)
		return trial_at(nomination, down > 0 ? down : 0, precheck_duration(pursuit), PURPOSE_LOWER);
	return trial_at(nomination, middle, pursuit->explore_ns, PURPOSE_BISECT);
}

static uint64_t longest_initial(const struct mlrsearch *search)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < search->goal_count; i++)
		if (search->pursuits[i].goal.initial_ns > longest)
			longest = search->pursuits[i].goal.initial_ns;
	return longest;
}

bool nominate(struct mlrsearch *search, size_t goal, struct nomination *nomination)
{
	struct pursuit *pursuit = &search->pursuits[goal];
	struct bracket bracket = bracket_of_leans(search, goal);
	long long low = bracket.lower ? (long long)bracket.lower->rung : -1;
	long long high = bracket.upper ? (long long)bracket.upper->rung : (long long)search->rung_count;
	bool doubtful = bracket.lower && bracket.lower->longest_ns < pursuit->explore_ns;

	pursuit->end = SEARCH_RUNNING;
	if (search->load_count == 0)
		return trial_at(nomination, high - 1, longest_initial(search), PURPOSE_FIRST);
	/* A rung at the end of the ladder is close enough to whatever lies beyond it. */
	if (high - low == 1 ||
	    (bracket.lower && bracket.upper && bounds_fit(search, goal, bracket.lower->rung, bracket.upper->rung)))
		return prove(search, goal, bracket, nomination);
	return look_between(search, pursuit, low, high, doubtful, nomination);
}

/* True if the trial confirms a limit: compared with an earlier overload of the same duration, less load led to much
 * less loss, and about as much came through. If the frames are lost in stalls, what comes through falls with the load.
 */
static bool note_overload(struct pursuit *pursuit, const struct mlrsearch_trial *trial)
{
	double load = (double)trial->point;
	double rate = load * (double)(trial->expected_frames - trial->lost_frames) / (double)trial->expected_frames;
	struct overload *overload = pursuit->overloads;
	struct overload *end = overload + pursuit->overload_count;
	bool limit = false;

	while (overload < end && overload->duration_ns != trial->duration_ns)
		overload++;
	if (overload == pursuit->overloads + MAX_OVERLOADS)
		return false; /* no room for more durations */
	if (overload == end) {
		*overload = (struct overload){.duration_ns = trial->duration_ns, .load = load, .rate = rate};
		pursuit->overload_count++;
	} else if (load < overload->load) {
		limit = rate > overload->rate - (overload->load - load) / 2 &&
		        load - rate < (overload->load - overload->rate) / 2;
		overload->next_load = overload->load;
		overload->next_rate = overload->rate;
		overload->load = load;
		overload->rate = rate;
	} else if (load > overload->load && (overload->next_load <= 0 || load < overload->next_load)) {
		overload->next_load = load;
		overload->next_rate = rate;
	}
	return limit;
}

static void note_disturbances(struct pursuit *pursuit, const struct mlrsearch_trial *trial, bool high)
{
	double lost_ns = (double)trial->duration_ns * (double)trial->lost_frames / (double)trial->expected_frames;

	pursuit->watched_ns += (double)trial->duration_ns;
	if (!high)
		return;
	pursuit->lost_ns += lost_ns;
	if (pursuit->least_lost_ns == 0 || lost_ns < pursuit->least_lost_ns)
		pursuit->least_lost_ns = lost_ns;
}

/* Makes exploratory trials longer than the one that misled: PRECHECK times as long, then the longest that still saves
 * time over a full-length trial, and in the end full-length. */
static void distrust(struct pursuit *pursuit, uint64_t passed_ns)
{
	uint64_t longest_ns = pursuit->goal.final_ns / PRECHECK;
	uint64_t next_ns = passed_ns >= longest_ns             ? pursuit->goal.final_ns
	                   : passed_ns > longest_ns / PRECHECK ? longest_ns
	                                                       : passed_ns * PRECHECK;

	if (next_ns > pursuit->explore_ns)
		pursuit->explore_ns = next_ns;
}

void learn(struct mlrsearch *search, const struct load *load, const struct mlrsearch_trial *trial,
           const uint64_t *passed_before_ns)
{
	for (size_t i = 0; i < search->goal_count; i++) {
		struct pursuit *pursuit = &search->pursuits[i];
		bool high = mlrsearch_is_high_loss(&pursuit->goal, trial);

		bool limit = high && note_overload(pursuit, trial);
		/* A short trial had passed where this longer one failed. */
		if (high && passed_before_ns[i] && passed_before_ns[i] < trial->duration_ns)
			distrust(pursuit, passed_before_ns[i]);
		if (i != search->asked_by)
			continue;
		switch (search->asked_why) {
		case PURPOSE_LOWER:
			pursuit->limited = limit;
			pursuit->misses += load->standing[i].lean == LEAN_HIGH;
			if (!limit)
				note_disturbances(pursuit, trial, high);
			break;
		case PURPOSE_ABOVE:
			pursuit->chases = high && !limit ? pursuit->chases + 1 : 0;
			pursuit->climb = high ? 0 : CLIMB_FACTOR;
			break;
		case PURPOSE_UPPER:
			pursuit->climb = high ? 0 : CLIMB_FACTOR;
			break;
		case PURPOSE_CLIMB:
			pursuit->climb = high ? 0 : pursuit->climb * CLIMB_FACTOR;
			break;
		case PURPOSE_FIRST:
		case PURPOSE_BISECT:
			break;
		}
	}
}
