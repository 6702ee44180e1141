// SPDX-License-Identifier: Apache-2.0
/* The router against a second, plain implementation, frame by frame and octet by octet, over random settings and
 * frames, however frames and promises are cut into calls. A failure prints the settings. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/base/internet_checksum.h"
#include "sim/dut/device.h"
#include "tests/sim/plain_router.h"
#include "tests/sim/random_dut.h"

enum { ROUNDS = 800, MAX_SETTINGS = 12, MAX_LIST = 8192, STATIONS = 3, MOST_FRAMES = 60 };

static const uint64_t LINK_BPS = UINT64_C(100000000000);

/* A router with random settings, as text and for the plain one. */
struct made {
	struct plain_router plain;
	char names[MAX_SETTINGS][40], values[MAX_SETTINGS][40], addresses[MAX_LIST], networks[MAX_LIST],
	        filters[MAX_LIST];
	struct fpgauge_sim_option options[MAX_SETTINGS + 3];
	size_t count;
	char text[3 * MAX_LIST];
	uint64_t errors, gap_ot; /* errors in a hundred; the mean idle time */
};

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return random_draw(&seed, below);
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

/* -- random settings ----------------------------------------------------------------------------------------------- */

static void add_own(struct made *made, unsigned port, unsigned version, const uint8_t *address, unsigned bits)
{
	struct plain_network *own = &made->plain.own[made->plain.own_count++];

	*own = (struct plain_network){.version = version, .port = port, .bits = bits};
	memcpy(own->address, address, version == 4 ? 4 : 16);
}

/* docs/dut-models.md: those of the test hosts. */
static void add_defaults(struct made *made, unsigned port)
{
	const uint8_t x = (uint8_t)(18 + port % 2), k = (uint8_t)(port / 2);
	const uint8_t ipv6[16] = {0x20, 1, 0, 2, 0, 0, (uint8_t)(port % 2 * 128), (uint8_t)(1 + k), [15] = 1};

	add_own(made, port, 4, (uint8_t[]){198, x, (uint8_t)(1 + k), 1}, 24);
	add_own(made, port, 4, (uint8_t[]){198, x, (uint8_t)(32 * k + 24), 1}, 19);
	if (port < 14)
		add_own(made, port, 4, (uint8_t[]){198, x, (uint8_t)(9 + k), 1}, 24);
	add_own(made, port, 6, ipv6, 64);
}

/* The same addresses of nodes, with other prefixes. */
static void add_others(struct made *made, unsigned port)
{
	const unsigned bits = 25 + (unsigned)draw(5); /* all stations are in it */
	const uint8_t x = (uint8_t)(18 + port % 2), k = (uint8_t)(1 + port / 2);
	const uint8_t ipv6[16] = {0x20, 1, 0, 2, 0, 0, (uint8_t)(port % 2 * 128), k, [15] = 1};
	char *text = made->addresses + strlen(made->addresses);

	add_own(made, port, 4, (uint8_t[]){198, x, k, 1}, bits);
	text += sprintf(text, "%s%u 198.%u.%u.1/%u", port == 0 ? "" : ", ", port, x, k, bits);
	if (one_in(3))
		return;
	add_own(made, port, 6, ipv6, 120);
	sprintf(text, ",%u  2001:2:0:%x::1/120", port, (port % 2 ? 0x8000 : 0) + k);
}

