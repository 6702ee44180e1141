/* SPDX-License-Identifier: Apache-2.0 */
/* Turns points of a grid into trials, and into frames per second. */
#include "host/bench/load_points.h"

static void request_load(void *user, const struct session *session, const struct search_request *wanted,
                         struct trial_request *request)
{
	request->kind = TRIAL_LOAD;
	request->load = load_at(user, wanted->point);
	request->duration_ot = session_octet_times(session, wanted->duration_ns);
}

static uint64_t rounded_fps(const void *user, uint64_t point)
{
	return (uint64_t)(rate_fps(load_at(user, point)) + 0.5);
}

struct search_points load_points(struct load_grid *grid)
{
	return (struct search_points){.request = request_load, .in_unit = rounded_fps, .user = grid};
}

struct rate load_offered(const struct load_grid *grid, uint64_t point, const struct trial_load *load)
{
	return load->differs ? rate_of(load->offered) : load_at(grid, point);
}
