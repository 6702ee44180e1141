/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the models of this folder share: how each is created from its settings, and what a chain does with
 * its stages. */
#ifndef FPGAUGE_SIM_DUT_MODELS_H
#define FPGAUGE_SIM_DUT_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"

/* Models as dut.model names them; the table in dut_create.c has names and settings in this order. */
enum dut_model { DUT_WIRE, DUT_FIFO, DUT_STALL, DUT_OVERLOAD, DUT_FAULTS, DUT_RESET, DUT_MODELS };

/* Inputs from which a model is created. */
struct dut_setup {
	const struct sim_options *options;
	uint64_t link_bps;
	uint64_t seed;
	unsigned direction;
	bool named[DUT_MODELS];
	char title[64]; /* dut.model */
};

/* Settings of a model. */
struct dut_rules {
	const struct sim_option_rule *rules;
	size_t count;
};

extern const struct sim_option_rule dut_model_rule; /* dut.model */
extern const struct dut_rules wire_rules, fifo_rules, stall_rules, overload_rules, faults_rules, reset_rules;

/* NULL, with the option refused in setup->options. */
struct dut *wire_create(const struct dut_setup *setup);
struct dut *server_create(const struct dut_setup *setup); /* fifo, stall and overload, as named */
struct dut *faults_create(const struct dut_setup *setup); /* if not named: no faults, plain store-and-forward */

/* Takes ownership of the stages, even if it fails. */
struct dut *chain_create(const struct dut_setup *setup, struct dut **stages, size_t count);

enum { DUT_MAX_STAGES = 4 };

/* Writes words for state(), one after the other, into a buffer that may be too small; `needed` keeps counting. */
struct dut_state_writer {
	uint8_t *buffer;
	size_t size, needed;
};

void dut_state_word(struct dut_state_writer *writer, uint64_t word);

/* Time after base_ot; 0 if it is not later. */
static inline uint64_t dut_after(uint64_t ot, uint64_t base_ot)
{
	return ot > base_ot ? ot - base_ot : 0;
}

#endif
