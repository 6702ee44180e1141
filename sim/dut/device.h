/* SPDX-License-Identifier: Apache-2.0 */
/* A device under test with several ports: frames go in at ports, and leave at ports. docs/dut-models.md says exactly
 * what each does. The models of one direction (dut.h) make a device in which ports are wired in pairs.
 *
 * The cycle of a caller: dut_device_put() whatever has arrived, dut_device_known() up to where it is certain that
 * nothing else has, dut_device_take() at every port until it gives less than asked for. How frames and promises are
 * split into such cycles does not change what comes out. The memory of a device is bounded by its settings and by the
 * most frames that are put in or come out in one cycle. */
#ifndef FPGAUGE_SIM_DUT_DEVICE_H
#define FPGAUGE_SIM_DUT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/dut/header.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	DUT_MAX_PORTS = 16,
	DUT_HEADER_OCTETS = 192, /* octets from the destination MAC on that a device can go by, or change */
	DUT_OWN_OCTETS = 256,    /* longest frame that the device makes */
};

/* The names of these devices in dut.model. */
#define DUT_SWITCH "switch"
#define DUT_TWO_SWITCHES "two_switches"
#define DUT_ROUTER "router"
/* Interfaces of Linux (sim/tap): no model, so a library that has none of them refuses the name. */
#define DUT_TAP "tap"
/* Logic of the user (sim/verilog): no model either. */
#define DUT_VERILOG "verilog"

/* True if dut.model is that of Linux interfaces. */
bool dut_is_tap(const char *model);

/* True if dut.model is that of the user's logic. */
bool dut_is_verilog(const char *model);

struct dut_device;

/* The load that a truth is about. Frames of one length with known addresses; each of `receivers` ports gets frames from
 * `senders` ports, which send at the same time and to no other port. 1 sender: pairs, and all other traffic in which
 * ports take turns so that no two send to the same port at the same time. */
struct dut_load {
	uint32_t frame_octets;
	unsigned senders, receivers;
};

/* The way that a frame goes, if it is certain as long as the device does nothing else than with such frames. */
enum dut_way {
	DUT_WAY_OPEN,    /* it is not: the frame changes what the device knows, or is answered, or waits */
	DUT_WAY_NOWHERE, /* lost */
	DUT_WAY_OUT,     /* it goes to the queue of an output */
};

/* The queue of an output, for frames of one length. */
struct dut_queue {
	struct output_queue *queue; /* output_queue.h */
	uint64_t latency_ot;        /* time from the end of a frame until it comes into the queue */
	uint64_t line_octets;       /* a frame on the line, with preamble and gap */
};

/* Frames of one length that have gone from an input to an output, or nowhere. */
struct dut_passage {
	unsigned input, output;
	uint32_t octets;
	uint64_t in, in_unicast, out;
};

struct dut_device_ops {
	void (*destroy)(struct dut_device *device);
	void (*put)(struct dut_device *device, unsigned port, const struct dut_frame *frame, const uint8_t *header);
	/* NULL: it goes by more than addresses */
	void (*put_many)(struct dut_device *device, unsigned port, const struct dut_frame *frames, size_t count,
	                 const struct dut_addresses *addresses);
	void (*known)(struct dut_device *device, uint64_t known_ot);
	size_t (*take)(struct dut_device *device, unsigned port, struct dut_frame *out, size_t room);
	/* NULL: it sends none of its own; changes none */
	void (*own)(struct dut_device *device, unsigned port, const struct dut_frame *frame, uint8_t *octets);
	void (*rewrite)(struct dut_device *device, unsigned port, const struct dut_frame *frame, uint8_t *header);
	uint64_t (*quiet_until)(const struct dut_device *device);
	uint64_t (*oldest_id)(const struct dut_device *device, unsigned port);
	void (*truth)(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth);
	bool (*reset)(struct dut_device *device, uint64_t from_ot);               /* NULL: false */
	bool (*at_rest)(struct dut_device *device, uint64_t now_ot);              /* NULL: false */
	struct dut *(*direction)(const struct dut_device *device, unsigned port); /* NULL: NULL */

	/* Operations for jumps, all or none: */
	size_t (*state)(struct dut_device *device, uint64_t base_ot, const uint64_t *base_ids, uint8_t *buffer,
	                size_t size); /* NULL: 0 */
	uint64_t (*steady_until)(const struct dut_device *device, uint64_t since_ot, uint64_t base_ot);
	void (*shift)(struct dut_device *device, uint64_t since_ot, uint64_t ot, const uint64_t *ids);

