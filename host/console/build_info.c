/* SPDX-License-Identifier: Apache-2.0 */
/* FPGAUGE_COMPILER and FPGAUGE_BUILD_TYPE are from CMakeLists.txt. */
#include "host/console/build_info.h"

#include <inttypes.h>
#include <stdio.h>
#include <zlib.h>

#include "host/base/text.h"

struct build_text build_text(void)
{
	struct build_text text;

	snprintf(text.text, sizeof(text.text), "%s%s, %s, %s", *BUILD_COMMIT ? "commit " : "built outside of git",
	         BUILD_COMMIT, FPGAUGE_COMPILER, FPGAUGE_BUILD_TYPE);
	return text;
}

/* null: it cannot be read (any more). */
static json_t *file_info(const char *path)
{
	unsigned char part[8192];
	char crc[16], repaired[1024];
	uLong sum = crc32(0, NULL, 0);
	size_t octets = 0, count;
	FILE *file = fopen(path, "re");

	if (!file)
		return json_null();
	while ((count = fread(part, 1, sizeof(part), file)) > 0) {
		sum = crc32(sum, part, (uInt)count);
		octets += count;
	}
	fclose(file);
	snprintf(crc, sizeof(crc), "0x%08" PRIx32, (uint32_t)sum);
	return json_pack("{s:s, s:I, s:s}", "path", text_copy(repaired, sizeof(repaired), path), "octets",
	                 (json_int_t)octets, "crc32", crc);
}

json_t *build_info(const struct device *device)
{
	const char *library = device ? device_library(device) : "";
	json_t *info = json_pack("{s:s, s:s?, s:s, s:s}", "version", FPGAUGE_VERSION, "commit",
	                         *BUILD_COMMIT ? BUILD_COMMIT : NULL, "compiler", FPGAUGE_COMPILER, "type",
	                         FPGAUGE_BUILD_TYPE);

	if (info && *library && json_object_set_new(info, "library", file_info(library))) {
		json_decref(info);
		return NULL;
	}
	return info;
}
