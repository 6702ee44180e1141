/* SPDX-License-Identifier: Apache-2.0 */
/* Random devices under test. Limits are those of docs/dut-models.md; what is beyond them is another test's. */
#include "tests/differential/generate.h"

#include <inttypes.h>

static void latency(struct random *random, struct script *script)
{
	switch (random_between(random, 0, 4)) {
	case 0:
		return;
	case 1: /* whole words and groups, and beside them */
		script_option(script, "dut.latency_ns", "%" PRIu64 ".%02" PRIu64, random_between(random, 0, 99),
		              random_between(random, 0, 99));
		return;
	default:
		script_option(script, "dut.latency_ns", "%" PRIu64, random_spread(random, 20000));
	}
}

static void fifo(struct random *random, struct script *script)
{
	if (random_chance(random, 90))
		script_option(script, "dut.buffer_frames", "%" PRIu64, 1 + random_spread(random, 63));
	switch (random_between(random, 0, 5)) {
	case 0:
		break;
	case 1:
	case 2:
		script_option(script, "dut.service_fps", "%" PRIu64 ".%03" PRIu64 "%%", random_between(random, 20, 130),
		              random_between(random, 0, 999));
		break;
	case 3:
		script_option(script, "dut.service_fps", "%" PRIu64, random_between(random, 1000000, 200000000));
		break;
	default:
		script_option(script, "dut.service_fps", "%" PRIu64 "M", random_between(random, 5, 150));
	}
}

void generate_dut(struct random *random, struct script *script)
{
	if (random_chance(random, 15)) {
		if (random_chance(random, 50))
			script_option(script, "dut.model", "wire");
	} else {
		script_option(script, "dut.model", "fifo");
		fifo(random, script);
	}
	latency(random, script);
}