static void add_networks(struct made *made)
{
	const unsigned count = one_in(2) ? 0 : 1 + (unsigned)draw(one_in(4) ? 100 : 6);
	char *text = made->networks;

	for (unsigned i = 0; i < count; i++) {
		const unsigned port = (unsigned)draw(made->plain.ports), bits = i == 0 ? 8 : 9 + i % 24;
		const uint8_t hop[4] = {198, (uint8_t)(18 + port % 2), (uint8_t)(1 + port / 2),
		                        (uint8_t)(2 + draw(STATIONS))};
		struct plain_network *far = &made->plain.far[made->plain.far_count++];
		const uint8_t second = (uint8_t)(bits < 16 ? 0 : i / 24);

		*far = (struct plain_network){.version = 4, .port = port, .bits = bits};
		if (i >= 7 && bits < 16) { /* the same network as before */
			made->plain.far_count--;
			continue;
		}
		memcpy(far->address, (uint8_t[]){10, second}, 2);
		memcpy(far->next_hop, hop, 4);
		text += sprintf(text, "%s10.%u.0.0/%u 198.%u.%u.%u", i == 0 ? "" : ", ", second, bits, hop[1], hop[2],
		                hop[3]);
	}
}

static void make_lists(struct made *made)
{
	const bool defaults = one_in(2);

	for (unsigned port = 0; port < made->plain.ports; port++)
		defaults ? add_defaults(made, port) : add_others(made, port);
	add_networks(made);
	if (!defaults)
		made->options[made->count++] = (struct fpgauge_sim_option){"dut.addresses", made->addresses};
	if (made->networks[0] != '\0')
		made->options[made->count++] = (struct fpgauge_sim_option){"dut.networks", made->networks};
	snprintf(made->text + strlen(made->text), sizeof(made->text) - strlen(made->text), "addresses=%s networks=%s",
	         made->addresses, made->networks);
}

static void put_ipv4(uint8_t *to, uint64_t port, uint64_t node)
{
	memcpy(to, (uint8_t[]){198, (uint8_t)(18 + port % 2), (uint8_t)(1 + port / 2), (uint8_t)node}, 4);
}

static void put_ipv6(uint8_t *to, uint64_t port, uint64_t node)
{
	memset(to, 0, 16);
	memcpy(to, (uint8_t[]){0x20, 1, 0, 2, 0, 0, (uint8_t)(port % 2 * 128), (uint8_t)(1 + port / 2)}, 8);
	to[15] = (uint8_t)node;
}

/* Adds filters between stations: most are of packets that there are, and some stand in the list twice. */
static void add_filters(struct made *made)
{
	const unsigned count = one_in(3) ? 1 + (unsigned)draw(one_in(4) ? PLAIN_ROUTER_FILTERS : 20) : 0;
	char *text = made->filters;

	for (unsigned i = 0; i < count; i++) {
		struct plain_filter *filter = &made->plain.filter[made->plain.filter_count++];
		char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];
		const bool is_ipv4 = one_in(2);

		*filter = (struct plain_filter){.version = is_ipv4 ? 4 : 6, .forwards = !one_in(4)};
		(is_ipv4 ? put_ipv4 : put_ipv6)(filter->from, draw(made->plain.ports), 2 + draw(STATIONS));
		(is_ipv4 ? put_ipv4 : put_ipv6)(filter->to, draw(made->plain.ports), 2 + draw(STATIONS));
		inet_ntop(is_ipv4 ? AF_INET : AF_INET6, filter->from, from, sizeof(from));
		inet_ntop(is_ipv4 ? AF_INET : AF_INET6, filter->to, to, sizeof(to));
		text += sprintf(text, "%s%s %s to %s",
		                i == 0      ? ""
		                : one_in(2) ? ", "
		                            : ",",
		                filter->forwards ? "forward" : "block", from, to);
	}
	if (count && one_in(2))
		sprintf(text, ", block all else");
	if (count)
		made->options[made->count++] = (struct fpgauge_sim_option){"dut.filters", made->filters};
	snprintf(made->text + strlen(made->text), sizeof(made->text) - strlen(made->text), " filters=%s",
	         made->filters);
}

