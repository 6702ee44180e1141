/* SPDX-License-Identifier: Apache-2.0 */
/* A device for tests, at link level: it implements the functions of drivers/device.h over an array of registers and
 * acts as a wire with a fixed latency and faults on demand. It keeps every frame's start time, so its counters are
 * counted, not computed. For small trials only. */
#ifndef FPGAUGE_TESTS_C_FAKE_DEVICE_H
#define FPGAUGE_TESTS_C_FAKE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	FAKE_PORTS = 2,
	FAKE_MAX_FRAMES = 4096,
	FAKE_MAX_OVERRIDES = 4,
	FAKE_LATENCY_OT = 640,
	FAKE_SLOW_OT = 300000,
	FAKE_BINS = 1024,
	FAKE_MAX_MAIL = 8
};

/* FAKE_SLOW: forwarded FAKE_SLOW_OT later than the others. */
enum fake_fate { FAKE_FORWARD, FAKE_DROP, FAKE_DUPLICATE, FAKE_SLOW };

struct fake_override {
	unsigned port;
	enum fpgauge_counter counter;
	uint64_t value;
};

struct device {
	struct device_identity identity;
	uint32_t registers[FPGAUGE_MAP_OCTETS / 4];
	uint64_t now_ot;

	/* set by the test */
	enum fake_fate (*fate)(unsigned port, uint64_t frame); /* NULL: forward all */
	uint64_t stop_short;                                   /* how many frames of the request are not sent */
	uint64_t slow_ot;         /* how much slower slow frames are; at first FAKE_SLOW_OT */
	uint64_t histogram_short; /* how many frames are missing from every bin */
	uint64_t octave_short;    /* the same for the log bins */
	uint64_t stretch_ot;      /* the second start and all after it come this much later than asked */
	bool clearing_stuck, sending_stuck;
	uint64_t gone_after_accesses; /* accesses after which everything reads all ones; 0: never */
	uint64_t fail_after_accesses; /* accesses after which the driver reports an error; 0: never */
	struct fake_override overrides[FAKE_MAX_OVERRIDES];
	unsigned override_count;
	const uint8_t *mail[FAKE_MAX_MAIL];  /* frames that port 1 keeps for the host, if asked to; oldest first */
	uint32_t mail_octets[FAKE_MAX_MAIL]; /* FCS included */
	unsigned mail_count, mail_next;
	bool has_observers;
	bool has_no_reset;        /* there is nothing to reset */
	uint64_t disturbed_at_ot; /* when something disturbs it; UINT64_MAX: never */
	uint64_t word_octets;     /* a wait is rounded up to a multiple of this, as in a simulation; 0: to none */
	long wait_ms;             /* wall time that each wait takes */
	_Atomic int *cancel_flag; /* set when device time passes cancel_at_ot */
	uint64_t cancel_at_ot;

	/* records of what was done to it */
	uint64_t asked_ot;  /* time until which it is known that it was disturbed, or not */
	uint64_t box_reads; /* reads of rx_mail_octets */
	uint64_t reads, writes, header_writes, waits, starts, stops;
	uint64_t accesses_at_start; /* reads and writes up to the write of the last start, inclusive */
	uint64_t longest_wait_ot;
	unsigned resets;
	uint64_t reset_at_ot;
	uint64_t frames[FAKE_PORTS];
	uint64_t start_ot[FAKE_PORTS][FAKE_MAX_FRAMES];
	uint64_t latencies[FAKE_PORTS][FAKE_BINS]; /* latencies by receiver, as of the last snapshot */
	uint64_t octaves[FAKE_PORTS][FAKE_BINS];   /* the same latencies */
	uint64_t gaps[FAKE_PORTS][FAKE_BINS];      /* gaps by sender */
	uint64_t came[FAKE_PORTS][FAKE_BINS];      /* the same by receiver */
};

void fake_begin(struct device *device);
uint32_t fake_register(const struct device *device, uint32_t address);
uint64_t fake_register64(const struct device *device, uint32_t address);
void fake_override(struct device *device, unsigned port, enum fpgauge_counter counter, uint64_t value);

#endif
