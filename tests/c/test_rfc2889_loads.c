/* SPDX-License-Identifier: Apache-2.0 */
/* Order of transmission and offered loads of RFC 2889: the tables of sections 5.1.3 and 5.4.3 to the frame, and the
 * example of appendix A. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>

#include "host/bench/offered_load.h"
#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/bench/rfc2889/two_devices.h"
#include "host/traffic/traffic.h"

static const struct traffic_limits ANY = {.flows = 256, .bodies = 256, .least_octets = 64, .most_octets = 9216};

static struct traffic traffic_of(enum traffic_pattern pattern, unsigned ports, unsigned addresses)
{
	struct traffic_shape shape = traffic_shape_plain(64);
	struct traffic traffic;
	struct error error = {0};

	shape.pattern = pattern;
	shape.bidirectional = pattern == TRAFFIC_MESH;
	shape.addresses = addresses;
	cr_assert_eq(traffic_build(&shape, ports, &ANY, &traffic, &error), 0, "%s", error.text);
	return traffic;
}

/* Returns where frame n of a port goes. */
static unsigned destination(const struct traffic *traffic, unsigned port, unsigned n)
{
	const struct traffic_port *from = &traffic->port[port];

	cr_assert_eq(from->order, TRAFFIC_IN_TURN);
	return (unsigned)__builtin_ctz(from->flow[n % from->ordered].arrives);
}

Test(rfc2889_loads, six_ports_of_a_mesh_send_in_the_order_of_the_table_of_5_1_3)
{
	/* The table, whose ports count from 1. */
	static const unsigned TABLE[6][6] = {{2, 3, 4, 5, 6, 2}, {3, 4, 5, 6, 1, 3}, {4, 5, 6, 1, 2, 4},
	                                     {5, 6, 1, 2, 3, 5}, {6, 1, 2, 3, 4, 6}, {1, 2, 3, 4, 5, 1}};

	for (unsigned addresses = 1; addresses <= 4; addresses *= 2) {
		struct traffic traffic = traffic_of(TRAFFIC_MESH, 6, addresses);

		for (unsigned port = 0; port < 6; port++)
			for (unsigned n = 0; n < 6; n++)
				cr_assert_eq(destination(&traffic, port, n) + 1, TABLE[port][n], "port %u frame %u",
				             port + 1, n);
		traffic_free(&traffic);
	}
}

Test(rfc2889_loads, eight_ports_of_a_unidirectional_mesh_send_in_the_order_of_the_table_of_5_4_3)
{
	static const unsigned TABLE[4][6] = {
	        {5, 6, 7, 8, 5, 6}, {6, 7, 8, 5, 6, 7}, {7, 8, 5, 6, 7, 8}, {8, 5, 6, 7, 8, 5}};
	struct traffic traffic = traffic_of(TRAFFIC_UNIDIRECTIONAL_MESH, 8, 1);

	for (unsigned port = 0; port < 4; port++)
		for (unsigned n = 0; n < 6; n++)
			cr_assert_eq(destination(&traffic, port, n) + 1, TABLE[port][n]);
	for (unsigned port = 4; port < 8; port++)
		cr_assert_not(traffic_sends(&traffic, port));
	traffic_free(&traffic);
}

Test(rfc2889_loads, ports_of_two_devices_send_to_the_other_one_only_and_never_two_to_the_same_at_once)
{
	for (unsigned ports = 2; ports <= TRAFFIC_MAX_PORTS; ports++)
		for (unsigned first = 1; first < ports; first++) {
			struct traffic traffic = traffic_of(TRAFFIC_MESH, ports, 2);

			two_devices_remote_only(&traffic, first);
			for (unsigned port = 0; port < ports; port++) {
				const bool at_first = port < first;
				const unsigned peers = at_first ? ports - first : first;
				const unsigned begin = at_first ? first : 0, own = at_first ? port : port - first;

				cr_assert_eq(traffic.port[port].ordered, 2 * peers);
				for (unsigned n = 0; n < 3 * peers; n++)
					cr_assert_eq(destination(&traffic, port, n), begin + (own + n) % peers,
					             "%u + %u ports, port %u, frame %u", first, ports - first, port, n);
			}
			traffic_free(&traffic);
		}
}

