// SPDX-License-Identifier: Apache-2.0
/* DUTs with random models and settings. Limits are chosen so that everything happens within a few hundred frames. */
#include "tests/sim/random_dut.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/dut/random.h"
#include "sim/dut/stalls.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

uint64_t random_draw(uint64_t *seed, uint64_t below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed % below;
}

static bool one_in(uint64_t *seed, uint64_t n)
{
	return random_draw(seed, n) == 0;
}

__attribute__((format(printf, 3, 4))) static void set(struct random_dut *made, const char *name, const char *format,
                                                      ...)
{
	const size_t i = made->option_count++;
	va_list arguments;

	cr_assert(i < RANDOM_MAX_SETTINGS);
	snprintf(made->names[i], sizeof(made->names[i]), "dut.%s", name);
	va_start(arguments, format);
	vsnprintf(made->values[i], sizeof(made->values[i]), format, arguments);
	va_end(arguments);
	made->options[i] = (struct fpgauge_sim_option){made->names[i], made->values[i]};
	snprintf(made->text + strlen(made->text), sizeof(made->text) - strlen(made->text), "%s=%s ", name,
	         made->values[i]);
}

/* Nanoseconds to octet times, rounded up, at 100G. */
static uint64_t ot(uint64_t ns)
{
	return (ns * 25 + 1) / 2;
}

/* -- server ------------------------------------------------------------------------------------------------------- */

static void make_service(uint64_t *seed, struct random_dut *made, struct plain_server *server)
{
	const uint64_t n = 1 + random_draw(seed, 200000);

	switch (random_draw(seed, 4)) {
	case 0: /* percent of line rate, in thousandths */
		set(made, "service_fps", "%" PRIu64 ".%03" PRIu64 "%%", (n + 20000) / 1000, (n + 20000) % 1000);
		*server = (struct plain_server){
		        .numerator = 100000, .denominator = n + 20000, .per_octet = true, .overhead = 20};
		break;
	case 1: /* kfps: 10^11 / 8 / fps octet times */
		set(made, "service_fps", "%" PRIu64 "k", n + 10000);
		*server = (struct plain_server){.numerator = 12500000, .denominator = n + 10000};
		break;
	case 2: /* Mb/s */
		set(made, "service_bps", "%" PRIu64 "M", n + 10000);
		*server = (struct plain_server){.numerator = 100000, .denominator = n + 10000, .per_octet = true};
		break;
	default: /* all of it */
		*server = (struct plain_server){.numerator = 1, .denominator = 1, .per_octet = true, .overhead = 20};
	}
}

static void make_buffer(uint64_t *seed, struct random_dut *made, struct plain_server *server)
{
	const bool bits = strstr(made->text, "service_bps") != NULL;
	const uint32_t overhead = (uint32_t)random_draw(seed, 40);
	const bool counts = one_in(seed, 2);

	server->buffer = one_in(seed, 4) ? 1 : 1 + random_draw(seed, one_in(seed, 4) ? 300 : 40);
	server->in_octets = one_in(seed, 2);
	if (server->in_octets) {
		server->buffer = 64 + 40 + random_draw(seed, one_in(seed, 4) ? 40000 : 4000);
		set(made, "buffer_octets", "%" PRIu64, server->buffer);
	} else {
		set(made, "buffer_frames", "%" PRIu64, server->buffer);
	}
	/* The overhead of a service in frames or percent is separate from that of the buffer. */
	if (counts && (bits || server->in_octets)) {
		set(made, "overhead_octets", "%" PRIu32, overhead);
		server->buffer_overhead = overhead;
		if (bits)
			server->overhead = overhead;
	}
}

static void make_stalls(uint64_t *seed, struct random_dut *made, struct plain_server *server)
{
	const uint64_t length_ns = 1 + random_draw(seed, 3000), every_ns = 4000 + random_draw(seed, 4000);
	const bool at_random = one_in(seed, 2);
	struct stalls stalls;

	set(made, "stall_ns", "%" PRIu64, length_ns);
	set(made, at_random ? "stall_mean_ns" : "stall_every_ns", "%" PRIu64, every_ns);
	stalls_init(&stalls, ot(length_ns), ot(every_ns), at_random, random_state(7, 0, 2));
	server->stall_ot = ot(length_ns);
	for (server->stalls = 0; server->stalls < PLAIN_MAX_STALLS; server->stalls++) {
		server->stall_start_ot[server->stalls] = stalls.start_ot;
		stalls_next(&stalls);
	}
}

