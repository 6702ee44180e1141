// SPDX-License-Identifier: Apache-2.0
/* Trials with TCP connections as the host makes them, on the twin and, in a build that has it with connections
 * (FPGAUGE_SIM_TCP_PORTS="2;4"), on the simulated logic, against known truth: the goodput that a line carries, that
 * every octet which was sent arrived, and the collapse of incast. Settings are random. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/trial/device/registers.h"
#include "host/trial/device/tester.h"
#include "host/trial/tcp_registers.h"
#include "host/trial/traffic.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/seed.h"

enum { MOST_OPTIONS = 4, FRAME_OCTETS = 1518, OT_PER_US = 12500 };

static struct device *device;
static struct tester *tester;
static struct traffic mesh, traffic;
static struct trial_result result;
static struct error error;
static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static void begin_draws(void)
{
	seed = test_seed() * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* A device: the twin, or the logic with as many ports. */
enum which { TWIN, LOGIC };

static void open_device(enum which which, unsigned ports, const struct device_option *options, size_t count)
{
	const char *logic = ports == 2 ? RTL2_LIBRARY : RTL4_LIBRARY;
	const struct device_config config = {.backend = "sim",
	                                     .library = which == TWIN ? TWIN_LIBRARY : logic,
	                                     .ports = ports,
	                                     .needs_tcp = true,
	                                     .options = options,
	                                     .option_count = count};
	const char *bad = NULL;

	cr_assert_eq(device_open(&config, &device, &bad, &error), 0, "%s (%s)", error.text, bad ? bad : "");
	cr_assert_eq(device_tester_open(device, NULL, &tester, &error), 0, "%s", error.text);
	cr_assert_eq(device_identity(device)->tcp_connections, 64);
}

static void close_device(void)
{
	tester_close(tester);
	device_close(device);
	traffic_free(&mesh);
	traffic_free(&traffic);
}

static struct trial_tcp connections(unsigned senders, unsigned receiver)
{
	return (struct trial_tcp){.senders = senders,
	                          .receiver = receiver,
	                          .connections = 1,
	                          .mss = 1460,
	                          .window = 65535u << 7,
	                          .window_scale = 7,
	                          .initial_segments = 10,
	                          .ack_every = 2,
	                          .ack_delay_ot = 40 * OT_PER_US,
	                          .rto_min_ot = 1000 * OT_PER_US,
	                          .lead_ot = 300 * OT_PER_US,
	                          .duration_ot = 1000 * OT_PER_US};
}

/* Nothing is sent but by connections. */
static void run(const struct trial_tcp *tcp, enum traffic_frame frame, unsigned vlan)
{
	struct traffic_shape shape = traffic_shape_plain(FRAME_OCTETS);
	struct trial_request request = {
	        .kind = TRIAL_BURST, .gap_octets = 12, .drain_ot = 100 * OT_PER_US, .settle_ot = 1000};

	shape.pattern = TRAFFIC_MESH;
	shape.frame = frame;
	shape.vlan = vlan;
	cr_assert_eq(trial_traffic_of_shape(&shape, device_identity(device), &mesh, &error), 0, "%s", error.text);
	traffic = (struct traffic){.ports = mesh.ports};
	for (unsigned port = 0; port < mesh.ports; port++)
		traffic.port[port].frame_octets = FRAME_OCTETS;
	cr_assert_eq(tcp_add_flows(&mesh, tcp, &traffic, &error), 0, "%s", error.text);
	request.shape = shape;
	request.traffic = &traffic;
	request.tcp = *tcp;
	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
}

/* Line time of a frame with a whole segment: headers, FCS, preamble and gap. */
static double most_octets(const struct trial_tcp *tcp, unsigned header_octets)
{
	return (double)result.tcp_ot * tcp->mss / (tcp->mss + header_octets + 4 + 20);
}

static void reaches_line_rate(enum which which, unsigned mss, enum traffic_frame frame, unsigned vlan,
                              unsigned header_octets)
{
	struct trial_tcp tcp = connections(1, 1);
	double most;

	open_device(which, 2, NULL, 0);
	tcp.mss = mss;
	run(&tcp, frame, vlan);
	cr_assert(result.valid, "%s", result.why_invalid);
	most = most_octets(&tcp, header_octets);
	cr_expect(fabs((double)result.connection[0].goodput_octets - most) < most / 1000,
	          "%" PRIu64 " octets instead of %.0f", result.connection[0].goodput_octets, most);
	cr_expect_eq(result.connection[0].again_segments, 0);
	cr_expect_eq(result.connections, 1);
	cr_expect_eq(result.port[0].tcp_offered_frames, result.port[1].tcp_received_frames);
	close_device();
}

