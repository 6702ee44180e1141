/* SPDX-License-Identifier: Apache-2.0 */
/* Models of a device under test, with known true values. docs/dut-models.md says exactly what they do.
 *
 * A struct dut is one direction through a device: a model, or several in a chain, where the output line of one is the
 * input line of the next. It deals in octet times and frames, not in line words or octets, so that wire-level
 * simulation (sim/line) and the event-driven twin use the same model. All its arithmetic is exact. */
#ifndef FPGAUGE_SIM_DUT_DUT_H
#define FPGAUGE_SIM_DUT_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A frame may start on any group of 8 octets. One that is longer than the maximum never counts as whole. */
enum { DUT_GROUP_OCTETS = 8, DUT_PREAMBLE_OCTETS = 8, DUT_MIN_GAP_OCTETS = 12, DUT_MAX_FRAME_OCTETS = 16384 };

/* Time from the reset command until it goes dark: the longest frame, which a simulation may have given to the model
 * before it is whole, plus more words than any simulation knows in advance of its line. */
enum { DUT_RESET_LEAD_OT = 20480 };

struct dut;
struct fifo;

enum {
	/* A frame leaves with a wrong FCS, whatever it had before; its other octets are unchanged. */
	DUT_FRAME_CORRUPT = 1,
	/* An error character comes instead of its terminate character: it never arrives at a model, except one that
	 * only delays the line. */
	DUT_FRAME_BROKEN = 2,
	/* It leaves with one octet before its signature inverted and a right FCS, if it has 64 octets or more: octet
	 * dut_altered_octet(). */
	DUT_FRAME_ALTERED = 4,
	/* It arrives with a wrong FCS. Only a device that examines it minds (device.h). */
	DUT_FRAME_BAD_FCS = 8,
	/* It is not one that came in: the device has made it (device.h). */
	DUT_FRAME_OWN = 16,
	/* It leaves with another header than it came in with (device.h). */
	DUT_FRAME_REWRITTEN = 32,
};

struct dut_frame {
	uint64_t start_ot; /* time of the first preamble octet, a multiple of 8 */
	uint64_t id;       /* set by the caller, increasing by one per frame: identifies the content. Copies keep it. */
	uint32_t octets;   /* destination MAC to FCS, not 0 */
	uint16_t flags;    /* DUT_FRAME_* */
	uint16_t from;     /* port where it came in, set by a device of several ports (device.h) */
};

/* Octet time at which a frame has arrived whole: after its last octet. */
static inline uint64_t dut_frame_end_ot(const struct dut_frame *frame)
{
	return frame->start_ot + DUT_PREAMBLE_OCTETS + frame->octets;
}

/* Frames of this length or more can be altered; the last octets of one are a signature of 18 and the FCS. */
enum { DUT_ALTERED_MIN_OCTETS = 64, DUT_ALTERED_TAIL_OCTETS = 22 };

static inline uint32_t dut_altered_octet(uint32_t frame_octets)
{
	return frame_octets - DUT_ALTERED_TAIL_OCTETS - 1;
}

/* See dut_destroy(), dut_pass() ... dut_truth() below. */
struct dut_ops {
	void (*destroy)(struct dut *dut);
	size_t (*pass)(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
	               struct dut_frame *out, size_t room);
	void (*clear)(struct dut *dut); /* drops all frames inside and frees the output line; called in a chain */
	uint64_t (*quiet_until)(const struct dut *dut);     /* NULL: UINT64_MAX */
	uint64_t (*oldest_id)(const struct dut *dut);       /* NULL: UINT64_MAX */
	uint64_t (*steady_until)(const struct dut *dut);    /* NULL: UINT64_MAX */
	uint64_t (*spares)(struct dut *dut, uint64_t most); /* NULL: UINT64_MAX */
	size_t (*state)(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size);
	void (*shift)(struct dut *dut, uint64_t ot, uint64_t ids);
	void (*truth)(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth);

	/* True if the model only delays the line by *delay_ot, whatever is on it: frames leave before they have arrived
	 * whole, and idle, errors and gaps stay as they are. NULL: false. */
	bool (*delays_line)(const struct dut *dut, uint64_t *delay_ot);

	bool (*reset)(struct dut *dut, uint64_t from_ot); /* NULL: false */

	struct fifo *(*plain_fifo)(struct dut *dut); /* NULL: NULL */
};

struct dut {
	const struct dut_ops *ops;
	uint64_t link_bps;
	char model[32]; /* its name, for its truth; cut to fit */
};

/* Creates count directions from the settings dut.*, alike except for what they draw at random: direction i draws from
 * dut.seed and i. Extra tables name other settings that the caller knows (device.*). 0, or -1 with the option refused
 * and nothing to free. */
int dut_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
               uint64_t link_bps, struct dut **duts, size_t count);
void dut_destroy(struct dut *dut); /* NULL is allowed */

