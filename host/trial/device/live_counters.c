/* SPDX-License-Identifier: Apache-2.0 */
/* Reads snapshots and computes differences. */
#include "host/trial/device/live_counters.h"

#include <inttypes.h>
#include <math.h>

#include "host/base/rate.h"
#include "host/trial/device/registers.h"

/* Few tries are enough if the device is ours: a snapshot that still changes means that somebody writes the strobe
 * without asking. Next to a program with trials of microseconds, one try in three finds a snapshot that stays long
 * enough; next to one with trials of seconds, nearly every try does. */
enum { TRIES_ALONE = 5, TRIES_BESIDE = 100 };
enum { FIRST_PAUSE_OT = 1 << 17 /* 10 us at 100G */, MOST_DOUBLINGS = 6, BITS_PER_OCTET = 8 };

/* Takes a snapshot, or reads the existing one. */
static int read_once(struct device *device, bool take, struct live_snapshot *snapshot, uint64_t *time_after_ot,
                     struct error *error)
{
	int status = 0;

	if (take)
		status = device_write32(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
	if (status == 0)
		status = device_read64(device, FPGAUGE_GLOBAL_SNAPSHOT_TIME, &snapshot->time_ot, error);
	for (unsigned port = 0; port < snapshot->ports && status == 0; port++)
		status = registers_read_port_counters(device, port, &snapshot->port[port], error);
	return status ? status : device_read64(device, FPGAUGE_GLOBAL_SNAPSHOT_TIME, time_after_ot, error);
}

int live_read(struct device *device, struct live_snapshot *snapshot, struct error *error)
{
	const struct device_identity *identity = device_identity(device);
	uint64_t time_after_ot;

	*snapshot = (struct live_snapshot){.ports = identity->ports};
	for (unsigned i = 1, tries = TRIES_ALONE; i <= tries; i++) {
		bool claimed;
		int status = device_claim(device, &claimed, error);

		if (status == 0)
			status = read_once(device, claimed, snapshot, &time_after_ot, error);
		device_release(device);
		if (status)
			return status;
		if (time_after_ot == snapshot->time_ot)
			return registers_check_id(device, error);
		tries = claimed ? TRIES_ALONE : TRIES_BESIDE;
		status = claimed ? 0
		                 : device_wait(device,
		                               (uint64_t)FIRST_PAUSE_OT << (i < MOST_DOUBLINGS ? i : MOST_DOUBLINGS),
		                               error);
		if (status)
			return status;
	}
	return error_set(error, ERROR_DEVICE,
	                 "%s: another program takes snapshots faster than one can be read, every time", identity->name);
}

int live_read_links(struct device *device, struct live_links *links, struct error *error)
{
	int status = 0;

	*links = (struct live_links){.ports = device_identity(device)->ports};
	for (unsigned port = 0; port < links->ports && status == 0; port++) {
		status = device_read32(device, FPGAUGE_PORT_LINK_STATUS(port), &links->status[port], error);
		if (status == 0)
			status = device_read32(device, FPGAUGE_PORT_LINK_FLAPS(port), &links->flaps[port], error);
	}
	return status;
}

/* Compares counters that never go down except by a clear. */
static bool was_cleared(const struct port_counters *before, const struct port_counters *after)
{
	return after->tx_frames < before->tx_frames || after->rx_frames < before->rx_frames ||
	       after->rx_bad_frames < before->rx_bad_frames || after->tx_octets < before->tx_octets ||
	       after->rx_octets < before->rx_octets || after->rx_latency_frames < before->rx_latency_frames ||
	       (after->tx_frames != 0 && after->tx_first_time != before->tx_first_time && before->tx_frames != 0) ||
	       (after->rx_received_frames != 0 && after->rx_first_time != before->rx_first_time &&
	        before->rx_received_frames != 0);
}

static double line_bits(uint64_t frames, uint64_t octets)
{
	return BITS_PER_OCTET * ((double)octets + (double)frames * LINE_OVERHEAD_OCTETS);
}

/* The sum has 128 bits; the difference over an interval is far below 2^64. */
static double latency_mean_ns(const struct port_counters *before, const struct port_counters *after, uint64_t link_bps)
{
	uint64_t frames = after->rx_latency_frames - before->rx_latency_frames;
	uint64_t sum_ot = after->rx_latency_sum - before->rx_latency_sum;

	return frames == 0 ? NAN : (double)sum_ot / (double)frames * 8e9 / (double)link_bps;
}

struct live_rates live_rates(const struct live_snapshot *before, const struct live_snapshot *after, unsigned port,
                             uint64_t link_bps)
{
	const struct port_counters *from = &before->port[port], *to = &after->port[port];
	uint64_t tx_frames = to->tx_frames - from->tx_frames, rx_frames = to->rx_frames - from->rx_frames;
	double s;

	if (after->time_ot <= before->time_ot || was_cleared(from, to))
		return (struct live_rates){NAN, NAN, NAN, NAN, NAN, NAN};
	s = seconds_from_octet_times(after->time_ot - before->time_ot, link_bps);
	return (struct live_rates){
	        .interval_s = s,
	        .tx_fps = (double)tx_frames / s,
	        .rx_fps = (double)rx_frames / s,
	        .tx_line_bps = line_bits(tx_frames, to->tx_octets - from->tx_octets) / s,
	        .rx_line_bps = line_bits(rx_frames, to->rx_octets - from->rx_octets) / s,
	        .latency_mean_ns = latency_mean_ns(from, to, link_bps),
	};
}

const char *live_counter_name(unsigned index)
{
#define NAME_OF(NAME, name) #name,
	static const char *const NAMES[] = {FPGAUGE_COUNTERS(NAME_OF)};
#undef NAME_OF

	return NAMES[index];
}

uint64_t live_counter(const struct port_counters *counters, unsigned index)
{
	const uint64_t values[] = {
#define VALUE_OF(NAME, name) counters->name,
	        FPGAUGE_COUNTERS(VALUE_OF)
#undef VALUE_OF
	};

	return values[index];
}