/* -- through a switch --------------------------------------------------------------------------------------------- */

static struct trial_tcp blocks(unsigned octets, unsigned count)
{
	struct trial_tcp tcp = connections(7, 3);

	tcp.connections = count;
	tcp.octets = octets;
	tcp.duration_ot = 40000 * OT_PER_US;
	return tcp;
}

static void open_switch(enum which which, const char *buffer_frames)
{
	const struct device_option options[MOST_OPTIONS] = {
	        {"dut.model", "switch"}, {"dut.buffer_frames", buffer_frames}, {"dut.latency_ns", "800"}};

	open_device(which, 4, options, 3);
}

static double goodput(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < result.connections; i++)
		sum += result.connection[i].goodput_octets;
	return (double)sum / (double)result.tcp_ot; /* share of line rate */
}

/* One set of random settings; returns how many segments were lost. */
static uint64_t blocks_arrive(enum which which)
{
	struct trial_tcp tcp = blocks((unsigned)(2000 + draw(60000)), (unsigned)(1 + draw(8)));
	char buffer[16];
	uint64_t lost = 0;

	tcp.mss = (unsigned)(1200 + draw(261));
	tcp.rto_min_ot = (20 + draw(200)) * OT_PER_US;
	tcp.ack_every = (unsigned)(1 + draw(2));
	tcp.receiver = (unsigned)draw(4);
	tcp.senders = 15u & ~(1u << tcp.receiver);
	snprintf(buffer, sizeof(buffer), "%u", (unsigned)(4 + draw(60)));
	open_switch(which, buffer);
	run(&tcp, draw(2) ? TRAFFIC_IPV4_UDP : TRAFFIC_IPV6_UDP, draw(2) ? TRAFFIC_NO_VLAN : (unsigned)draw(4000));
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.connections, 3 * tcp.connections);
	for (unsigned i = 0; i < result.connections; i++) {
		cr_expect_eq(result.connection[i].octets, tcp.octets);
		cr_expect_eq(result.connection[i].goodput_octets, tcp.octets);
	}
	for (unsigned port = 0; port < 4; port++)
		lost += result.port[port].tcp_offered_frames - result.port[port].tcp_received_frames;
	cr_expect(goodput() < 1);
	close_device();
	return lost;
}

/* Vasudevan et al. (SIGCOMM 2009): all blocks are there only when the last timeout is over. */
static double goodput_with_least_timeout_us(enum which which, uint64_t rto_us, unsigned octets)
{
	struct trial_tcp tcp = blocks(octets, 8);
	double reached;

	tcp.rto_min_ot = rto_us * OT_PER_US;
	tcp.lead_ot = 100 * OT_PER_US;
	tcp.duration_ot = 100 * rto_us * OT_PER_US;
	open_switch(which, "16");
	run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
	cr_assert(result.valid, "%s", result.why_invalid);
	reached = goodput();
	close_device();
	printf("least timeout %" PRIu64 " us: %.4f%% of line rate\n", rto_us, 100 * reached);
	return reached;
}

/* -- on the twin -------------------------------------------------------------------------------------------------- */

Test(tcp_trials, one_connection_over_a_wire_has_the_goodput_of_the_line_at_mss_1460)
{
	reaches_line_rate(TWIN, 1460, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN, 54);
}

Test(tcp_trials, one_connection_over_a_wire_has_the_goodput_of_the_line_at_mss_8960)
{
	reaches_line_rate(TWIN, 8960, TRAFFIC_IPV6_UDP, 7, 78);
}

Test(tcp_trials, all_octets_that_random_senders_sent_through_a_random_buffer_arrive)
{
	uint64_t lost = 0;

	begin_draws();
	for (unsigned round = 0; round < 10; round++)
		lost += blocks_arrive(TWIN);
	cr_expect(lost > 0, "no segment was lost in any round");
}

Test(tcp_trials, goodput_collapses_with_a_least_timeout_of_200_ms_and_not_with_1_ms)
{
	const double long_one = goodput_with_least_timeout_us(TWIN, 200000, 1 << 20);
	const double short_one = goodput_with_least_timeout_us(TWIN, 1000, 1 << 20);

	cr_expect(long_one < 0.02, "no collapse");
	cr_expect(short_one > 0.1 && short_one > 10 * long_one, "collapsed with either");
}