static void make(struct made *made)
{
	struct plain_router *plain = &made->plain;
	const uint64_t latency_ns = draw(300), ask_ns = 1000 + draw(one_in(2) ? 2000 : 100000);

	memset(made, 0, sizeof(*made));
	plain->ports = 2 + (unsigned)draw(one_in(3) ? 15 : 3);
	snprintf(made->text, sizeof(made->text), "seed %" PRIu64 ", ports=%u ", seed, plain->ports);
	set(made, "model", "router");
	plain->latency_ot = (latency_ns * 25 + 1) / 2;
	set(made, "latency_ns", "%" PRIu64, latency_ns);
	plain->ask_every_ot = (ask_ns * 25 + 1) / 2;
	set(made, "ask_every", "%" PRIu64 "ns", ask_ns);
	plain->waiting = draw(one_in(2) ? 3 : 40);
	set(made, "waiting_frames", "%" PRIu64, plain->waiting);
	plain->neighbours = 1 + draw(one_in(4) ? 8 : 1000);
	set(made, "neighbours", "%" PRIu64, plain->neighbours);
	plain->buffer = 1 + draw(one_in(2) ? 6 : 100);
	set(made, "buffer_frames", "%" PRIu64, plain->buffer);
	plain->gap_octets = one_in(2) ? 12 : 8 + draw(40);
	set(made, "gap_octets", "%" PRIu64, plain->gap_octets);
	if (one_in(3)) {
		plain->fps = 5000000 + draw(200000000);
		set(made, "forwarding_fps", "%" PRIu64, plain->fps);
	}
	if (one_in(2)) {
		const uint64_t lookup_ns = 1 + draw(one_in(2) ? 100 : 3000);

		plain->first_lookup_ot = (lookup_ns * 25 + 1) / 2;
		set(made, "first_lookup_ns", "%" PRIu64, lookup_ns);
	}
	made->errors = draw(12);
	made->gap_ot = one_in(2) ? 8 : one_in(2) ? 200 : 3000;
	make_lists(made);
	add_filters(made);
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

/* -- random frames ------------------------------------------------------------------------------------------------- */

static void make_arp(const struct made *made, unsigned port, uint64_t station, uint8_t *header)
{
	if (!one_in(5))
		memset(header, 0xff, 6);
	memcpy(header + 12, (uint8_t[]){8, 6, 0, 1, 8, 0, 6, 4, 0, (uint8_t)(1 + draw(2))}, 10);
	memcpy(header + 22, header + 6, 6);
	header[27] ^= (uint8_t)(one_in(6) ? draw(3) : 0);
	put_ipv4(header + 28, port, 2 + station);
	put_ipv4(header + 38, one_in(6) ? draw(made->plain.ports) : port, one_in(8) ? 2 : 1);
}

static void make_ipv4(const struct made *made, unsigned port, uint64_t station, uint8_t *header)
{
	const unsigned words = one_in(6) ? 5 + (unsigned)draw(11) : 5;

	memcpy(header + 12, (uint8_t[]){8, 0, (uint8_t)(0x40 + words), 0, 0, 46}, 6);
	put_be16(header + 16, one_in(8) ? (uint32_t)draw(120) : 46 + (words > 11) * 20);
	header[22] = (uint8_t)(one_in(6) ? draw(3) : draw(256));
	header[23] = 17;
	put_ipv4(header + 26, port, 2 + station);
	put_ipv4(header + 30, draw(made->plain.ports), one_in(10) ? (one_in(2) ? 255 : 1) : 2 + draw(STATIONS));
	if (one_in(5))
		memcpy(header + 30, (uint8_t[]){10, (uint8_t)draw(4), 0, 9}, 4);
	if (one_in(12))
		header[26 + 4 * draw(2)] = (uint8_t)draw(256);
	if (one_in(30))
		memcpy(header + 30, (uint8_t[]){169, 254}, 2);
	put_be16(header + 24, ~internet_sum(header + 14, 4 * words, 0));
	if (one_in(40))
		memset(header + 24, 0xff, 2);
}

static void make_ipv6(const struct made *made, unsigned port, uint64_t station, uint8_t *header)
{
	memcpy(header + 12, (uint8_t[]){0x86, 0xdd, 0x60, 0, 0, 0, 0, 6, 17, 64}, 10);
	if (one_in(6))
		header[18 + draw(2)] = (uint8_t)draw(8);
	header[21] = (uint8_t)(one_in(6) ? draw(3) : draw(256));
	put_ipv6(header + 22, port, 2 + station);
	put_ipv6(header + 38, draw(made->plain.ports), 1 + draw(1 + STATIONS));
	if (one_in(10))
		header[22 + 16 * draw(2)] = (uint8_t)(one_in(2) ? 0xfe : draw(256));
	if (one_in(20))
		memset(header + 22 + 16 * draw(2), 0, 15);
}

static void make_solicitation(unsigned port, uint8_t *header)
{
	const uint8_t link_local[16] = {0xfe, 0x80, [9] = 0x52, 0x54, 0xff, 0xfe, 0, 0, (uint8_t)port};

	header[54] = 135;
	put_ipv6(header + 62, port, 1);
	if (one_in(5))
		memcpy(header + 62, link_local, 16);
	memcpy(header + 38, header + 62, 16);
	if (one_in(2)) {
		memset(header + 38, 0, 16);
		memcpy(header + 38, (uint8_t[]){0xff, 2}, 2);
		memcpy(header + 49, (uint8_t[]){1, 0xff}, 2);
		memcpy(header + 51, header + 75, 3);
		memcpy(header, (uint8_t[]){0x33, 0x33, header[50], header[51], header[52], header[53]}, 6);
	}
	if (one_in(4)) { /* the source is the unspecified address: without option, or wrongly with it */
		memset(header + 22, 0, 16);
		header[19] = one_in(4) ? 32 : 24;
	} else if (one_in(5)) {
		header[19] = 24;
	}
	header[78] = 1;
}

static void make_discovery(unsigned port, uint64_t station, uint8_t *header)
{
	memcpy(header + 12, (uint8_t[]){0x86, 0xdd, 0x60, 0, 0, 0, 0, 32, 58, 255}, 10);
	put_ipv6(header + 22, port, 2 + station);
	put_ipv6(header + 38, port, 1);
	header[79] = 1;
	memcpy(header + 80, header + 6, 6);
	header[85] ^= (uint8_t)(one_in(6) ? draw(3) : 0);
	if (one_in(2)) {
		make_solicitation(port, header);
	} else {
		header[54] = 136;
		header[58] = (uint8_t)(draw(8) << 5);
		put_ipv6(header + 62, port, 2 + station);
		header[78] = 2;
	}
	if (one_in(25))
		header[(const uint8_t[]){19, 21, 55, 58, 62, 78, 79, 80}[draw(8)]] = (uint8_t)draw(256);
	put_be16(header + 56, ~internet_sum(header + 54, header[19], internet_sum(header + 22, 32, header[19] + 58u)));
}

static void make_frame(const struct made *made, unsigned port, struct plain_router_frame *frame)
{
	const uint64_t station = draw(STATIONS);
	uint8_t *header = frame->header;

	memcpy(header, (uint8_t[]){0x02, 0x52, 0x54, 0, 0, (uint8_t)port}, 6);
	memcpy(header + 6, (uint8_t[]){0x02, 0, 0, 0, (uint8_t)port, (uint8_t)station}, 6);
	frame->octets = one_in(2) ? 64 : 64 + draw(300);
	switch (draw(8)) {
	case 0:
		make_arp(made, port, station, header);
		break;
	case 1:
		frame->octets = 90 + draw(40);
		make_discovery(port, station, header);
		break;
	case 2:
	case 3:
		make_ipv6(made, port, station, header);
		break;
	default:
		make_ipv4(made, port, station, header);
	}
	if (draw(100) < made->errors)
		header[draw(30)] ^= (uint8_t)(1 << draw(8));
	if (draw(100) < made->errors)
		frame->octets = one_in(2) ? 1 + draw(63) : 9200 + draw(7000);
	frame->bad_fcs = draw(100) < made->errors;
}

/* Makes a legal line at each port: starts on groups, 12 apart on average at least. */
static size_t make_frames(const struct made *made, struct plain_router_frame *in)
{
	const uint64_t at_most = PLAIN_ROUTER_FRAMES / made->plain.ports;
	size_t count = 0;

	for (unsigned port = 0; port < made->plain.ports; port++) {
		const uint64_t frames = draw(at_most < MOST_FRAMES ? at_most : MOST_FRAMES);
		uint64_t line_ot = draw(2000);

		for (uint64_t i = 0; i < frames; i++) {
			struct plain_router_frame *frame = &in[count++];

			*frame = (struct plain_router_frame){.port = port, .id = i, .from = port};
			frame->start_ot = line_ot / 8 * 8;
			make_frame(made, port, frame);
			line_ot += frame->octets + 20 + (one_in(3) ? draw(2 * made->gap_ot) : 0);
		}
	}
	return count;
}

/* -- playing ------------------------------------------------------------------------------------------------------- */

static struct {
	struct plain_router_frame frames[PLAIN_ROUTER_PORTS][PLAIN_ROUTER_OUT / 4];
	size_t count[PLAIN_ROUTER_PORTS];
	uint64_t none_before_ot, none_below_id[PLAIN_ROUTER_PORTS];
} given;

static const struct plain_router_frame *sent(const struct plain_router_frame *in, size_t count,
                                             const struct dut_frame *frame)
{
	for (size_t i = 0; i < count; i++)
		if (in[i].port == frame->from && in[i].id == frame->id)
			return &in[i];
	cr_assert(false, "a frame that did not come in");
	return NULL;
}

/* Notes a frame, and its octets as they leave, for which the caller need not ask. */
static void note(struct dut_device *device, const struct made *made, unsigned port, const struct dut_frame *out,
                 const struct plain_router_frame *in, size_t count)
{
	struct plain_router_frame *to = &given.frames[port][given.count[port]++];

	cr_assert(out->start_ot >= given.none_before_ot, "%s", made->text);
	*to = (struct plain_router_frame){
	        .port = port, .start_ot = out->start_ot, .id = out->id, .from = out->from, .octets = out->octets};
	if (out->flags & DUT_FRAME_OWN) {
		dut_device_own(device, port, out, to->header);
		return;
	}
	cr_assert(out->id >= given.none_below_id[out->from], "%s", made->text);
	memcpy(to->header, sent(in, count, out)->header, sizeof(to->header));
	if (out->flags & DUT_FRAME_REWRITTEN && !one_in(10))
		dut_device_rewrite(device, port, out, to->header);
	else
		to->bad_fcs = true; /* not compared */
}

static void take_all(struct dut_device *device, const struct made *made, const struct plain_router_frame *in,
                     size_t count)
{
	for (unsigned port = 0; port < made->plain.ports; port++) {
		const size_t room = 1 + draw(64);
		struct dut_frame out[64];
		size_t got;

		do {
			got = dut_device_take(device, port, out, room);
			cr_assert(got <= room && given.count[port] + got <= PLAIN_ROUTER_OUT / 4, "%s", made->text);
			for (size_t i = 0; i < got; i++)
				note(device, made, port, &out[i], in, count);
		} while (got == room);
	}
}

static bool put_until(struct dut_device *device, const struct plain_router_frame *in, size_t count, uint64_t known_ot,
                      bool *done)
{
	bool any = false;

	for (size_t port = PLAIN_ROUTER_PORTS; port-- > 0;) {
		const uint64_t ahead_ot = known_ot < UINT64_MAX / 2 && one_in(4) ? draw(20000) : 0;

		for (size_t i = 0; i < count; i++) {
			const struct dut_frame arrived = {.start_ot = in[i].start_ot,
			                                  .id = in[i].id,
			                                  .octets = (uint32_t)in[i].octets,
			                                  .flags = in[i].bad_fcs ? DUT_FRAME_BAD_FCS : 0};

			if (in[i].port != port || done[i] || dut_frame_end_ot(&arrived) >= known_ot + ahead_ot)
				continue;
			dut_device_put(device, (unsigned)port, &arrived, in[i].header);
			done[i] = any = true;
		}
	}
	return any;
}

static void note_oldest(struct dut_device *device, const struct made *made, const struct plain_router_frame *in,
                        size_t count, const bool *done)
{
	for (unsigned port = 0; port < made->plain.ports; port++) {
		uint64_t next = 0;

		for (size_t i = 0; i < count; i++)
			next += in[i].port == port && done[i];
		given.none_below_id[port] = dut_device_oldest_id(device, port);
		if (given.none_below_id[port] > next)
			given.none_below_id[port] = next;
	}
}

static void play(struct dut_device *device, const struct made *made, const struct plain_router_frame *in, size_t count)
{
	static bool done[PLAIN_ROUTER_FRAMES];
	const uint64_t mean_ot = one_in(3) ? 200 : one_in(2) ? 3000 : 100000;
	uint64_t known_ot = 0, end_ot = 0;

	memset(given.count, 0, sizeof(given.count));
	memset(given.none_below_id, 0, sizeof(given.none_below_id));
	given.none_before_ot = 0;
	memset(done, 0, sizeof(done));
	for (size_t i = 0; i < count; i++)
		end_ot = in[i].start_ot > end_ot ? in[i].start_ot : end_ot;
	while (known_ot < UINT64_MAX) {
		const uint64_t quiet_ot = dut_device_quiet_until(device);

		known_ot = known_ot > end_ot ? UINT64_MAX : known_ot + draw(2 * mean_ot);
		if (!put_until(device, in, count, known_ot, done) && quiet_ot > given.none_before_ot)
			given.none_before_ot = quiet_ot;
		dut_device_known(device, known_ot);
		take_all(device, made, in, count);
		given.none_before_ot = known_ot;
		note_oldest(device, made, in, count, done);
	}
	cr_assert(dut_device_quiet_until(device) == UINT64_MAX && !device->failed, "%s", made->text);
}

static void compare(const struct made *made, const struct plain_router_frame *expected, size_t count)
{
	size_t at = 0;

	for (unsigned port = 0; port < made->plain.ports; port++) {
		for (size_t i = 0; i < given.count[port]; i++, at++) {
			const struct plain_router_frame *a = &expected[at], *b = &given.frames[port][i];

			cr_assert(at < count && a->port == port, "%s: more frames at port %u", made->text, port);
			cr_assert(a->start_ot == b->start_ot && a->id == b->id && a->octets == b->octets &&
			                  a->from == b->from,
			          "%s: port %u, frame %zu: number %" PRIu64 " from %" PRIu64 " at %" PRIu64
			          ", not number %" PRIu64 " from %" PRIu64 " at %" PRIu64,
			          made->text, port, i, b->id, b->from, b->start_ot, a->id, a->from, a->start_ot);
			for (unsigned k = 0; k < PLAIN_ROUTER_OCTETS && !b->bad_fcs; k++)
				cr_assert(a->header[k] == b->header[k],
				          "%s: port %u, frame %zu: octet %u is %02x, not %02x", made->text, port, i, k,
				          b->header[k], a->header[k]);
		}
		cr_assert(at == count || expected[at].port > port, "%s: fewer frames at port %u", made->text, port);
	}
}

static void check_counts(const struct plain_router_counts *n)
{
	const uint64_t counts[] = {n->errors,      n->not_for_us,     n->other,          n->wrong_header,
	                           n->old,         n->martians,       n->ours,           n->no_route,
	                           n->asked,       n->solicited,      n->answered,       n->advertised,
	                           n->learned,     n->changed,        n->refused_change, n->waited,
	                           n->expired,     n->displaced,      n->table_full,     n->lost,
	                           n->by_next_hop, n->forwarded_ipv4, n->forwarded_ipv6, n->directed_broadcasts,
	                           n->blocked,     n->permitted,      n->looked_up};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		cr_expect(counts[i] > 50, "count %zu is %" PRIu64 ": this proves little", i, counts[i]);
}

Test(router, does_what_the_plain_one_does_octet_by_octet_however_frames_and_promises_are_cut_into_calls)
{
	static struct plain_router_frame in[PLAIN_ROUTER_FRAMES], expected[PLAIN_ROUTER_OUT];
	static struct made made;
	struct plain_router_counts counts = {0};

	seed = 88172645463325252u;
	printf("seed %" PRIu64 "\n", seed);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct dut_device *device;
		size_t frames, count;

		make(&made);
		frames = make_frames(&made, in);
		count = plain_router_play(&made.plain, in, frames, expected, &counts);
		device = open_made(&made);
		play(device, &made, in, frames);
		compare(&made, expected, count);
		dut_device_destroy(device);
	}
	check_counts(&counts);
}

