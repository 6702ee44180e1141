/* SPDX-License-Identifier: Apache-2.0 */
/* The C ABI of a device under test in Verilog, as `fpgauge sim-build` makes it: the user's module, Verilated, behind
 * pins with the same names and widths whatever the module calls them. drivers/sim.c looks up fpgauge_dut_entry() for
 * the number of ports; sim/verilog drives the pins. */
#ifndef FPGAUGE_DRIVERS_DUT_ABI_H
#define FPGAUGE_DRIVERS_DUT_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FPGAUGE_DUT_ABI_VERSION 2u
#define FPGAUGE_DUT_ENTRY "fpgauge_dut_entry" /* the only symbol that is looked up */

enum fpgauge_dut_style {
	FPGAUGE_DUT_AXIS, /* AXI4-Stream */
	FPGAUGE_DUT_MII,  /* groups of 8 octets, each octet with a bit that marks control characters */
};

enum {
	FPGAUGE_DUT_MAX_OCTETS = 64, /* most that a port carries in a clock */
	FPGAUGE_DUT_MAX_CLOCKS = 8,  /* the ports' clock, and others */
};

/* One direction of one port in one clock. */
struct fpgauge_dut_pins {
	uint8_t data[FPGAUGE_DUT_MAX_OCTETS];
	uint64_t keep; /* tkeep; of MII the control bits */
	uint8_t valid, last, user;
	uint8_t ready; /* goes against the direction */
};

struct fpgauge_dut; /* one instance of the module */

struct fpgauge_dut_api {
	uint32_t abi_version;
	const char *module; /* its name in Verilog */
	unsigned ports;
	enum fpgauge_dut_style style;
	unsigned octets;                     /* number that a port carries in a clock, 1 to FPGAUGE_DUT_MAX_OCTETS */
	unsigned clocks;                     /* clock 0 is that of the ports */
	const char *const *clock;            /* each as given: "322.265625M" */
	int has_idle;                        /* it has an output that says that no clock is needed */
	int has_waveform;                    /* the draw functions may be called */
	struct fpgauge_dut *(*create)(void); /* NULL: out of memory */
	void (*destroy)(struct fpgauge_dut *dut);
	/* All clocks are low then. Drives the reset, what goes in at each port, and m_axis_tready; then all that
	 * depends on them without a clock is in `out` (and s_axis_tready in `in`). Returns whether the output idle is
	 * high. */
	int (*settle)(struct fpgauge_dut *dut, int reset, struct fpgauge_dut_pins *in, struct fpgauge_dut_pins *out);
	/* The rising edge of each clock i of which bit i is set, all at once. */
	void (*edge)(struct fpgauge_dut *dut, uint32_t clocks);
	/* A waveform (FST) of the module; one at a time. draw_open: 0, or -1 if the file cannot be made. draw: all
	 * signals as they are now, at a time that is later than that of the call before. */
	int (*draw_open)(struct fpgauge_dut *dut, const char *path);
	void (*draw)(struct fpgauge_dut *dut, uint64_t time_ps);
	void (*draw_close)(struct fpgauge_dut *dut);
};

const struct fpgauge_dut_api *fpgauge_dut_entry(void);

#ifdef __cplusplus
}
#endif

#endif