/* 1000 octets over a line that drops every Nth frame. */
static struct trial_tcp one_segment(uint64_t initial_ot)
{
	struct trial_tcp tcp = connections(1, 1);

	tcp.octets = 1000;
	tcp.rto_min_ot = 100 * OT_PER_US;
	tcp.rto_initial_ot = initial_ot;
	tcp.lead_ot = (2 * initial_ot) / 8 * 8;
	tcp.duration_ot = 20 * initial_ot;
	return tcp;
}

static void open_lossy(uint64_t drop_every)
{
	char text[32];
	const struct device_option options[] = {{"dut.model", "faults"}, {"dut.drop_every", text}};

	snprintf(text, sizeof(text), "%" PRIu64, drop_every);
	open_device(TWIN, 2, options, 2);
}

static void run_again(const struct trial_tcp *tcp)
{
	traffic_free(&mesh);
	traffic_free(&traffic);
	run(tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
}

/* The frames of a trial are counted; then it is made twice on a line that drops the one behind them. */
static void a_lost_syn(uint64_t initial_ot)
{
	const struct trial_tcp tcp = one_segment(initial_ot);
	uint64_t frames, late_ot = initial_ot / 100 + 200 * OT_PER_US; /* room for looks and for other losses */

	open_lossy(1000000);
	run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
	cr_assert(result.valid, "%s", result.why_invalid);
	frames = result.port[0].tcp_offered_frames;
	close_device();
	open_lossy(frames + 1);
	run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.port[0].tcp_offered_frames, frames);
	cr_expect(result.tcp_ot < late_ot, "%" PRIu64, result.tcp_ot);
	run_again(&tcp);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.port[0].tcp_offered_frames, frames + 1);
	cr_expect_eq(result.port[1].tcp_received_frames, frames);
	cr_expect(result.tcp_ot >= initial_ot && result.tcp_ot <= initial_ot + late_ot,
	          "%" PRIu64 " octet times, with a first timeout of %" PRIu64, result.tcp_ot, initial_ot);
	close_device();
}

/* RFC 6298 section 2.1; the least timeout is far below. */
Test(tcp_trials, a_lost_syn_is_sent_again_after_the_initial_timeout)
{
	begin_draws();
	for (unsigned round = 0; round < 4; round++)
		a_lost_syn((1000 + draw(1000000)) * OT_PER_US);
}

/* The settings are those of a plan that says nothing of timeouts: the trial says how long it would have had to wait. */
Test(tcp_trials, a_trial_that_ends_before_a_lost_syn_is_sent_again_says_so)
{
	struct trial_tcp tcp = one_segment(UINT64_C(12500000000));

	open_lossy(1);
	tcp.lead_ot = 100000 * OT_PER_US;
	run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
	cr_expect_not(result.valid);
	cr_expect(strstr(result.why_invalid,
	                 "in SYN-SENT, the other end in LISTEN; a SYN is sent again after 12500000000"),
	          "%s", result.why_invalid);
	close_device();
}

/* -- counters of connections against those of frames ----------------------------------------------------------- */

static struct port_counters counters_of(unsigned port)
{
	struct port_counters counters;

	cr_assert_eq(registers_read_port_counters(device, port, &counters, &error), 0, "%s", error.text);
	return counters;
}

/* Lengths over IPv4: headers and FCS are 58 octets, a SYN has two options of 4, and what is shorter is padded. */
enum { OTHER_OCTETS = 58, SYN_OCTETS = 66, SHORTEST_OCTETS = 64 };

