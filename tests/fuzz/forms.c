/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal, JSON, CSV, JUnit, HTML. */
#include "tests/fuzz/forms.h"

#include <dirent.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/report/html/report_html.h"
#include "host/report/report.h"
#include "tests/fuzz/fuzz.h"

enum { ROOT_SIZE = 32 };

static void check_table(const json_t *report)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	FUZZ_EXPECT(out, "out of memory");
	report_table(report, out);
	fclose(out);
	fuzz_expect_text(text, length, "\n", "the terminal report");
	free(text);
}

static void check_json(const json_t *report)
{
	const char *path = fuzz_path("report.json");
	struct error error = {0};
	json_error_t where;
	size_t size;
	char *text;
	json_t *again;

	FUZZ_EXPECT(report_json(report, path, &error) == 0, "%s", error.text);
	text = fuzz_read(path, &size);
	again = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
	FUZZ_EXPECT(again, "line %d: %s", where.line, where.text);
	FUZZ_EXPECT(json_equal(again, report), "JSON says something else: %s", text);
	json_decref(again);
	free(text);
}

static void take_root(void *user, const xmlChar *name, const xmlChar **attributes)
{
	char *root = user;

	(void)attributes;
	if (!*root)
		snprintf(root, ROOT_SIZE, "%s", (const char *)name);
}

/* Well-formed, and nothing in it that a terminal, a browser or a CI server could take for something else. */
static void check_xml(const char *path, const char *expected)
{
	xmlSAXHandler handler = {.startElement = take_root};
	char root[ROOT_SIZE] = "";
	size_t size;
	char *text = fuzz_read(path, &size);
	int status;

	xmlResetLastError();
	status = xmlSAXUserParseMemory(&handler, root, text, (int)size);
	FUZZ_EXPECT(status == 0 && !strcmp(root, expected), "%s: no XML: error %d: %s", path, status, text);
	fuzz_expect_text(text, size, "\t\r\n", path);
	free(text);
}

/* RFC 4180: as many fields in each record as in the first, quotes in pairs. */
static void check_sheet(const char *path)
{
	size_t size, fields = 1, expected = 0;
	char *text = fuzz_read(path, &size);
	bool quoted = false;

	for (size_t i = 0; i < size; i++) {
		quoted ^= text[i] == '"';
		fields += text[i] == ',' && !quoted;
		if (text[i] != '\n' || quoted)
			continue;
		FUZZ_EXPECT(i > 0 && text[i - 1] == '\r', "%s: a record ends without CR", path);
		FUZZ_EXPECT(!expected || fields == expected, "%s: %zu fields, %zu before", path, fields, expected);
		expected = fields;
		fields = 1;
	}
	FUZZ_EXPECT(!quoted && size && text[size - 1] == '\n', "%s: has no end: %s", path, text);
	fuzz_expect_text(text, size, "\t\r\n", path);
	free(text);
}

/* Checks what is in a folder, file by file; ends the program at any name that is not one of these. */
static void expect_only(const char *path, const char *const *names, size_t count, void (*check)(const char *path))
{
	DIR *folder = opendir(path);
	const struct dirent *entry;

	FUZZ_EXPECT(folder, "%s", path);
	while ((entry = readdir(folder))) {
		char file[400];
		bool known = false;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		for (size_t i = 0; i < count; i++)
			known |= !strcmp(entry->d_name, names[i]);
		FUZZ_EXPECT(known, "a file %s in %s", entry->d_name, path);
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (check) {
			check(file);
			unlink(file);
		}
	}
	closedir(folder);
}

/* Files are named after existing benchmarks, and are in the requested folder and nowhere else. */
static void check_csv(const json_t *report)
{
	static const char *const SHEETS[] = {"throughput.csv", "back_to_back.csv", "mlrsearch.csv"}, *const CSV = "csv";
	const char *above = fuzz_path("above"), *path = fuzz_path("above/csv");
	struct error error = {0};

	mkdir(above, 0700);
	FUZZ_EXPECT(report_csv(report, path, &error) == 0, "%s", error.text);
	expect_only(path, SHEETS, sizeof(SHEETS) / sizeof(SHEETS[0]), check_sheet);
	expect_only(above, &CSV, 1, NULL);
}

void forms_check(const json_t *report, struct store *store)
{
	const char *junit = fuzz_path("report.xml"), *html = fuzz_path("report.html");
	struct error error = {0};
	int status;

	check_table(report);
	check_json(report);
	check_csv(report);
	FUZZ_EXPECT(report_junit(report, store, junit, &error) == 0, "%s", error.text);
	check_xml(junit, "testsuites");
	status = report_html(report, store, html, &error);
	if (status)
		fuzz_expect_complaint(status, &error);
	else
		check_xml(html, "html");
}
