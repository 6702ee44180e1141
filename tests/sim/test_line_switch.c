// SPDX-License-Identifier: Apache-2.0
/* A switch between lines: what leaves at each port, word by word, is what the switch gives for the frames, octet by
 * octet, with and without idle words. The switch itself is checked in test_switch.c. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "host/base/octets.h"
#include "sim/line/line_dut.h"
#include "tests/sim/fcs.h"
#include "tests/sim/random_dut.h"

enum { PORTS = 4, FRAMES = 200, MOST_OCTETS = 400, MOST_OUT = PORTS * FRAMES };

static const uint64_t LINK_BPS = UINT64_C(100000000000);

/* Frames that go in at a port, and those that must leave there. */
struct port {
	uint8_t octets[FRAMES][MOST_OCTETS];
	struct dut_frame in[FRAMES], out[MOST_OUT];
	size_t out_count, seen;
	uint8_t room[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
};

static struct port ports[PORTS];

static struct dut_device *open_switch(void)
{
	static const struct fpgauge_sim_option given[] = {{"dut.model", "switch"},
	                                                  {"dut.shared_buffer_frames", "40"},
	                                                  {"dut.alpha", "0.5"},
	                                                  {"dut.latency_ns", "150"}};
	const char *bad = NULL;
	char error[256] = "";
	const struct sim_options options = {given, sizeof(given) / sizeof(given[0]), &bad, error, sizeof(error)};
	struct dut_device *device = NULL;

	cr_assert(dut_device_create(&options, NULL, 0, LINK_BPS, PORTS, &device) == 0, "%s", error);
	return device;
}

static void make_frame(uint64_t *seed, unsigned port, unsigned number, uint32_t octets)
{
	uint8_t *to = ports[port].octets[number];
	const uint8_t destination = random_draw(seed, 8) == 0 ? 0xee : (uint8_t)random_draw(seed, PORTS);
	uint32_t fcs;

	for (uint32_t i = 0; i < octets; i++)
		to[i] = (uint8_t)(port * 31 + number * 7 + i * 13);
	memcpy(to, (const uint8_t[12]){2, 0, 0, 0, 0, destination, 2, 0, 0, 0, 0, (uint8_t)port}, 12);
	fcs = fcs_of(to, octets - 4);
	if (random_draw(seed, 6) == 0) {
		fcs ^= UINT32_C(1) << random_draw(seed, 32);
		ports[port].in[number].flags = DUT_FRAME_BAD_FCS;
	}
	put_le(to + octets - 4, fcs, 4);
}

/* Frames on legal lines, and what the switch gives for them. */
static void make_expected(uint64_t *seed)
{
	struct dut_device *device = open_switch();

	memset(ports, 0, sizeof(ports));
	for (unsigned p = 0; p < PORTS; p++) {
		uint64_t start_ot = 8 * random_draw(seed, 100);

		for (unsigned i = 0; i < FRAMES; i++) {
			const uint32_t octets =
			        64 + (uint32_t)random_draw(seed, random_draw(seed, 2) ? 1 : MOST_OCTETS - 64);

			ports[p].in[i] = (struct dut_frame){.start_ot = start_ot, .id = i, .octets = octets};
			make_frame(seed, p, i, octets);
			dut_device_put(device, p, &ports[p].in[i], ports[p].octets[i]);
			start_ot = dut_group_up(start_ot + octets + 20) +
			           8 * random_draw(seed, random_draw(seed, 8) ? 4 : 400);
		}
	}
	dut_device_known(device, UINT64_MAX);
	for (unsigned p = 0; p < PORTS; p++)
		ports[p].out_count = dut_device_take(device, p, ports[p].out, MOST_OUT);
	dut_device_destroy(device);
}

static uint8_t *begin(void *context)
{
	return ((struct port *)context)->room;
}

static void end(void *context, const struct line_frame *seen)
{
	struct port *port = context;
	const struct dut_frame *frame = &port->out[port->seen];

	cr_assert(port->seen < port->out_count, "a frame too many at %" PRIu64, seen->start_ot);
	cr_assert(!seen->broken && seen->start_ot == frame->start_ot && seen->length == frame->octets,
	          "frame %zu at %" PRIu64 ", not %" PRIu64, port->seen, seen->start_ot, frame->start_ot);
	cr_assert(memcmp(seen->octets, ports[frame->from].octets[frame->id], frame->octets) == 0,
	          "other octets than frame %" PRIu64 " from port %u", frame->id, frame->from);
	port->seen++;
}

static void fill(struct frame_store *source, const struct port *port)
{
	cr_assert(frame_store_init(source) == 0);
	for (unsigned i = 0; i < FRAMES; i++) {
		memcpy(frame_store_reserve(source), port->octets[i], port->in[i].octets);
		cr_assert(frame_store_put(source, port->in[i].octets, port->in[i].start_ot) == 0);
	}
}

static struct line_dut line;
static struct line_encoder encoders[PORTS];
static struct line_decoder decoders[PORTS];

static bool may_be_left_out(uint64_t word)
{
	for (unsigned p = 0; p < PORTS; p++)
		if (line_encoder_next(&encoders[p]) <= word)
			return false;
	return line_dut_next(&line) > word;
}

static void step(uint64_t word)
{
	struct line_word at;

	for (unsigned p = 0; p < PORTS; p++) {
		if (line_encode(&encoders[p], word, &at))
			line_dut_put(&line, p, word, &at);
		else
			line_dut_put_idle(&line, p, word);
	}
	line_dut_pass(&line, word);
	for (unsigned p = 0; p < PORTS; p++) {
		if (!line_dut_take(&line, p, word, &at))
			at = LINE_IDLE_WORD;
		line_decode(&decoders[p], word, &at);
	}
}

/* Returns the number of words stepped through. */
static uint64_t play(bool leave_out)
{
	struct dut_device *device = open_switch();
	struct frame_store sources[PORTS];
	uint64_t stepped = 0;

	cr_assert(line_dut_init(&line, device) == 0);
	for (unsigned p = 0; p < PORTS; p++) {
		const struct line_sink sink = {begin, end, &ports[p]};

		fill(&sources[p], &ports[p]);
		line_encoder_init(&encoders[p], &sources[p]);
		line_decoder_init(&decoders[p], &sink);
		ports[p].seen = 0;
	}
	for (uint64_t word = 0; word < 20000; word++) {
		if (leave_out && may_be_left_out(word))
			continue;
		step(word);
		stepped++;
	}
	for (unsigned p = 0; p < PORTS; p++) {
		cr_assert(ports[p].seen == ports[p].out_count, "%zu frames, not %zu", ports[p].seen,
		          ports[p].out_count);
		cr_assert(line.port[p].store.first == line.port[p].store.end, "octets are kept for nobody");
		frame_store_release(&sources[p]);
	}
	cr_assert(!line.failed);
	line_dut_release(&line);
	dut_device_destroy(device);
	return stepped;
}

Test(line_switch, gives_word_by_word_what_the_switch_gives_frame_by_frame)
{
	uint64_t seed = 5151, left = 0;

	for (unsigned round = 0; round < 50; round++) {
		make_expected(&seed);
		cr_expect_eq(play(false), 20000);
		cr_expect_lt(play(true), 10000);
		for (unsigned p = 0; p < PORTS; p++)
			left += ports[p].out_count;
	}
	/* Some are lost, some have a bad FCS, some are flooded. */
	cr_expect(left > 50 * PORTS * FRAMES / 2 && left != 50 * PORTS * FRAMES, "%" PRIu64, left);
}
