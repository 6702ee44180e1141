/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a test of TCP incast. */
#include "host/bench/rfc8239/incast_keys.h"

#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"
#include "host/trial/tester.h"

#define SETTINGS struct incast_settings

enum { MOST_WINDOW_FIELD = 65535 };

static const struct plan_key KEYS[] = {
        {.name = "connections",
         .value = COUNT(connections),
         .ranges = {{"1", "64"}},
         .unit = "connections",
         .default_text = "1",
         .doc = "TCP connections of each stateful port to the egress port, which has room for 64 of all ports."},
        {.name = "mss",
         .value = COUNT(mss),
         .ranges = {{"88", "9000"}},
         .unit = "octets",
         .default_text = "1460",
         .doc = "Octets of the stream in a segment at most (RFC 9293 section 3.7.1). With IPv4, less than 690 "
                "are refused, as a port does not take more segments a second; less than 1138 depend on how many "
                "acknowledgements come, and check says so."},
        {.name = "window",
         .value = COUNT(window),
         .ranges = {{"1", "1073725440"}},
         .unit = "octets",
         .default_text = "8388480",
         .doc = "Receive window: a multiple of 2^window_scale, and at most 65535 times that."},
        {.name = "window_scale",
         .value = COUNT(window_scale),
         .ranges = {{"0", "14"}},
         .unit = "bits",
         .default_text = "7",
         .doc = "Shift of the window scale option (RFC 7323 section 2.2)."},
        {.name = "initial_window",
         .value = COUNT(initial_window),
         .ranges = {{"0", "15"}},
         .unit = "segments",
         .default_text = "10",
         .doc = "Initial congestion window (RFC 6928); 0: that of RFC 5681 section 3.1."},
        {.name = "ack_every",
         .value = COUNT(ack_every),
         .ranges = {{"1", "2"}},
         .unit = "segments",
         .default_text = "2",
         .doc = "Segments per acknowledgement; 2: delayed acknowledgements (RFC 5681 section 4.2)."},
        {.name = "ack_delay",
         .value = TIME(ack_delay_ns),
         .ranges = {{"1us", "500ms"}},
         .default_text = "40ms",
         .doc = "After which an acknowledgement is sent at the latest (RFC 5681 section 4.2: within 500 ms)."},
        {.name = "min_rto",
         .value = TIME(min_rto_ns),
         .ranges = {{"1us", "60s"}},
         .default_text = "200ms",
         .doc = "Least retransmission timeout (RFC 6298 section 2.4). With a long one, goodput collapses when whole "
                "windows are lost."},
        {.name = "initial_rto",
         .value = TIME(initial_rto_ns),
         .ranges = {{"1us", "60s"}},
         .default_text = "1s",
         .doc = "Retransmission timeout before a round trip was measured, as of a SYN (RFC 6298 section 2.1), but no "
                "less "
                "than min_rto. After a SYN that was sent again it is 3 s (section 5.7); of one below 1 s, three times "
                "it. A connection whose SYN is lost opens in time only if lead_time is longer."},
        {.name = "connection_octets",
         .value = COUNT(connection_octets),
         .ranges = {{"0", "1073741823"}},
         .unit = "octets",
         .default_text = "0",
         .doc = "Octets that each connection sends; goodput is then until the last of them arrived, from the start of "
                "the trial on. 0: it sends all the time, and goodput is over trial_duration."},
        {.name = "lead_time",
         .value = TIME(lead_ns),
         .ranges = {{"1us", "10s"}},
         .default_text = "100ms",
         .doc = "From the start of a trial until all connections must be open; then the microburst begins, and so does "
                "trial_duration."},
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "1s",
         .doc = "Time over which goodput is measured; with connection_octets, the most that is waited for them."},
        {.name = "burst",
         .value = QUANTITY(burst),
         .ranges = {{"1us", "10s"}, {"1 frame", "1G frames"}},
         .unit = "frames",
         .default_text = "100us",
         .doc = "Microburst of each stateless port, by time at line rate or by frames."},
        {.name = "intensity",
         .value = QUANTITY(intensity),
         .ranges = {{"1%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "100%",
         .doc = "How fast its frames follow one another; percent of line rate, or a rate (RFC 8239 section 6.2: 100%, "
                "and it may be varied)."},
        {.name = "stateful",
         .value = COUNT(stateful),
         .ranges = {{"0", "14"}},
         .unit = "ports",
         .default_text = "0",
         .doc = "How many ports have TCP connections; with stateless = 0 too: all variations of RFC 8239 section 6.2."},
        {.name = "stateless",
         .value = COUNT(stateless),
         .ranges = {{"0", "14"}},
         .unit = "ports",
         .default_text = "0",
         .doc = "How many ports send a microburst."},
        {.name = "positions",
         .value = COUNT(positions),
         .ranges = {{"0", "16"}},
         .unit = "positions",
         .default_text = "1",
         .doc = "To how many places on the device all ports move, by one each time (RFC 8239 section 6.2: varied in "
                "multiple tests); 0: until each port was the first."},
};
const struct key_slice INCAST_KEYS = {OWN_SLICE(KEYS)};

/* A key that is not in the plan has no place of its own. */
static const struct node *place(const struct node *group, const char *key)
{
	const struct node *own = node_child(group, key);

	return own ? own : node_child(group, "test");
}

static int check_window(const struct incast_settings *settings, const struct node *group, struct error *error)
{
	const unsigned step = 1u << settings->window_scale;

	if (settings->window % step == 0 && settings->window / step <= MOST_WINDOW_FIELD)
		return 0;
	return plan_complain(error, place(group, "window"), "window",
	                     "must be a multiple of %u, and at most %u, with window_scale = %u (RFC 7323 section 2.2)",
	                     step, MOST_WINDOW_FIELD * step, settings->window_scale);
}

int incast_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const struct incast_settings *settings = incast_settings(test);

	if (rfc8239_refuse_program(plan, test, group, error))
		return error->code;
	if (test->shape.frame != TRAFFIC_IPV4_UDP && test->shape.frame != TRAFFIC_IPV6_UDP)
		return plan_complain(error, node_child(group, "test"), "traffic.frame",
		                     "must be \"%s\" or \"%s\" for test = \"%s\", as TCP runs over IP, not \"%s\"",
		                     TRAFFIC_FRAME_NAMES[TRAFFIC_IPV4_UDP], TRAFFIC_FRAME_NAMES[TRAFFIC_IPV6_UDP],
		                     plan_test_name(test), TRAFFIC_FRAME_NAMES[test->shape.frame]);
	if ((settings->stateful == 0) != (settings->stateless == 0))
		return plan_complain(
		        error, place(group, settings->stateful ? "stateful" : "stateless"),
		        settings->stateful ? "stateful" : "stateless",
		        "and %s must both be given, or neither: incast needs ports of both kinds (RFC 8239 "
		        "section 6.2)",
		        settings->stateful ? "stateless" : "stateful");
	if (check_window(settings, group, error))
		return error->code;
	return plan_check_rate(plan, test, group, "intensity", &settings->intensity, error);
}
