/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a script obeys the register description. */
#include "tests/differential/legal.h"

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generate.h"

/* Before its loopback changes, a device must be stopped and waited for; the twin cannot hold part of a frame. */
enum { LEAST_REST_OT = 20000000 };
enum { MIN_FRAME_OCTETS = 54, MIN_GAP_OCTETS = 11, MAX_DESTINATIONS = 256 };

/* The words of a port that a start uses. */
struct settings {
	uint32_t word[FPGAUGE_PORT_STRIDE / 4];
};

static uint32_t setting(const struct settings *settings, uint32_t address)
{
	return settings->word[address % FPGAUGE_PORT_STRIDE / 4];
}

static uint64_t gap(const struct settings *settings, uint32_t address, uint32_t bits)
{
	return ((uint64_t)setting(settings, address + 4) << 32 | setting(settings, address)) &
	       (UINT64_MAX >> (64 - bits));
}

static bool may_start(const struct settings *settings)
{
	const uint32_t octets = setting(settings, FPGAUGE_PORT_TX_FRAME_OCTETS(0)) & FPGAUGE_PORT_TX_FRAME_OCTETS_MAX;
	const uint32_t numerator = setting(settings, FPGAUGE_PORT_TX_GAP_NUMERATOR(0));
	const uint32_t denominator = setting(settings, FPGAUGE_PORT_TX_GAP_DENOMINATOR(0));
	const uint32_t destinations = setting(settings, FPGAUGE_PORT_TX_DESTINATIONS(0));

	if ((setting(settings, FPGAUGE_PORT_TX_ENABLE(0)) & 1) == 0)
		return true;
	if (gap(settings, FPGAUGE_PORT_TX_GAP_OCTETS(0), FPGAUGE_PORT_TX_GAP_OCTETS_BITS) < MIN_GAP_OCTETS)
		return false;
	if (setting(settings, FPGAUGE_PORT_TX_BURST_FRAMES(0)) != 0 &&
	    gap(settings, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(0), FPGAUGE_PORT_TX_BURST_GAP_OCTETS_BITS) < MIN_GAP_OCTETS)
		return false;
	return octets >= MIN_FRAME_OCTETS && numerator < denominator && destinations >= 1 &&
	       destinations <= MAX_DESTINATIONS;
}

static bool writes(const struct op *op, uint32_t address)
{
	return op->kind == OP_WRITE && op->operand[0] == address;
}

/* What frames are doing. */
enum motion { AT_REST, RUNNING, STOPPED };

static enum motion move(enum motion motion, const struct op *op)
{
	if (writes(op, FPGAUGE_GLOBAL_CONTROL) && (op->operand[1] & FPGAUGE_GLOBAL_CONTROL_START))
		return RUNNING;
	if (writes(op, FPGAUGE_GLOBAL_CONTROL) && (op->operand[1] & FPGAUGE_GLOBAL_CONTROL_STOP) && motion == RUNNING)
		return STOPPED;
	return op->kind == OP_WAIT && op->operand[0] >= LEAST_REST_OT && motion == STOPPED ? AT_REST : motion;
}

static bool turns_round(const struct op *op)
{
	for (unsigned p = 0; p < GENERATE_PORTS; p++)
		if (writes(op, FPGAUGE_PORT_LOOPBACK(p)))
			return true;
	return false;
}

bool script_is_legal(const struct script *script)
{
	struct settings port[GENERATE_PORTS] = {{{0}}};
	enum motion motion = AT_REST;

	for (size_t i = 0; i < script->op_count; i++) {
		const struct op *op = &script->ops[i];

		motion = move(motion, op);
		if (turns_round(op) && motion != AT_REST)
			return false;
		if (op->kind != OP_WRITE)
			continue;
		if (op->operand[0] == FPGAUGE_GLOBAL_CONTROL && (op->operand[1] & FPGAUGE_GLOBAL_CONTROL_START)) {
			for (unsigned p = 0; p < GENERATE_PORTS; p++)
				if (!may_start(&port[p]))
					return false;
		} else if (op->operand[0] >= FPGAUGE_PORT(0, 0) && op->operand[0] % 4 == 0 &&
		           op->operand[0] < FPGAUGE_PORT(GENERATE_PORTS, 0)) {
			port[op->operand[0] / FPGAUGE_PORT_STRIDE - 1].word[op->operand[0] % FPGAUGE_PORT_STRIDE / 4] =
			        (uint32_t)op->operand[1];
		}
	}
	return true;
}
