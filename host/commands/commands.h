/* SPDX-License-Identifier: Apache-2.0 */
/* All commands, each in a folder of its own. */
#ifndef FPGAUGE_COMMANDS_COMMANDS_H
#define FPGAUGE_COMMANDS_COMMANDS_H

#include "host/console/command.h"

extern const struct command RUN_COMMAND, RESUME_COMMAND, REPORT_COMMAND, COMPARE_COMMAND, TREND_COMMAND, SWEEP_COMMAND,
        CHECK_COMMAND, DEVICES_COMMAND, SELFTEST_COMMAND, SEND_COMMAND, WATCH_COMMAND, CLOCK_COMMAND, SIM_BUILD_COMMAND;

#endif
