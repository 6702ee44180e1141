/* SPDX-License-Identifier: Apache-2.0 */
/* Tests when a trial had recovered, and when it had not (RFC 2544 section 26.5), from times made by hand. */
#include <criterion/criterion.h>

#include "host/bench/rfc2544/system_recovery.h"

enum { CHANGE = 100000, END = 200000, PERIOD = 10 };

/* Two ports that exchange frames, and lose some at the overload. */
static struct trial_result exchange(void)
{
	struct trial_result trial = {.valid = true, .ports = 2, .flows = 2, .lost_frames = 70};

	for (unsigned i = 0; i < 2; i++) {
		trial.flow[i] = (struct trial_flow){.port = i, .arrives = 1u << (1 - i)};
		trial.port[i] = (struct trial_port){.sent = true,
		                                    .tx_last_ot = END,
		                                    .next_load_ot = CHANGE,
		                                    .received_frames = 1000,
		                                    .rx_last_ot = END + 400,
		                                    .last_loss_ot = CHANGE + 300};
	}
	return trial;
}

Test(recovery_time, is_from_the_change_to_the_last_loss_of_the_last_port)
{
	struct trial_result trial = exchange();
	struct recovery recovery;

	trial.port[1].last_loss_ot = CHANGE + 5000;
	trial.port[0].next_load_ot = CHANGE + 8;
	recovery = recovery_of(&trial, PERIOD);
	cr_expect_eq(recovery.outcome, RECOVERED);
	cr_expect_eq(recovery_ot(&recovery), 5000);
}

Test(recovery_time, is_0_if_the_last_frame_was_lost_before_the_change)
{
	struct trial_result trial = exchange();
	struct recovery recovery;

	trial.port[0].last_loss_ot = trial.port[1].last_loss_ot = CHANGE - 40;
	recovery = recovery_of(&trial, PERIOD);
	cr_expect_eq(recovery.outcome, RECOVERED);
	cr_expect_eq(recovery_ot(&recovery), 0);
}

Test(recovery_time, does_not_exist_without_loss)
{
	struct trial_result trial = exchange();

	trial.lost_frames = 0;
	trial.port[0].last_loss_ot = trial.port[1].last_loss_ot = 0;
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERY_NO_LOSS);
}

Test(recovery_time, does_not_exist_if_frames_are_lost_in_the_second_half)
{
	struct trial_result trial = exchange();

	trial.port[1].last_loss_ot = (CHANGE + END) / 2 - 1;
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERED);
	trial.port[1].last_loss_ot = (CHANGE + END) / 2;
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERY_NEVER);
}

/* No sequence gap shows what no later frame follows. */
Test(recovery_time, does_not_exist_if_a_port_is_silent_at_the_end)
{
	struct trial_result trial = exchange();

	trial.port[0].rx_last_ot = END - 63 * PERIOD;
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERED);
	trial.port[0].rx_last_ot = END - 65 * PERIOD;
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERY_NEVER);
	trial.port[0].rx_last_ot = END;
	trial.port[0].received_frames = 0;
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERY_NEVER);
	trial.flow[1].arrives = 0; /* port 0 gets nothing in this traffic */
	cr_expect_eq(recovery_of(&trial, PERIOD).outcome, RECOVERED);
}
