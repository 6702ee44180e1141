/* SPDX-License-Identifier: Apache-2.0 */
/* A frame of a rule is on the line at its time or at most some frames later; which one it is, the device decides
 * (hw/rtl/tx/tx_rules.v). Here its number is checked. */
#include "host/trial/judging/rules.h"

#include <inttypes.h>

#include "host/base/rate.h"
#include "host/trial/judging/verdict.h"
#include "host/trial/pacing/frames.h"

enum {
	GUARD_OT = 32 * 64, /* words from one frame of a rule to the next one, and more */
};

uint64_t trial_rule_frames(const struct trial_counters *counters, unsigned port)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i < TRAFFIC_RULES; i++)
		frames += counters->rule_frames[port][i];
	return frames;
}

uint64_t trial_rule_octets(const struct traffic *traffic, const struct trial_counters *counters, unsigned port)
{
	const struct traffic_port *from = &traffic->port[port];
	uint64_t octets = 0;

	for (unsigned i = 0; i < from->rules; i++)
		octets += counters->rule_frames[port][i] * from->rule[i].frame_octets;
	return octets;
}

uint32_t trial_longest_rule(const struct traffic *traffic, unsigned port)
{
	const struct traffic_port *from = &traffic->port[port];
	uint32_t longest = 0;

	for (unsigned i = 0; i < from->rules; i++)
		longest = from->rule[i].frame_octets > longest ? from->rule[i].frame_octets : longest;
	return longest;
}

uint64_t trial_frames_beside_rules(const struct trial_request *request, const struct pacing *pacing,
                                   const struct trial_counters *counters, unsigned port)
{
	const uint64_t rules = trial_rule_frames(counters, port), frames = pacing->frames[port];

	if (rules == 0)
		return frames;
	if (request->kind == TRIAL_BURST)
		return frames > rules ? frames - rules : 0;
	return pacing_frames_beside(request, pacing, port, rules, trial_rule_octets(request->traffic, counters, port));
}

static uint64_t less(uint64_t all, uint64_t some)
{
	return all > some ? all - some : 0;
}

/* Counts a rule's times up to passed_ot after the start. One at the tag, which must be within the trial, has one. */
static uint64_t times_until(const struct traffic_rule *rule, uint64_t passed_ot, uint64_t link_bps)
{
	const uint64_t first_ot = octet_times_from_ns(rule->first_ns, link_bps);
	const uint64_t period_ot = octet_times_from_ns(rule->period_ns, link_bps);

	if (rule->at_tag)
		return 1;
	if (passed_ot < first_ot)
		return 0;
	return period_ot ? (passed_ot - first_ot) / period_ot + 1 : 1;
}

/* The last frames of a port may be those before which a rule was not looked at again. */
void trial_check_rules(const struct trial_request *request, const struct trial_counters *counters, unsigned port,
                       uint64_t link_bps, struct trial_result *result)
{
	const struct traffic_port *from = &request->traffic->port[port];
	const struct port_counters *c = &counters->port[port];
	const uint64_t passed_ot = c->tx_last_time - c->tx_first_time;
	const uint64_t place_ot = traffic_longest(request->traffic) + PREAMBLE_OCTETS + c->tx_gap_max_octets;
	const uint64_t slack_ot = c->tx_gaps ? TRAFFIC_RULES * place_ot + GUARD_OT : 0;

	for (unsigned i = 0; i < from->rules && c->tx_frames; i++) {
		const uint64_t most = times_until(&from->rule[i], passed_ot, link_bps);
		const uint64_t least = passed_ot >= slack_ot || from->rule[i].at_tag
		                               ? times_until(&from->rule[i], less(passed_ot, slack_ot), link_bps)
		                               : 0;
		const uint64_t sent = counters->rule_frames[port][i];

		if (sent < least || sent > most)
			trial_invalid(result,
			              "port %u: rule %u sent %" PRIu64 " frames, but %" PRIu64 " to %" PRIu64
			              " came due: are there fewer frames than one in its period?",
			              port, i, sent, least, most);
	}
}