	/* Operations for going on without playing every frame, all or none: */
	enum dut_way (*way)(const struct dut_device *device, unsigned port, const uint8_t *header, uint32_t octets,
	                    unsigned *output); /* NULL: it is never known */
	bool (*settle)(struct dut_device *device);
	struct dut_queue (*queue)(struct dut_device *device, unsigned output, uint32_t octets);
	void (*account)(struct dut_device *device, const struct dut_passage *passage);
};

struct dut_device {
	const struct dut_device_ops *ops;
	uint64_t link_bps;
	unsigned ports;
	bool reads_frames;      /* header and DUT_FRAME_BAD_FCS are of interest */
	unsigned header_octets; /* then: so many of the header */
	bool failed;            /* out of memory: frames were lost that the device would not have lost */
};

/* Creates a device of 2 to 16 ports from the settings dut.*. Extra tables name other settings that the caller knows
 * (device.*). 0, or -1 with the option refused and nothing to free. */
int dut_device_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                      uint64_t link_bps, unsigned ports, struct dut_device **device);

static inline void dut_device_destroy(struct dut_device *device) /* NULL is allowed */
{
	if (device != NULL)
		device->ops->destroy(device);
}

/* A frame came in at a port, whole. At each port frames come one after the other, as on a legal line, with ids that
 * increase by one; between ports any order is right. No frame ends before a promise given already. header: its first
 * device->header_octets, or all but its FCS if it is shorter; not read, and may be NULL, unless device->reads_frames.
 */
static inline void dut_device_put(struct dut_device *device, unsigned port, const struct dut_frame *frame,
                                  const uint8_t *header)
{
	device->ops->put(device, port, frame, header);
}

/* True if it reads nothing but addresses. */
static inline bool dut_device_reads_addresses(const struct dut_device *device)
{
	return device->ops->put_many != NULL;
}

/* Then the same for several frames of a port, one after the other, each with the number of its addresses as `from`: in
 * most trials frames have the same few. */
static inline void dut_device_put_many(struct dut_device *device, unsigned port, const struct dut_frame *frames,
                                       size_t count, const struct dut_addresses *addresses)
{
	device->ops->put_many(device, port, frames, count, addresses);
}

/* True if it sends frames of its own. */
static inline bool dut_device_speaks(const struct dut_device *device)
{
	return device->ops->own != NULL;
}

/* Every frame not yet put in, at any port, ends (dut_frame_end_ot) at known_ot or later. The device does all that no
 * such frame can change. Promises never go back. */
static inline void dut_device_known(struct dut_device *device, uint64_t known_ot)
{
	device->ops->known(device, known_ot);
}

/* Writes to out[0 .. room) what leaves at a port, in the order of its start, and returns how many; less than room: that
 * is all there is before the next promise. Then every frame that starts to leave before known_ot has been given. Starts
 * are multiples of 8 on a legal line. A frame keeps its id, and has the port where it came in as `from`; copies are
 * frames with the same of both. One that the device has made itself (DUT_FRAME_OWN) has device->ports there. */
static inline size_t dut_device_take(struct dut_device *device, unsigned port, struct dut_frame *out, size_t room)
{
	return device->ops->take(device, port, out, room);
}

/* Tells the octets of a frame that was taken with the last call of dut_device_take() at this port, before anything else
 * is asked of the device; of several, in the order in which they were taken, though not of all.
 *
 * own: one with DUT_FRAME_OWN. Writes its octets, at most DUT_OWN_OCTETS, without its FCS, which is right.
 * rewrite: one with DUT_FRAME_REWRITTEN. Changes its header, as it came in, to how it leaves; its FCS is right again.
 * header: device->header_octets of it, or all if it is shorter. */
static inline void dut_device_own(struct dut_device *device, unsigned port, const struct dut_frame *frame,
                                  uint8_t *octets)
{
	device->ops->own(device, port, frame, octets);
}

static inline void dut_device_rewrite(struct dut_device *device, unsigned port, const struct dut_frame *frame,
                                      uint8_t *header)
{
	device->ops->rewrite(device, port, frame, header);
}

/* First octet time, when all has been taken, at which a frame may begin to leave without further input; to get it, give
 * a later promise. UINT64_MAX: never, because nothing is held back. */
