/* SPDX-License-Identifier: Apache-2.0 */
/* Computes when the frames of bursts start. Their numbers and times are those of drift.h. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_BURSTS_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_BURSTS_H

#include "sim/twin/skip/drift.h"

static inline int64_t drift_floor64(int64_t value, int64_t by)
{
	const int64_t whole = value / by;

	return whole - (value % by < 0);
}

/* The ideal start of a frame, in octet times. */
static inline int64_t drift_ideal_of(const struct drift_fifo *fifo, int64_t frame)
{
	const int64_t burst = drift_floor64(frame + fifo->burst_place, fifo->burst_frames);
	const int64_t place = frame + fifo->burst_place - burst * fifo->burst_frames;

	return fifo->start + burst * fifo->burst_ot + (place - fifo->burst_place) * fifo->load;
}

/* The start of a frame, in groups. */
static inline int64_t drift_start_of(const struct drift_fifo *fifo, int64_t frame)
{
	return drift_floor64(drift_ideal_of(fifo, frame), 8);
}

/* The first frame that starts in this group or later. */
static inline int64_t drift_frame_from(const struct drift_fifo *fifo, int64_t group)
{
	const int64_t ot = 8 * group - fifo->start + fifo->burst_place * fifo->load;
	const int64_t burst = drift_floor64(ot, fifo->burst_ot);
	const int64_t place = (ot - burst * fifo->burst_ot + fifo->load - 1) / fifo->load;

	return burst * fifo->burst_frames + (place < fifo->burst_frames ? place : fifo->burst_frames) -
	       fifo->burst_place;
}

#endif
