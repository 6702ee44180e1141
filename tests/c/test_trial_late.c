/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on the late frames of a stream, from counters worked out by hand, and from counters that no device can have.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "host/trial/judging/late.h"

Test(trial_late, are_what_the_counters_of_their_stream_prove)
{
	static const struct {
		const char *what;
		struct stream_counters stream;
		struct trial_late late;
	} CASES[] = {
	        {"none", {.sent = 100, .received = 90, .lost = 10, .next = 100}, {0, 0}},
	        {"5 of 10 skipped come late", {.sent = 100, .received = 95, .lost = 10, .late = 5}, {5, 0}},
	        {"all that were skipped come late", {.sent = 100, .received = 100, .lost = 10, .late = 10}, {10, 0}},
	        {"one more than were skipped", {.sent = 100, .received = 101, .lost = 10, .late = 11}, {0, 1}},
	        {"nothing was skipped", {.sent = 100, .received = 107, .late = 7}, {0, 7}},
	        {"frames behind the last one are lost", {.sent = 100, .received = 93, .late = 3}, {0, 3}},
	        {"one came twice", {.sent = 100, .received = 96, .lost = 10, .duplicated = 1, .late = 5}, {0, 0}},
	        {"and more than were skipped",
	         {.sent = 9, .received = 13, .lost = 2, .duplicated = 1, .late = 5},
	         {0, 3}},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		const struct trial_late late = trial_late(&CASES[i].stream);

		cr_expect(late.reordered == CASES[i].late.reordered && late.duplicated == CASES[i].late.duplicated,
		          "%s: %" PRIu64 " reordered, %" PRIu64 " duplicated", CASES[i].what, late.reordered,
		          late.duplicated);
	}
}

Test(trial_late, are_never_more_than_there_are_nor_more_than_are_missing)
{
	srand(1);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t value[5];
		struct stream_counters stream;
		struct trial_late late;

		for (unsigned k = 0; k < 5; k++)
			value[k] = rand() % 4 ? (uint64_t)(rand() % 8) : UINT64_MAX - (uint64_t)(rand() % 3);
		stream = (struct stream_counters){.sent = value[0],
		                                  .received = value[1],
		                                  .lost = value[2],
		                                  .duplicated = value[3],
		                                  .late = value[4]};
		late = trial_late(&stream);
		cr_assert(late.reordered <= stream.late && late.duplicated <= stream.late);
		cr_assert(late.reordered <= stream.sent && late.reordered <= stream.lost);
		cr_assert(late.reordered == 0 || late.duplicated == 0);
	}
}
