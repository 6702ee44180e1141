/* SPDX-License-Identifier: Apache-2.0 */
/* The device contract: all that the host knows about a card, Verilated RTL or the twin.
 *
 * A device is a register file (hw/regs/fpgauge_regs.h) and a clock of its own. Times are octet times of the link.
 * The host never sleeps by its own clock: device_wait() sleeps on a card, and lets time pass in a simulation.
 * A register access takes a little device time, as on a card. */
#ifndef FPGAUGE_DRIVERS_DEVICE_H
#define FPGAUGE_DRIVERS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/device_listing.h"
#include "host/base/error.h"

struct device;

/* A setting for the backend, such as "dut.model" = "fifo". The names are those of the plan. */
struct device_option {
	const char *name;
	const char *value;
};

/* One program drives a device. Others may observe if the bus lets them, which only a board behind a BAR does. */
enum device_use {
	DEVICE_DRIVE, /* nobody else drives it while it is open */
	DEVICE_LOOK,  /* only reads; writes only between device_claim() and device_release() */
};

struct device_config {
	enum device_use use;
	const char *backend; /* "sim", "xrt", "pci" */
	const char *library; /* sim: "rtl", "twin" or the path of a shared library */
	unsigned ports;      /* sim: ports that the device must have; 0: as many as the library has by itself */
	uint64_t link_bps;   /* sim: speed of its links; 0: as device.link says, or what the library has by itself */
	bool needs_tcp;      /* sim: some test needs TCP connections */
	const struct device_option *options;
	size_t option_count;
};

/* Frames that a device can put on the wire, beyond whole ones of 64 octets and more with gaps of 12 octets on
 * average. */
enum {
	DEVICE_SENDS_WRONG_CODE = 1,   /* frames that end with an error character */
	DEVICE_SENDS_SHORT_FRAMES = 2, /* frames below 64 octets */
	DEVICE_SENDS_GAP_88_BITS = 4,  /* gaps of 11 octets on average */
};

/* Read from the device at open. */
struct device_identity {
	char name[96]; /* "sim rtl", "xrt 0000:3b:00.1" ... */
	char backend[16];
	char bitstream[200]; /* says which one was loaded (drivers/bitstream.h); "": nobody knows, or a simulation */
	uint32_t map_version;
	uint32_t map_hash;
	unsigned ports;
	unsigned groups;
	unsigned destinations;    /* entries per port */
	unsigned histogram_bins;  /* bins per port */
	uint32_t sends;           /* a mask of DEVICE_SENDS_... */
	unsigned tcp_connections; /* connections of each port; 0: a build without TCP */
	/* Most by which what is behind the line may move a frame, beyond a constant delay; 0: nothing is. */
	uint32_t tx_time_error_ot, rx_time_error_ot;
	uint64_t link_bps; /* exact to the bit a second for a simulation, to a hertz of its clock for a card */
};

/* The true values of a simulated DUT; unknown on a card. Rates are in frames per second at the given frame size. */
struct dut_truth {
	char model[32];
	double throughput_fps;  /* highest load without loss in the long run; the line rate if it never loses; NaN,
	                         * with no longest burst, if it loses by chance or on purpose */
	uint64_t buffer_frames; /* 0 if the model has no buffer */
	uint64_t longest_burst_frames; /* the longest at minimum gap, starting idle; UINT64_MAX if it never loses */
	uint64_t latency_ot;           /* latency of a frame into an idle device, start to start */
};

/* Opens a device and checks id, map version and map hash before anything else. If another process has the device:
 * ERROR_DEVICE, which names that process. On ERROR_PLAN, *bad_option names the refused option (or is NULL). */
int device_open(const struct device_config *config, struct device **device, const char **bad_option,
                struct error *error);
void device_close(struct device *device); /* NULL is allowed */

const struct device_identity *device_identity(const struct device *device);

/* The file of the library that simulates it; "": it is not simulated. */
const char *device_library(const struct device *device);

int device_read32(struct device *device, uint32_t address, uint32_t *value, struct error *error);
int device_write32(struct device *device, uint32_t address, uint32_t value, struct error *error);
int device_wait(struct device *device, uint64_t octet_times, struct error *error);
int device_now(struct device *device, uint64_t *octet_times, struct error *error);

/* A reading of the device's clock, and when it was made: between two times of CLOCK_MONOTONIC_RAW. */
struct device_clock {
	uint64_t octet_times;
	double after_s, before_s;
};

/* Reads the register `time`, which advances meanwhile and which other programs may read too (card_time.c). */
int device_read_clock(struct device *device, struct device_clock *clock, struct error *error);

/* Can another program observe while this one drives? It then sees the last snapshot, and takes none itself. */
bool device_has_observers(const struct device *device);

/* Gives a program that only observes the right to write for a moment. *claimed false: another program has the device,
 * and what is read is what that program froze. Release it soon, because a program that wants to drive has to wait. A
 * program that drives always has the right. */
int device_claim(struct device *device, bool *claimed, struct error *error);
void device_release(struct device *device);

/* False if the truth is not known. */
bool device_truth(struct device *device, uint32_t frame_octets, struct dut_truth *truth);

/* Tells the DUT of a simulation to reset: it goes dark 20480 octet times later (docs/dut-models.md). ERROR_DEVICE if
 * its model has no reset, and on a card, where the DUT is not ours. */
int device_reset_dut(struct device *device, struct error *error);

/* How device time and real time go together. */
enum device_disturbance {
	DEVICE_OWN_TIME,    /* a simulation, as fast as it can be: nothing outside can disturb it */
	DEVICE_UNDISTURBED, /* real time, and on time */
	DEVICE_DISTURBED,   /* a simulation in real time that was late: frames may be lost through its fault */
};

enum { DEVICE_DISTURBANCE_SIZE = 200 };

/* Returns whether the device was disturbed since the last call, and if so in text one line that says by what. */
enum device_disturbance device_disturbance(struct device *device, char text[DEVICE_DISTURBANCE_SIZE]);

/* Measurements that a board makes of itself. */
enum { DEVICE_MOST_SENSORS = 32, DEVICE_SENSOR_NAME_SIZE = 48 };
enum device_sensor_unit { DEVICE_CELSIUS, DEVICE_WATTS };

struct device_sensor {
	char name[DEVICE_SENSOR_NAME_SIZE]; /* "FPGA", "PCB Top Front", "power" */
	enum device_sensor_unit unit;
	double value;
};

struct device_sensors {
	unsigned count; /* 0: it has none, or nobody can read them */
	struct device_sensor sensor[DEVICE_MOST_SENSORS];
};

/* Reads them all, which may take some milliseconds. An error is one of the device, not of a sensor: those that cannot
 * be read are left out. */
int device_sensors(struct device *device, struct device_sensors *sensors, struct error *error);

/* Returns whether a copy of this process that fork() makes may run the next trial on its copy of the device, and
 * count in it what this process would: a simulation in which nothing moves, and whose DUT forgets (docs/trial.md). */
bool device_at_rest(struct device *device);

/* Lets a simulation have so many threads of its own from now on; 0: as many as its settings say. None is running when
 * it returns. False: it cannot. */
bool device_use_threads(struct device *device, unsigned threads);

/* Lists all devices that the backends find, without opening them. If a backend cannot look, that is a listing of its
 * own, not ready, so that it hides no others. */
int device_list(device_found *found, void *context);

/* 64-bit registers, low word first. Only for registers that a snapshot froze or that do not change (D7). */
int device_read64(struct device *device, uint32_t address, uint64_t *value, struct error *error);
int device_write64(struct device *device, uint32_t address, uint64_t value, struct error *error);

#endif
