/* SPDX-License-Identifier: Apache-2.0 */
/* The digital twin: the core of hw/rtl behind its registers, played frame by frame instead of clock by clock. Every
 * register reads what the Verilated core (sim/rtl) gives for the same accesses and waits, and an access takes as long.
 * This folder is the registers; sim/twin/play is the model behind them, and sim/twin/skip only speed (docs/twin.md). */
#ifndef FPGAUGE_SIM_TWIN_TWIN_H
#define FPGAUGE_SIM_TWIN_TWIN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/options.h"
#include "sim/twin/play/play.h"
#include "sim/twin/registers.h"

enum { TWIN_LEAST_PORTS = 2, TWIN_GROUPS = 8 };

/* The registers of a phase of what is sent. */
struct twin_phase {
	uint64_t octets, gap_octets, gap_numerator, gap_denominator;
};

/* The registers of a rule. */
struct twin_rule {
	uint64_t octets, period_octets;
	uint32_t frame;
};

struct twin_port {
	uint64_t value[PORT_REGISTERS]; /* values of the writable registers */
	struct twin_phase phase[1u << FPGAUGE_PORT_TX_PHASE_INDEX_BITS];
	struct twin_rule rule[1u << FPGAUGE_PORT_TX_RULE_INDEX_BITS];
	uint64_t counters[FPGAUGE_COUNTER_COUNT]; /* frozen, like all below */
	uint64_t sent[TURNS_FLOWS];
	uint64_t sent_gap_bins[LINE_METER_BINS], gap_bins[LINE_METER_BINS]; /* gaps: sent, and received */
	struct stream *streams[PLAY_MOST_PORTS];                            /* streams by source; NULL: none */
	uint64_t bins[LATENCY_BINS], octaves[LATENCY_BINS];
	struct connections_count connections[TCP_CONNECTIONS];
};

struct twin {
	struct play play; /* first: whoever has one has the other (cable.c) */
	struct register_map map;
	uint64_t value[GLOBAL_REGISTERS];
	uint64_t clock;       /* the number of the word now on the line */
	uint64_t clear_clock; /* clock of the last clear, + 1, because reset counts as one in clock -1 */
	uint32_t time_high;
	bool has_tcp;            /* the setting device.tcp */
	struct twin_port *ports; /* one a port */
	unsigned ports_made;
};

/* False with the option refused in options. */
bool twin_open(struct twin *twin, const struct sim_options *options);
void twin_close(struct twin *twin);

/* False with the error set; time has passed nevertheless. */
bool twin_read(struct twin *twin, uint32_t address, uint32_t *value);
bool twin_write(struct twin *twin, uint32_t address, uint32_t value);
bool twin_wait(struct twin *twin, uint64_t octet_times); /* rounded up to whole words */

bool twin_reset_dut(struct twin *twin);

uint64_t twin_now_ot(const struct twin *twin);

/* The same as in sim_abi.h. */
bool twin_at_rest(struct twin *twin);

/* tables.c: a register of a table, read when it is free, with the time that takes; a register of a tag. */
bool twin_read_table(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value);
bool twin_read_tag(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value);

/* strobes.c: what a write to control does in a clock, and the status. */
bool twin_strobe(struct twin *twin, uint32_t bits, uint64_t clock);
bool twin_status(struct twin *twin, uint64_t clock, uint32_t *status);

/* Clocks in which a clear sweeps over the table of streams, and over all tables. */
uint64_t twin_stream_sweep_clocks(const struct twin *twin);
uint64_t twin_sweep_clocks(const struct twin *twin);

/* True if frames are kept for the host at any port. */
bool twin_keeps_mail(const struct twin *twin);

/* True if in the current trial somebody looks into frames: the device, or the host at a receiver. */
static inline bool twin_follows(const struct twin *twin, unsigned port)
{
	return twin->play.device->reads_frames || twin->play.posts[port]->follows;
}

/* transmit.c: the settings that a start latches, the tables behind index registers, and tx_send. Of
 * twin_transmit_write, *done says whether the register is one of those. */
void twin_transmit_settings(const struct twin *twin, unsigned port, struct sender_settings *settings);
bool twin_transmit_write(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value,
                         uint64_t clock, bool *done);

/* mail.c: frames that are kept for the host. Of _write: a setting, which has been stored, or rx_mail_next. */
bool twin_mail_write(struct twin *twin, unsigned port, unsigned reg, uint64_t clock);
bool twin_mail_read(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value);
bool twin_mail_missed(struct twin *twin, unsigned port); /* the same as twin_fail() */

/* tcp_registers.c. twin_tcp_write: as twin_transmit_write; _look: as twin_read_table; _start and _clear: before what
 * else the strobe does. */
bool twin_tcp_write(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value, uint64_t clock,
                    bool *done);
bool twin_tcp_look(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value);
bool twin_tcp_status(struct twin *twin, unsigned port, uint64_t clock, uint32_t *value);
bool twin_tcp_start(struct twin *twin, uint64_t clock);
bool twin_tcp_clear(struct twin *twin, uint64_t clock);
void twin_tcp_freeze(struct twin *twin, unsigned port, uint64_t clock);

/* loopback.c */
bool twin_loopback_set(struct twin *twin, unsigned port, bool looped, uint64_t clock);

#endif
