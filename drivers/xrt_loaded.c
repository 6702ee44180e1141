// SPDX-License-Identifier: Apache-2.0
/* XRT 2.13 has {"dynamic_regions": [{"xclbin_uuid": ..., "compute_units": [{"name": ...}]}]}. */
#include "drivers/xrt_loaded.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

void xrt_loaded_kernels(const char *dynamic_regions, char kernels[XRT_LOADED_KERNELS])
{
	json_t *root = json_loads(dynamic_regions, 0, NULL);
	const json_t *regions = json_object_get(root, "dynamic_regions"), *region, *unit;
	size_t used = 0, i, j;

	kernels[0] = '\0';
	json_array_foreach(regions, i, region)
	{
		json_array_foreach(json_object_get(region, "compute_units"), j, unit)
		{
			const char *name = json_string_value(json_object_get(unit, "name"));

			if (name == NULL || used + strlen(name) + 2 >= XRT_LOADED_KERNELS)
				continue;
			used += (size_t)snprintf(kernels + used, XRT_LOADED_KERNELS - used, "%s%s", used ? ", " : "",
			                         name);
		}
	}
	json_decref(root);
}
