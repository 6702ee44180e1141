/* SPDX-License-Identifier: Apache-2.0 */
/* Random devices under test: every model of docs/dut-models.md, alone and in series, within the limits there. Times are
 * drawn so that a trial of some microseconds meets them. */
#include "tests/differential/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/differential/random.h"

enum { MODELS = 5, SAFE_CUT_THROUGH_NS = 1400 };

static bool chance(struct random *random, unsigned percent)
{
	return random_chance(random, percent);
}

static void option_number(struct script *script, const char *name, uint64_t value)
{
	script_option(script, name, "%" PRIu64, value);
}

/* Nanoseconds with decimals now and then: an octet time is 0.08 ns. */
static void option_ns(struct random *random, struct script *script, const char *name, uint64_t least, uint64_t most)
{
	const uint64_t value = least + random_spread(random, most - least);

	if (chance(random, 30))
		script_option(script, name, "%" PRIu64 ".%02" PRIu64, value, random_between(random, 0, 99));
	else
		option_number(script, name, value);
}

static void option_percent(struct random *random, struct script *script, const char *name, uint64_t most)
{
	if (chance(random, 50))
		script_option(script, name, "%" PRIu64 "%%", random_between(random, 1, most));
	else
		script_option(script, name, "%" PRIu64 ".%" PRIu64 "%%", random_between(random, 0, most - 1),
		              random_between(random, 1, 9));
}

static void service(struct random *random, struct script *script, bool *uses_overhead)
{
	switch (random_between(random, 0, 6)) {
	case 0:
		return;
	case 1:
	case 2:
		script_option(script, "dut.service_fps", "%" PRIu64 ".%03" PRIu64 "%%", random_between(random, 20, 130),
		              random_between(random, 0, 999));
		return;
	case 3:
		option_number(script, "dut.service_fps", random_between(random, 1000000, 200000000));
		return;
	case 4:
		*uses_overhead = true;
		script_option(script, "dut.service_bps", "%" PRIu64 "M", random_between(random, 5000, 120000));
		return;
	default:
		script_option(script, "dut.service_fps", "%" PRIu64 "M", random_between(random, 5, 150));
	}
}

static void server(struct random *random, struct script *script)
{
	const bool in_octets = chance(random, 20);
	bool uses_overhead = in_octets;

	if (in_octets)
		option_number(script, "dut.buffer_octets", random_between(random, 1200, 60000));
	else if (chance(random, 90))
		option_number(script, "dut.buffer_frames", 1 + random_spread(random, 63));
	service(random, script, &uses_overhead);
	if (uses_overhead && chance(random, 50))
		option_number(script, "dut.overhead_octets", random_spread(random, 1024));
	if (chance(random, 20)) {
		option_ns(random, script, "dut.latency_ns", SAFE_CUT_THROUGH_NS, 20000);
		script_option(script, "dut.forwarding", "cut_through");
	} else if (chance(random, 70)) {
		option_ns(random, script, "dut.latency_ns", 0, 20000);
	}
}

static void stalls(struct random *random, struct script *script)
{
	const uint64_t length_ns = 1 + random_spread(random, 4000);

	option_number(script, "dut.stall_ns", length_ns);
	switch (random_between(random, 0, 2)) {
	case 0:
		option_ns(random, script, "dut.stall_every_ns", length_ns + 1000, 40000);
		break;
	case 1:
		option_ns(random, script, "dut.stall_mean_ns", 1000, 40000);
		break;
	default: /* 1 ms: hardly ever within a trial */
		break;
	}
}

static void fault(struct random *random, struct script *script, const char *kind, uint64_t least)
{
	char name[40];

	if (chance(random, 50)) {
		snprintf(name, sizeof(name), "dut.%s_every", kind);
		option_number(script, name, least + random_spread(random, 100));
	} else {
		snprintf(name, sizeof(name), "dut.%s_probability", kind);
		option_percent(random, script, name, 40);
	}
}

static void faults(struct random *random, struct script *script)
{
	static const char *const kinds[] = {"drop", "duplicate", "reorder", "corrupt", "delay", "alter"};
	const uint64_t sure = random_between(random, 0, 5);

	for (unsigned i = 0; i < 6; i++) {
		if (i != sure && !chance(random, 30))
			continue;
		fault(random, script, kinds[i], strcmp(kinds[i], "reorder") == 0 ? 2 : 1);
		if (strcmp(kinds[i], "reorder") == 0 && chance(random, 80)) {
			/* often close to the 64 numbers that the sequence check looks back */
			option_number(script, "dut.reorder_frames",
			              chance(random, 75) ? random_between(random, 60, 75)
			                                 : 1 + random_spread(random, 120));
			option_ns(random, script, "dut.reorder_wait_ns", chance(random, 60) ? 5000 : 1, 20000);
		}
		if (strcmp(kinds[i], "delay") == 0 && chance(random, 80))
			option_ns(random, script, "dut.delay_ns", 1, 10000);
	}
}

static void dark(struct random *random, struct script *script)
{
	if (chance(random, 60)) /* otherwise on command only */
		option_ns(random, script, "dut.dark_at_ns", 0, 200000);
	option_ns(random, script, "dut.dark_for_ns", 20000, 60000);
}

/* Names the models in random order, separated by commas. */
static void name_models(struct random *random, struct script *script, const bool named[MODELS],
                        const char *const names[MODELS])
{
	const uint64_t first = random_between(random, 0, MODELS - 1);
	const bool backwards = chance(random, 50);
	char text[64] = "";

	for (unsigned i = 0; i < MODELS; i++) {
		const uint64_t model = (first + (backwards ? MODELS - i : i)) % MODELS;

		if (!named[model])
			continue;
		if (text[0] != '\0')
			strcat(text, chance(random, 50) ? "," : ", ");
		strcat(text, names[model]);
	}
	script_option(script, "dut.model", "%s", text);
}

void generate_dut(struct random *random, struct script *script)
{
	enum { SERVER, STALL, OVERLOAD, FAULTS, RESET };
	static const char *const with_fifo[MODELS] = {"fifo", "stall", "overload", "faults", "reset"};
	static const char *const with_wire[MODELS] = {"wire", "", "", "faults", "reset"};
	bool named[MODELS] = {false};
	const bool wire = chance(random, 15);

	if (chance(random, 2)) /* naming none gives a wire */
		return;
	named[SERVER] = wire || chance(random, 75);
	named[STALL] = !wire && chance(random, 25);
	named[OVERLOAD] = !wire && chance(random, 15);
	named[FAULTS] = chance(random, 40);
	named[RESET] = chance(random, 18);
	if (!named[STALL] && !named[OVERLOAD] && !named[FAULTS] && !named[RESET])
		named[SERVER] = true;
	name_models(random, script, named, wire ? with_wire : with_fifo);
	if (named[STALL])
		stalls(random, script);
	if (named[OVERLOAD] && chance(random, 70))
		option_percent(random, script, "dut.overload_service", 100);
	if (named[FAULTS])
		faults(random, script);
	if (named[RESET])
		dark(random, script);
	if ((named[STALL] || named[FAULTS]) && chance(random, 80))
		option_number(script, "dut.seed", random_spread(random, UINT64_MAX));
	if (wire)
		option_ns(random, script, "dut.latency_ns", 0, 20000);
	else if (named[SERVER] || named[STALL] || named[OVERLOAD])
		server(random, script);
}
