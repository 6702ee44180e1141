// SPDX-License-Identifier: Apache-2.0
/* The receiver of a MAC. */
#include "sim/verilog/axis_rx.h"

#include "sim/line/fcs.h"
#include "sim/line/line.h"

enum {
	START_CTRL = 0x01, /* a start character and 7 octets of preamble */
};
static const uint32_t CRC_RESIDUE = 0x2144df1c; /* CRC-32 over a frame and its own FCS */

void axis_rx_init(struct axis_rx *rx, unsigned octets, bool strips_fcs, uint32_t buffer_octets)
{
	memset(rx, 0, sizeof(*rx));
	rx->octets = octets;
	rx->kept_back = strips_fcs ? FCS_OCTETS : 0;
	rx->buffer_octets = buffer_octets;
}

/* The frame on the line ends here, as it is. One of which the device would get nothing is forgotten. */
static void end(struct axis_rx *rx, bool bad)
{
	const struct axis_frame *frame = axis_fifo_latest(&rx->fifo);
	const uint64_t length = rx->fifo.written - frame->begin;

	rx->stores = false;
	if (length <= rx->kept_back)
		axis_fifo_forget(&rx->fifo);
	else
		axis_fifo_end(&rx->fifo, bad || length > LINE_MAX_FRAME_OCTETS ||
		                                 axis_fifo_crc(&rx->fifo, frame->begin) != CRC_RESIDUE);
}

static void store(struct axis_rx *rx, const uint8_t *octets, unsigned count)
{
	if (!rx->stores)
		return;
	if (axis_fifo_fill(&rx->fifo) + count > rx->buffer_octets ||
	    rx->fifo.written - axis_fifo_latest(&rx->fifo)->begin > LINE_MAX_FRAME_OCTETS)
		end(rx, true);
	else
		axis_fifo_put(&rx->fifo, octets, count);
}

static void begin(struct axis_rx *rx)
{
	rx->in_frame = true;
	rx->stores = axis_fifo_begin(&rx->fifo);
}

void axis_rx_group(struct axis_rx *rx, uint64_t value, uint8_t ctrl)
{
	const uint8_t *octets = (const uint8_t *)&value;

	if (rx->in_frame) {
		const unsigned count = ctrl != 0 ? (unsigned)__builtin_ctz(ctrl) : LINE_GROUP_OCTETS;

		store(rx, octets, count);
		if (ctrl == 0)
			return;
		rx->in_frame = false;
		if (rx->stores)
			end(rx, octets[count] != LINE_TERMINATE);
	}
	if (ctrl == START_CTRL && octets[0] == LINE_START)
		begin(rx);
}

/* Returns how many octets the next beat has, and whether it is the last of its frame; 0: it is not there yet. While a
 * frame goes on, a beat waits for one octet more than it has: only then is it known not to be the last. */
static unsigned next_beat(struct axis_rx *rx, bool *last)
{
	const struct axis_frame *frame;
	uint64_t available;

	if (axis_fifo_frames(&rx->fifo) == 0)
		return 0;
	frame = axis_fifo_oldest(&rx->fifo);
	available = (frame->ended ? frame->end : rx->fifo.written) - rx->fifo.read;
	available = available > rx->kept_back ? available - rx->kept_back : 0;
	*last = frame->ended && available <= rx->octets;
	if (available > rx->octets)
		return rx->octets;
	return frame->ended ? (unsigned)available : 0;
}

void axis_rx_edge(struct axis_rx *rx, struct fpgauge_dut_pins *pins)
{
	bool last = false;
	unsigned count;

	if (pins->valid && !pins->ready)
		return;
	count = next_beat(rx, &last);
	pins->valid = count != 0;
	pins->last = last;
	pins->user = last && axis_fifo_oldest(&rx->fifo)->bad;
	if (count == 0)
		return;
	memset(pins->data, 0, rx->octets);
	axis_fifo_get(&rx->fifo, pins->data, count);
	pins->keep = UINT64_MAX >> (64 - count);
	if (last)
		axis_fifo_drop(&rx->fifo);
}
