/* SPDX-License-Identifier: Apache-2.0 */
/* Random settings of a receiver, and loopback. */
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { HEADER_OCTETS = 64, MOST_BODY_OCTETS = 31 * 64 };
enum { WORD_STREAMS = 32, SOURCE_WORDS = 256 / WORD_STREAMS };

void write_loopback(struct generator *g)
{
	for (unsigned port = 0; port < g->ports; port++) {
		g->looped[port] = chance(g, 60);
		write32(g, FPGAUGE_PORT_LOOPBACK(port), g->looped[port]);
		if (g->looped[port]) /* the twin knows the pause frames of the device only */
			write32(g, FPGAUGE_PORT_TX_OBEY_PAUSE(port), 0);
	}
}

/* Writes an offset from where all frames count up, whatever comes before: the twin does not look into frames. */
void write_payload_offset(struct generator *g, unsigned port)
{
	const uint64_t least = g->bodies ? HEADER_OCTETS + MOST_BODY_OCTETS : 255;

	write32(g, FPGAUGE_PORT_RX_PAYLOAD_OFFSET(port), chance(g, 30) ? 0 : between(g, least, least + 145));
}

void write_receiver(struct generator *g, unsigned port)
{
	write32(g, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), chance(g, 80) ? between(g, 0, 24) : between(g, 0, 65535));
	write32(g, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), chance(g, 80) ? 9216 : between(g, 60, 9300));
	write_payload_offset(g, port);
	write64(g, FPGAUGE_PORT_RX_HISTOGRAM_BASE(port), chance(g, 50) ? 0 : random_spread(&g->random, 100000));
	write32(g, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), chance(g, 80) ? between(g, 3, 12) : between(g, 0, 31));
}

/* ------------------------------------------------------------------ which streams are expected */

static uint32_t draw_streams(struct generator *g)
{
	switch (between(g, 0, 3)) {
	case 0:
		return 0;
	case 1:
		return UINT32_MAX;
	default:
		return random_bits(&g->random) & UINT32_MAX;
	}
}

static void write_word(struct generator *g, unsigned port, uint64_t word, uint32_t streams)
{
	write32(g, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * (uint32_t)word, streams);
}

/* Returns a source of streams for the port: any port of a switch. */
static unsigned source_of(struct generator *g, unsigned port)
{
	if (g->switches && chance(g, 70))
		return (unsigned)between(g, 0, g->ports - 1);
	return g->looped[port] ? port : port ^ 1;
}

static void write_expected_from(struct generator *g, unsigned port, unsigned source)
{
	const uint64_t first = source * SOURCE_WORDS;
	const uint64_t words = (flows_seen(&g->sender[source]) - 1) / WORD_STREAMS + 1;
	const bool all = chance(g, 70);

	for (uint64_t word = first; word < first + words; word++)
		if (chance(g, 97))
			write_word(g, port, word, all ? UINT32_MAX : draw_streams(g));
}

void write_expected(struct generator *g, unsigned port)
{
	for (unsigned source = 0; source < g->ports && g->switches; source++)
		if (chance(g, 80))
			write_expected_from(g, port, source);
	if (!g->switches)
		write_expected_from(g, port, source_of(g, port));
	if (chance(g, 10)) /* word of any port, in this build or not */
		write_word(g, port, between(g, 0, FPGAUGE_PORT_RX_EXPECTED_COUNT - 1), draw_streams(g));
}

/* Makes several changes in a row, because a frame must end within a clock of the write to show when it counts. */
void change_expected(struct generator *g, unsigned port)
{
	const unsigned source = source_of(g, port);
	const uint64_t word = flows_seen(&g->sender[source]) / WORD_STREAMS;

	for (uint64_t changes = between(g, 1, 10); changes > 0; changes--)
		write_word(g, port, source * SOURCE_WORDS + between(g, 0, word % SOURCE_WORDS),
		           chance(g, 50) ? UINT32_MAX : draw_streams(g));
}
