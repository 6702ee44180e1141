/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a port, one row each. A row makes a counter a member of struct trial_port, a key that an external
 * tester may answer, a column of the run file, a sum over ports and trials in results, and a row of the table in
 * docs/results.md: none of these names it again. */
#ifndef FPGAUGE_BASE_PORT_COUNTERS_H
#define FPGAUGE_BASE_PORT_COUNTERS_H

#include <stdint.h>

/* ROW(name, register, heading, meaning): the register is that of the receiver of a port in FPGAUGE_COUNTERS, as
 * docs/registers.md defines it. A sum is unknown as soon as one of its parts is. */

/* These are counted for each flow as well, and a trial has sums of its own, judged flow by flow. */
#define FLOW_COUNTERS(ROW)                                                                                             \
	ROW(duplicated_frames, rx_duplicated_frames, "Duplicated", "test frames that arrived again")                   \
	ROW(reordered_frames, rx_reordered_frames, "Reordered", "test frames that arrived after one sent later")       \
	ROW(late_frames, rx_late_frames, "Late",                                                                       \
	    "test frames that came too late to be told from second copies: they are among those lost")

#define RECEIVER_COUNTERS(ROW)                                                                                         \
	ROW(sequence_gaps, rx_sequence_gaps, "Sequence gaps", "how often the sequence of a flow skipped ahead")        \
	ROW(bad_frames, rx_bad_frames, "Bad", "anything that starts but is not a good frame")                          \
	ROW(bad_fcs_frames, rx_bad_fcs_frames, "Bad FCS", "bad frames with a wrong FCS")                               \
	ROW(foreign_frames, rx_foreign_frames, "Foreign", "good frames without the signature of test frames")          \
	ROW(other_run_frames, rx_other_run_frames, "Earlier trial", "test frames of an earlier trial")                 \
	ROW(wrong_port_frames, rx_wrong_port_frames, "Wrong port",                                                     \
	    "test frames at a port that they were not addressed to: flooded or misforwarded")                          \
	ROW(wrong_length_frames, rx_wrong_length_frames, "Wrong length",                                               \
	    "test frames with another length than they were sent with")                                                \
	ROW(bad_payload_frames, rx_bad_payload_frames, "Bad payload",                                                  \
	    "test frames whose payload the device changed, under a new FCS that is right: they count as lost")

#define PORT_COUNTERS(ROW) FLOW_COUNTERS(ROW) RECEIVER_COUNTERS(ROW)

/* Takes what ROW takes: a member of a struct that has these counters. */
#define COUNTER_MEMBER(name, ...) uint64_t name;

#endif
