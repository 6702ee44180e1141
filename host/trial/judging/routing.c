/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/judging/routing.h"

#include <inttypes.h>

#include "host/traffic/test_host.h"
#include "host/trial/judging/verdict.h"

void trial_judge_routing(const struct trial_request *request, const uint64_t expected[TRIAL_MAX_PORTS],
                         struct trial_result *result)
{
	for (unsigned port = 0; port < result->ports && traffic_is_learned(&request->shape); port++)
		if (expected[port] && result->port[port].received_frames == 0)
			trial_invalid(
			        result,
			        "routing updates not in force: none of %" PRIu64
			        " frames arrived at port %u that go to 198.%u.%u.0, of which only the update before "
			        "the trial tells (RFC 2544 section 13): RIP version 1 must be on",
			        expected[port], port, 18 + port % 2, test_learned_network(port));
}
