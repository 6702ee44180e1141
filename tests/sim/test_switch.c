// SPDX-License-Identifier: Apache-2.0
/* The switch against a second, plain implementation, frame by frame, over random settings and frames, however frames
 * and promises are cut into calls. A failure prints the settings. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/dut/device.h"
#include "tests/sim/plain_switch.h"

enum { MAX_SETTINGS = 16, HOSTS = 6 };

#ifdef __SANITIZE_ADDRESS__ /* slow, and what it looks for is in most rounds */
enum { ROUNDS = 500 };
#else
enum { ROUNDS = 2000 };
#endif

static const uint64_t LINK_BPS = UINT64_C(100000000000);

/* A switch with random settings, as text and for the plain one. */
struct made {
	struct plain_switch plain;
	char names[MAX_SETTINGS][40], values[MAX_SETTINGS][40];
	struct fpgauge_sim_option options[MAX_SETTINGS];
	size_t count;
	char text[1024];
	uint64_t hosts;                                             /* addresses of a port */
	uint64_t strangers, groups, errors, movers, jumbos, gap_ot; /* how often in a hundred; the mean idle time */
	bool calm;                                                  /* a port sends from one address for a long time */
	bool one_receiver; /* then: all others send to port 0, and that to port 1 */
};

static uint64_t seed_at_start, seed;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static bool one_in(uint64_t n)
{
	return draw(n) == 0;
}

__attribute__((format(printf, 3, 4))) static void set(struct made *made, const char *name, const char *format, ...)
{
	const size_t i = made->count++;
	va_list arguments;

	cr_assert(i < MAX_SETTINGS);
	snprintf(made->names[i], sizeof(made->names[i]), "dut.%s", name);
	va_start(arguments, format);
	vsnprintf(made->values[i], sizeof(made->values[i]), format, arguments);
	va_end(arguments);
	made->options[i] = (struct fpgauge_sim_option){made->names[i], made->values[i]};
	snprintf(made->text + strlen(made->text), sizeof(made->text) - strlen(made->text), "%s=%s ", name,
	         made->values[i]);
}

/* -- random settings ---------------------------------------------------------------------------------------------- */

static void make_buffer(struct made *made)
{
	struct plain_switch *plain = &made->plain;

	plain->shared = one_in(made->calm ? 5 : 2);
	plain->buffer = 1 + draw(one_in(3) ? 200 : 20);
	if (one_in(3)) {
		plain->cell_octets = 32 + draw(300);
		plain->buffer *= 1 + draw(20);
		set(made, "cell_octets", "%" PRIu64, plain->cell_octets);
	}
	set(made, plain->shared ? "shared_buffer_frames" : "buffer_frames", "%" PRIu64, plain->buffer);
	if (plain->shared && one_in(2)) {
		plain->alpha_thousandths = 1 + draw(one_in(2) ? 1000 : 8000);
		set(made, "alpha", "%" PRIu64 ".%03" PRIu64, plain->alpha_thousandths / 1000,
		    plain->alpha_thousandths % 1000);
	}
}

static void make_table(struct made *made)
{
	struct plain_switch *plain = &made->plain;
	const uint64_t ageing_ns = (made->calm ? 2000 : 1000) + draw(one_in(2) ? 2000 : 100000);

	plain->table_addresses = 1 + draw(one_in(2) ? 8 : PLAIN_SWITCH_ADDRESSES);
	if (made->calm && one_in(2))
		plain->table_addresses = PLAIN_SWITCH_ADDRESSES;
	set(made, "table_addresses", "%" PRIu64, plain->table_addresses);
	plain->ageing_ot = (ageing_ns * 25 + 1) / 2;
	set(made, "ageing", "%" PRIu64 "ns", ageing_ns);
	if (one_in(2)) {
		plain->learning_fps = 1000000 + draw(100000000);
		set(made, "learning_fps", "%" PRIu64, plain->learning_fps);
	}
	if (one_in(2)) {
		plain->broadcast_fps = 1000000 + draw(20000000);
		set(made, "broadcast_fps", "%" PRIu64, plain->broadcast_fps);
	}
}

