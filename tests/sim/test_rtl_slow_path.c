/* SPDX-License-Identifier: Apache-2.0 */
/* The slow path on the simulated core, over a wire: while a trial runs, hosts of one port ask for hosts of the other,
 * and are answered. Each frame of the host takes the place of a test frame, and the trial is judged as if it had never
 * been there: valid, exact, and without loss. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/trial/device/host_queue.h"
#include "host/trial/device/registers.h"
#include "host/trial/device/steps.h"
#include "host/trial/device/tester.h"
#include "host/trial/judging/sum.h"
#include "host/trial/traffic.h"
#include "tests/seed.h"

enum {
	PORTS = 2,
	DURATION_OT = 1000003,
	STEP_OT = 16384,
	ROUNDS = 3,
	LAST_QUESTION_OT = 6 * DURATION_OT / 10,
	MOST_PERIOD_OT = 1400
};

static struct device *device;
static struct traffic traffic;
static struct device_steps steps;
static struct slow_path slow;
static struct trial_counters counters;
static struct trial_result result;
static struct error error;
static uint64_t asked[PORTS];
static bool named[PORTS]; /* the host that the port wants to hear of has said where it is, by a question of its own */

static void open_wire(void)
{
	static const struct device_option options[] = {{"dut.model", "wire"}, {"dut.latency_ns", "800"}};
	const char *library = getenv("FPGAUGE_TEST_LIBRARY"), *bad_option;
	const struct device_config config = {
	        .backend = "sim", .library = library != NULL ? library : "rtl", .options = options, .option_count = 2};

	cr_assert_eq(device_open(&config, &device, &bad_option, &error), 0, "%s", error.text);
	steps = (struct device_steps){.device = device, .slow = &slow};
}

static void close_wire(void)
{
	traffic_free(&traffic);
	device_close(device);
}

TestSuite(rtl_slow_path, .init = open_wire, .fini = close_wire);

static struct neighbour_address address_of(unsigned port, unsigned entry, bool is_ipv6)
{
	const struct test_host host = test_host_in(&slow.port[port].hosts.range, entry);
	struct neighbour_address address = {.is_ipv6 = is_ipv6};

	memcpy(address.ipv4, host.ipv4, IPV4_OCTETS);
	memcpy(address.ipv6, host.ipv6, IPV6_OCTETS);
	return address;
}

/* Some host of each port asks for one of the other once per round. Who asks says where it is (RFC 826; RFC 4861
 * 7.2.3). */
static void ask(unsigned port, unsigned entry, const struct neighbour_address wanted[PORTS])
{
	const struct neighbour_address asker = address_of(port, entry, wanted[port].is_ipv6);
	struct neighbour_frame frame;
	bool sent;

	neighbour_ask(&slow.port[port].hosts, entry, &wanted[port], &frame);
	cr_assert_eq(slow_path_send(&slow, device, port, &frame, &sent, &error), 0, "%s", error.text);
	asked[port] += sent;
	named[!port] |= sent && !memcmp(&asker, &wanted[!port], sizeof(asker));
}

/* Does what the tester does in a trial, with questions in between. */
static void run(const struct trial_request *request, const struct pacing *pacing, bool is_ipv6)
{
	const unsigned hosts = request->shape.addresses;
	struct neighbour_address wanted[PORTS];
	uint64_t passed_ot = 0, begin_ot, now_ot;

	memset(asked, 0, sizeof(asked));
	memset(named, 0, sizeof(named));
	slow_path_begin(&slow, device_identity(device), request, &traffic, pacing);
	for (unsigned port = 0; port < PORTS; port++) {
		wanted[port] = address_of(!port, (unsigned)rand() % hosts, is_ipv6);
		slow.port[port].wanted = &wanted[port];
	}
	cr_assert_eq(steps_program(&steps, &traffic, pacing, &error), 0, "%s", error.text);
	cr_assert_eq(steps_strobe(&steps, FPGAUGE_GLOBAL_CONTROL_START, &error), 0);
	cr_assert_eq(device_now(device, &begin_ot, &error), 0);
	for (; passed_ot < pacing->sending_ot; passed_ot += STEP_OT) {
		cr_assert_eq(device_wait(device, STEP_OT, &error), 0);
		cr_assert_eq(slow_path_serve(&slow, device, STEP_OT, &error), 0, "%s", error.text);
		cr_assert_eq(device_now(device, &now_ot, &error), 0); /* accesses take time too */
		for (unsigned port = 0; port < PORTS && now_ot - begin_ot < LAST_QUESTION_OT; port++)
			if (rand() % 4 == 0 && asked[port] < ROUNDS)
				ask(port, (unsigned)rand() % hosts, wanted);
	}
	cr_assert_eq(steps_drain(&steps, request, &error), 0, "%s", error.text);
	cr_assert_eq(registers_read_counters(device, &traffic, &counters, &error), 0, "%s", error.text);
	cr_assert_eq(slow_path_sent(&slow, device, counters.host_frames, &error), 0, "%s", error.text);
	cr_assert_eq(slow_path_finish(&slow, device, &counters, &error), 0, "%s", error.text);
	trial_judge(request, pacing, device_identity(device)->link_bps, &counters, &result);
	slow_path_report(&slow, &result);
}

