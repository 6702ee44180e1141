/* SPDX-License-Identifier: Apache-2.0 */
/* A checked plan. plan_read() turns a libconfig file into this, or into one line that names file, line, value and
 * limit. No value that reaches the rest of the program can be out of range. */
#ifndef FPGAUGE_PLAN_PLAN_H
#define FPGAUGE_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "host/base/quantity.h"
#include "host/plan/plan_test.h"
#include "host/plan/source.h"

struct key_family;

/* The heading of every report says who measured what and where; these are texts of the plan, NULL where it says
 * nothing. */
struct plan_info {
	const char *title, *dut, *firmware, *operator_name, *site, *notes;
};

/* An external program in place of a device (docs/exec-tester.md). */
struct plan_exec {
	const char **command; /* ends with NULL; NULL: there is a device */
	uint64_t timeout_ns;  /* 0: derived from the trial */
	unsigned senders;
	struct quantity offered_tolerance; /* a ratio */
};

struct plan {
	char *path;
	const char *text;        /* the plan file, for the report: files[0].text */
	struct plan_file *files; /* the plan, then what it includes */
	size_t file_count;
	struct device_config device; /* options: the settings of device and dut for the driver, as text */
	const char *calibration;     /* file, or "none"; NULL: the plan does not say */
	struct plan_exec exec;
	const char *trial_log; /* file that gets one line per trial, "-" for standard error; NULL none */
	uint64_t link_bps;     /* 0: whatever the device has; never 0 for an external program */
	struct plan_info info;
	struct plan_test *tests;
	size_t test_count;
	char *left_aside; /* settings of the file that are for another backend than that of the command line; NULL: none
	                   */
	char *left_out;   /* names the tests that plan_leave_out() has left out, and says why; NULL: none */
};

/* benchmarks: what `test` may be (host/plan/plan_benchmark.h). overrides: "path=value" texts of --set, in order; a
 * complaint about one names "--set path=value" instead of file and line. Returns 0 or ERROR_PLAN with error->text
 * "file:line: key = value: must be ...". */
int plan_read(const char *path, const struct key_family *benchmarks, const char *const *overrides,
              size_t override_count, struct plan **plan, struct error *error);

/* The same from files that were read before: files[0] is the plan. Nothing is read from disk. */
int plan_read_recorded(const struct plan_file *files, size_t file_count, const struct key_family *benchmarks,
                       const char *const *overrides, size_t override_count, struct plan **plan, struct error *error);

/* A plan with a device and no tests, for commands that take DEVICE: "sim:rtl", "xrt:0", "pci:0000:3b:00.0", or "pci"
 * for the only one of its kind. It is read as if a file said device = { backend = ...; }, so overrides may change
 * whatever a plan may say about device and dut. */
int plan_of_device(const char *device, const char *const *overrides, size_t override_count, struct plan **plan,
                   struct error *error);

/* Takes a test out of a plan, as the device cannot have it; those behind it move up. why: "it needs ..., and ... has
 * none". 0 or ERROR_INTERNAL. */
int plan_leave_out(struct plan *plan, size_t index, const char *why, struct error *error);

void plan_free(struct plan *plan); /* NULL is allowed */

/* The texts of plan->info by position, from 0, with their keys: "title", ... False after the last. *text is NULL where
 * the plan says nothing, or an empty text. */
bool plan_info_at(const struct plan *plan, size_t index, const char **key, const char **text);

/* Returns where an option of plan->device is set, as in "lab.cfg:4", for complaints by the device. Belongs to the
 * plan. */
const char *plan_option_place(const struct plan *plan, const char *option_name);

#endif