/* Loads are in parts of line rate. */
Test(rfc2889_loads, receiving_ports_can_be_sent_no_more_than_line_rate)
{
	struct traffic mesh = traffic_of(TRAFFIC_MESH, 7, 1), one = traffic_of(TRAFFIC_ONE_TO_MANY, 7, 1);
	struct traffic many = traffic_of(TRAFFIC_MANY_TO_ONE, 7, 1), devices = traffic_of(TRAFFIC_MESH, 7, 1);

	two_devices_remote_only(&devices, 2); /* 5 ports to 2, and 2 to 5 */
	cr_assert_float_eq(rfc2889_shares(&mesh).offered, 7, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&mesh).receivable, 7, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&one).offered, 1, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&one).receivable, 1, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&many).offered, 6, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&many).receivable, 1, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&devices).offered, 7, 1e-9);
	cr_assert_float_eq(rfc2889_shares(&devices).receivable, 4, 1e-9);
	traffic_free(&mesh);
	traffic_free(&one);
	traffic_free(&many);
	traffic_free(&devices);
}

/* LENGTH 64, BURST 24, SPEED 10 Mb/s, DURATION 10 s: TXTIME = 1603.2 us; and with IBG = 1612.8 us, #OFBURSTS = 3110. */
Test(rfc2889_loads, the_example_of_appendix_a_comes_out)
{
	const uint64_t link_bps = 10000000;
	const struct rate line = rate_max_theoretical(link_bps, 64);
	const struct burst_load half = burst_load_of(24, line, rate_scale(line, 1, 2), link_bps);
	struct burst_load example = burst_load_of(24, line, line, link_bps);

	cr_assert_float_eq(1e6 * seconds_from_octet_times(example.tx_octets, link_bps), 1603.2, 1e-9);
	cr_assert_eq(example.gap_octets, 12, "the formula of A.1 at a load of 100%%: its IFG");
	cr_assert_float_eq(1e6 * seconds_from_octet_times(half.gap_octets - 12, link_bps), 1612.8, 1e-9,
	                   "the IBG of the example is that at 50%%, without the IFG");
	example.gap_octets = half.gap_octets - 12;
	cr_assert_eq(bursts_of_duration(&example, octet_times_from_ns(10 * NS_PER_S, link_bps)), 3110);
}

static uint64_t random_below(uint64_t *state, uint64_t end)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % end;
}

Test(rfc2889_loads, bursts_have_the_load_that_is_asked_for_on_average)
{
	uint64_t state = (uint64_t)(uintptr_t)&state ^ UINT64_C(0x9e3779b97f4a7c15);

	cr_log_info("seed %" PRIu64, state);
	for (unsigned i = 0; i < 10000; i++) {
		const uint64_t link_bps = UINT64_C(100000000000), frames = 1 + random_below(&state, 930);
		const uint32_t octets = 64 + (uint32_t)random_below(&state, 9153);
		const struct rate line = rate_max_theoretical(link_bps, octets);
		const uint64_t parts = 1 + random_below(&state, 100000);
		const struct rate load = rate_scale(line, parts, 100000);
		const struct burst_load bursts = burst_load_of(frames, line, load, link_bps);
		const double wanted = (double)frames / rate_fps(load) * (double)link_bps / 8;

		cr_assert_eq(bursts.tx_octets, frames * (octets + 20) - 12);
		cr_assert_geq((double)burst_period_octets(&bursts), wanted * (1 - 1e-12));
		cr_assert_lt((double)burst_period_octets(&bursts), wanted * (1 + 1e-12) + 1);
	}
}

/* Frame n begins at n periods, rounded down to a group of 8 octets, if that is before the end of the trial. */
Test(rfc2889_loads, exactly_the_frames_of_a_frame_based_load_begin_in_its_time)
{
	uint64_t state = (uint64_t)(uintptr_t)&state ^ UINT64_C(0x2545f4914f6cdd1d);

	cr_log_info("seed %" PRIu64, state);
	for (unsigned i = 0; i < 10000; i++) {
		const uint64_t link_bps = UINT64_C(100000000000);
		const struct rate line = rate_max_theoretical(link_bps, 64 + (uint32_t)random_below(&state, 9153));
		const struct rate load = rate_scale(line, 1 + random_below(&state, 1000), 1000);
		const uint64_t duration_ns = 1000 + random_below(&state, 30000000);
		const uint64_t frames = frames_of_duration(load, duration_ns);
		const uint64_t end_ot = duration_of_frames(frames, load, link_bps);
		const double period_ot = (double)link_bps / 8 / rate_fps(load);

		cr_assert_float_eq((double)frames, fmax(1, floor(rate_fps(load) * (double)duration_ns / 1e9 + 1e-7)),
		                   0.5);
		cr_assert_lt(floor((double)(frames - 1) * period_ot / 8 + 1e-7) * 8, (double)end_ot);
		cr_assert_geq(floor((double)frames * period_ot / 8 + 1e-7) * 8, (double)end_ot);
	}
}
