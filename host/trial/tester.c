/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that all testers share. */
#include "host/trial/tester.h"

#include <stddef.h>

static bool same_rate(const struct rate *a, const struct rate *b)
{
	return a->numerator == b->numerator && a->denominator == b->denominator;
}

_Static_assert(sizeof(struct trial_request) - offsetof(struct trial_request, gap_octets) == 248,
               "trial_request_equal() compares every member: add the new one, and correct this size");

static bool same_tcp(const struct trial_tcp *a, const struct trial_tcp *b)
{
	return a->senders == b->senders && a->receiver == b->receiver && a->connections == b->connections &&
	       a->mss == b->mss && a->window == b->window && a->window_scale == b->window_scale &&
	       a->initial_segments == b->initial_segments && a->ack_every == b->ack_every && a->octets == b->octets &&
	       a->ack_delay_ot == b->ack_delay_ot && a->rto_min_ot == b->rto_min_ot &&
	       a->rto_initial_ot == b->rto_initial_ot && a->lead_ot == b->lead_ot && a->duration_ot == b->duration_ot;
}

bool trial_request_equal(const struct trial_request *a, const struct trial_request *b)
{
	return a->kind == b->kind && traffic_shape_equal(&a->shape, &b->shape) && a->gap_octets == b->gap_octets &&
	       same_rate(&a->load, &b->load) && a->duration_ot == b->duration_ot &&
	       a->next_load_ot == b->next_load_ot && same_rate(&a->next_load, &b->next_load) &&
	       a->reset_ot == b->reset_ot && a->reset == b->reset && a->reset_command == b->reset_command &&
	       a->burst_frames == b->burst_frames && a->bursts == b->bursts &&
	       a->burst_gap_octets == b->burst_gap_octets && a->drain_ot == b->drain_ot &&
	       a->settle_ot == b->settle_ot && a->tag_after_ot == b->tag_after_ot && a->traffic == b->traffic &&
	       a->filters == b->filters && a->pause_ot == b->pause_ot && a->listens == b->listens &&
	       a->obeys_pause == b->obeys_pause && a->before == b->before && same_tcp(&a->tcp, &b->tcp);
}

void tester_close(struct tester *tester)
{
	if (tester)
		tester->ops->close(tester);
}
