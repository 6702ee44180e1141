/* SPDX-License-Identifier: Apache-2.0 */
/* Zero is a measurement, nothing is none: what a result says where no test frame arrived, or none of a port. */
#include "bench_case.h"
#include "host/bench/result.h"

static const uint32_t SIZES[] = {64};

/* -- a whole test ---------------------------------------------------------------------------------------------------
 */

Test(arrivals, a_throughput_through_which_nothing_came_is_not_known)
{
	struct bench_case c;
	const json_t *result;

	case_begin(&c, SIZES, 1);
	fifo_begin(&c.fifo, 0, 0, 1);
	cr_assert_eq(case_run(&c), 0, "%s", c.error.text);
	result = case_result(&c, "throughput", 64);
	cr_expect(!is_true(result, "valid"));
	cr_expect_eq(strncmp(text(result, "why_invalid"), "not known: no test frame arrived in ", 36), 0, "%s",
	             text(result, "why_invalid"));
	cr_expect(strstr(text(result, "why_invalid"), "cables") && strstr(text(result, "why_invalid"), "VLAN"));
	cr_expect_not(flagged(result, "lost even at the lowest load"), "nothing is known of loss");
	cr_expect(isnan(number(result, "throughput_fps")) && isnan(number(result, "throughput_percent")));
	cr_expect(isnan(number(result, "first_lossy_fps")));
	result = case_result(&c, "back_to_back", 64);
	cr_expect_eq(strncmp(text(result, "why_invalid"), "not known: no test frame arrived in ", 36), 0);
	cr_expect(isnan(number(result, "average_frames")));
	case_end(&c);
}

Test(arrivals, a_device_that_loses_a_frame_at_every_load_has_a_throughput_of_zero)
{
	struct bench_case c;
	const json_t *result;

	case_begin(&c, SIZES, 1);
	fifo_begin(&c.fifo, 1000, 1, 1);
	c.fifo.noise_one_in = 1;
	cr_assert_eq(case_run(&c), 0, "%s", c.error.text);
	result = case_result(&c, "throughput", 64);
	cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
	cr_expect_float_eq(number(result, "throughput_fps"), 0, 0);
	cr_expect(flagged(result, "frames were lost even at the lowest load that was tried, 148809.524 fps"));
	case_end(&c);
}

/* -- trials by hand -------------------------------------------------------------------------------------------------
 */

static const struct trial_request PLAIN = {.kind = TRIAL_LOAD};

/* Port 0 sends to port 1, and back, and 2 to 3, and back: 10 frames each. */
static struct trial_result four_ports(void)
{
	struct trial_result trial = {
	        .valid = true, .ports = 4, .flow_count = 4, .flows = 4, .offered_frames = 40, .received_frames = 40};

	for (unsigned port = 0; port < 4; port++) {
		trial.port[port] = (struct trial_port){.sent = true, .offered_frames = 10, .received_frames = 10};
		trial.flow[port] = (struct trial_flow){
		        .port = port, .arrives = 1u << (port ^ 1), .offered_frames = 10, .received_frames = 10};
	}
	return trial;
}

static void lose(struct trial_result *trial, unsigned from)
{
	trial->flow[from].received_frames = 0;
	trial->flow[from].lost_frames = 10;
	trial->port[from ^ 1].received_frames = 0;
	trial->received_frames -= 10;
	trial->lost_frames += 10;
}

static json_t *result_with(const struct trial_request *request, const struct trial_result *trial)
{
	struct bench_context context = {0};
	struct session session = {.benchmark = &THROUGHPUT, .context = &context, .frame_octets = 64};
	json_t *result = json_pack("{s:b, s:n, s:[], s:f, s:f}", "valid", 1, "why_invalid", "flags", "throughput_fps",
	                           1e6, "max_theoretical_fps", 2e6);

	arrivals_note(&session.arrivals, request, trial);
	arrivals_report(&session, result);
	return result;
}

static void check_flag(const struct trial_result *trial, const char *flag)
{
	json_t *result = result_with(&PLAIN, trial);

	cr_expect(is_true(result, "valid"));
	cr_expect_float_eq(number(result, "throughput_fps"), 1e6, 0);
	if (flag)
		cr_expect(flagged(result, flag), "%s", json_dumps(result, 0));
	else
		cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0, "%s", json_dumps(result, 0));
	json_decref(result);
}

