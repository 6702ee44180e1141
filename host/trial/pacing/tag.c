/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/pacing/tag.h"

#include "host/trial/pacing/frames.h"
#include "host/trial/traffic.h"

enum { RULE_GUARD_OT = 32 * 64 }; /* words from one frame of a rule to the next one, and more */

/* True if a port's frame of that number, from 1, is counted apart. */
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

void pacing_tag_a_test_frame(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing)
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
			        ((uint64_t)(pacing_scaled_start(request, pacing, port, before + 1) / gap.denominator) +
			         taken) /
			        START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	}
}
