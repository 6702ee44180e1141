/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test of a device: does it do what its register map says, with nothing else involved?
 *
 * The checks use only the device contract and the map. They take over the device: anything it was sending is stopped,
 * and afterwards its settings are 0 and its counters cleared. docs/selftest.md says what each check proves, and what is
 * not proven. */
#ifndef FPGAUGE_COMMANDS_SELFTEST_CHECKS_H
#define FPGAUGE_COMMANDS_SELFTEST_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "host/console/calibration.h"

enum selftest_verdict { SELFTEST_PASS, SELFTEST_FAIL, SELFTEST_NOT_APPLICABLE };

enum { SELFTEST_MAX_PORTS = 16, SELFTEST_MAX_VALUES = 8, SELFTEST_NO_PORT = -1 };

/* A measured number, such as "gap_mean_octets". name is static. */
struct selftest_value {
	const char *name;
	double value;
};

struct selftest_row {
	const char *check;     /* "registers", "memory", "counters", "clock", "loopback", "link", "external" */
	int port;              /* SELFTEST_NO_PORT: the device as a whole */
	uint32_t frame_octets; /* 0: does not depend on a size */
	enum selftest_verdict verdict;
	char text[240]; /* says what was seen; in a failure also what it should be */
	struct selftest_value values[SELFTEST_MAX_VALUES];
	size_t value_count;
};

struct selftest_report {
	struct selftest_row *rows;
	size_t count;
	struct calibration_cable cables[SELFTEST_MAX_PORTS]; /* cables in external loopback that passed */
	size_t cable_count;
};

struct selftest_config {
	bool external;     /* cables are plugged in, from a port to itself or between two ports */
	bool real_time;    /* the device's time is wall time, unlike in a simulation */
	uint64_t line_ns;  /* sending time at each frame size */
	uint64_t clock_ns; /* wall time over which clocks are compared */
	double clock_tolerance_ppm;
	const _Atomic int *cancel;                                  /* may be NULL */
	void (*row)(const struct selftest_row *row, void *context); /* called with each row when done; may be NULL */
	void *context;
};

/* Runs all checks. 0 if they could be made, whatever they found; else the device failed or the user stopped it, and the
 * report has the rows up to then. */
int selftest_run(struct device *device, const struct selftest_config *config, struct selftest_report *report,
                 struct error *error);

bool selftest_passes(const struct selftest_report *report);
void selftest_free(struct selftest_report *report);

#endif