static void check_unknown(const struct trial_request *request, const struct trial_result *trial, const char *why)
{
	json_t *result = result_with(request, trial);

	cr_expect(!is_true(result, "valid"));
	cr_expect_eq(strncmp(text(result, "why_invalid"), why, strlen(why)), 0, "%s", text(result, "why_invalid"));
	cr_expect(isnan(number(result, "throughput_fps")));
	cr_expect_float_eq(number(result, "max_theoretical_fps"), 2e6, 0, "what no trial says");
	json_decref(result);
}

Test(arrivals, nothing_is_said_where_every_port_got_frames)
{
	struct trial_result trial = four_ports();

	check_flag(&trial, NULL);
}

Test(arrivals, cables_are_not_blamed_where_frames_of_an_earlier_trial_came)
{
	struct trial_result trial = four_ports();

	lose(&trial, 2);
	trial.port[3].other_run_frames = 1;
	check_flag(&trial, NULL);
}

Test(arrivals, a_dead_port_is_named_and_what_the_others_did_counts)
{
	struct trial_result trial = four_ports();

	lose(&trial, 2);
	check_flag(&trial, "no test frame that port 2 sent arrived");
	check_flag(&trial, "no test frame arrived at port 3");
}

Test(arrivals, two_cables_in_the_wrong_ports_are_named)
{
	struct trial_result trial = four_ports();

	/* port 0's frames come to port 3, port 2's to port 1 */
	for (unsigned from = 0; from < 4; from += 2) {
		lose(&trial, from);
		trial.flow[from].wrong_port_frames = 10;
		trial.port[from ^ 3].wrong_port_frames = 10;
	}
	check_flag(&trial, "of those that ports 0 and 2 sent came to other ports than they had to, to ports 1 and 3");
}

Test(arrivals, where_all_cables_are_wrong_nothing_is_known_and_the_ports_are_named)
{
	struct trial_result trial = four_ports();

	for (unsigned from = 0; from < 4; from++) {
		lose(&trial, from);
		trial.flow[from].wrong_port_frames = 10;
		trial.port[from ^ 2].wrong_port_frames = 10;
	}
	check_unknown(&PLAIN, &trial,
	              "not known: no test frame arrived where it had to in 1 trial; all frames of ports 0, 1, 2 and 3 "
	              "came to other ports, ports 0, 1, 2 and 3: look at which cable is in which port");
}

Test(arrivals, a_device_that_damages_every_frame_is_told_from_one_that_is_silent)
{
	struct trial_result trial = four_ports();

	for (unsigned from = 0; from < 4; from++) {
		lose(&trial, from);
		trial.port[from].bad_frames = 10;
	}
	check_unknown(
	        &PLAIN, &trial,
	        "not known: no test frame arrived whole in 1 trial; 40 arrived with a wrong FCS or another payload");
}

Test(arrivals, frames_that_must_arrive_nowhere_say_nothing_of_the_device)
{
	struct trial_result trial = {.valid = true, .ports = 2, .flow_count = 1, .flows = 1, .offered_frames = 10};

	trial.flow[0] = (struct trial_flow){.offered_frames = 10};
	check_flag(&trial, NULL);
}

Test(arrivals, an_invalid_trial_says_nothing_but_where_connections_did_not_open)
{
	struct trial_request tcp = {.kind = TRIAL_LOAD, .tcp = {.senders = 1}};
	struct trial_result trial = {.valid = false, .ports = 2, .offered_frames = 10, .lost_frames = 10};

	check_flag(&trial, NULL);
	check_unknown(&tcp, &trial, "not known: no test frame arrived in 1 trial: ");
	trial.port[1].tcp_received_frames = 1;
	json_decref(result_with(&tcp, &trial));
}

Test(arrivals, late_frames_and_an_external_program_that_counts_sums_arrived_too)
{
	struct trial_result late = {.valid = true, .ports = 1, .lost_frames = 10, .late_frames = 10};
	struct trial_result sums = {.valid = true, .ports = 1, .received_frames = 5, .flow_count = COUNT_UNKNOWN};

	sums.port[0].bad_frames = sums.port[0].wrong_port_frames = COUNT_UNKNOWN;
	check_flag(&late, NULL);
	check_flag(&sums, NULL);
	sums.received_frames = 0;
	sums.lost_frames = 5;
	check_unknown(&PLAIN, &sums, "not known: no test frame arrived in 1 trial: ");
}
