/* SPDX-License-Identifier: Apache-2.0 */
/* A late frame that comes for the first time was counted lost once, when its number was skipped. A second copy was not,
 * so late frames beyond the numbers that were skipped prove that the device duplicates. Where nothing proves that it
 * does, late frames were overtaken; where it does, no loss may be hidden behind a copy. */
#include "host/trial/judging/late.h"

#include "host/trial/judging/sum.h"

struct trial_late trial_late(const struct stream_counters *stream)
{
	const uint64_t received = trial_distinct_received(stream->received, stream->duplicated, stream->late);
	const uint64_t missing = stream->sent > received ? stream->sent - received : 0;
	const uint64_t skipped = stream->lost < missing ? stream->lost : missing;

	if (stream->late > skipped)
		return (struct trial_late){.duplicated = stream->late - skipped};
	return (struct trial_late){.reordered = stream->duplicated == 0 ? stream->late : 0};
}
