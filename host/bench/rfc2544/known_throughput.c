/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc2544/known_throughput.h"

#include <math.h>

const char KNOWN_THROUGHPUT[] = "throughput";

/* Parts as in load_grid_of_parts(): finer than any search resolves. */
enum { PARTS = 1000000000 };

double known_throughput_fps(const struct session *session)
{
	const json_t *result = result_find(session, KNOWN_THROUGHPUT, "throughput_fps");

	return result ? result_get(result, "throughput_fps") : (double)NAN;
}

bool known_throughput_is_at_least(const struct session *session)
{
	return json_is_true(json_object_get(result_find(session, KNOWN_THROUGHPUT, "throughput_fps"), "at_least"));
}

void known_throughput_flag(const struct session *session, json_t *result)
{
	if (known_throughput_is_at_least(session))
		result_flag(result,
		            "its load is the highest that was tried for the throughput, as max_load of that test "
		            "says or as the tester offered no more: the throughput itself may be higher");
}

struct rate known_throughput_part(const struct session *session, double fps, unsigned percent, unsigned most)
{
	const double parts = fps / rate_fps(session->max_rate) * percent / 100 * PARTS;
	const double limit = (double)most / 100 * PARTS;
	/* Rounded down, so that a throughput stays one; but it was read from a result, and may be off by a last digit.
	 */
	const uint64_t whole = (uint64_t)(fmin(fmax(parts, 1), limit) + 1e-4);

	return rate_scale(session->max_rate, whole, PARTS);
}

const char *known_throughput_missing(double fps)
{
	if (isnan(fps))
		return "there is no valid throughput without loss of this size and traffic, which must be determined "
		       "first: put a test of it before this one";
	return fps > 0 ? NULL : "frames were lost at every load, so there is no throughput to send at";
}
