// SPDX-License-Identifier: Apache-2.0
/* Back pressure of a switch: pause frames (IEEE 802.3 clause 31 and annex 31B) to who fills a queue, and to let it go.
 *
 * What a pause frame says is its id: the number of quanta. Room is freed lazily elsewhere in a switch, but as long as
 * somebody is held, here in its order, so that a drained queue is seen at the instant at which it has drained. */
#include <string.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"
#include "sim/dut/switch_buffer.h"
#include "sim/dut/switch_leave.h"

enum {
	PAUSE_OCTETS = 64,   /* FCS included */
	QUANTUM_OCTETS = 64, /* 512 bit times */
};

static void send_pause(struct switch_device *dut, unsigned port, uint64_t quanta, uint64_t now_ot)
{
	const struct dut_frame frame = {
	        .id = quanta, .octets = PAUSE_OCTETS, .flags = DUT_FRAME_OWN, .from = (uint16_t)dut->device.ports};

	switch_leave(dut, port, &frame, now_ot);
}

/* Time from which on a sender that is held may be told so again. */
static uint64_t renew_ot(const struct switch_settings *settings)
{
	return (uint64_t)(settings->pause_quanta + 1) / 2 * QUANTUM_OCTETS;
}

static uint64_t used_of(const struct switch_device *dut, unsigned queue)
{
	return dut->settings.shared ? dut->used : dut->ports[queue].used;
}

void switch_hold(struct switch_device *dut, unsigned input, unsigned queue, bool admitted, uint64_t now_ot)
{
	const uint32_t bit = UINT32_C(1) << input;
	const uint64_t buffer = dut->settings.buffer;
	struct switch_port *port = &dut->ports[input];
	uint64_t used;

	switch_release_until(dut, queue, now_ot);
	used = used_of(dut, queue);
	if (4 * used <= 3 * buffer && (admitted || 2 * used <= buffer))
		return;
	if ((dut->held & bit) != 0 && now_ot - port->held_ot < renew_ot(&dut->settings))
		return;
	dut->held |= bit;
	port->holder = queue;
	port->held_ot = now_ot;
	send_pause(dut, input, dut->settings.pause_quanta, now_ot);
}

/* The holding queue that frees room next. */
static unsigned next_queue(const struct switch_device *dut)
{
	unsigned next = dut->ports[__builtin_ctz(dut->held)].holder;

	if (dut->settings.shared)
		return earliest_port(&dut->releases);
	for (uint32_t left = dut->held; left != 0; left &= left - 1) {
		const unsigned queue = dut->ports[__builtin_ctz(left)].holder;

		if (switch_release_ot(&dut->ports[queue]) < switch_release_ot(&dut->ports[next]))
			next = queue;
	}
	return next;
}

uint64_t switch_next_drain_ot(const struct switch_device *dut)
{
	return dut->held != 0 ? switch_release_ot(&dut->ports[next_queue(dut)]) : UINT64_MAX;
}

static void let_go_of_drained(struct switch_device *dut, uint64_t now_ot)
{
	for (uint32_t left = dut->held; left != 0; left &= left - 1) {
		const unsigned number = (unsigned)__builtin_ctz(left);

		if (2 * used_of(dut, dut->ports[number].holder) > dut->settings.buffer)
			continue;
		dut->held &= ~(UINT32_C(1) << number);
		send_pause(dut, number, 0, now_ot);
	}
}

void switch_let_go(struct switch_device *dut, uint64_t now_ot)
{
	uint64_t drain_ot;

	while ((drain_ot = switch_next_drain_ot(dut)) <= now_ot && drain_ot != UINT64_MAX) {
		switch_release_until(dut, next_queue(dut), drain_ot);
		let_go_of_drained(dut, drain_ot);
	}
}

void switch_pause_octets(struct dut_device *device, unsigned port, const struct dut_frame *frame, uint8_t *octets)
{
	enum { SOURCE_LAST = 11, QUANTA = 16 };
	static const uint8_t HEAD[QUANTA] = {
	        0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, /* MAC control multicast */
	        0x02, 0x00, 0x00, 0xff, 0xff, 0x00, /* local address of the port */
	        0x88, 0x08, 0x00, 0x01,             /* MAC control: PAUSE */
	};

	(void)device;
	memset(octets, 0, PAUSE_OCTETS - FCS_OCTETS);
	memcpy(octets, HEAD, sizeof(HEAD));
	octets[SOURCE_LAST] = (uint8_t)port;
	put_be16(octets + QUANTA, (uint32_t)frame->id);
}
