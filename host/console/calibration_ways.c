/* SPDX-License-Identifier: Apache-2.0 */
/* A port measures one minimum, maximum and mean of the latencies of all its senders, so from all of them the same is
 * subtracted: the mean of the ways. Where ways differ, that is wrong for each frame by up to their difference. */
#include "host/console/calibration_ways.h"

#include <math.h>

#include "host/traffic/pattern.h"

/* Latencies are refused rather than said wrong beyond this difference: 2 m of cable, and more than a load of a
 * bitstream shifts them by. */
static const double MOST_DIFFERENCE_NS = 10;

static bool sends(const struct traffic_shape *shape, unsigned ports, unsigned from, unsigned to)
{
	uint8_t peers[TRAFFIC_MAX_PORTS];
	const unsigned count = pattern_peers(shape->pattern, shape->bidirectional, ports, from, peers);

	for (unsigned i = 0; i < count; i++)
		if (peers[i] == to)
			return true;
	return false;
}

bool calibration_uses(const struct plan *plan, unsigned ports, unsigned from, unsigned to)
{
	for (size_t i = 0; i < plan->test_count; i++)
		if (sends(&plan->tests[i].shape, ports, from, to))
			return true;
	return false;
}

static int read_way(const json_t *way, double bps, struct latency_ways *ways, struct error *error)
{
	const json_t *from = json_object_get(way, "from_port"), *to = json_object_get(way, "to_port");
	const json_t *latency = json_object_get(way, "latency_ns");
	const double ot = json_number_value(latency) * 1e-9 * bps / 8;
	const long long a = json_integer_value(from), b = json_integer_value(to);

	if (!json_is_integer(from) || !json_is_integer(to) || a < 0 || b < 0 || a >= TRAFFIC_MAX_PORTS ||
	    b >= TRAFFIC_MAX_PORTS || !json_is_number(latency) || !(ot >= 0 && ot < 0x1p43))
		return error_set(error, ERROR_PLAN,
		                 "calibration of port %lld to port %lld: %g ns: must be two ports and a time", a, b,
		                 json_number_value(latency));
	ways->ot[a][b] = (uint64_t)llround(ot);
	return 0;
}

int calibration_ways(const json_t *record, struct latency_ways *ways, struct error *error)
{
	const double bps = json_number_value(json_object_get(record, "bits_per_second"));
	const json_t *list = json_object_get(record, "ports"), *way;
	int status = 0;
	size_t i;

	for (unsigned from = 0; from < TRAFFIC_MAX_PORTS; from++)
		for (unsigned to = 0; to < TRAFFIC_MAX_PORTS; to++)
			ways->ot[from][to] = LATENCY_WAY_UNKNOWN;
	json_array_foreach(list, i, way)
	{
		if (status == 0)
			status = read_way(way, bps, ways, error);
	}
	return status;
}

struct check {
	const struct plan_test *test;
	const struct device_identity *identity;
	const struct latency_ways *ways;
	const char *place;
};

static int complain_unknown(const struct check *check, unsigned from, unsigned to, struct error *error)
{
	return error_set(error, ERROR_PLAN,
	                 "%s: has no cable from port %u to port %u of %s, nor of both to themselves, and the %s test "
	                 "of line %u sends frames that way (traffic.pattern = \"%s\"): connect each port to itself "
	                 "and measure again (fpgauge selftest --external), or say calibration = \"none\"",
	                 check->place, from, to, check->identity->name, plan_test_name(check->test), check->test->line,
	                 TRAFFIC_PATTERN_NAMES[check->test->shape.pattern]);
}

static int complain_difference(const struct check *check, unsigned shortest, unsigned longest, unsigned to, double ns,
                               struct error *error)
{
	return error_set(error, ERROR_PLAN,
	                 "%s: the ways from ports %u and %u to port %u of %s differ by %.2f ns, and the %s test of "
	                 "line %u measures both together (traffic.pattern = \"%s\"): must be within %.0f ns; use "
	                 "cables of one length, or say calibration = \"none\"",
	                 check->place, shortest, longest, to, check->identity->name, ns, plan_test_name(check->test),
	                 check->test->line, TRAFFIC_PATTERN_NAMES[check->test->shape.pattern], MOST_DIFFERENCE_NS);
}

static int check_port(const struct check *check, unsigned to, struct error *error)
{
	const unsigned ports = check->identity->ports;
	unsigned shortest = ports, longest = ports;
	double ns;

	for (unsigned from = 0; from < ports; from++) {
		const uint64_t ot = check->ways->ot[from][to];

		if (!sends(&check->test->shape, ports, from, to))
			continue;
		if (ot == LATENCY_WAY_UNKNOWN)
			return complain_unknown(check, from, to, error);
		if (shortest == ports || ot < check->ways->ot[shortest][to])
			shortest = from;
		if (longest == ports || ot > check->ways->ot[longest][to])
			longest = from;
	}
	if (shortest == ports)
		return 0;
	ns = (double)(check->ways->ot[longest][to] - check->ways->ot[shortest][to]) * 8e9 /
	     (double)check->identity->link_bps;
	return ns > MOST_DIFFERENCE_NS ? complain_difference(check, shortest, longest, to, ns, error) : 0;
}

int calibration_ways_check(const struct plan *plan, const struct device_identity *identity,
                           const struct latency_ways *ways, const char *place, struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < plan->test_count; i++)
		for (unsigned to = 0; to < identity->ports && status == 0; to++)
			status = check_port(&(struct check){&plan->tests[i], identity, ways, place}, to, error);
	return status;
}
