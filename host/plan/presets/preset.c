/* SPDX-License-Identifier: Apache-2.0 */
#include "host/plan/presets/preset.h"

#include <string.h>

const struct preset *preset_find(const char *name)
{
	for (size_t i = 0; i < PRESET_COUNT; i++)
		if (!strcmp(PRESETS[i].name, name))
			return &PRESETS[i];
	return NULL;
}