/* -- truth --------------------------------------------------------------------------------------------------------- */

static void put_at(struct dut_device *device, unsigned port, uint64_t id, uint64_t start_ot, uint32_t octets,
                   const uint8_t *header)
{
	const struct dut_frame frame = {.start_ot = start_ot, .id = id, .octets = octets};

	dut_device_put(device, port, &frame, header);
}

/* Returns how many of a burst at the minimum gap arrive at port 1, whose station the router knows; the latency of the
 * first. */
static uint64_t pass_burst(const struct made *made, uint64_t frames, uint32_t octets, uint64_t *latency_ot)
{
	static const uint8_t tells[DUT_HEADER_OCTETS] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 1,   0,  8, 6,
	                                                 0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,   0,  1, 0,
	                                                 198,  19,   1,    2,    0,    0,    0, 0, 0, 0, 198, 19, 1, 1};
	const uint64_t begin_ot = 100000000;
	struct dut_device *device = open_made(made);
	uint8_t header[DUT_HEADER_OCTETS] = {0x02, 0x52, 0x54, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, 0, 0x45, 0, 0, 46};
	struct dut_frame out[64];
	uint64_t arrived = 0;
	size_t got;

	header[22] = 64;
	put_ipv4(header + 26, 0, 2);
	put_ipv4(header + 30, 1, 2);
	put_be16(header + 24, ~internet_sum(header + 14, 20, 0));
	put_at(device, 1, 0, 0, 64, tells);
	for (uint64_t i = 0; i < frames; i++)
		put_at(device, 0, i, begin_ot + i * (octets + 20) / 8 * 8, octets, header);
	dut_device_known(device, UINT64_MAX);
	do {
		got = dut_device_take(device, 1, out, 64);
		for (size_t i = 0; i < got; i++) {
			if (out[i].flags & DUT_FRAME_OWN) /* the answer */
				continue;
			arrived++;
			*latency_ot = out[i].id == 0 ? out[i].start_ot - begin_ot : *latency_ot;
		}
	} while (got == 64);
	dut_device_destroy(device);
	return arrived;
}

