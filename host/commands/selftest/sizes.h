/* SPDX-License-Identifier: Apache-2.0 */
/* Frame sizes and line rate bursts of the two loopback checks. Private to this folder. */
#ifndef FPGAUGE_COMMANDS_SELFTEST_SIZES_H
#define FPGAUGE_COMMANDS_SELFTEST_SIZES_H

#include "host/commands/selftest/traffic.h"

enum { SELFTEST_SIZE_COUNT = 8 };
extern const uint32_t SELFTEST_SIZES[SELFTEST_SIZE_COUNT];

/* A burst of the configured time at the minimum gap; two frames at least. */
struct traffic selftest_line_rate(const struct session *session, uint32_t frame_octets);

#endif
