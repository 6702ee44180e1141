// SPDX-License-Identifier: Apache-2.0
/* Decides which rule is next, and when. */
#include "sim/twin/play/rules.h"

/* The rule with the earliest time, of equal ones the first. */
static void choose(struct rules *rules, uint64_t guarded_octets)
{
	rules->candidate = 0;
	for (uint32_t i = 1; i < RULES_MOST; i++)
		if (rules->next_octets[i] < rules->next_octets[rules->candidate])
			rules->candidate = i;
	rules->rule_octets = rules->next_octets[rules->candidate];
	if (rules->rule_octets < guarded_octets)
		rules->rule_octets = guarded_octets;
}

static void set_due(struct rules *rules)
{
	rules->due_octets = rules->rule_octets;
	if (rules->asked && rules->asked_octets < rules->due_octets)
		rules->due_octets = rules->asked_octets;
}

void rules_init(struct rules *rules, const struct rules_settings *settings)
{
	*rules = (struct rules){.begun = 0};
	for (uint32_t i = 0; i < RULES_MOST; i++)
		rules->next_octets[i] = i < settings->rules ? settings->rule[i].octets : UINT64_MAX;
	choose(rules, 0);
	set_due(rules);
}

struct descriptor rules_frame(uint32_t value)
{
	const uint32_t octets = value >> 8 & 0x3fff;

	return (struct descriptor){.flow = (uint8_t)value,
	                           .flags = value >> 24 & 7,
	                           .octets = (uint16_t)(octets < TURNS_LEAST_OCTETS ? TURNS_LEAST_OCTETS : octets)};
}

void rules_ask(struct rules *rules, const struct descriptor *frame, uint64_t from_octets)
{
	rules->asked = true;
	rules->asked_frame = *frame;
	rules->asked_octets = from_octets;
	set_due(rules);
}

struct descriptor rules_take(struct rules *rules, const struct rules_settings *settings, uint64_t start_octets)
{
	const struct rule *rule = &settings->rule[rules->candidate];
	const bool asked = rules->asked && start_octets >= rules->asked_octets;

	if (asked)
		rules->asked = false;
	else if (rule->period_octets != 0)
		rules->next_octets[rules->candidate] += rule->period_octets;
	else
		rules->next_octets[rules->candidate] = UINT64_MAX;
	rules->begun++;
	choose(rules, (start_octets / WORD_OCTETS + TX_RULE_GUARD) * WORD_OCTETS);
	set_due(rules);
	return asked ? rules->asked_frame : rule->frame;
}

uint64_t rules_wait(const struct rules *rules, uint64_t place_octets)
{
	uint64_t words;

	if (rules->due_octets == UINT64_MAX || place_octets >= rules->due_octets)
		return rules->due_octets == UINT64_MAX ? UINT64_MAX : place_octets;
	words = (rules->due_octets - place_octets + WORD_OCTETS - 1) / WORD_OCTETS;
	return place_octets + words * WORD_OCTETS;
}
