/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses which histograms of a trial are read, and how many of their bins: a bin costs three accesses. */
#include "host/trial/device/histograms.h"

#include "host/base/rate.h"
#include "host/trial/device/registers.h"
#include "host/trial/pacing/gaps_asked.h"

/* Latencies are read only for a load that the DUT sustained, where their distribution tells something about it. With
 * loss it is that of a full buffer, spread over many bins, and a bin costs three accesses. */
static int read_latencies(struct device *device, struct trial_result *result, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < result->ports && status == 0; i++) {
		struct trial_port *port = &result->port[i];

		if (port->latency.frames == 0)
			continue;
		status = registers_read_latencies(device, i, &result->latency, &port->latency_histogram, error);
		if (status == 0 &&
		    octaves_needed(&port->latency_histogram, result->latency.min_ot, result->latency.max_ot))
			status = registers_read_octaves(device, i, &result->latency, &port->latency_octaves, error);
	}
	return status;
}

/* Gaps are read only for bursts: they prove, gap by gap, that a burst left at the minimum gap. Gaps between bursts
 * are all alike, and far beyond; largest gap and sum have proven them. */
static int read_gaps(struct device *device, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	struct gap_stats gaps = result->tx_gap;
	int status = 0;

	if (gaps_within_bursts(request))
		gaps.max_octets = request->gap_octets + START_ALIGN_OCTETS - 1;
	for (unsigned i = 0; i < result->ports && status == 0; i++)
		if (result->port[i].tx_gap.gaps != 0)
			status = registers_read_gaps(device, i, &gaps, &result->port[i].tx_gap_histogram, error);
	return status;
}

/* The bins that can hold a gap of any port, so that the histograms of all ports have the same bins. */
static struct gap_stats extremes_received(const struct trial_result *result)
{
	struct gap_stats all = {.min_octets = UINT64_MAX};

	for (unsigned i = 0; i < result->ports; i++) {
		const struct gap_stats *gaps = &result->port[i].rx_gap;

		if (gaps->gaps == 0)
			continue;
		all.min_octets = gaps->min_octets < all.min_octets ? gaps->min_octets : all.min_octets;
		all.max_octets = gaps->max_octets > all.max_octets ? gaps->max_octets : all.max_octets;
	}
	return all;
}

/* Received gaps are read only where the tester sends with gaps below the minimum, to see what those of the device
 * are then. */
static int read_received_gaps(struct device *device, struct trial_result *result, struct error *error)
{
	const struct gap_stats all = extremes_received(result);
	int status = 0;

	for (unsigned i = 0; i < result->ports && status == 0; i++)
		if (result->port[i].rx_gap.gaps != 0)
			status =
			        registers_read_received_gaps(device, i, &all, &result->port[i].rx_gap_histogram, error);
	return status;
}

int device_histograms_read(struct device *device, const struct trial_request *request, struct trial_result *result,
                           struct error *error)
{
	int status = 0;

	if (request->kind == TRIAL_BURST)
		return read_gaps(device, request, result, error);
	if (request->gap_octets < MIN_GAP_OCTETS)
		status = read_received_gaps(device, result, error);
	if (status == 0 && result->lost_frames == 0)
		status = read_latencies(device, result, error);
	return status;
}
