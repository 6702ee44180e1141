/* SPDX-License-Identifier: Apache-2.0 */
/* Output of `fpgauge watch`. Each function returns nonzero if the output cannot be written. */
#ifndef FPGAUGE_COMMANDS_WATCH_SHOW_H
#define FPGAUGE_COMMANDS_WATCH_SHOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "drivers/device.h"
#include "host/base/clock.h"
#include "host/console/bring_up.h"
#include "host/trial/device/live_counters.h"

struct watch {
	const struct device_options *device; /* how it is opened */
	struct setup setup;
	const struct device_identity *identity; /* NULL: the device is gone */
	bool may_come_back;                     /* it is a card */
	char gone_since[CLOCK_TEXT_SIZE];
	struct live_links links;
	struct device_sensors sensors;

	const _Atomic int *cancel;
	FILE *lines;                 /* lines of JSON; NULL: a table on standard output */
	uint64_t interval_ns, count; /* count 0: no end */
};

/* `before` is the look before it, the same as `now` if there is none, and then rates are not known. */
int watch_write_line(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now);
int watch_print_table(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now);

/* A look at a device that cannot be read, and why. */
int watch_write_gone(const struct watch *watch, const char *why);
int watch_print_gone(const struct watch *watch, const char *why);

#endif