static void check_counters(const struct trial_tcp *tcp)
{
	const struct port_counters sender = counters_of(0), receiver = counters_of(1);
	const uint64_t connections = tcp->connections, stream = (uint64_t)tcp->octets * connections;
	const uint64_t data_frames = connections * ((tcp->octets + tcp->mss - 1) / tcp->mss);
	uint64_t octets = 0, segments = 0, again = 0;

	for (unsigned i = 0; i < result.connections; i++) {
		octets += result.connection[i].octets;
		segments += result.connection[i].segments;
		again += result.connection[i].again_segments;
	}
	cr_expect_eq(octets, stream);
	cr_expect_eq(segments, sender.tcp_sent_segments);
	cr_expect_eq(again, 0);
	cr_expect_eq(sender.tcp_sent_again_segments, 0);
	cr_expect_eq(sender.tcp_sent_segments, sender.tx_frames);
	cr_expect_eq(receiver.tcp_sent_segments, receiver.tx_frames);
	cr_expect_eq(receiver.rx_tcp_frames, sender.tx_frames);
	cr_expect_eq(sender.rx_tcp_frames, receiver.tx_frames);
	cr_expect_eq(receiver.rx_octets, stream + OTHER_OCTETS * data_frames + SYN_OCTETS * connections +
	                                         SHORTEST_OCTETS * (sender.tx_frames - data_frames - connections));
	cr_expect_eq(sender.rx_octets, SYN_OCTETS * connections + SHORTEST_OCTETS * (receiver.tx_frames - connections));
	cr_expect_eq(sender.tcp_dropped_segments + receiver.tcp_dropped_segments, 0);
	cr_expect_eq(sender.tcp_lost_connections + receiver.tcp_lost_connections, 0);
}

Test(tcp_trials, segments_octets_and_frames_agree_on_a_wire_that_loses_nothing)
{
	begin_draws();
	for (unsigned round = 0; round < 6; round++) {
		struct trial_tcp tcp = connections(1, 1);

		tcp.mss = (unsigned)(1138 + draw(7000));
		tcp.connections = (unsigned)(1 + draw(16));
		tcp.octets = (unsigned)(tcp.mss * draw(100) + 6 + draw(tcp.mss - 6));
		tcp.ack_every = (unsigned)(1 + draw(3));
		tcp.rto_min_ot = 10000 * OT_PER_US; /* none may run out while all wait for the same line */
		tcp.rto_initial_ot = tcp.rto_min_ot;
		tcp.duration_ot = 100000 * OT_PER_US;
		open_device(TWIN, 2, NULL, 0);
		run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
		cr_assert(result.valid, "%s", result.why_invalid);
		check_counters(&tcp);
		close_device();
	}
}

/* Two senders fill the line with segments that are too short: what the receiver does not take of them has no
 * acknowledgement, as it sends one for each that it takes. SYN, the end of the handshake and what closes a connection
 * are answered otherwise, and so may some be that come while connections close: as a rule, the numbers are the same to
 * a few. */
Test(tcp_trials, segments_that_the_tester_lost_are_those_without_an_acknowledgement)
{
	const struct device_option options[] = {{"dut.model", "switch"}, {"dut.buffer_frames", "20000"}};
	enum { MOST_OTHERS = 3 }; /* other segments of a connection */

	begin_draws();
	for (unsigned round = 0; round < 4; round++) {
		struct trial_tcp tcp = connections(6, 0);
		struct port_counters receiver;
		uint64_t dropped, unanswered;

		tcp.mss = (unsigned)(200 + draw(300));
		tcp.connections = (unsigned)(2 + draw(4));
		tcp.ack_every = 1;
		open_device(TWIN, 4, options, 2);
		run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
		receiver = counters_of(0);
		dropped = receiver.tcp_dropped_segments;
		unanswered = receiver.rx_tcp_frames - receiver.tcp_sent_segments;
		cr_expect(dropped > MOST_OTHERS * result.connections);
		cr_expect(unanswered + MOST_OTHERS * result.connections >= dropped &&
		                  unanswered <= dropped + dropped / 2 + MOST_OTHERS * result.connections,
		          "%" PRIu64 " lost, %" PRIu64 " without an answer", dropped, unanswered);
		cr_expect_not(result.valid);
		cr_expect(strstr(result.why_invalid, "port 0: the tester lost "), "%s", result.why_invalid);
		close_device();
	}
}

/* -- what the twin does not play (docs/twin.md) ------------------------------------------------------------------ */

static void put(uint32_t address, uint32_t value)
{
	cr_assert_eq(device_write32(device, address, value, &error), 0, "%s", error.text);
}

