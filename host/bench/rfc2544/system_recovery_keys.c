/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the system_recovery benchmark, RFC 2544 section 26.5, and its checks of them. */
#include "host/bench/rfc2544/system_recovery.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct system_recovery_settings

static const struct plan_key KEYS[] = {
        {.name = "overload_duration",
         .value = TIME(overload_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "How long 110% of the throughput is offered, or the maximum rate if that is less (RFC 2544 section "
                "26.5: at least 60 s)."},
        {.name = "recovery_duration",
         .value = TIME(recovery_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "How long half of that rate is offered afterwards. A device has recovered if it loses nothing in the "
                "second half of this time."},
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "10000"}},
         .unit = "trials",
         .default_text = "5",
         .doc = "Trials at each size, of which the mean is reported."},
};
const struct key_slice SYSTEM_RECOVERY_KEYS = {OWN_SLICE(KEYS)};

int system_recovery_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error)
{
	(void)test;
	if (plan->exec.command)
		return plan_complain(error, node_child(group, "test"), "test",
		                     "is not for an external program: the load changes in mid-trial, and the times of "
		                     "frames are needed, which only a device gives");
	return 0;
}
