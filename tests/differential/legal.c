/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a script obeys the register description. */
#include "tests/differential/legal.h"

#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generate.h"

/* A device must be stopped and waited for before its loopback changes; the twin cannot hold part of a frame. */
enum { LEAST_REST_OT = 20000000 };
enum { MIN_FRAME_OCTETS = 54, MIN_GAP_OCTETS = 11, MAX_FLOWS = 256, MAX_PHASES = 7 };

/* The words of a port that a start uses. Those of the phases are written through an index. */
struct settings {
	uint32_t word[FPGAUGE_PORT_STRIDE / 4];
	uint32_t phase_word[MAX_PHASES + 1][FPGAUGE_PORT_STRIDE / 4];
};

static uint32_t at(const uint32_t *word, uint32_t address)
{
	return word[address % FPGAUGE_PORT_STRIDE / 4];
}

static uint64_t wide(const uint32_t *word, uint32_t address, uint32_t bits)
{
	return ((uint64_t)at(word, address + 4) << 32 | at(word, address)) & (UINT64_MAX >> (64 - bits));
}

static bool is_legal_phase(const uint32_t *word)
{
	return wide(word, FPGAUGE_PORT_TX_PHASE_GAP_OCTETS(0), FPGAUGE_PORT_TX_PHASE_GAP_OCTETS_BITS) >=
	               MIN_GAP_OCTETS &&
	       at(word, FPGAUGE_PORT_TX_PHASE_GAP_NUMERATOR(0)) < at(word, FPGAUGE_PORT_TX_PHASE_GAP_DENOMINATOR(0));
}

static bool are_legal_phases(const struct settings *settings)
{
	const uint32_t phases = at(settings->word, FPGAUGE_PORT_TX_PHASES(0)) & FPGAUGE_PORT_TX_PHASES_MAX;

	for (uint32_t i = 1; i <= phases && i <= MAX_PHASES; i++)
		if (!is_legal_phase(settings->phase_word[i]))
			return false;
	return phases <= MAX_PHASES;
}

/* Lengths need no check: one below 54 acts as 54. */
static bool may_start(const struct settings *settings)
{
	const uint32_t *word = settings->word;
	const uint32_t flows = at(word, FPGAUGE_PORT_TX_FLOWS(0));

	if ((at(word, FPGAUGE_PORT_TX_ENABLE(0)) & 1) == 0)
		return true;
	if (wide(word, FPGAUGE_PORT_TX_GAP_OCTETS(0), FPGAUGE_PORT_TX_GAP_OCTETS_BITS) < MIN_GAP_OCTETS)
		return false;
	if (at(word, FPGAUGE_PORT_TX_BURST_FRAMES(0)) != 0 &&
	    wide(word, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(0), FPGAUGE_PORT_TX_BURST_GAP_OCTETS_BITS) < MIN_GAP_OCTETS)
		return false;
	return (at(word, FPGAUGE_PORT_TX_FRAME_OCTETS(0)) & FPGAUGE_PORT_TX_FRAME_OCTETS_MAX) >= MIN_FRAME_OCTETS &&
	       at(word, FPGAUGE_PORT_TX_GAP_NUMERATOR(0)) < at(word, FPGAUGE_PORT_TX_GAP_DENOMINATOR(0)) &&
	       flows <= MAX_FLOWS && are_legal_phases(settings);
}

static void set(struct settings *settings, uint32_t offset, uint32_t value)
{
	const uint32_t phase = at(settings->word, FPGAUGE_PORT_TX_PHASE_INDEX(0)) & MAX_PHASES;

	settings->word[offset / 4] = value;
	settings->phase_word[phase][offset / 4] = value;
}

static bool writes(const struct op *op, uint32_t address)
{
	return op->kind == OP_WRITE && op->operand[0] == address;
}

static bool reads_frames(const struct script *script)
{
	for (size_t i = 0; i < script->option_count; i++)
		if (strcmp(script->option[i].name, "dut.model") == 0)
			return strcmp(script->option[i].value, "switch") == 0 ||
			       strcmp(script->option[i].value, "router") == 0;
	return false;
}

static bool keeps_mail(const struct script *script)
{
	for (size_t i = 0; i < script->op_count; i++)
		for (unsigned p = 0; p < GENERATE_MOST_PORTS; p++)
			if (writes(&script->ops[i], FPGAUGE_PORT_RX_MAIL_FILTER(p)) && script->ops[i].operand[1] != 0)
				return true;
	return false;
}