/* Every question and every answer came through the wire, was counted as such, and cost the other frames nothing. */
static void expect_exact(bool is_ipv6, const char *what)
{
	static uint8_t mac[MAC_OCTETS] = {0x02, 'F', 'G'};

	cr_assert(result.valid, "%s: %s", what, result.why_invalid);
	for (unsigned port = 0; port < PORTS; port++) {
		const struct trial_port *at = &result.port[port];
		const uint64_t frames = asked[0] + asked[1]; /* one's own, and answers to the other's */

		cr_expect_eq(at->host_frames, frames, "%s: port %u sent %" PRIu64 ", not %" PRIu64, what, port,
		             at->host_frames, frames);
		cr_expect_eq(at->foreign[is_ipv6 ? FOREIGN_ND : FOREIGN_ARP], frames, "%s: port %u", what, port);
		cr_expect_eq(at->foreign_frames, frames, "%s: port %u", what, port);
		cr_expect_eq(at->foreign_unread_frames, 0, "%s: port %u", what, port);
		cr_expect_eq(counters.port[port].tx_frames, at->offered_frames + frames, "%s: port %u", what, port);
		mac[3] = !port;
		cr_expect_eq(slow.port[port].heard, asked[port] != 0 || named[port], "%s: port %u", what, port);
		if (slow.port[port].heard)
			cr_expect_arr_eq(slow.port[port].heard_mac, mac, 4, "%s: port %u", what, port);
	}
	cr_expect_eq(result.lost_frames, 0, "%s: %" PRIu64 " lost", what, result.lost_frames);
	cr_expect_eq(result.received_frames, result.offered_frames, "%s", what);
	cr_expect_gt(result.offered_frames, 0, "%s", what);
}

/* Makes a load up to the line, of more than 600 frames, so that 6 of the host are not too many. */
static struct trial_request load_of(const struct traffic_shape *shape, uint64_t period_ot)
{
	return (struct trial_request){.kind = TRIAL_LOAD,
	                              .shape = *shape,
	                              .traffic = &traffic,
	                              .gap_octets = 12,
	                              .load = {UINT64_C(12500000000), period_ot},
	                              .duration_ot = DURATION_OT,
	                              .drain_ot = 1000000};
}

static void try_shape(const struct traffic_shape *shape, uint64_t period_ot, const char *what)
{
	const struct trial_request request = load_of(shape, period_ot);
	struct pacing pacing;

	traffic_free(&traffic);
	cr_assert_eq(trial_traffic_of_shape(shape, device_identity(device), &traffic, &error), 0, "%s", error.text);
	cr_assert_eq(pacing_of_request(&request, device_identity(device)->link_bps, &pacing, &error), 0, "%s",
	             error.text);
	run(&request, &pacing, shape->frame == TRAFFIC_IPV6_UDP);
	expect_exact(shape->frame == TRAFFIC_IPV6_UDP, what);
}

static unsigned draw_seed(void)
{
	const unsigned seed = (unsigned)test_seed();

	srand(seed);
	return seed;
}

Test(rtl_slow_path, a_trial_in_which_hosts_ask_and_answer_is_exact)
{
	const unsigned seed = draw_seed();
	static const uint16_t PRIMES[] = {67, 89, 97, 127, 211, 509, 1021, 1301};
	char what[96];

	for (unsigned i = 0; i < 8; i++) {
		struct traffic_shape shape = traffic_shape_plain(PRIMES[i]);
		uint64_t period_ot = PRIMES[i] + 20u;

		shape.frame = i % 2 && PRIMES[i] > 84 ? TRAFFIC_IPV6_UDP : TRAFFIC_IPV4_UDP;
		shape.bidirectional = i % 4 != 2;
		shape.addresses = 1 + (unsigned)rand() % 255;
		if (i % 3)
			period_ot += (unsigned)rand() % (MOST_PERIOD_OT - period_ot);
		snprintf(what, sizeof(what), "seed %u, %u octets every %u, %u addresses", seed, PRIMES[i],
		         (unsigned)period_ot, shape.addresses);
		try_shape(&shape, period_ot, what);
	}
}

Test(rtl_slow_path, frames_of_several_lengths_in_a_vlan_keep_their_order)
{
	struct traffic_shape shape = traffic_shape_plain(0);

	draw_seed();
	shape.vlan = 77;
	shape.sizes = (struct traffic_sizes){.count = 3, .octets = {68, 1518, 571}};
	try_shape(&shape, 1518 + 20, "three lengths");
}

/* A place of a burst that is taken makes it another one. */
Test(rtl_slow_path, a_burst_of_which_a_place_was_taken_is_invalid)
{
	const struct traffic_shape shape = traffic_shape_plain(64);
	struct trial_request request = load_of(&shape, 0);
	struct pacing pacing;

	request.kind = TRIAL_BURST;
	request.burst_frames = 10007;
	cr_assert_eq(trial_traffic_of_shape(&shape, device_identity(device), &traffic, &error), 0, "%s", error.text);
	cr_assert_eq(pacing_of_request(&request, device_identity(device)->link_bps, &pacing, &error), 0, "%s",
	             error.text);
	draw_seed();
	do
		run(&request, &pacing, false);
	while (asked[0] == 0);
	cr_expect_not(result.valid);
	cr_expect_not_null(strstr(result.why_invalid, "port 0: "), "%s", result.why_invalid);
	cr_expect_not_null(strstr(result.why_invalid, "took places of the burst"), "%s", result.why_invalid);
	cr_expect_eq(result.lost_frames, 0, "and no test frame is missing");
}