Test(router, passes_the_longest_burst_that_it_states_and_loses_of_one_frame_more)
{
	unsigned limited = 0;

	seed = 1181783497276652981u;
	for (unsigned round = 0; round < 100; round++) {
		static struct made made;
		const uint32_t octets = 64 + (uint32_t)draw(one_in(2) ? 1 : 1455);
		const struct dut_load load = {.frame_octets = octets, .senders = 1, .receivers = 1};
		struct fpgauge_sim_truth truth;
		struct dut_device *device;
		uint64_t latency_ot = 0, burst;

		memset(&made, 0, sizeof(made));
		made.plain.ports = 2;
		snprintf(made.text, sizeof(made.text), "%u octets ", octets);
		set(&made, "model", "router");
		set(&made, "buffer_frames", "%" PRIu64, 1 + draw(one_in(3) ? 2 : 60));
		set(&made, "latency_ns", "%" PRIu64, draw(3000));
		set(&made, "gap_octets", "%" PRIu64, 8 + draw(30));
		if (one_in(2))
			set(&made, "forwarding_fps", "%" PRIu64, 1000000 + draw(20000000));
		device = open_made(&made);
		dut_device_truth(device, &load, &truth);
		dut_device_destroy(device);
		cr_assert(strcmp(truth.model, "router") == 0);
		burst = truth.longest_burst_frames;
		if (burst > 5000) {
			cr_expect(pass_burst(&made, 5000, octets, &latency_ot) == 5000, "%s", made.text);
		} else {
			limited++;
			cr_expect(pass_burst(&made, burst, octets, &latency_ot) == burst, "%s: %" PRIu64, made.text,
			          burst);
			cr_expect(pass_burst(&made, burst + 1, octets, &latency_ot) == burst, "%s: %" PRIu64, made.text,
			          burst);
		}
		cr_expect(latency_ot == truth.latency_ot, "%s: %" PRIu64 " against %" PRIu64, made.text, latency_ot,
		          truth.latency_ot);
	}
	cr_expect(limited > 30, "%u settings with a burst", limited);
}

