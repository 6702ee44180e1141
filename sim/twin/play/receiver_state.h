/* SPDX-License-Identifier: Apache-2.0 */
/* State of a receiver: settings, counts, frames that wait. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_RECEIVER_STATE_H
#define FPGAUGE_SIM_TWIN_PLAY_RECEIVER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hw/regs/fpgauge_regs.h"
#include "sim/dut/dut.h"
#include "sim/twin/play/connections.h"
#include "sim/twin/play/letters.h"
#include "sim/twin/play/line_meter.h"
#include "sim/twin/play/mailbox.h"
#include "sim/twin/play/records.h"
#include "sim/twin/play/stream.h"

enum {
	RECEIVER_STREAMS = 256, /* streams of a source */
	RECEIVER_SOURCES = RECORD_SOURCES,
	RECEIVER_TAGS = 512,
	RECEIVER_CHANGES = 16, /* setting changes that do not apply yet to frames in flight */
};

/* All counters but those of the line (line_meter). Latencies and times in octet times. */
struct receiver_counts {
	uint64_t frames, octets;
	uint64_t bad_code, bad_short, bad_long, bad_fcs;
	uint64_t foreign, other_run, bad_payload, wrong_port, received;
	struct stream_sums sums;
	uint64_t first_ot, last_ot, last_loss_ot, silence_ot, silence_start_ot;
	struct latency latency;
	uint64_t tagged;
	uint64_t mail, mail_overflow;
	uint64_t tcp, tcp_bad;
	uint64_t bins[LATENCY_BINS], octaves[LATENCY_BINS];
};

enum receiver_setting {
	RECEIVER_RUN_ID,
	RECEIVER_MAX_FRAME_OCTETS,
	RECEIVER_HISTOGRAM_BASE,
	RECEIVER_HISTOGRAM_WIDTH_LOG2,
	RECEIVER_PAYLOAD_OFFSET,
	RECEIVER_PAYLOAD_SINCE_OT, /* payloads are checked of frames that start at this time or later */
	RECEIVER_EXPECTED,         /* and as many more as the table has words */
	RECEIVER_SETTINGS = RECEIVER_EXPECTED + FPGAUGE_PORT_RX_EXPECTED_COUNT
};

/* True if frames of this entry of this source are expected. */
static inline bool receiver_expects(const uint64_t settings[RECEIVER_SETTINGS], unsigned source, uint32_t entry)
{
	const uint32_t stream = source * (uint32_t)RECEIVER_STREAMS + entry;

	return settings[RECEIVER_EXPECTED + stream / 32] >> stream % 32 & 1;
}

struct receiver_change {
	uint64_t from_ot; /* it applies to frames that end at this time or later */
	unsigned setting;
	uint64_t value;
};

/* TCP connections of the port: frames that begin at since_ot or later, and before until_ot, and have one of its ports
 * are segments. Both 0: none has been enabled yet. */
struct receiver_tcp {
	bool failed; /* out of memory for what arrives */
	uint16_t port;
	uint64_t since_ot, until_ot;
	uint64_t heard_ot;               /* frames that end before this are not heard, after a clear */
	struct connections *connections; /* borrowed */
};

struct receiver_tag {
	uint32_t stream;
	uint64_t latency_ot, start_ot;
};

struct receiver {
	uint64_t settings[RECEIVER_SETTINGS];
	uint64_t short_gap_octets;
	uint64_t payload_offset; /* the value written last */
	struct receiver_change changes[RECEIVER_CHANGES];
	size_t change_count;

	struct receiver_counts counts;
	struct stream *streams[RECEIVER_SOURCES]; /* RECEIVER_STREAMS each; NULL: that port has sent nothing here */
	struct receiver_tag tags[RECEIVER_TAGS];
	uint64_t from_ot; /* frames that end before this are not counted, after a clear */
	struct line_meter meter;
	uint64_t gap_bins[LINE_METER_BINS];
	struct mailbox mail;
	struct receiver_tcp tcp;

	/* frames on the line, in line order; those up to `counted` are counted, those up to `metered` are metered */
	struct dut_frame *queue;
	size_t capacity, counted, metered, end;
	struct letters letters; /* frames in the queue without our signature, by the time of their start */
};

#endif
