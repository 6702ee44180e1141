// SPDX-License-Identifier: Apache-2.0
/* The setting device.link. */
#include "sim/dut/link.h"

const struct sim_option_rule dut_link_rule = {
        .name = "device.link", .kind = SIM_OPTION_INTEGER, .min = 10000000, .max = DUT_LINK_MOST_BPS, .unit = "bit/s"};

int dut_link_read(const struct sim_options *options, const char *fallback, uint64_t most_bps, uint64_t *link_bps)
{
	struct sim_option_rule rule = dut_link_rule;
	struct sim_option_value link;

	rule.fallback = fallback;
	rule.max = most_bps;
	if (sim_options_read(options, &rule, 1, &link) != 0)
		return -1;
	*link_bps = link.number.numerator;
	return 0;
}
