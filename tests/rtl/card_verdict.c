/* SPDX-License-Identifier: Apache-2.0 */
/* Gives what a testbench read from a card to the judge of trials. */
#include "tests/rtl/card_verdict.h"

#include <stdio.h>
#include <string.h>

#include "host/trial/judging/check.h"
#include "host/trial/traffic.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

static struct trial_counters counters_of(const struct card_trial *trial)
{
	struct trial_counters counters = {.ports = 2, .stream_count = 2};

	for (unsigned port = 0; port < 2; port++) {
		const uint64_t *counter = trial->counter[port];
		struct port_counters *c = &counters.port[port];

#define TAKE(NAME, name) c->name = counter[FPGAUGE_COUNTER_##NAME];
		FPGAUGE_COUNTERS(TAKE)
#undef TAKE
		counters.link_status[port] = trial->link_status[port];
		counters.stream[port] = (struct stream_counters){.source_port = port,
		                                                 .receiver_port = 1 - port,
		                                                 .sent = trial->sent[port],
		                                                 .received = trial->received[port],
		                                                 .lost = trial->lost[port],
		                                                 .duplicated = trial->duplicated[port],
		                                                 .late = trial->late[port],
		                                                 .next = trial->next[port]};
	}
	return counters;
}

bool card_verdict(const struct card_trial *trial, uint64_t *lost_frames, char *why, size_t why_size)
{
	static struct traffic traffic;
	const struct device_identity identity = {.name = "card", .ports = 2, .destinations = 256};
	const struct trial_counters counters = counters_of(trial);
	struct trial_request request = {.kind = TRIAL_BURST,
	                                .shape = traffic_shape_plain(trial->frame_octets),
	                                .gap_octets = trial->gap_octets,
	                                .burst_frames = trial->frames,
	                                .traffic = &traffic};
	struct trial_result result;
	struct pacing pacing;
	struct error error = {0};

	if (trial_traffic_of_shape(&request.shape, &identity, &traffic, &error) != 0 ||
	    pacing_of_request(&request, LINK_BPS, &pacing, &error) != 0) {
		snprintf(why, why_size, "%s", error.text);
		return false;
	}
	trial_judge(&request, &pacing, LINK_BPS, &counters, &result);
	snprintf(why, why_size, "%s", result.why_invalid);
	*lost_frames = result.lost_frames;
	return result.valid;
}
