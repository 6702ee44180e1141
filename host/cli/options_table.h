/* SPDX-License-Identifier: Apache-2.0 */
/* The options of all commands: which of them takes which, and what --help says of it. */
#ifndef FPGAUGE_CLI_OPTIONS_TABLE_H
#define FPGAUGE_CLI_OPTIONS_TABLE_H

#include <argp.h>
#include <stddef.h>

/* Keys of options without a letter. */
enum {
	KEY_DB = 256,
	KEY_CSV,
	KEY_JUNIT,
	KEY_HTML,
	KEY_PDF,
	KEY_EVENTS,
	KEY_RECORDED_PLAN,
	KEY_ALLOW_COMMAND,
	KEY_TOLERANCE,
	KEY_BASELINE_DIR,
	KEY_ACCEPT,
	KEY_ACCEPT_BECAUSE,
	KEY_MARKDOWN,
	KEY_EXTERNAL,
	KEY_DURATION,
	KEY_CALIBRATION,
	KEY_INTERVAL,
	KEY_COUNT,
	KEY_NAMES,
	KEY_OLD_TRACE,
	KEY_PRESET,
	KEY_DEVICE,
	KEY_JOBS,
	KEY_FAIL_ON_STEP,
	KEY_RFC_DURATIONS,
};

struct option_row {
	unsigned users; /* bit u: the command of enum option_user u */
	struct argp_option option;
};

extern const struct option_row OPTION_TABLE[];
extern const size_t OPTION_TABLE_COUNT; /* is at most OPTION_TABLE_MOST */

enum { OPTION_TABLE_MOST = 64 };

#endif
