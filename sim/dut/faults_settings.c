// SPDX-License-Identifier: Apache-2.0
/* The settings of the model faults. */
#include "sim/dut/faults.h"
#include "sim/dut/random.h"

enum { MAX_EVERY = 1000000000, MAX_REORDER_FRAMES = 10000 };

enum {
	RULE_EVERY,                                  /* one per kind */
	RULE_PROBABILITY = RULE_EVERY + FAULT_KINDS, /* one per kind */
	RULE_REORDER_FRAMES = RULE_PROBABILITY + FAULT_KINDS,
	RULE_REORDER_WAIT_NS,
	RULE_DELAY_NS,
	RULES
};

/* Initializers that clang-format 14 reads as blocks. */
/* clang-format off */
#define EVERY(fault, least) {.name = "dut." #fault "_every", .kind = SIM_OPTION_INTEGER, .min = (least), .max = MAX_EVERY}
#define PROBABILITY(fault) {.name = "dut." #fault "_probability", .kind = SIM_OPTION_SHARE}
/* clang-format on */

static const struct sim_option_rule table[RULES] = {
        [RULE_EVERY + FAULT_DROP] = EVERY(drop, 1),
        [RULE_EVERY + FAULT_DUPLICATE] = EVERY(duplicate, 1),
        [RULE_EVERY + FAULT_REORDER] = EVERY(reorder, 2), /* if all were held back, none could overtake */
        [RULE_EVERY + FAULT_CORRUPT] = EVERY(corrupt, 1),
        [RULE_EVERY + FAULT_DELAY] = EVERY(delay, 1),
        [RULE_EVERY + FAULT_ALTER] = EVERY(alter, 1),
        [RULE_PROBABILITY + FAULT_DROP] = PROBABILITY(drop),
        [RULE_PROBABILITY + FAULT_DUPLICATE] = PROBABILITY(duplicate),
        [RULE_PROBABILITY + FAULT_REORDER] = PROBABILITY(reorder),
        [RULE_PROBABILITY + FAULT_CORRUPT] = PROBABILITY(corrupt),
        [RULE_PROBABILITY + FAULT_DELAY] = PROBABILITY(delay),
        [RULE_PROBABILITY + FAULT_ALTER] = PROBABILITY(alter),
        [RULE_REORDER_FRAMES] = {.name = "dut.reorder_frames",
                                 .fallback = "1",
                                 .kind = SIM_OPTION_INTEGER,
                                 .min = 1,
                                 .max = MAX_REORDER_FRAMES},
        [RULE_REORDER_WAIT_NS] = {.name = "dut.reorder_wait_ns",
                                  .fallback = "10000",
                                  .kind = SIM_OPTION_NUMBER,
                                  .min = 1,
                                  .max = 1000000,
                                  .unit = "ns"},
        [RULE_DELAY_NS] = {.name = "dut.delay_ns",
                           .fallback = "1000",
                           .kind = SIM_OPTION_NUMBER,
                           .min = 1,
                           .max = 100000000,
                           .unit = "ns"},
};
const struct dut_rules faults_rules = {table, RULES};

/* 0, or -1 with the option refused. */
static int set_kind(const struct dut_setup *setup, const struct sim_option_value *values, unsigned kind,
                    struct fault *fault)
{
	const struct sim_option_value *every = &values[RULE_EVERY + kind];
	const struct sim_option_value *probability = &values[RULE_PROBABILITY + kind];

	if (every->set && probability->set)
		return sim_options_refuse(setup->options, table[RULE_PROBABILITY + kind].name,
		                          "%s: cannot be combined with %s", probability->text,
		                          table[RULE_EVERY + kind].name);
	fault->on = every->set || probability->set;
	fault->at_random = probability->set;
	if (every->set)
		fault->every = fault->left = (uint32_t)every->number.numerator;
	if (probability->set) {
		fault->limit = random_limit(&probability->number);
		fault->draws = random_state(setup->seed, setup->direction, DUT_MODELS + kind);
	}
	return 0;
}

/* A setting that only refines a fault needs that fault. */
static int check_needs(const struct dut_setup *setup, const struct sim_option_rule *rule, const char *needs, bool there)
{
	const struct fpgauge_sim_option *given = sim_options_find(setup->options, rule->name);

	if (given == NULL || there)
		return 0;
	return sim_options_refuse(setup->options, rule->name, "%s: needs dut.%s_every or dut.%s_probability",
	                          given->value, needs, needs);
}

int faults_read(const struct dut_setup *setup, struct faults *faults)
{
	struct sim_option_value values[RULES];

	if (sim_options_read(setup->options, table, RULES, values) != 0)
		return -1;
	for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
		if (set_kind(setup, values, kind, &faults->kinds[kind]) != 0)
			return -1;
		faults->any = faults->any || faults->kinds[kind].on;
	}
	if (!faults->any)
		return sim_options_refuse(setup->options, "dut.model",
		                          "%s: faults needs one: dut.drop_every or dut.drop_probability, or the same "
		                          "of duplicate, reorder, corrupt, alter, delay",
		                          setup->title);
	if (check_needs(setup, &table[RULE_REORDER_FRAMES], "reorder", faults->kinds[FAULT_REORDER].on) != 0 ||
	    check_needs(setup, &table[RULE_REORDER_WAIT_NS], "reorder", faults->kinds[FAULT_REORDER].on) != 0 ||
	    check_needs(setup, &table[RULE_DELAY_NS], "delay", faults->kinds[FAULT_DELAY].on) != 0)
		return -1;
	faults->overtaking = values[RULE_REORDER_FRAMES].number.numerator;
	faults->wait_ot = dut_latency_ot(&values[RULE_REORDER_WAIT_NS].number, setup->link_bps);
	faults->delay_ot = dut_latency_ot(&values[RULE_DELAY_NS].number, setup->link_bps);
	return 0;
}
