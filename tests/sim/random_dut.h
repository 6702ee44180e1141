/* SPDX-License-Identifier: Apache-2.0 */
/* A DUT with random models and settings: as settings, and in the form that the plain models of plain_dut.h need. */
#ifndef FPGAUGE_TESTS_SIM_RANDOM_DUT_H
#define FPGAUGE_TESTS_SIM_RANDOM_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/dut/dut.h"
#include "tests/sim/plain_dut.h"

enum { RANDOM_MAX_SETTINGS = 24, RANDOM_MAX_STAGES = 3 };

enum random_stage { STAGE_WIRE, STAGE_SERVER, STAGE_FAULTS };

struct random_dut {
	char names[RANDOM_MAX_SETTINGS][40], values[RANDOM_MAX_SETTINGS][64];
	struct fpgauge_sim_option options[RANDOM_MAX_SETTINGS];
	size_t option_count;
	char text[2048]; /* all of it, for a message */

	enum random_stage stages[RANDOM_MAX_STAGES];
	size_t stage_count;
	uint64_t wire_ot;
	struct plain_server server;
	struct plain_faults faults;
	uint64_t dark_from_ot, dark_until_ot; /* UINT64_MAX: never */
	bool at_random;                       /* draws for every frame */
};

/* xorshift64: the same in every run. Below `below`. */
uint64_t random_draw(uint64_t *seed, uint64_t below);

void random_dut_make(uint64_t *seed, bool without_draws, struct random_dut *made);

/* Opens direction 0 of it; NULL with the refusal printed to the test's log. */
struct dut *random_dut_open(const struct random_dut *made);

/* The same as a device of two ports: direction 0 is from port 0 to port 1. */
struct dut_device *random_dut_open_device(const struct random_dut *made);

/* Plays a whole trial on the plain models. */
size_t random_dut_plain(const struct random_dut *made, const struct dut_frame *in, size_t count, struct dut_frame *out);

/* Frames on a legal line; ids count from 0. */
size_t random_frames(uint64_t *seed, struct dut_frame *frames);

#endif