/* Passes frames through the model. in[0 .. *count) start one after the other on a legal line, after all earlier frames.
 * The caller promises that every frame after these ends (dut_frame_end_ot) at known_ot or later; a caller that knows
 * only when the next one starts gives that. Promises never go back.
 *
 * Writes to out[0 .. room), room > 0, the frames that no unknown frame can change or overtake any more, in the order of
 * their starts: again a legal line, multiples of 8 with gaps of 12 on average (deficit idle count). Returns how many,
 * and sets *count to the number of frames taken. If it returns less than room, all were taken and nothing more is due:
 * every frame that starts to leave before known_ot has been given. (With a model that only delays the line, this holds
 * if known_ot is a promise about starts.) If it returns room, call again with the remaining frames, or none. Lost
 * frames leave no trace. How frames are split into calls does not affect what comes out. */
static inline size_t dut_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                              struct dut_frame *out, size_t room)
{
	return dut->ops->pass(dut, in, count, known_ot, out, room);
}

/* First octet time at which a frame may begin to leave without further input; to get it, call pass() with a later
 * promise. UINT64_MAX: never, because the model holds no frame back. */
static inline uint64_t dut_quiet_until(const struct dut *dut)
{
	return dut->ops->quiet_until != NULL ? dut->ops->quiet_until(dut) : UINT64_MAX;
}

/* No frame with a lower id can still come out, except those not yet passed in; UINT64_MAX: none is inside. */
static inline uint64_t dut_oldest_id(const struct dut *dut)
{
	return dut->ops->oldest_id != NULL ? dut->ops->oldest_id(dut) : UINT64_MAX;
}

/* Exact jumps over repeating periods: a model whose state after a period equals the state before it, relative to the
 * time and the ids by which the period advances, will do the same again with the same frames. So n periods are skipped
 * by counting n times what one of them gave, and shift().
 *
 * state: everything that can influence what comes out later, with times relative to base_ot (a multiple of 8; no
 * further frame starts before it, and the last call of pass() had that promise) and ids relative to base_id. Equal
 * octets mean equal behaviour, while dut_spares() tells that no draw hits a frame. Returns the size; if that is more
 * than `size`, the buffer holds nothing useful. 0: no jump, because something is drawn for every frame inside.
 *
 * spares: how many of the next frames passed in have nothing done to them by a draw for each of them, at most `most`;
 * it draws ahead, which changes nothing of what comes out. UINT64_MAX: nothing is drawn for each frame. A period, and a
 * jump, may have no frame that is hit.
 *
 * steady_until: what the model does by itself at a given time (a stall, a reset) is not in the state and is not
 * shifted. A jump is exact if every frame in it, those passed in and those that come out for them, starts and ends
 * before this time. UINT64_MAX: no such time.
 *
 * shift: makes all times later by ot, a multiple of 8, and all ids higher by ids, which is the number of frames passed
 * in. */
static inline size_t dut_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	return dut->ops->state(dut, base_ot, base_id, buffer, size);
}

static inline uint64_t dut_spares(struct dut *dut, uint64_t most)
{
	return dut->ops->spares != NULL ? dut->ops->spares(dut, most) : UINT64_MAX;
}

static inline uint64_t dut_steady_until(const struct dut *dut)
{
	return dut->ops->steady_until != NULL ? dut->ops->steady_until(dut) : UINT64_MAX;
}

static inline void dut_shift(struct dut *dut, uint64_t ot, uint64_t ids)
{
	dut->ops->shift(dut, ot, ids);
}

/* True if the model passes whatever is on the line, *delay_ot later. */
static inline bool dut_delays_line(const struct dut *dut, uint64_t *delay_ot)
{
	return dut->ops->delays_line != NULL && dut->ops->delays_line(dut, delay_ot);
}

/* Reset command: the device goes dark DUT_RESET_LEAD_OT from now, which is at from_ot. No promise so far, and no end of
 * a frame so far, is later than that. Frames already given that start at from_ot or later were inside: the caller takes
 * them back. False: the model has no reset. */
static inline bool dut_reset(struct dut *dut, uint64_t from_ot)
{
	return dut->ops->reset != NULL && dut->ops->reset(dut, from_ot);
}

/* The fifo (fifo.h) that the model is and nothing else: one service, no stalls, no cut-through. NULL: it is more, or
 * something else. */
static inline struct fifo *dut_plain_fifo(struct dut *dut)
{
	return dut->ops->plain_fifo != NULL ? dut->ops->plain_fifo(dut) : NULL;
}

void dut_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth);

/* A latency in nanoseconds as octet times, rounded up. */
uint64_t dut_latency_ot(const struct quantity *latency_ns, uint64_t link_bps);

static inline uint64_t dut_group_up(uint64_t ot)
{
	return (ot + DUT_GROUP_OCTETS - 1) / DUT_GROUP_OCTETS * DUT_GROUP_OCTETS;
}

static inline uint64_t dut_group_down(uint64_t ot)
{
	return ot / DUT_GROUP_OCTETS * DUT_GROUP_OCTETS;
}

#ifdef __cplusplus
}
#endif

#endif
