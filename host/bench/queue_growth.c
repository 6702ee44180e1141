/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/queue_growth.h"

#include <math.h>

#include "host/base/format.h"
#include "host/bench/result.h"
#include "host/bench/rfc_math.h"

/* Frames in the buffer before a port, at the end; NAN: not known. */
static double grown_frames(const struct trial_port *port)
{
	if (!port->latency.frames)
		return NAN;
	return latency_buffer_frames(port->latency.max_ot - port->latency.min_ot, port->received_frames,
	                             port->rx_last_ot - port->rx_first_ot) -
	       1;
}

double queue_growth_fps(const struct trial_result *trial)
{
	double growth_fps = NAN;

	for (unsigned i = 0; i < trial->ports && trial->duration_s > 0; i++)
		growth_fps = fmax(growth_fps, grown_frames(&trial->port[i]) / trial->duration_s);
	return growth_fps;
}

double queue_growth_share(const struct trial_result *trial)
{
	double share = NAN;

	for (unsigned i = 0; i < trial->ports; i++)
		share = fmax(share, grown_frames(&trial->port[i]) / (double)trial->port[i].received_frames);
	return share;
}

void queue_growth_report(double growth_fps, double resolution_fps, const char *name, const struct trial_result *trial,
                         json_t *result)
{
	result_number(result, "queue_growth_fps", growth_fps);
	if (growth_fps > resolution_fps && trial->lost_frames == 0)
		result_flag(result,
		            "latency grew during the final trial as if a buffer filled at %s: %s may be too high by "
		            "that; a longer trial_duration settles it",
		            format_fps(growth_fps).text, name);
}
