// SPDX-License-Identifier: Apache-2.0
/* The transmitter of a MAC. */
#include "sim/verilog/axis_tx.h"

#include "host/base/octets.h"
#include "sim/line/fcs.h"
#include "sim/line/line.h"

enum {
	ROOM_BEATS = 4,       /* beats that it holds: enough to be asked, and to be given, the next one in time */
	ROOM_OCTETS = 32,     /* at least: a group of the line, and the same */
	WAITING_FRAMES = 2,   /* frames of a MAC that waits for the end: one leaves while another comes in */
	MIN_DATA_OCTETS = 60, /* IEEE 802.3 4A.2.3.2.4: shorter frames are padded, 64 with the FCS */
	ALL_CTRL = 0xff,
	START_CTRL = 0x01,
};

void axis_tx_init(struct axis_tx *tx, unsigned octets, bool inserts_fcs, bool waits_for_end)
{
	memset(tx, 0, sizeof(*tx));
	tx->octets = octets;
	tx->inserts_fcs = inserts_fcs;
	tx->waits_for_end = waits_for_end;
}

/* -- the side of the device ---------------------------------------------------------------------------------------- */

static void pad_and_check(struct axis_tx *tx)
{
	static const uint8_t zeros[MIN_DATA_OCTETS];
	const uint64_t begin = axis_fifo_latest(&tx->fifo)->begin;
	const uint64_t length = tx->fifo.written - begin;
	uint8_t fcs[FCS_OCTETS];

	if (length < MIN_DATA_OCTETS)
		axis_fifo_put(&tx->fifo, zeros, (uint32_t)(MIN_DATA_OCTETS - length));
	put_le(fcs, axis_fifo_crc(&tx->fifo, begin), FCS_OCTETS);
	axis_fifo_put(&tx->fifo, fcs, FCS_OCTETS);
}

static const char *check(struct axis_tx *tx, const struct fpgauge_dut_pins *pins)
{
	const uint64_t full = UINT64_MAX >> (64 - tx->octets);

	if (pins->keep == 0)
		return "tkeep is 0 in a transfer: a beat has at least one octet";
	if ((pins->keep & (pins->keep + 1)) != 0)
		return "tkeep has a hole: the octets of a beat begin at the lowest and have no gap";
	if (!pins->last && pins->keep != full)
		return "tkeep is not full before tlast: only the last beat of a frame may be short";
	if (tx->in_frame && tx->fifo.written - axis_fifo_latest(&tx->fifo)->begin >
	                            LINE_MAX_FRAME_OCTETS - FCS_OCTETS - FPGAUGE_DUT_MAX_OCTETS)
		return "no tlast within 16316 octets: no frame is so long";
	return NULL;
}

static const char *take(struct axis_tx *tx, const struct fpgauge_dut_pins *pins)
{
	const char *why = check(tx, pins);

	if (why != NULL)
		return why;
	if (!tx->in_frame)
		axis_fifo_begin(&tx->fifo);
	tx->in_frame = !pins->last;
	axis_fifo_put(&tx->fifo, pins->data, pins->keep == UINT64_MAX ? 64 : (uint32_t)__builtin_ctzll(~pins->keep));
	if (pins->last && tx->inserts_fcs)
		pad_and_check(tx);
	if (pins->last)
		axis_fifo_end(&tx->fifo, pins->user != 0);
	return NULL;
}

static bool has_room(const struct axis_tx *tx)
{
	const uint32_t beats = ROOM_BEATS * tx->octets;
	const uint32_t room = beats > ROOM_OCTETS ? beats : ROOM_OCTETS;

	if (tx->waits_for_end)
		return axis_fifo_frames(&tx->fifo) < WAITING_FRAMES || tx->in_frame;
	return axis_fifo_fill(&tx->fifo) + tx->octets <= room;
}

const char *axis_tx_edge(struct axis_tx *tx, struct fpgauge_dut_pins *pins)
{
	const char *why = pins->valid && pins->ready ? take(tx, pins) : NULL;

	pins->ready = has_room(tx);
	return why;
}

/* -- the side of the line ------------------------------------------------------------------------------------------ */

/* A frame is over, after so many octets: whole, or broken off. */
static void over(struct axis_tx *tx, uint64_t octets)
{
	tx->sending = false;
	tx->line.free_ot += octets + DUT_PREAMBLE_OCTETS + DUT_MIN_GAP_OCTETS;
}

/* An error and the end of the frame, in the place of data that should be there. */
static bool break_off(struct axis_tx *tx, uint64_t *value)
{
	*value = (LINE_IDLE_GROUP & ~UINT64_C(0xffff)) | (uint64_t)LINE_TERMINATE << 8 | LINE_ERROR;
	over(tx, tx->fifo.read - axis_fifo_oldest(&tx->fifo)->begin + 1);
	return true;
}

/* The octets of a frame that has begun. */
static bool go_on(struct axis_tx *tx, uint64_t *value, uint8_t *ctrl)
{
	const struct axis_frame *frame = axis_fifo_oldest(&tx->fifo);
	const uint64_t left = (frame->ended ? frame->end : tx->fifo.written) - tx->fifo.read;
	const unsigned count = left < LINE_GROUP_OCTETS ? (unsigned)left : LINE_GROUP_OCTETS;

	*ctrl = ALL_CTRL;
	if (count == LINE_GROUP_OCTETS) {
		axis_fifo_get(&tx->fifo, (uint8_t *)value, count);
		*ctrl = 0;
		return true;
	}
	if (!frame->ended) {
		tx->underruns++;
		tx->skips = true;
		return break_off(tx, value);
	}
	if (frame->bad) {
		tx->skips = true;
		return break_off(tx, value);
	}
	*value = LINE_IDLE_GROUP;
	axis_fifo_get(&tx->fifo, (uint8_t *)value, count);
	((uint8_t *)value)[count] = LINE_TERMINATE;
	*ctrl = (uint8_t)(ALL_CTRL << count);
	over(tx, tx->fifo.read - frame->begin);
	axis_fifo_drop(&tx->fifo);
	return true;
}

/* Skips what still comes of a frame that has broken off. */
static void skip(struct axis_tx *tx)
{
	tx->fifo.read = tx->fifo.written;
	if (!axis_fifo_oldest(&tx->fifo)->ended)
		return;
	axis_fifo_drop(&tx->fifo);
	tx->skips = false;
}

bool axis_tx_group(struct axis_tx *tx, uint64_t ot, uint64_t *value, uint8_t *ctrl)
{
	if (tx->sending)
		return go_on(tx, value, ctrl);
	if (tx->skips)
		skip(tx);
	if (tx->skips || axis_fifo_frames(&tx->fifo) == 0 || ot < dut_group_down(tx->line.free_ot) ||
	    (tx->waits_for_end && !axis_fifo_oldest(&tx->fifo)->ended))
		return false;
	if (tx->line.free_ot < ot)
		tx->line.free_ot = ot;
	tx->sending = true;
	*value = LINE_PREAMBLE;
	*ctrl = START_CTRL;
	return true;
}