static void make_server(uint64_t *seed, struct random_dut *made, bool stall, bool overload)
{
	struct plain_server *server = &made->server;
	uint64_t latency_ns = random_draw(seed, 400);

	make_service(seed, made, server);
	make_buffer(seed, made, server);
	server->cut_through = one_in(seed, 3);
	if (server->cut_through) {
		latency_ns += 733;
		set(made, "forwarding", "cut_through");
	}
	set(made, "latency_ns", "%" PRIu64, latency_ns);
	server->latency_ot = ot(latency_ns);
	if (stall)
		make_stalls(seed, made, server);
	if (overload) {
		server->slow_percent = 1 + random_draw(seed, 100);
		set(made, "overload_service", "%" PRIu64 "%%", server->slow_percent);
	}
}

/* -- faults ------------------------------------------------------------------------------------------------------- */

static void make_fault(uint64_t *seed, struct random_dut *made, unsigned kind, bool without_draws)
{
	static const char *const names[PLAIN_FAULTS] = {"drop", "duplicate", "reorder", "corrupt", "delay", "alter"};
	char name[32];

	if (without_draws || one_in(seed, 2)) {
		made->faults.every[kind] = 2 + random_draw(seed, 9);
		snprintf(name, sizeof(name), "%s_every", names[kind]);
		set(made, name, "%" PRIu64, made->faults.every[kind]);
	} else {
		const uint64_t percent = 1 + random_draw(seed, 50);

		/* Draws up to share x 2^64 rounded up, minus one. */
		made->faults.limit[kind] = (uint64_t)((((uint128)percent << 64) + 99) / 100 - 1);
		made->faults.state[kind] = random_state(7, 0, 6 + kind);
		made->at_random = true;
		snprintf(name, sizeof(name), "%s_probability", names[kind]);
		set(made, name, "%" PRIu64 "%%", percent);
	}
}

static void make_faults(uint64_t *seed, struct random_dut *made, bool without_draws)
{
	const uint64_t which = 1 + random_draw(seed, (1 << PLAIN_FAULTS) - 1);
	const uint64_t wait_ns = 1 + random_draw(seed, one_in(seed, 2) ? 100 : 2000);
	const uint64_t delay_ns = 1 + random_draw(seed, 300);

	for (unsigned kind = 0; kind < PLAIN_FAULTS; kind++)
		if (which >> kind & 1)
			make_fault(seed, made, kind, without_draws);
	if (which >> 2 & 1) {
		made->faults.reorder_frames = 1 + random_draw(seed, 5);
		made->faults.wait_ot = ot(wait_ns);
		set(made, "reorder_frames", "%" PRIu64, made->faults.reorder_frames);
		set(made, "reorder_wait_ns", "%" PRIu64, wait_ns);
	}
	if (which >> 4 & 1) {
		made->faults.delay_ot = ot(delay_ns);
		set(made, "delay_ns", "%" PRIu64, delay_ns);
	}
}

/* -- all of it ---------------------------------------------------------------------------------------------------- */

static void add_name(char *list, const char *name)
{
	snprintf(list + strlen(list), 64 - strlen(list), "%s%s", *list ? ", " : "", name);
}

void random_dut_make(uint64_t *seed, bool without_draws, struct random_dut *made)
{
	const bool fifo = one_in(seed, 2), stall = one_in(seed, 4), overload = one_in(seed, 4);
	const bool server = fifo || stall || overload;
	const bool faults = !server || one_in(seed, 2), wire = !server && one_in(seed, 2), reset = one_in(seed, 4);
	const bool faults_first = one_in(seed, 2);
	const uint64_t wire_ns = random_draw(seed, 2000);
	char models[64] = "";

	memset(made, 0, sizeof(*made));
	made->dark_from_ot = made->dark_until_ot = UINT64_MAX;
	for (unsigned turn = 0; turn < 2; turn++) {
		if (faults && (turn == 0) == faults_first) {
			add_name(models, "faults");
			made->stages[made->stage_count++] = STAGE_FAULTS;
		}
		if (wire && (turn == 0) != faults_first) {
			add_name(models, "wire");
			made->stages[made->stage_count++] = STAGE_WIRE;
		}
		if (server && (turn == 0) != faults_first) {
			if (stall)
				add_name(models, "stall");
			if (fifo)
				add_name(models, "fifo");
			if (overload)
				add_name(models, "overload");
			made->stages[made->stage_count++] = STAGE_SERVER;
		}
	}
	if (reset)
		add_name(models, "reset");
	set(made, "model", "%s", models);
	if (server)
		make_server(seed, made, stall, overload);
	if (faults)
		make_faults(seed, made, without_draws);
	if (faults || stall)
		set(made, "seed", "7");
	if (wire) {
		set(made, "latency_ns", "%" PRIu64, wire_ns);
		made->wire_ot = dut_group_up(ot(wire_ns));
	}
	if (reset) {
		const uint64_t at_ns = random_draw(seed, 30000), for_ns = 20000 + random_draw(seed, 3000);

		set(made, "dark_at_ns", "%" PRIu64, at_ns);
		set(made, "dark_for_ns", "%" PRIu64, for_ns);
		made->dark_from_ot = ot(at_ns);
		made->dark_until_ot = ot(at_ns) + ot(for_ns);
	}
}

