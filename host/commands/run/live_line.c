/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that matter most come first: a narrow terminal cuts off the end. */
#include "host/commands/run/live_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/format.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

/* A long list is cut: the numbers behind it matter more. */
static const char *frames_word(const struct bench_progress *now, char *text, size_t size)
{
	enum { LONGEST = 24 };

	traffic_sizes_word(now->frame_octets, now->sizes, text, size);
	if (strlen(text) > LONGEST)
		memcpy(text + LONGEST - 3, "...", 4);
	return text;
}

void live_line(const struct bench_progress *now, struct time_left left, double sent_s, char *buffer, int size)
{
	unsigned expected = now->steps_estimate > now->step ? now->steps_estimate : now->step + 1;
	char search[48] = "", sent[160] = "", left_text[80] = "?", frames[TRAFFIC_SIZES_TEXT],
	     modifiers[TRAFFIC_MODIFIERS_TEXT];

	if (now->repetitions > 1)
		snprintf(search, sizeof(search), " search %u/%u,", now->repetition, now->repetitions);
	if (sent_s >= 0)
		snprintf(sent, sizeof(sent), " %s of %s,", format_time(sent_s).text, format_time(now->trial_s).text);
	if (left.run_s >= 0)
		snprintf(left_text, sizeof(left_text), "%s", format_clock(left.run_s).text);
	else if (left.size_s >= 0) /* and tests of unknown length to come */
		snprintf(left_text, sizeof(left_text), "%s + ?", format_clock(left.size_s).text);
	snprintf(buffer, (size_t)size,
	         "[%u/%u] %s %s%s%s: %s left,%s trial %u/~%u,%s %" PRIu64 " in %" PRIu64 "..%" PRIu64 " %s",
	         now->test_number, now->test_count, benchmark_name(now->benchmark),
	         frames_word(now, frames, sizeof(frames)), now->modifiers ? " " : "",
	         traffic_modifiers_text(now->modifiers, modifiers, sizeof(modifiers)), left_text, search, now->step + 1,
	         expected, sent, now->point, now->low, now->high, now->benchmark->point_unit);
}
