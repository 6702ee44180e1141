/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that are part of the program: tests without a device, which --device names. Their texts are the files in this
 * folder; the first line of each says what it measures. */
#ifndef FPGAUGE_PLAN_PRESETS_PRESET_H
#define FPGAUGE_PLAN_PRESETS_PRESET_H

#include <stddef.h>

struct preset {
	const char *name;
	const char *text; /* written as in a plan file */
	const char *path; /* name in messages and reports: "--preset rfc2544" */
};

extern const struct preset PRESETS[];
extern const size_t PRESET_COUNT;
extern const char PRESET_NAMES[]; /* "rfc2544|rfc9004", for help and completion */

/* NULL: there is none of that name. */
const struct preset *preset_find(const char *name);

#endif