/* -- refusals ------------------------------------------------------------------------------------------------------ */

Test(router, names_the_setting_and_the_entry_that_it_refuses)
{
	static const struct {
		struct fpgauge_sim_option option;
		const char *error;
	} cases[] = {
	        {{"dut.addresses", "0 198.18.1.1/33"}, "\"0 198.18.1.1/33\": must be a port and its address"},
	        {{"dut.addresses", "0 198.18.1.1/24, 2 198.19.1.1/24"}, "\"2 198.19.1.1/24\": there is no such port"},
	        {{"dut.addresses", "0 198.18.1.1/24, 1 198.18.1.2/24"}, "\"1 198.18.1.2/24\": a network twice"},
	        {{"dut.addresses", "0 127.0.0.1/8"}, "\"0 127.0.0.1/8\": not the address of a host"},
	        {{"dut.networks", "10.0.0.0/8"}, "\"10.0.0.0/8\": must be a network and its next hop"},
	        {{"dut.networks", "10.0.0.1/8 198.18.1.2"}, "\"10.0.0.1/8 198.18.1.2\": bits of the network are set"},
	        {{"dut.networks", "10.0.0.0/8 192.0.2.1"},
	         "\"10.0.0.0/8 192.0.2.1\": the next hop is no other station"},
	        {{"dut.networks", "10.0.0.0/8 2001:2:0:1::2"},
	         "\"10.0.0.0/8 2001:2:0:1::2\": a network and a next hop of different versions"},
	        {{"dut.filters", "block 198.18.1.2"}, "\"block 198.18.1.2\": must be as in"},
	        {{"dut.filters", "forward 198.18.1.2 to 198.19.1.2, block 198.18.1.2 to 2001:2::1"},
	         "\"block 198.18.1.2 to 2001:2::1\": must be as in"},
	        {{"dut.filters", "block all else, forward 198.18.1.2 to 198.19.1.2"},
	         "\"block all else\": must be as in"},
	        {{"dut.ask_every", "1"}, "1"},
	        {{"dut.ageing", "300s"}, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fpgauge_sim_option given_options[] = {{"dut.model", "router"}, cases[i].option};
		const char *bad = NULL;
		char error[256] = "";
		const struct sim_options options = {given_options, 2, &bad, error, sizeof(error)};
		struct dut_device *device = NULL;

		cr_expect(dut_device_create(&options, NULL, 0, LINK_BPS, 2, &device) != 0, "%s", cases[i].option.value);
		cr_expect(bad != NULL && strcmp(bad, cases[i].option.name) == 0 &&
		                  strncmp(error, cases[i].error, strlen(cases[i].error)) == 0,
		          "%s: %s", bad != NULL ? bad : "", error);
	}
}
