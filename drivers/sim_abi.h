/* SPDX-License-Identifier: Apache-2.0 */
/* The C ABI of a simulation library: Verilated RTL, the twin, or a user's own. drivers/sim.c loads one with dlopen,
 * looks up fpgauge_sim_entry() and calls the functions in the table that it returns. */
#ifndef FPGAUGE_DRIVERS_SIM_ABI_H
#define FPGAUGE_DRIVERS_SIM_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FPGAUGE_SIM_ABI_VERSION 6u

struct fpgauge_sim; /* one simulated device with its DUT */

struct fpgauge_sim_option {
	const char *name; /* "dut.model", "dut.buffer_frames", "device.waveform", ... */
	const char *value;
};

/* longest_burst_frames of a DUT that has none, because it loses by chance or on purpose. */
#define FPGAUGE_SIM_TRUTH_NONE (UINT64_MAX - 1)

struct fpgauge_sim_truth {
	char model[32];
	double throughput_fps; /* NaN: the DUT has none */
	uint64_t buffer_frames;
	uint64_t longest_burst_frames; /* UINT64_MAX: never loses; FPGAUGE_SIM_TRUTH_NONE */
	uint64_t latency_ot;
};

/* Disturbance by the world outside, of a simulation that keeps pace with real time. */
enum fpgauge_sim_disturbance {
	FPGAUGE_SIM_OWN_TIME,    /* its time is its own: nothing can */
	FPGAUGE_SIM_UNDISTURBED, /* it keeps pace */
	FPGAUGE_SIM_DISTURBED,   /* it has not: what was measured meanwhile may be its own fault */
};

/* All int results are 0, or -1 with error_text set. The library never prints it. */
struct fpgauge_sim_api {
	uint32_t abi_version;
	const char *name; /* "rtl", "twin" */
	unsigned ports;   /* unless device.ports says otherwise, which is an option of libraries with most_ports, as is
	                   * device.tcp: TCP connections at each port, which a library has by itself or not at all if
	                   * there is no such option */

	/* An option of every library: device.link, the speed of its links in bit/s, 10000000 to 800000000000, which it
	 * has then to the bit a second; clock_hz is the nearest number of hertz. Without, a speed of its own.
	 *
	 * Several may be open at a time: the speed of a library is measured in a separate instance
	 * (host/forecast/pace_measure.c). Returns NULL on failure, with error set to one line ("0: must be 1 to
	 * 65536"); *bad_option points to the name of the option at fault, from the caller's own array, or is NULL if no
	 * option is at fault. */
	struct fpgauge_sim *(*open)(const struct fpgauge_sim_option *options, size_t count, const char **bad_option,
	                            char *error, size_t error_size);
	void (*close)(struct fpgauge_sim *sim);
	int (*read32)(struct fpgauge_sim *sim, uint32_t address, uint32_t *value);
	int (*write32)(struct fpgauge_sim *sim, uint32_t address, uint32_t value);
	int (*wait)(struct fpgauge_sim *sim, uint64_t octet_times);
	uint64_t (*now)(struct fpgauge_sim *sim); /* octet times */
	int (*truth)(struct fpgauge_sim *sim, uint32_t frame_octets, struct fpgauge_sim_truth *truth);
	const char *(*error_text)(struct fpgauge_sim *sim);
	int (*reset_dut)(struct fpgauge_sim *sim); /* does what device_reset_dut() does */
	unsigned most_ports;                       /* most that device.ports may ask for; 0: there is no such option */
	/* Returns what has disturbed it since the last call, and in text one line that says so ("port 0: ..."), only
	 * if it was. NULL: FPGAUGE_SIM_OWN_TIME. */
	enum fpgauge_sim_disturbance (*disturbance)(struct fpgauge_sim *sim, char *text, size_t size);
	/* 1: nothing is sent, nothing is on a line or inside the DUT, and all that the DUT will do depends on what
	 * will happen, not on what was or on what time it is. Then a copy of the process that fork() makes may go on
	 * with its copy of the simulation, and what it counts is what this one would. 0: not so, or not known, or a
	 * file is written meanwhile. NULL: 0. */
	int (*at_rest)(struct fpgauge_sim *sim);
	/* Ends all threads of the simulation, and lets it have so many at most from now on; 0: as many as it would by
	 * its settings. NULL: it has none while it is at rest, and no need of them. -1, without error_text: it cannot.
	 */
	int (*use_threads)(struct fpgauge_sim *sim, unsigned threads);
};

/* error_text of reset_dut if the DUT model has no reset. */
#define FPGAUGE_SIM_NO_RESET "dut.model has no reset"

/* The only symbol that is looked up. */
const struct fpgauge_sim_api *fpgauge_sim_entry(void);

#ifdef __cplusplus
}
#endif

#endif
