/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a simulation library by name and text: one table has name, default, limits and unit, and is also used to
 * check, refuse and suggest. The text of a refusal begins with the value ("0: must be 1 to 65536"); whoever knows where
 * the setting is puts "lab.cfg:4: dut.buffer_frames = " before it. */
#ifndef FPGAUGE_SIM_DUT_OPTIONS_H
#define FPGAUGE_SIM_DUT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/sim_abi.h"
#include "host/base/quantity.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sim_option_kind {
	SIM_OPTION_INTEGER, /* min to max */
	SIM_OPTION_NUMBER,  /* an exact decimal: min to max; if unit is "ns" also a time with its unit, "1.2us" */
	SIM_OPTION_TIME,    /* a time with its unit, "300s": min to max nanoseconds, which is what it is read as */
	SIM_OPTION_RATE,    /* a rate in unit, min to max; or percent of the line rate at the frame's size */
	SIM_OPTION_SHARE,   /* a share above 0 up to 1, or the same in percent */
	SIM_OPTION_CHOICE,  /* one of choices */
	SIM_OPTION_TEXT,    /* anything not empty, such as a path */
};

enum { SIM_OPTION_MAX_CHOICES = 4 };

/* Limits of a rate given in percent of the line rate, in units of 0.001%. */
enum { SIM_OPTION_MIN_MILLIPERCENT = 1, SIM_OPTION_MAX_MILLIPERCENT = 1000000 };

struct sim_option_rule {
	const char *name;     /* "dut.buffer_frames" */
	const char *fallback; /* text of the default; NULL: unset */
	enum sim_option_kind kind;
	uint64_t min, max;
	const char *unit;
	const char *choices[SIM_OPTION_MAX_CHOICES + 1]; /* ends with NULL */
};

/* The value of a setting: number for INTEGER, NUMBER, TIME, RATE and SHARE, text for CHOICE and TEXT. */
struct sim_option_value {
	bool set; /* set by the user or by a default */
	const char *text;
	struct quantity number;
};

/* The given settings, and where a refusal goes. */
struct sim_options {
	const struct fpgauge_sim_option *given;
	size_t count;
	const char **bad_option; /* set to the name of the refused one, as it is in the caller's array */
	char *error;
	size_t error_size;
};

/* The setting as given; NULL if it was not. */
const struct fpgauge_sim_option *sim_options_find(const struct sim_options *options, const char *name);

/* Reads the settings of a table into values[count]. 0, or -1 with the option refused. */
int sim_options_read(const struct sim_options *options, const struct sim_option_rule *rules, size_t count,
                     struct sim_option_value *values);

/* Refuses settings that are in none of the tables, and suggests the nearest name. 0 or -1. */
int sim_options_check_names(const struct sim_options *options, const struct sim_option_rule *const *tables,
                            const size_t *counts, size_t table_count);

/* Reports why a library cannot open, and which setting is at fault (NULL: none). Always returns -1. */
int sim_options_refuse(const struct sim_options *options, const char *name, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