/* Contents that the twin looks at for a switch, also as far ahead. */
static bool writes_contents(const struct op *op)
{
	for (unsigned p = 0; p < GENERATE_MOST_PORTS && op->kind == OP_WRITE; p++) {
		const uint64_t address = op->operand[0];

		if ((address >= FPGAUGE_PORT_TX_HEADER(p) &&
		     address < FPGAUGE_PORT_TX_HEADER(p) + 4 * FPGAUGE_PORT_TX_HEADER_COUNT) ||
		    address == FPGAUGE_PORT_TX_FLOW_BODY(p) || address == FPGAUGE_PORT_TX_FLOW_PAYLOAD(p) ||
		    (address >= FPGAUGE_PORT_TX_BODY(p) &&
		     address < FPGAUGE_PORT_TX_BODY(p) + 4 * FPGAUGE_PORT_TX_BODY_COUNT) ||
		    address == FPGAUGE_PORT_TX_FLOW_CHECKSUM1(p) || address == FPGAUGE_PORT_TX_FLOW_CHECKSUM2(p) ||
		    address == FPGAUGE_PORT_TX_FLOW_LENGTH1(p) || address == FPGAUGE_PORT_TX_FLOW_LENGTH2(p) ||
		    (address >= FPGAUGE_PORT_TX_FIELD_START(p) && address <= FPGAUGE_PORT_TX_FIELD_KIND(p)) ||
		    address == FPGAUGE_PORT_TX_VALUE(p))
			return true;
	}
	return false;
}

/* The motion of frames. SENT: none is in a transmitter. */
enum motion { AT_REST, RUNNING, STOPPED, SENT };

static enum motion move(enum motion motion, const struct op *op)
{
	if (writes(op, FPGAUGE_GLOBAL_CONTROL) && (op->operand[1] & FPGAUGE_GLOBAL_CONTROL_START))
		return RUNNING;
	if (writes(op, FPGAUGE_GLOBAL_CONTROL) && (op->operand[1] & FPGAUGE_GLOBAL_CONTROL_STOP) && motion == RUNNING)
		return STOPPED;
	if (op->kind != OP_WAIT || motion == RUNNING || motion == AT_REST)
		return motion;
	if (op->operand[0] >= LEAST_REST_OT)
		return AT_REST;
	return op->operand[0] >= GENERATE_STOPPED_OT ? SENT : motion;
}

/* Tables that a transmitter reads ahead of its frames. */
static bool writes_tables(const struct op *op)
{
	for (unsigned p = 0; p < GENERATE_MOST_PORTS; p++) {
		const uint32_t tables[] = {FPGAUGE_PORT_TX_FLOW_SIZE(p), FPGAUGE_PORT_TX_FLOW_FLAGS(p),
		                           FPGAUGE_PORT_TX_SIZE_OCTETS(p), FPGAUGE_PORT_TX_TURN_FLOW(p)};

		for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
			if (writes(op, tables[i]))
				return true;
		if (op->kind == OP_WRITE && op->operand[0] >= FPGAUGE_PORT_TX_PHASE_TIME(p) &&
		    op->operand[0] <= FPGAUGE_PORT_TX_PHASE_GAP_DENOMINATOR(p))
			return true;
		if (op->kind == OP_WRITE && op->operand[0] >= FPGAUGE_PORT_TX_RULE_TIME(p) &&
		    op->operand[0] <= FPGAUGE_PORT_TX_RULE_FRAME(p))
			return true;
	}
	return false;
}

static bool turns_round(const struct op *op)
{
	for (unsigned p = 0; p < GENERATE_MOST_PORTS; p++)
		if (writes(op, FPGAUGE_PORT_LOOPBACK(p)))
			return true;
	return false;
}

bool script_is_legal(const struct script *script)
{
	struct settings port[GENERATE_MOST_PORTS] = {0};
	enum motion motion = AT_REST;
	const bool reads = reads_frames(script) || keeps_mail(script);

	for (size_t i = 0; i < script->op_count; i++) {
		const struct op *op = &script->ops[i];

		motion = move(motion, op);
		if (turns_round(op) && motion != AT_REST)
			return false;
		if ((writes_tables(op) || (reads && writes_contents(op))) && motion != AT_REST && motion != SENT)
			return false;
		if (op->kind != OP_WRITE)
			continue;
		if (op->operand[0] == FPGAUGE_GLOBAL_CONTROL && (op->operand[1] & FPGAUGE_GLOBAL_CONTROL_START)) {
			for (unsigned p = 0; p < GENERATE_MOST_PORTS; p++)
				if (!may_start(&port[p]))
					return false;
		} else if (op->operand[0] >= FPGAUGE_PORT(0, 0) && op->operand[0] % 4 == 0 &&
		           op->operand[0] < FPGAUGE_PORT(GENERATE_MOST_PORTS, 0)) {
			set(&port[op->operand[0] / FPGAUGE_PORT_STRIDE - 1],
			    (uint32_t)op->operand[0] % FPGAUGE_PORT_STRIDE, (uint32_t)op->operand[1]);
		}
	}
	return true;
}
