/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of several ports that send at once to one wait there for as long as all of them take on its line, and the
 * trial must wait for them: tests of RFC 8239, run on a tester that only looks at what it is asked for. */
#include <criterion/criterion.h>

#include "host/bench/bench.h"
#include "host/traffic/traffic.h"
#include "plan_files.h"

enum { PORTS = 5, LONGEST = 100 /* frames of a burst that lose none */ };

static const uint64_t LINK_BPS = UINT64_C(100000000000);
static struct device_identity identity = {
        .name = "observer", .ports = PORTS, .destinations = 256, .link_bps = LINK_BPS};
static unsigned asked, seen_senders;
static uint64_t drain_asked_ot; /* the plan's drain */

static unsigned senders_of(const struct trial_request *request)
{
	unsigned senders = 0;

	for (unsigned port = 0; port < PORTS; port++)
		senders += traffic_sends(request->traffic, port);
	return senders;
}

static int look(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                struct error *error)
{
	const unsigned senders = senders_of(request);
	const uint64_t frames = request->burst_frames;
	/* All frames are for one port, whose line takes 84 octet times for each; while they are sent, it takes its
	 * part. */
	const uint64_t queue_ot = (senders - 1) * frames * 84;

	(void)tester;
	(void)error;
	asked++;
	seen_senders |= 1u << senders;
	cr_expect(request->drain_ot >= drain_asked_ot + queue_ot,
	          "%u senders, bursts of %lu frames: drain %lu octet times, of which the queue takes %lu", senders,
	          (unsigned long)frames, (unsigned long)request->drain_ot, (unsigned long)queue_ot);
	*result = (struct trial_result){.valid = true, .ports = PORTS, .offered_frames = senders * frames};
	result->intended_frames = result->offered_frames;
	result->lost_frames = frames > LONGEST;
	result->received_frames = result->offered_frames - result->lost_frames;
	for (unsigned port = 0; port < PORTS; port++)
		result->port[port].sent = traffic_sends(request->traffic, port);
	return 0;
}

TestSuite(port_drains, .init = enter_plan_directory, .fini = leave_plan_directory);

Test(port_drains, of_microbursts_are_longer_by_the_bursts_of_all_senders)
{
	static const char PLAN[] = "device = { backend = \"sim\"; library = \"twin\"; };\n"
	                           "dut = { model = \"wire\"; };\n"
	                           "run = ( { test = \"rfc8239.microburst\"; frame_sizes = [64]; drain = \"1us\"; "
	                           "repetitions = 1; max_burst = \"1000 frames\"; } );\n";
	static const struct tester_ops OPS = {.run = look};
	struct tester tester = {.ops = &OPS, .info = {.device = &identity, .link_bps = LINK_BPS, .senders = PORTS}};
	struct bench_context context = {.tester = &tester, .results = json_array()};
	struct plan *plan = NULL;
	struct error error = {0};

	drain_asked_ot = 12500;
	write_octets("lab.cfg", PLAN, sizeof(PLAN) - 1);
	cr_assert_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), 0, "%s", error.text);
	cr_assert_eq(bench_run(&context, plan, &error), 0, "%s", error.text);
	cr_expect_eq(seen_senders, 1u << 4 | 1u << 3 | 1u << 2);
	cr_expect_eq(asked, 3 * 8, "64 and 128 frames, and six between them, for each number of senders: %u", asked);
	cr_expect(json_is_true(json_object_get(json_array_get(context.results, 0), "valid")));
	json_decref(context.results);
	plan_free(plan);
}
