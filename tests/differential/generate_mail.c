/* SPDX-License-Identifier: Apache-2.0 */
/* Random unexpected frames that are kept for the host. The twin knows what is in frames only of trials that begin with
 * a filter at some port: port 0 always has one. */
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { TO_ANYONE = 8, OF_ANY_TYPE = 16, FILTER_MOST = 31, STATIONS = 3, LONGEST_READ_WORDS = 40 };

static uint64_t draw_filter(struct generator *g, unsigned port)
{
	if (chance(g, 50))
		return TO_ANYONE | OF_ANY_TYPE;
	return between(g, port == 0, FILTER_MOST);
}

/* Draws the address of a station or a router as the frames for those have it, or as other frames may begin. */
static uint64_t draw_address(struct generator *g, unsigned port)
{
	const uint64_t last = between(g, 0, STATIONS - 1);

	if (chance(g, 70))
		return UINT64_C(0x02) | (uint64_t)port << 32 | last << 40;
	return random_bits(&g->random) >> 16;
}

static uint64_t draw_types(struct generator *g)
{
	static const uint64_t types[] = {0x0806, 0x0800, 0x86dd, 0, 0x88cc};
	uint64_t drawn = 0;

	for (unsigned i = 0; i < 4; i++)
		drawn = drawn << 16 | types[between(g, 0, sizeof(types) / sizeof(*types) - 1)];
	return drawn;
}

void write_mail(struct generator *g, unsigned port)
{
	if (!g->mails) {
		if (chance(g, 10))
			write32(g, FPGAUGE_PORT_RX_MAIL_FILTER(port), 0);
		return;
	}
	write64(g, FPGAUGE_PORT_RX_MAIL_ADDRESS(port), draw_address(g, port));
	write64(g, FPGAUGE_PORT_RX_MAIL_TYPES(port), draw_types(g));
	write32(g, FPGAUGE_PORT_RX_MAIL_FILTER(port), draw_filter(g, port));
}

/* Turns the filter off and on, several times, because a frame must begin or end within a clock of the write to show
 * when it counts. */
static void toggle(struct generator *g, unsigned port)
{
	for (uint64_t times = between(g, 1, 8); times > 0; times--) {
		write32(g, FPGAUGE_PORT_RX_MAIL_FILTER(port), 0);
		write32(g, FPGAUGE_PORT_RX_MAIL_FILTER(port), TO_ANYONE | OF_ANY_TYPE);
		if (chance(g, 50))
			op(g, OP_WAIT, between(g, 1, 2000), 0, 0);
	}
}

void change_mail(struct generator *g, unsigned port)
{
	if (g->mails && chance(g, 40)) {
		toggle(g, port);
		return;
	}
	for (uint64_t changes = g->mails ? between(g, 1, 4) : 0; changes > 0; changes--)
		switch (between(g, 0, 3)) {
		case 0:
			write32(g, FPGAUGE_PORT_RX_MAIL_ADDRESS(port), draw_address(g, port));
			break;
		case 1:
			write32(g, FPGAUGE_PORT_RX_MAIL_TYPES(port), draw_types(g));
			break;
		default:
			write32(g, FPGAUGE_PORT_RX_MAIL_FILTER(port),
			        port != 0 && chance(g, 30) ? 0 : draw_filter(g, port));
		}
}

void look_at_mail(struct generator *g, unsigned port)
{
	if (chance(g, 40)) /* given back unseen */
		for (uint64_t count = between(g, 1, 30); count > 0; count--)
			write32(g, FPGAUGE_PORT_RX_MAIL_NEXT(port), between(g, 0, 1));
	op(g, OP_MAIL, port, between(g, 0, 4), between(g, 1, LONGEST_READ_WORDS));
}
