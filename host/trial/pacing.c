/* SPDX-License-Identifier: Apache-2.0 */
/* Pacing arithmetic. All fractions are exact in 128 bits until the last step. */
#include "host/trial/pacing.h"

#include "host/trial/trial_traffic.h"

typedef unsigned __int128 uint128;

enum {
	BITS_PER_OCTET = 8,
	START_ALIGN_OCTETS = 8,
	RULE_GUARD_OT = 32 * 64, /* words from one frame of a rule to the next one, and more */
};

#define UINT128_MOST (~(uint128)0)

/* Widths of tx_gap_octets, tx_stop_frames and tx_duration. */
static const uint64_t GAP_LIMIT = UINT64_C(1) << 40;
static const uint64_t FRAMES_LIMIT = UINT64_C(1) << 48;
static const uint64_t BURST_LIMIT = UINT64_C(1) << 32; /* tx_burst_frames */
static const uint64_t DURATION_LIMIT = UINT64_C(1) << 56;

static uint128 greatest_common_divisor(uint128 a, uint128 b)
{
	while (b) {
		uint128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint128 smaller(uint128 a, uint128 b)
{
	return a < b ? a : b;
}

/* The least fraction >= rest / whole (0 < rest < whole) whose denominator fits in 32 bits, by a walk down the
 * Stern-Brocot tree in strides (the terms of the continued fraction). It may be 1 / 1. As long as rest and whole are
 * below 2^70, the products cannot overflow. */
static void fraction_above(uint128 rest, uint128 whole, uint32_t *numerator, uint32_t *denominator)
{
	uint128 below_n = 0, below_d = 1, above_n = 1, above_d = 1;

	while (below_d + above_d <= UINT32_MAX) {
		/* The distance of each bound from the target, scaled by a common factor. */
		uint128 below_gap = rest * below_d - below_n * whole;
		uint128 above_gap = above_n * whole - rest * above_d;
		uint128 stride;

		if (above_gap == 0)
			break;
		stride = smaller(below_gap / above_gap, (UINT32_MAX - below_d) / above_d);
		below_n += stride * above_n;
		below_d += stride * above_d;

		below_gap = rest * below_d - below_n * whole;
		if (below_gap == 0) { /* the target itself */
			above_n = below_n;
			above_d = below_d;
			break;
		}
		stride = smaller(above_gap / below_gap, (UINT32_MAX - above_d) / below_d);
		above_n += stride * below_n;
		above_d += stride * below_d;
	}
	*numerator = (uint32_t)above_n;
	*denominator = (uint32_t)above_d;
}

static struct traffic_mean mean_octets(const struct trial_request *request)
{
	return request->traffic ? traffic_mean_octets(request->traffic, trial_traffic_sender(request->traffic))
	                        : (struct traffic_mean){request->shape.frame_octets, 1};
}

static uint64_t octets_of(const struct trial_request *request, unsigned port, uint64_t frames)
{
	return request->traffic ? traffic_octets(request->traffic, port, frames) : frames * request->shape.frame_octets;
}

/* The gap, as a fraction in lowest terms: the octet times of a frame period, less preamble and the average frame.
 * False: there is none. */
static bool gap_fraction(const struct trial_request *request, struct rate load, uint64_t link_bps, uint128 *gap_n,
                         uint128 *gap_d)
{
	const struct traffic_mean mean = mean_octets(request);
	uint128 period_n = (uint128)link_bps * load.denominator; /* octet times, start to start */
	uint128 period_d = (uint128)BITS_PER_OCTET * load.numerator;
	uint128 divisor = greatest_common_divisor(period_n, period_d), occupied;

	period_n /= divisor;
	period_d /= divisor;
	occupied = mean.octets + (uint128)mean.frames * PREAMBLE_OCTETS;
	if (period_n > UINT128_MOST / mean.frames || period_d > UINT128_MOST / occupied ||
	    period_n * mean.frames < occupied * period_d)
		return false;
	*gap_n = period_n * mean.frames - occupied * period_d;
	*gap_d = period_d * mean.frames;
	divisor = greatest_common_divisor(*gap_n, *gap_d);
	*gap_n /= divisor;
	*gap_d /= divisor;
	return true;
}

/* The gap of a load. */
static int gap_of_load(const struct trial_request *request, struct rate load, uint64_t link_bps, struct pacing_gap *gap,
                       struct error *error)
{
	const struct traffic_mean mean = mean_octets(request);
	uint128 gap_n, gap_d, rest;

	if (load.numerator == 0 || load.denominator == 0)
		return error_set(error, ERROR_INTERNAL, "load %llu / %llu fps: must be above 0",
		                 (unsigned long long)load.numerator, (unsigned long long)load.denominator);
	if (!gap_fraction(request, load, link_bps, &gap_n, &gap_d) || gap_n / gap_d < request->gap_octets)
		return error_set(
		        error, ERROR_INTERNAL,
		        "load %.3f fps of %.10g octets leaves less than the minimum gap of %u octets on this link",
		        rate_fps(load), (double)mean.octets / (double)mean.frames, request->gap_octets);
	if (gap_n / gap_d >= GAP_LIMIT - 1)
		return error_set(error, ERROR_INTERNAL, "load %g fps: too slow for the device to pace", rate_fps(load));

	rest = gap_n % gap_d;
	gap->gap_octets = (uint64_t)(gap_n / gap_d);
	gap->numerator = (uint32_t)rest;
	gap->denominator = (uint32_t)gap_d;
	if (gap_d > UINT32_MAX)
		fraction_above(rest, gap_d, &gap->numerator, &gap->denominator);
	if (gap->numerator >= gap->denominator) { /* rounded up to a whole octet */
		gap->gap_octets++;
		gap->numerator = 0;
		gap->denominator = 1;
	}
	return 0;
}

/* What the gaps between so many bursts, and one behind them, are longer than those within them. */
static uint128 between_bursts(const struct pacing *pacing, uint64_t bursts)
{
	return (uint128)bursts * (pacing->burst_gap_octets - pacing->gap_octets);
}

/* The ideal start of a port's frame n, counted from 0, in octet times from the first one, times the denominator. */
static uint128 scaled_start(const struct trial_request *request, const struct pacing *pacing, unsigned port, uint64_t n)
{
	const uint64_t bursts = pacing->burst_frames ? n / pacing->burst_frames : 0;
	const struct pacing_gap gap = pacing_gap_of(pacing, port);

	return ((uint128)octets_of(request, port, n) + (uint128)n * (PREAMBLE_OCTETS + gap.gap_octets) +
	        between_bursts(pacing, bursts)) *
	               gap.denominator +
	       (uint128)n * gap.numerator;
}

uint64_t pacing_frames_beside(const struct trial_request *request, const struct pacing *pacing, unsigned port,
                              uint64_t others, uint64_t other_octets)
{
	const uint64_t aligned =
	        (request->duration_ot + START_ALIGN_OCTETS - 1) / START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	const struct pacing_gap gap = pacing_gap_of(pacing, port);
	const uint128 taken = ((uint128)others * (PREAMBLE_OCTETS + gap.gap_octets) + other_octets) * gap.denominator +
	                      (uint128)others * gap.numerator;
	const uint128 all = (uint128)aligned * gap.denominator;
	const uint128 end = taken < all ? all - taken : 0;
	uint64_t begins = 0, too_many = FRAMES_LIMIT; /* frame 0 begins */

	if (end == 0 || others >= FRAMES_LIMIT)
		return 0;
	while (too_many - begins > 1) {
		const uint64_t n = begins + (too_many - begins) / 2;

		if (scaled_start(request, pacing, port, n) < end)
			begins = n;
		else
			too_many = n;
	}
	return begins + 1;
}

/* Frame n begins at its ideal start, rounded down to a group of 8 octets, if that is below the duration. */
static uint64_t frames_in(const struct trial_request *request, const struct pacing *pacing, unsigned port)
{
	return pacing_frames_beside(request, pacing, port, 0, 0);
}

static bool port_sends(const struct trial_request *request, unsigned port)
{
	return request->traffic == NULL || (port < request->traffic->ports && traffic_sends(request->traffic, port));
}

/* The ideal start of a port's frame n, counted from 0, from that of its frame `from`, where this gap begins without a
 * fraction of an octet. */
static uint128 start_after(const struct trial_request *request, const struct pacing_gap *gap, unsigned port,
                           uint64_t from, uint64_t n)
{
	const uint128 frames = n - from;

	return octets_of(request, port, n) - octets_of(request, port, from) +
	       frames * (PREAMBLE_OCTETS + gap->gap_octets) + frames * gap->numerator / gap->denominator;
}

/* Frames of a port that begin before a time, of which `before` begin before the gap changes. */
static uint64_t frames_after(const struct trial_request *request, const struct pacing *pacing, unsigned port)
{
	const uint64_t end_ot =
	        (request->duration_ot + START_ALIGN_OCTETS - 1) / START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	const uint64_t from = pacing->before[port], from_ot = pacing->next_start_ot[port];
	uint64_t begins = from, too_many = FRAMES_LIMIT;

	if (from_ot >= end_ot)
		return from;
	while (too_many - begins > 1) {
		const uint64_t n = begins + (too_many - begins) / 2;

		if (from_ot + start_after(request, &pacing->next, port, from, n) < end_ot)
			begins = n;
		else
			too_many = n;
	}
	return begins + 1;
}

/* The frames of a load that changes: as many as there are until then, and the others at the next gap. The pacer drops
 * the fraction of an octet that it has carried when the gap changes. */
static void pace_change(const struct trial_request *request, struct pacing *pacing, unsigned port)
{
	struct trial_request until = *request;

	until.duration_ot = pacing->next_ot;
	pacing->before[port] = frames_in(&until, pacing, port);
	pacing->next_start_ot[port] =
	        (uint64_t)(scaled_start(request, pacing, port, pacing->before[port]) / pacing->denominator);
	pacing->frames[port] = frames_after(request, pacing, port);
}

/* End of the gap after the last frame of a port. */
static uint64_t end_of(const struct trial_request *request, const struct pacing *pacing, unsigned port)
{
	const uint64_t frames = pacing->frames[port];

	if (!pacing->next_ot) /* no other burst follows the last one */
		return (uint64_t)(scaled_start(request, pacing, port, frames) /
		                          pacing_gap_of(pacing, port).denominator -
		                  (pacing->burst_frames ? between_bursts(pacing, 1) : 0)) +
		       1;
	return pacing->next_start_ot[port] +
	       (uint64_t)start_after(request, &pacing->next, port, pacing->before[port], frames) + 1;
}

/* Ports with another number of flows have the lengths of a list in another order, so in the same time they send a few
 * frames more or less, and their last frames end at other times. */
static void pace_ports(const struct trial_request *request, struct pacing *pacing)
{
	for (unsigned port = 0; port < TRIAL_MAX_PORTS; port++) {
		uint64_t end_ot;

		if (!port_sends(request, port))
			continue;
		if (pacing->next_ot)
			pace_change(request, pacing, port);
		else
			pacing->frames[port] =
			        pacing->stop_frames ? pacing->stop_frames : frames_in(request, pacing, port);
		end_ot = end_of(request, pacing, port);
		if (end_ot > pacing->sending_ot)
			pacing->sending_ot = end_ot;
	}
}

/* Whether a port's frame of that number, from 1, is counted apart. */
static bool is_apart(const struct traffic_port *port, uint64_t number)
{
	return port->every && number % port->every == 0 && port->flow[port->every_flow].apart;
}

/* Octet times that so many places take at most, each of a port's longest frame. */
static uint64_t places_ot(const struct trial_request *request, const struct pacing *pacing, unsigned port,
                          unsigned places)
{
	return places *
	       (traffic_longest(request->traffic) + PREAMBLE_OCTETS + pacing_gap_of(pacing, port).gap_octets + 1);
}

/* Moves the tag behind the frames of a port's rules that come due at that time, or shortly before. */
static void tag_behind_rules(const struct trial_request *request, unsigned number, uint64_t link_bps,
                             struct pacing *pacing)
{
	const struct traffic_port *port = &request->traffic->port[number];
	const uint64_t near_ot = places_ot(request, pacing, number, port->rules) + RULE_GUARD_OT;

	for (unsigned i = 0; i < port->rules; i++) {
		const uint64_t first_ot = octet_times_from_ns(port->rule[i].first_ns, link_bps);
		const uint64_t period_ot = octet_times_from_ns(port->rule[i].period_ns, link_bps);
		const uint64_t until_ot = pacing->tag_after_ot + places_ot(request, pacing, number, 1);
		uint64_t due_ot = first_ot;

		if (until_ot < first_ot || port->rule[i].at_tag)
			continue;
		if (period_ot)
			due_ot += (until_ot - first_ot) / period_ot * period_ot;
		if (pacing->tag_after_ot < due_ot + near_ot)
			pacing->tag_after_ot =
			        (due_ot + near_ot + START_ALIGN_OCTETS) / START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	}
}

/* Frames that the rules of a port have sent before a time at which none is due; *octets: of all of them. */
static uint64_t rules_before(const struct traffic_port *port, uint64_t time_ot, uint64_t link_bps, uint64_t *octets)
{
	uint64_t frames = 0;

	*octets = 0;
	for (unsigned i = 0; i < port->rules; i++) {
		const uint64_t first_ot = octet_times_from_ns(port->rule[i].first_ns, link_bps);
		const uint64_t period_ot = octet_times_from_ns(port->rule[i].period_ns, link_bps);
		uint64_t sent = 0;

		if (first_ot < time_ot && !port->rule[i].at_tag)
			sent = 1 + (period_ot ? (time_ot - 1 - first_ot) / period_ot : 0);
		frames += sent;
		*octets += sent * port->rule[i].frame_octets;
	}
	return frames;
}

/* A frame that is counted apart is not tagged, since it need not come back: the one after it is. */
static void tag_a_test_frame(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing)
{
	const struct traffic *traffic = request->traffic;

	for (unsigned port = 0; traffic && pacing->tag_after_ot && port < traffic->ports; port++) {
		const struct pacing_gap gap = pacing_gap_of(pacing, port);
		struct trial_request until = *request;
		uint64_t before, rules, octets, taken;

		if (!traffic_sends(traffic, port))
			continue;
		tag_behind_rules(request, port, link_bps, pacing);
		until.duration_ot = pacing->tag_after_ot;
		rules = rules_before(&traffic->port[port], pacing->tag_after_ot, link_bps, &octets);
		taken = octets + rules * (PREAMBLE_OCTETS + gap.gap_octets) +
		        (uint64_t)((uint128)rules * gap.numerator / gap.denominator);
		before = pacing_frames_beside(&until, pacing, port, rules, octets);
		if (is_apart(&traffic->port[port], before + 1))
			pacing->tag_after_ot =
			        ((uint64_t)(scaled_start(request, pacing, port, before + 1) / gap.denominator) +
			         taken) /
			        START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	}
}

/* What the load changes to, and when. */
static int next_gap(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing, struct error *error)
{
	if (request->next_load_ot == 0)
		return 0;
	if (request->next_load_ot >= request->duration_ot)
		return error_set(error, ERROR_INTERNAL,
		                 "next load after %llu octet times: must be below the duration, %llu",
		                 (unsigned long long)request->next_load_ot, (unsigned long long)request->duration_ot);
	pacing->next_ot = request->next_load_ot;
	return gap_of_load(request, request->next_load, link_bps, &pacing->next, error);
}

static int pace_bursts(const struct trial_request *request, struct pacing *pacing, struct error *error)
{
	const uint64_t bursts = trial_bursts(request);

	if (request->burst_frames == 0 || request->burst_frames >= FRAMES_LIMIT ||
	    bursts > (FRAMES_LIMIT - 1) / request->burst_frames)
		return error_set(error, ERROR_INTERNAL, "%llu bursts of %llu frames: must be 1 to %llu in all",
		                 (unsigned long long)bursts, (unsigned long long)request->burst_frames,
		                 (unsigned long long)FRAMES_LIMIT - 1);
	pacing->stop_frames = bursts * request->burst_frames;
	if (bursts == 1)
		return 0;
	if (request->burst_frames >= BURST_LIMIT)
		return error_set(error, ERROR_INTERNAL, "several bursts of %llu frames: must be at most %llu each",
		                 (unsigned long long)request->burst_frames, (unsigned long long)BURST_LIMIT - 1);
	if (request->burst_gap_octets < request->gap_octets || request->burst_gap_octets >= GAP_LIMIT)
		return error_set(error, ERROR_INTERNAL, "gap of %llu octets between bursts: must be %u to %llu",
		                 (unsigned long long)request->burst_gap_octets, request->gap_octets,
		                 (unsigned long long)GAP_LIMIT - 1);
	if (request->burst_gap_octets ==
	    request->gap_octets) /* no gap is another: one burst, which the twin plays faster */
		return 0;
	pacing->burst_frames = request->burst_frames;
	pacing->burst_gap_octets = request->burst_gap_octets;
	return 0;
}

/* Ports that send a share of the load. */
static int pace_shares(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                       struct error *error)
{
	const struct traffic *traffic = request->traffic;
	int status = 0;

	for (unsigned port = 0; traffic && port < traffic->ports && status == 0; port++) {
		const struct traffic_port *sender = &traffic->port[port];

		if (!sender->share_of || !traffic_sends(traffic, port))
			continue;
		if (request->kind != TRIAL_LOAD || request->next_load_ot)
			return error_set(error, ERROR_INTERNAL, "port %u: a share of what is not a constant load",
			                 port);
		status = gap_of_load(request, rate_scale(request->load, sender->share, sender->share_of), link_bps,
		                     &pacing->own[port], error);
	}
	return status;
}

/* Frames a second: of bursts, those of a burst over the time to the next one. */
static double actual_fps(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps)
{
	const struct traffic_mean mean = mean_octets(request);
	const double octets_per_s = (double)link_bps / BITS_PER_OCTET;
	const uint128 frame_n =
	        (mean.octets + mean.frames * (uint128)(PREAMBLE_OCTETS + pacing->gap_octets)) * pacing->denominator +
	        (uint128)mean.frames * pacing->numerator;
	const uint128 frame_d = (uint128)mean.frames * pacing->denominator;

	if (!pacing->burst_frames)
		return octets_per_s * (double)frame_d / (double)frame_n;
	return octets_per_s * (double)(frame_d * pacing->burst_frames) /
	       (double)(frame_n * pacing->burst_frames + between_bursts(pacing, 1) * frame_d);
}

int pacing_of_request(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                      struct error *error)
{
	*pacing = (struct pacing){
	        .gap_octets = request->gap_octets,
	        .denominator = 1,
	        .tag_after_ot = request->tag_after_ot,
	        .obeys_pause = request->obeys_pause,
	};
	if (request->kind == TRIAL_BURST) {
		int status = pace_bursts(request, pacing, error);

		if (status)
			return status;
	} else {
		struct pacing_gap gap;
		int status = gap_of_load(request, request->load, link_bps, &gap, error);

		if (status == 0)
			status = next_gap(request, link_bps, pacing, error);
		if (status)
			return status;
		pacing->gap_octets = gap.gap_octets;
		pacing->numerator = gap.numerator;
		pacing->denominator = gap.denominator;
		if (request->duration_ot == 0 || request->duration_ot >= DURATION_LIMIT)
			return error_set(error, ERROR_INTERNAL, "duration of %llu octet times: must be 1 to %llu",
			                 (unsigned long long)request->duration_ot,
			                 (unsigned long long)DURATION_LIMIT - 1);
		pacing->duration_ot = request->duration_ot;
	}
	if (request->obeys_pause && (request->kind != TRIAL_LOAD || request->next_load_ot))
		return error_set(error, ERROR_INTERNAL, "pause frames are obeyed in a constant load only");
	if (pace_shares(request, link_bps, pacing, error))
		return error->code;
	if (request->kind == TRIAL_LOAD)
		tag_a_test_frame(request, link_bps, pacing);
	pace_ports(request, pacing);
	pacing->fps = actual_fps(request, pacing, link_bps);
	return 0;
}