static void make_forwarding(struct made *made)
{
	struct plain_switch *plain = &made->plain;
	uint64_t latency_ns = draw(300);
	char errors[40] = "";

	plain->cut_through = one_in(3);
	if (plain->cut_through) {
		latency_ns += 733;
		set(made, "forwarding", "cut_through");
	}
	plain->latency_ot = (latency_ns * 25 + 1) / 2;
	set(made, "latency_ns", "%" PRIu64, latency_ns);
	plain->head_of_line_blocking = one_in(made->calm ? 8 : 3);
	set(made, "head_of_line_blocking", "%s", plain->head_of_line_blocking ? "true" : "false");
	plain->back_pressure = plain->alpha_thousandths == 0 && one_in(3);
	set(made, "back_pressure", "%s", plain->back_pressure ? "true" : "false");
	plain->gap_octets = one_in(2) ? 12 : 8 + draw(40);
	set(made, "gap_octets", "%" PRIu64, plain->gap_octets);
	plain->forwards_fcs = one_in(2);
	plain->forwards_short = one_in(2);
	plain->forwards_long = one_in(2);
	snprintf(errors, sizeof(errors), "%s%s%s", plain->forwards_long ? ",long " : "",
	         plain->forwards_fcs ? ", fcs" : "", plain->forwards_short ? ",short" : "");
	if (errors[0] != '\0')
		set(made, "forward_errors", "%s", errors + 1);
}

/* Makes traffic as most traffic is: what is special comes seldom, if at all. */
static void calm_down(struct made *made)
{
	made->one_receiver = one_in(2);
	made->hosts = 1;
	made->strangers = one_in(2) ? 0 : draw(4);
	made->groups = one_in(2) ? 0 : draw(3);
	made->errors = one_in(2) ? 0 : draw(12);
	made->movers = one_in(2) ? 0 : draw(12);
	made->jumbos = one_in(2) ? 0 : draw(4);
}

static void make(struct made *made)
{
	*made = (struct made){.plain = {.ports = 2 + (unsigned)draw(15)}, .calm = one_in(2)};
	snprintf(made->text, sizeof(made->text), "seed %" PRIu64 ", ports=%u ", seed, made->plain.ports);
	set(made, "model", "switch");
	make_buffer(made);
	make_table(made);
	make_forwarding(made);
	made->hosts = 1 + draw(HOSTS);
	made->strangers = draw(40);
	made->groups = one_in(2) ? 0 : draw(30);
	made->errors = one_in(2) ? 0 : draw(20);
	made->movers = one_in(2) ? 0 : draw(20);
	made->jumbos = one_in(2) ? 0 : draw(60);
	made->gap_ot = one_in(2) ? 8 : one_in(2) ? 200 : 3000;
	if (made->calm)
		calm_down(made);
}

static struct dut_device *open_made(const struct made *made)
{
	const char *bad = NULL;
	char error[256] = "";
	const struct sim_options options = {made->options, made->count, &bad, error, sizeof(error)};
	struct dut_device *device = NULL;

	cr_assert(dut_device_create(&options, NULL, 0, LINK_BPS, made->plain.ports, &device) == 0, "%s: %s", made->text,
	          error);
	return device;
}

/* -- random frames ------------------------------------------------------------------------------------------------ */

static void put_address(uint8_t *address, uint64_t port, uint64_t host)
{
	memcpy(address, (uint8_t[6]){0x02, 0x47, 0, 0, (uint8_t)port, (uint8_t)host}, 6);
}

static void draw_destination(const struct made *made, uint64_t port, uint8_t *address)
{
	static const uint8_t groups[][6] = {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
	                                    {0x01, 0x00, 0x5e, 0x01, 0x02, 0x03},
	                                    {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01},
	                                    {0x01, 0x80, 0xc2, 0x00, 0x00, 0x10}};

	if (draw(100) < made->groups)
		memcpy(address, groups[one_in(2) ? 0 : draw(4)], 6);
	else if (draw(100) < made->strangers)
		put_address(address, 200, draw(4));
	else if (made->calm)
		put_address(address,
		            made->one_receiver ? port == 0
		                               : (port + 1 + draw(made->plain.ports - 1)) % made->plain.ports,
		            0);
	else
		put_address(address, one_in(2) ? 0 : draw(made->plain.ports), draw(made->hosts));
}

static uint64_t draw_octets(const struct made *made)
{
	if (draw(100) < made->errors)
		return one_in(2) ? 1 + draw(63) : 9200 + draw(7000);
	if (draw(100) < made->jumbos)
		return 64 + draw(9216 - 63);
	return one_in(2) ? 64 : 64 + draw(300);
}