struct dut *random_dut_open(const struct random_dut *made)
{
	const char *bad_option;
	char error[256] = "";
	const struct sim_options options = {made->options, made->option_count, &bad_option, error, sizeof(error)};
	struct dut *dut = NULL;

	if (dut_create(&options, NULL, 0, LINK_BPS, &dut, 1) != 0)
		cr_log_error("%s\n%s", made->text, error);
	return dut;
}

struct dut_device *random_dut_open_device(const struct random_dut *made)
{
	const char *bad_option;
	char error[256] = "";
	const struct sim_options options = {made->options, made->option_count, &bad_option, error, sizeof(error)};
	struct dut_device *device = NULL;

	if (dut_device_create(&options, NULL, 0, LINK_BPS, 2, &device) != 0)
		cr_log_error("%s\n%s", made->text, error);
	return device;
}

/* Plays the stages one after another. */
static size_t play_stages(const struct random_dut *made, uint64_t *seen, const struct dut_frame *in, size_t count,
                          struct dut_frame *out)
{
	static struct dut_frame a[PLAIN_MAX_OUT], b[PLAIN_MAX_OUT];

	memcpy(a, in, count * sizeof(*in));
	for (size_t i = 0; i < made->stage_count; i++) {
		if (made->stages[i] == STAGE_WIRE) {
			count = plain_wire(made->wire_ot, a, count, b);
		} else if (made->stages[i] == STAGE_SERVER) {
			count = plain_server(&made->server, a, count, b);
		} else {
			struct plain_faults faults = made->faults;
			const size_t frames = count;

			faults.seen = *seen;
			count = plain_faults(&faults, a, frames, b);
			*seen += frames;
		}
		memcpy(a, b, count * sizeof(*a));
	}
	memcpy(out, a, count * sizeof(*a));
	return count;
}

size_t random_dut_plain(const struct random_dut *made, const struct dut_frame *in, size_t count, struct dut_frame *out)
{
	size_t before = 0, after, given;
	uint64_t seen = 0;

	while (before < count && in[before].start_ot + 8 + in[before].octets < made->dark_from_ot)
		before++;
	given = play_stages(made, &seen, in, before, out);
	while (given > 0 && out[given - 1].start_ot >= made->dark_from_ot)
		given--;
	for (after = before; after < count && in[after].start_ot < made->dark_until_ot;)
		after++;
	return given + play_stages(made, &seen, in + after, count - after, out + given);
}

size_t random_frames(uint64_t *seed, struct dut_frame *frames)
{
	const size_t count = 2 + random_draw(seed, PLAIN_MAX_FRAMES - 2);
	const uint64_t spread = one_in(seed, 3) ? 1 : 1 + random_draw(seed, 60);
	const bool one_size = one_in(seed, 2);
	uint64_t start_ot = 8 * random_draw(seed, 1000);
	uint32_t octets = (uint32_t)(64 + random_draw(seed, 80));

	for (size_t i = 0; i < count; i++) {
		if (!one_size)
			octets = one_in(seed, 20)   ? (uint32_t)(64 + random_draw(seed, 9153))
			         : one_in(seed, 40) ? (uint32_t)(1 + random_draw(seed, 63))
			                            : (uint32_t)(64 + random_draw(seed, 80));
		frames[i] = (struct dut_frame){.start_ot = start_ot, .id = i, .octets = octets};
		start_ot += dut_group_up(octets + 13) + 8 * random_draw(seed, spread);
	}
	return count;
}
