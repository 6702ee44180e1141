/* SPDX-License-Identifier: Apache-2.0 */
/* The report as a JSON file. */
#include <stdlib.h>

#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/report/output_file.h"
#include "host/report/report.h"

int report_json_write(const json_t *value, size_t flags, FILE *out)
{
	/* 17 digits let every double read back as it was. */
	char *text = json_dumps(value, flags | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
	int failed = !text;

	if (text) {
		format_json_reals(text);
		failed = fputs(text, out) == EOF || fputc('\n', out) == EOF;
	}
	free(text);
	return failed ? -1 : 0;
}

static int write_json(FILE *out, const void *report)
{
	return report_json_write(report, JSON_INDENT(2), out);
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