/* Makes a legal line at each port: starts on groups, 12 apart on average at least. */
static size_t make_frames(const struct made *made, struct plain_switch_frame *in)
{
	const uint64_t at_most = PLAIN_SWITCH_FRAMES / made->plain.ports;
	size_t count = 0;

	for (unsigned port = 0; port < made->plain.ports; port++) {
		const uint64_t frames = draw(at_most < 120 ? at_most : 120);
		uint64_t line_ot = draw(2000), behind = port;

		for (uint64_t i = 0; i < frames; i++) {
			struct plain_switch_frame *frame = &in[count++];
			const bool moves = draw(100) < made->movers;

			behind = moves ? draw(made->plain.ports) : made->calm ? behind : port;
			*frame = (struct plain_switch_frame){.port = port, .id = i, .from = port};
			frame->octets = draw_octets(made);
			frame->bad_fcs = draw(100) < made->errors / 2;
			frame->start_ot = line_ot / 8 * 8;
			draw_destination(made, port, frame->destination);
			put_address(frame->source, behind, draw(made->hosts));
			frame->source[0] |= draw(100) < made->errors / 4;
			line_ot += frame->octets + 20 + (one_in(3) ? draw(2 * made->gap_ot) : 0);
		}
	}
	return count;
}

/* -- playing ------------------------------------------------------------------------------------------------------ */

struct given {
	struct dut_frame frames[PLAIN_SWITCH_PORTS][PLAIN_SWITCH_FRAMES];
	size_t count[PLAIN_SWITCH_PORTS];
	uint64_t none_before_ot;
	uint64_t none_below_id[PLAIN_SWITCH_PORTS];
};

static struct given given;

/* IEEE 802.3 figures 31-1 and 31B-1: to the multicast address of MAC control, PAUSE, quanta, and nothing else. */
static void check_pause(struct dut_device *device, unsigned port, const struct dut_frame *frame)
{
	static const uint8_t to[] = {0x01, 0x80, 0xc2, 0, 0, 1}, type[] = {0x88, 0x08, 0, 1};
	uint8_t octets[DUT_OWN_OCTETS];

	memset(octets, 0xee, sizeof(octets));
	dut_device_own(device, port, frame, octets);
	cr_assert(frame->octets == 64 && frame->from == device->ports);
	cr_assert(memcmp(octets, to, 6) == 0 && memcmp(octets + 12, type, 4) == 0 && (octets[6] & 1) == 0);
	cr_assert(octets[16] == frame->id >> 8 && octets[17] == (frame->id & 0xff) && octets[11] == port);
	for (size_t i = 18; i < 60; i++)
		cr_assert(octets[i] == 0);
}

static void take_all(struct dut_device *device, const struct made *made)
{
	for (unsigned port = 0; port < made->plain.ports; port++) {
		const size_t room = 1 + draw(64);
		struct dut_frame out[64];
		size_t got;

		do {
			got = dut_device_take(device, port, out, room);
			cr_assert(got <= room && given.count[port] + got <= PLAIN_SWITCH_FRAMES, "%s", made->text);
			for (size_t i = 0; i < got; i++) {
				cr_assert(out[i].start_ot >= given.none_before_ot, "%s: %" PRIu64 " before %" PRIu64,
				          made->text, out[i].start_ot, given.none_before_ot);
				cr_assert(out[i].flags & DUT_FRAME_OWN || out[i].id >= given.none_below_id[out[i].from],
				          "%s", made->text);
				if (out[i].flags & DUT_FRAME_OWN)
					check_pause(device, port, &out[i]);
				given.frames[port][given.count[port]++] = out[i];
			}
		} while (got == room);
	}
}

static void put(struct dut_device *device, const struct plain_switch_frame *frame)
{
	const struct dut_frame arrived = {.start_ot = frame->start_ot,
	                                  .id = frame->id,
	                                  .octets = (uint32_t)frame->octets,
	                                  .flags = frame->bad_fcs ? DUT_FRAME_BAD_FCS : 0};
	uint8_t header[12];

	memcpy(header, frame->destination, 6);
	memcpy(header + 6, frame->source, 6);
	dut_device_put(device, frame->port, &arrived, header);
}