/* Port 0 with connections, after a clear. */
static void begin_connections(const struct device_option *options, size_t count)
{
	uint32_t status;

	open_device(TWIN, 4, options, count);
	put(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	do {
		cr_assert_eq(device_read32(device, FPGAUGE_GLOBAL_STATUS, &status, &error), 0, "%s", error.text);
	} while (status & FPGAUGE_GLOBAL_STATUS_CLEARING);
	put(FPGAUGE_PORT_TX_ENABLE(0), 1);
	put(FPGAUGE_PORT_TX_GAP_OCTETS(0), 12);
	put(FPGAUGE_PORT_TX_GAP_DENOMINATOR(0), 1);
	put(FPGAUGE_PORT_TCP_ENABLE(0), 1);
}

static void is_refused(uint32_t address, uint32_t value, const char *why)
{
	cr_assert_neq(device_write32(device, address, value, &error), 0, "not refused: %s", why);
	cr_expect(strstr(error.text, why), "\"%s\" says nothing of \"%s\"", error.text, why);
	close_device();
}

static void start_is_refused(const char *why)
{
	is_refused(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START, why);
}

static const struct device_option SWITCH[] = {{"dut.model", "switch"}};
static const struct device_option ROUTER[] = {{"dut.model", "router"}};

Test(tcp_trials, the_twin_refuses_what_it_does_not_play_with_connections_by_name)
{
	begin_connections(SWITCH, 1);
	put(FPGAUGE_PORT_TX_OBEY_PAUSE(0), 1);
	start_is_refused(
	        "port 0: TCP connections and tx_obey_pause: the twin does not play both; a library rtlN-tcp does");
	begin_connections(ROUTER, 1);
	start_is_refused("port 0: TCP connections and a device that reads more of a frame than its addresses");
	begin_connections(SWITCH, 1);
	put(FPGAUGE_PORT_LOOPBACK(0), 1);
	start_is_refused("port 0: TCP connections and loopback beside a device between all ports");
	begin_connections(SWITCH, 1);
	put(FPGAUGE_PORT_RX_MAIL_FILTER(1), 1);
	start_is_refused("port 0: TCP connections and rx_mail_filter");
}

Test(tcp_trials, the_twin_refuses_a_clear_or_tcp_enable_while_a_port_sends)
{
	begin_connections(SWITCH, 1);
	put(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	is_refused(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR,
	           "port 0: a clear while a port with TCP connections sends");
	begin_connections(SWITCH, 1);
	put(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	is_refused(FPGAUGE_PORT_TCP_ENABLE(0), 1, "port 0: tcp_enable is written while the port sends");
}

/* A round trip takes some 13 us. */
Test(tcp_trials, a_trial_with_too_little_time_to_open_is_invalid_and_the_next_one_is_not_disturbed)
{
	struct trial_tcp tcp = connections(1, 1);

	open_device(TWIN, 2, NULL, 0);
	tcp.lead_ot = 8;
	run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
	cr_expect_not(result.valid);
	cr_expect(strstr(result.why_invalid,
	                 "TCP connection 0 of port 0 to port 1 did not open in 8 octet times: it is in SYN-SENT"),
	          "%s", result.why_invalid);
	traffic_free(&mesh);
	traffic_free(&traffic);
	tcp.lead_ot = 300 * OT_PER_US;
	run(&tcp, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN);
	cr_expect(result.valid, "%s", result.why_invalid);
	cr_expect(result.connection[0].goodput_octets > 0);
	close_device();
}

/* -- on the logic ------------------------------------------------------------------------------------------------- */

#ifdef HAS_LOGIC
Test(tcp_trials, one_connection_over_a_wire_of_the_logic_has_the_goodput_of_the_line_at_mss_1460)
{
	reaches_line_rate(LOGIC, 1460, TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN, 54);
}

Test(tcp_trials, one_connection_over_a_wire_of_the_logic_has_the_goodput_of_the_line_at_mss_8960)
{
	reaches_line_rate(LOGIC, 8960, TRAFFIC_IPV6_UDP, 7, 78);
}

Test(tcp_trials, all_octets_that_random_senders_of_the_logic_sent_through_a_random_buffer_arrive)
{
	begin_draws();
	blocks_arrive(LOGIC);
	blocks_arrive(LOGIC);
}

/* Times are as much shorter as the line is faster. */
Test(tcp_trials, goodput_of_the_logic_collapses_with_a_long_least_timeout_and_not_with_a_short_one)
{
	const double long_one = goodput_with_least_timeout_us(LOGIC, 5000, 65536);
	const double short_one = goodput_with_least_timeout_us(LOGIC, 30, 65536);

	cr_expect(long_one < 0.1, "no collapse");
	cr_expect(short_one > 5 * long_one, "collapsed with either");
}
#endif
