/* SPDX-License-Identifier: Apache-2.0 */
/* Tests when a device was out of operation (RFC 6201), from times made by hand. */
#include <criterion/criterion.h>

#include "host/bench/rfc2544/reset.h"

enum { RESET_AT = 100000, END = 900000, PERIOD = 10 };

/* Two ports that exchange frames; both are silent for a while after the reset. */
static struct trial_result interrupted(void)
{
	struct trial_result trial = {.valid = true, .ports = 2, .flows = 2, .lost_frames = 70, .reset_ot = RESET_AT};

	for (unsigned i = 0; i < 2; i++) {
		trial.flow[i] = (struct trial_flow){.port = i, .arrives = 1u << (1 - i)};
		trial.port[i] = (struct trial_port){.sent = true,
		                                    .tx_last_ot = END,
		                                    .received_frames = 1000,
		                                    .rx_last_ot = END + 400,
		                                    .silence_ot = RESET_AT + 200,
		                                    .silence_max_ot = 5000};
	}
	return trial;
}

Test(reset_time, is_the_longest_silence_of_any_port)
{
	struct trial_result trial = interrupted();
	struct reset_time time;

	trial.port[1].silence_ot = RESET_AT + 300;
	trial.port[1].silence_max_ot = 7000;
	time = reset_time_of(&trial, PERIOD);
	cr_expect_eq(time.outcome, RESET_CAME_BACK);
	cr_expect_eq(time.last_ot, RESET_AT + 300);
	cr_expect_eq(time.first_ot, RESET_AT + 7300);
	cr_expect_eq(time.begun_ot, RESET_AT);
	trial.flow[0].arrives = 0; /* nothing must arrive at port 1: its silence is not the device's */
	time = reset_time_of(&trial, PERIOD);
	cr_expect_eq(time.first_ot - time.last_ot, 5000);
}

Test(reset_time, is_none_without_loss_and_does_not_end_if_a_port_stays_silent)
{
	struct trial_result trial = interrupted();

	trial.port[1].rx_last_ot = RESET_AT + 200;
	cr_expect_eq(reset_time_of(&trial, PERIOD).outcome, RESET_NEVER);
	trial.port[1] = interrupted().port[1];
	trial.port[0].received_frames = 0;
	cr_expect_eq(reset_time_of(&trial, PERIOD).outcome, RESET_NEVER);
	trial.lost_frames = 0;
	cr_expect_eq(reset_time_of(&trial, PERIOD).outcome, RESET_NO_LOSS);
}

/* The reset cannot have caused it. */
Test(reset_time, is_not_a_silence_that_ended_before_the_reset)
{
	struct trial_result trial = interrupted();

	for (unsigned i = 0; i < 2; i++)
		trial.port[i].silence_ot = RESET_AT - 5001;
	cr_expect_eq(reset_time_of(&trial, PERIOD).outcome, RESET_ELSEWHERE);
	trial.port[0].silence_ot = RESET_AT - 5000;
	trial.port[1].silence_ot = RESET_AT - 5000;
	cr_expect_eq(reset_time_of(&trial, PERIOD).outcome, RESET_CAME_BACK);
}