/* Puts all frames that end before known_ot, and at some ports more, from the last port to the first. */
static bool put_until(struct dut_device *device, const struct plain_switch_frame *in, size_t count, uint64_t known_ot,
                      bool *done)
{
	bool any = false;

	for (size_t port = PLAIN_SWITCH_PORTS; port-- > 0;) {
		const uint64_t ahead_ot = known_ot < UINT64_MAX / 2 && one_in(4) ? draw(20000) : 0;

		for (size_t i = 0; i < count; i++) {
			if (in[i].port != port || done[i] || in[i].start_ot + 8 + in[i].octets >= known_ot + ahead_ot)
				continue;
			put(device, &in[i]);
			done[i] = any = true;
		}
	}
	return any;
}

static void play(struct dut_device *device, const struct made *made, const struct plain_switch_frame *in, size_t count)
{
	static bool done[PLAIN_SWITCH_FRAMES];
	const uint64_t mean_ot = one_in(3) ? 200 : one_in(2) ? 3000 : 100000;
	uint64_t known_ot = 0, end_ot = 0;

	memset(&given, 0, sizeof(given));
	memset(done, 0, sizeof(done));
	for (size_t i = 0; i < count; i++)
		end_ot = in[i].start_ot > end_ot ? in[i].start_ot : end_ot;
	while (known_ot < UINT64_MAX) {
		const uint64_t quiet_ot = dut_device_quiet_until(device);

		known_ot = known_ot > end_ot ? UINT64_MAX : known_ot + draw(2 * mean_ot);
		if (!put_until(device, in, count, known_ot, done) && quiet_ot > given.none_before_ot)
			given.none_before_ot = quiet_ot;
		dut_device_known(device, known_ot);
		take_all(device, made);
		given.none_before_ot = known_ot;
		for (unsigned port = 0; port < made->plain.ports; port++) {
			uint64_t next = 0;

			for (size_t i = 0; i < count; i++)
				next += in[i].port == port && done[i];
			given.none_below_id[port] = dut_device_oldest_id(device, port);
			if (given.none_below_id[port] > next)
				given.none_below_id[port] = next;
		}
	}
	cr_assert(dut_device_quiet_until(device) == UINT64_MAX && !device->failed, "%s", made->text);
}

static void compare(const struct made *made, const struct plain_switch_frame *expected, size_t count)
{
	size_t at = 0;

	for (unsigned port = 0; port < made->plain.ports; port++) {
		for (size_t i = 0; i < given.count[port]; i++, at++) {
			const struct dut_frame *b = &given.frames[port][i];
			const struct plain_switch_frame *a = &expected[at];

			cr_assert(at < count && a->port == port, "%s: more frames at port %u", made->text, port);
			cr_assert(a->start_ot == b->start_ot && a->id == b->id && a->octets == b->octets &&
			                  a->from == b->from,
			          "%s: port %u, frame %zu: number %" PRIu64 " from %u at %" PRIu64
			          ", not number %" PRIu64 " from %" PRIu64 " at %" PRIu64,
			          made->text, port, i, b->id, b->from, b->start_ot, a->id, a->from, a->start_ot);
		}
		cr_assert(at == count || expected[at].port > port, "%s: fewer frames at port %u", made->text, port);
	}
}

static void check_counts(const struct plain_switch_counts *n)
{
	const uint64_t counts[] = {n->errors,       n->flooded, n->known,     n->own_port,
	                           n->learned,      n->moved,   n->aged,      n->table_full,
	                           n->learner_busy, n->lost,    n->threshold, n->too_many_broadcasts,
	                           n->blocked,      n->held,    n->let_go};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		cr_expect(counts[i] > 1000, "count %zu is %" PRIu64 ": this proves little", i, counts[i]);
}

Test(switch, does_what_the_plain_one_does_however_frames_and_promises_are_cut_into_calls)
{
	static struct plain_switch_frame in[PLAIN_SWITCH_FRAMES], expected[PLAIN_SWITCH_OUT];
	struct plain_switch_counts counts = {0};

	seed = seed_at_start = 88172645463325252u;
	printf("seed %" PRIu64 "\n", seed_at_start);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct made made;
		size_t frames, count;

		make(&made);
		frames = make_frames(&made, in);
		count = plain_switch_play(&made.plain, in, frames, expected, &counts);
		for (unsigned way = 0; way < 2; way++) {
			struct dut_device *device = open_made(&made);

			play(device, &made, in, frames);
			compare(&made, expected, count);
			dut_device_destroy(device);
		}
	}
	check_counts(&counts);
}