static inline uint64_t dut_device_quiet_until(const struct dut_device *device)
{
	return device->ops->quiet_until(device);
}

/* No frame from this port with a lower id can still come out when all has been taken, except those not yet put in;
 * UINT64_MAX: none is inside. */
static inline uint64_t dut_device_oldest_id(const struct dut_device *device, unsigned port)
{
	return device->ops->oldest_id(device, port);
}

void dut_device_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth);

/* Does the same as dut_reset(), for all ports; the caller takes back what has been taken and starts at from_ot or
 * later. False: the device has no reset. */
static inline bool dut_device_reset(struct dut_device *device, uint64_t from_ot)
{
	return device->ops->reset != NULL && device->ops->reset(device, from_ot);
}

/* Exact jumps over repeating periods of all ports together, as dut_state() has them for a direction; repeats: whether
 * the device has them. When all has been taken and the last promise was base_ot, a multiple of 8:
 *
 * state: everything that can influence what comes out later, with times relative to base_ot and the ids of each port
 * relative to base_ids[port]. Equal octets at two promises, the time between them the period: it will do the same again
 * with the same frames. Returns the size; more than `size`: the buffer holds nothing useful. 0: no jump.
 *
 * steady_until: what has stood since before the promise since_ot, a period before base_ot, stays as it is for promises
 * up to this one. It is not in the state and is not shifted.
 *
 * shift: makes all later times later by ot, a multiple of 8, and the ids of each port higher by ids[port]. */
static inline bool dut_device_repeats(const struct dut_device *device)
{
	return device->ops->state != NULL;
}

static inline size_t dut_device_state(struct dut_device *device, uint64_t base_ot, const uint64_t *base_ids,
                                      uint8_t *buffer, size_t size)
{
	return device->ops->state != NULL ? device->ops->state(device, base_ot, base_ids, buffer, size) : 0;
}

static inline uint64_t dut_device_steady_until(const struct dut_device *device, uint64_t since_ot, uint64_t base_ot)
{
	return device->ops->steady_until(device, since_ot, base_ot);
}

static inline void dut_device_shift(struct dut_device *device, uint64_t since_ot, uint64_t ot, const uint64_t *ids)
{
	device->ops->shift(device, since_ot, ot, ids);
}

/* A caller may go on without playing every frame: as long as frames come of which it is known what becomes of them,
 * each output is nothing but a queue (output_queue.h), and what comes in at one port does not matter to another.
 *
 * can_be_foreseen: whether the device has this.
 *
 * way: of a frame with a right FCS. header: its first device->header_octets.
 *
 * settle: if what becomes of all frames inside is known, has all of them take their places now, whatever has been
 * promised. Frames of other ports that end earlier may still be put in, if what becomes of them is known too. False:
 * nothing has changed.
 *
 * queue: of an output. account: what a caller has passed through it itself. */
static inline bool dut_device_can_be_foreseen(const struct dut_device *device)
{
	return device->ops->way != NULL;
}

static inline enum dut_way dut_device_way(const struct dut_device *device, unsigned port, const uint8_t *header,
                                          uint32_t octets, unsigned *output)
{
	return device->ops->way(device, port, header, octets, output);
}

static inline bool dut_device_settle(struct dut_device *device)
{
	return device->ops->settle(device);
}

static inline struct dut_queue dut_device_queue(struct dut_device *device, unsigned output, uint32_t octets)
{
	return device->ops->queue(device, output, octets);
}

static inline void dut_device_account(struct dut_device *device, const struct dut_passage *passage)
{
	device->ops->account(device, passage);
}

/* True if the device is at now_ot as it was when it was made: nothing is inside, and nothing of what it has done, nor
 * any time of its own, changes what it will do from now on. Every frame that ended so far has been put, and all that
 * leaves has been taken. False also where it is not known. */
static inline bool dut_device_at_rest(struct dut_device *device, uint64_t now_ot)
{
	return device->ops->at_rest != NULL && device->ops->at_rest(device, now_ot);
}

/* The model that frames from this port of a device of pairs go through, to port ^ 1: a caller may use it in place of
 * put, known and take, to jump over periods or because it only delays the line. NULL: no pairs. */
static inline struct dut *dut_device_direction(const struct dut_device *device, unsigned port)
{
	return device->ops->direction != NULL ? device->ops->direction(device, port) : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
