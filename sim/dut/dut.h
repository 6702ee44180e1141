/* SPDX-License-Identifier: Apache-2.0 */
/* Models of a device under test, with known truth. docs/dut-models.md says exactly what they do.
 *
 * A struct dut is one direction through a device. It knows octet times and frames, and neither line words nor octets,
 * so that wire-level simulation (sim/line) and an event-driven twin play the same model. All its arithmetic is exact.
 */
#ifndef FPGAUGE_SIM_DUT_DUT_H
#define FPGAUGE_SIM_DUT_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A frame may start on any group of 8 octets. */
enum { DUT_GROUP_OCTETS = 8, DUT_PREAMBLE_OCTETS = 8, DUT_MIN_GAP_OCTETS = 12 };

struct dut;

/* start_ot: octet time of the first preamble octet, a multiple of 8. octets: destination MAC to FCS. */
struct dut_frame {
	uint64_t start_ot;
	uint32_t octets;
};

struct dut_ops {
	const char *name; /* of dut.model */
	const struct sim_option_rule *rules;
	size_t rule_count;

	/* values as rules read them. NULL with the refusal said in options. */
	struct dut *(*create)(const struct sim_options *options, const struct sim_option_value *values,
	                      uint64_t link_bps);
	void (*destroy)(struct dut *dut);

	/* A frame arrived whole. Frames come in the order in which they arrive. False: the frame is lost. True: it
	 * begins to leave at *departure_ot, a multiple of 8, and not before a frame admitted earlier. */
	bool (*admit)(struct dut *dut, const struct dut_frame *frame, uint64_t *departure_ot);

	void (*truth)(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth);

	/* True when a line through the model is only delayed by *delay_ot, whatever is on it: frames leave before they
	 * have arrived whole, and idle, errors and gaps stay as they are. NULL is never. */
	bool (*delays_line)(const struct dut *dut, uint64_t *delay_ot);
};

struct dut {
	const struct dut_ops *ops;
	uint64_t link_bps;
};

/* Makes count equal directions from the settings dut.*; extra tables name other settings that are known to the caller
 * (device.*). 0, or -1 with the refusal said and nothing to free. */
int dut_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
               uint64_t link_bps, struct dut **duts, size_t count);
void dut_destroy(struct dut *dut); /* NULL is allowed */

static inline bool dut_admit(struct dut *dut, const struct dut_frame *frame, uint64_t *departure_ot)
{
	return dut->ops->admit(dut, frame, departure_ot);
}

void dut_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth);

/* Octet times of a latency given in nanoseconds, rounded up to whole octet times. */
uint64_t dut_latency_ot(const struct quantity *latency_ns, uint64_t link_bps);

static inline uint64_t dut_group_up(uint64_t ot)
{
	return (ot + DUT_GROUP_OCTETS - 1) / DUT_GROUP_OCTETS * DUT_GROUP_OCTETS;
}

static inline uint64_t dut_group_down(uint64_t ot)
{
	return ot / DUT_GROUP_OCTETS * DUT_GROUP_OCTETS;
}

/* The models; the table in dut.c lists them. */
extern const struct dut_ops dut_wire_ops;
extern const struct dut_ops dut_fifo_ops;

#ifdef __cplusplus
}
#endif

#endif
