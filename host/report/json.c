/* SPDX-License-Identifier: Apache-2.0 */
/* The report as a JSON file. */
#include "host/base/json_write.h"
#include "host/report/output_file.h"
#include "host/report/report.h"

/* With 17 digits, every double reads back as it was. */
static const size_t FLAGS = JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17);

static int write_json(FILE *out, const void *report)
{
	return json_dumpf(report, out, FLAGS) || fputc('\n', out) == EOF ? -1 : 0;
}

int report_json_check(const char *path, struct error *error)
{
	return output_file_check("--json", path, error);
}

int report_json(const json_t *report, const char *path, struct error *error)
{
	const int status = json_write_check(error);

	return status ? status : output_file("--json", path, write_json, report, error);
}
