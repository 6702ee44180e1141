// SPDX-License-Identifier: Apache-2.0
/* A router between lines: the frames of an exchange worked out by hand come out octet by octet, each with its FCS. What
 * a router does to random frames is checked in test_router.c. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/base/octets.h"
#include "sim/line/line_dut.h"
#include "tests/sim/fcs.h"

enum { PORTS = 2, MOST = 8, OCTETS = 72, WORDS = 400, FIRST_OT = 640, APART_OT = 6400 };

static const uint64_t LINK_BPS = UINT64_C(100000000000);

/* Frames without their FCS, filled up with zeros. */
static const uint8_t ASKS_ROUTER[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,   10, 8, 6,
                                      0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,   0,  0, 10,
                                      198,  18,   1,    2,    0,    0,    0, 0, 0, 0, 198, 18, 1, 1};
static const uint8_t ROUTER_ANSWERS[] = {2,   0,  0, 0, 0, 10, 2, 0x52, 0x54, 0,    0,    0,  8, 6,
                                         0,   1,  8, 0, 6, 4,  0, 2,    2,    0x52, 0x54, 0,  0, 0,
                                         198, 18, 1, 1, 2, 0,  0, 0,    0,    10,   198,  18, 1, 2};
static const uint8_t PACKET_IN[] = {2,    0x52, 0x54, 0,  0, 0, 2, 0, 0,  0,  0,    10,   8,   0,
                                    0x45, 0,    0,    46, 0, 0, 0, 0, 64, 17, 0xec, 0x95, 198, 18,
                                    1,    2,    198,  19, 1, 2, 1, 2, 3,  4,  5,    6,    7,   8};
static const uint8_t ROUTER_ASKS[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0x52, 0x54, 0,    0,    1,  8, 6,
                                      0,    1,    8,    0,    6,    4,    0, 1,    2,    0x52, 0x54, 0,  0, 1,
                                      198,  19,   1,    1,    0,    0,    0, 0,    0,    0,    198,  19, 1, 2};
static const uint8_t ANSWERS_ROUTER[] = {2,   0x52, 0x54, 0, 0, 1,    2,    0, 0, 0, 0,   11, 8, 6,
                                         0,   1,    8,    0, 6, 4,    0,    2, 2, 0, 0,   0,  0, 11,
                                         198, 19,   1,    2, 2, 0x52, 0x54, 0, 0, 1, 198, 19, 1, 1};
static const uint8_t PACKET_OUT[] = {2,    0, 0,   0,  0, 11, 2, 0x52, 0x54, 0,  0,    1,    8,   0,
                                     0x45, 0, 0,   46, 0, 0,  0, 0,    63,   17, 0xed, 0x95, 198, 18,
                                     1,    2, 198, 19, 1, 2,  1, 2,    3,    4,  5,    6,    7,   8};

/* Frames that have come out of a port. */
struct seen {
	uint8_t frame[MOST][OCTETS];
	uint32_t length[MOST];
	unsigned count;
	uint8_t room[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
};

static struct seen seen[PORTS];
static struct line_dut line;

static uint8_t *begin(void *context)
{
	return ((struct seen *)context)->room;
}

static void end(void *context, const struct line_frame *frame)
{
	struct seen *port = context;

	cr_assert(!frame->broken && frame->length <= OCTETS && port->count < MOST);
	memcpy(port->frame[port->count], frame->octets, frame->length);
	port->length[port->count++] = frame->length;
}

static void make(uint8_t *frame, const uint8_t *octets, size_t count, uint32_t length)
{
	uint32_t fcs;

	memset(frame, 0, length);
	memcpy(frame, octets, count);
	fcs = fcs_of(frame, length - 4);
	put_le(frame + length - 4, fcs, 4);
}

static void put(struct frame_store *source, const uint8_t *octets, size_t count, uint32_t length, uint64_t start_ot)
{
	make(frame_store_reserve(source), octets, count, length);
	cr_assert(frame_store_put(source, length, start_ot) == 0);
}

static void expect(unsigned port, unsigned number, const uint8_t *octets, size_t count, uint32_t length)
{
	uint8_t frame[OCTETS];

	make(frame, octets, count, length);
	cr_assert(number < seen[port].count && seen[port].length[number] == length, "port %u, frame %u of %u", port,
	          number, seen[port].count);
	for (uint32_t i = 0; i < length; i++)
		cr_expect(seen[port].frame[number][i] == frame[i], "port %u, frame %u: octet %u is %02x, not %02x",
		          port, number, i, seen[port].frame[number][i], frame[i]);
}

static void play(struct frame_store *sources)
{
	struct line_encoder encoders[PORTS];
	struct line_decoder decoders[PORTS];
	struct line_word at;

	for (unsigned p = 0; p < PORTS; p++) {
		line_encoder_init(&encoders[p], &sources[p]);
		line_decoder_init(&decoders[p], &(struct line_sink){begin, end, &seen[p]});
	}
	for (uint64_t word = 0; word < WORDS; word++) {
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
}

Test(line_router, asks_answers_and_forwards_with_a_new_header_and_a_right_fcs)
{
	static const struct fpgauge_sim_option given[] = {{"dut.model", "router"}};
	const char *bad = NULL;
	char error[256] = "";
	const struct sim_options options = {given, 1, &bad, error, sizeof(error)};
	struct dut_device *device = NULL;
	struct frame_store sources[PORTS];

	cr_assert(dut_device_create(&options, NULL, 0, LINK_BPS, PORTS, &device) == 0, "%s", error);
	cr_assert(line_dut_init(&line, device) == 0);
	for (unsigned p = 0; p < PORTS; p++)
		cr_assert(frame_store_init(&sources[p]) == 0);
	put(&sources[0], ASKS_ROUTER, sizeof(ASKS_ROUTER), 64, FIRST_OT);
	put(&sources[0], PACKET_IN, sizeof(PACKET_IN), 70, FIRST_OT + APART_OT);
	put(&sources[1], ANSWERS_ROUTER, sizeof(ANSWERS_ROUTER), 64, FIRST_OT + 2 * APART_OT);
	put(&sources[0], PACKET_IN, sizeof(PACKET_IN), 71, FIRST_OT + 3 * APART_OT);
	play(sources);
	cr_assert(!line.failed && seen[0].count == 1 && seen[1].count == 3, "%u and %u frames", seen[0].count,
	          seen[1].count);
	expect(0, 0, ROUTER_ANSWERS, sizeof(ROUTER_ANSWERS), 64);
	expect(1, 0, ROUTER_ASKS, sizeof(ROUTER_ASKS), 64);
	expect(1, 1, PACKET_OUT, sizeof(PACKET_OUT), 70); /* it has waited */
	expect(1, 2, PACKET_OUT, sizeof(PACKET_OUT), 71);
	for (unsigned p = 0; p < PORTS; p++)
		frame_store_release(&sources[p]);
	line_dut_release(&line);
	dut_device_destroy(device);
}
