/* SPDX-License-Identifier: Apache-2.0 */
/* Identity of this build of the program, and of a simulated device's library: two that differ must not look the
 * same. */
#ifndef FPGAUGE_CONSOLE_BUILD_INFO_H
#define FPGAUGE_CONSOLE_BUILD_INFO_H

#include <jansson.h>

#include "drivers/device.h"

/* "0123456789ab", "0123456789ab-dirty"; "": built outside of git. In a file of its own (tools/build-commit), so that a
 * commit compiles no other. */
extern const char BUILD_COMMIT[];

struct build_text {
	char text[256];
};

/* "commit 0123456789ab, GNU 12.2.0, Release". */
struct build_text build_text(void);

/* version, commit (null: built outside of git), compiler, type; of a simulated device (else NULL) also library: path,
 * octets and CRC-32 of its file. NULL when out of memory. */
json_t *build_info(const struct device *device);

#endif
