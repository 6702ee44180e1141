/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the HTML report: page and PDF are in a folder of their own, which also is the browser's home, and is removed.
 */
#include "host/report/html/report_pdf.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/spawn.h"
#include "host/report/chart/chart.h"
#include "host/report/html/plain_charts.h"
#include "host/report/html/report_html.h"
#include "host/report/output_file.h"

enum { PATH_OCTETS = 2048, MOST_ARGUMENTS = 12 };

/* The first that is installed prints. */
static const struct printer {
	const char *program;
	bool browser; /* true: a browser of the family of Chromium */
} PRINTERS[] = {{"chromium", true}, {"chromium-browser", true}, {"google-chrome", true}, {"weasyprint", false}};
enum { PRINTER_COUNT = sizeof(PRINTERS) / sizeof(PRINTERS[0]) };

static bool is_installed(const char *program)
{
	const char *at = getenv("PATH");
	char path[PATH_OCTETS];

	while (at && *at) {
		const int length = (int)strcspn(at, ":");

		snprintf(path, sizeof(path), "%.*s/%s", length, at, program);
		if (length && access(path, X_OK) == 0)
			return true;
		at += length;
		at += *at == ':';
	}
	return false;
}

/* NULL: none. */
static const struct printer *printer_find(void)
{
	for (size_t i = 0; i < PRINTER_COUNT; i++) {
		if (is_installed(PRINTERS[i].program))
			return &PRINTERS[i];
	}
	return NULL;
}

static int complain_none(struct error *error)
{
	return error_set(error, ERROR_PLAN,
	                 "--pdf: there is no program to print with; install the package chromium or weasyprint, or use "
	                 "--html and print from a browser");
}

int report_pdf_check(const char *path, struct error *error)
{
	int status = output_file_check("--pdf", path, error);

	if (!status && chart_check(error)) {
		error_prefix(error, "--pdf: ");
		status = error->code;
	}
	return status || printer_find() ? status : complain_none(error);
}

/* The files of one print, all in one folder. */
struct print {
	char folder[PATH_OCTETS], html[PATH_OCTETS], pdf[PATH_OCTETS];
};

static bool name_in(const struct print *print, const char *name, char path[PATH_OCTETS])
{
	return snprintf(path, PATH_OCTETS, "%s/%s", print->folder, name) < PATH_OCTETS;
}

static int begin(struct print *print, struct error *error)
{
	const char *parent = getenv("TMPDIR");

	if (snprintf(print->folder, sizeof(print->folder), "%s/fpgauge-pdf-XXXXXX",
	             parent && *parent ? parent : "/tmp") >= PATH_OCTETS ||
	    !mkdtemp(print->folder)) {
		error_set(error, ERROR_PLAN, "--pdf: %s: no folder can be made: %s", print->folder, strerror(errno));
		print->folder[0] = '\0';
		return error->code;
	}
	if (!name_in(print, "report.html", print->html) || !name_in(print, "report.pdf", print->pdf))
		return error_set(error, ERROR_PLAN, "--pdf: %s: too long", print->folder);
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status, (void)kind, (void)place;
	remove(path);
	return 0;
}

static void end(const struct print *print)
{
	enum { FILES_OPEN = 16 };

	if (*print->folder)
		nftw(print->folder, remove_one, FILES_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* A browser refuses its sandbox to root; the page is our own, and its policy lets it load and run nothing. */
static int run(const struct printer *printer, const struct print *print, struct error *error)
{
	static const struct spawn_file QUIET[] = {
	        {SPAWN_NO_FILE, STDIN_FILENO}, {SPAWN_NO_FILE, STDOUT_FILENO}, {SPAWN_NO_FILE, STDERR_FILENO}};
	char profile[PATH_OCTETS + 32], target[PATH_OCTETS + 32];
	const char *browser[MOST_ARGUMENTS] = {printer->program,
	                                       "--headless",
	                                       "--disable-gpu",
	                                       "--no-first-run",
	                                       "--disable-dev-shm-usage",
	                                       "--no-pdf-header-footer",
	                                       profile,
	                                       target,
	                                       print->html,
	                                       geteuid() ? NULL : "--no-sandbox",
	                                       NULL};
	const char *other[] = {printer->program, print->html, print->pdf, NULL};
	const struct spawn_request request = {.program = printer->program,
	                                      .arguments = printer->browser ? browser : other,
	                                      .files = QUIET,
	                                      .file_count = sizeof(QUIET) / sizeof(QUIET[0]),
	                                      .group = SPAWN_OUR_GROUP};
	char how[SPAWN_END_TEXT];
	struct spawn_end ended;
	pid_t child;
	int status;

	snprintf(profile, sizeof(profile), "--user-data-dir=%s/profile", print->folder);
	snprintf(target, sizeof(target), "--print-to-pdf=%s", print->pdf);
	status = spawn_start(&request, &child);
	if (status)
		return error_set(error, ERROR_PLAN, "--pdf: %s cannot be started: %s", printer->program,
		                 strerror(status));
	ended = spawn_reap(child);
	if (ended.how == SPAWN_EXITED && ended.number == 0 && access(print->pdf, R_OK) == 0)
		return 0;
	spawn_end_text(&ended, how);
	return error_set(error, ERROR_PLAN, "--pdf: %s made no PDF: it %s", printer->program, how);
}

static int copy(FILE *out, const void *what)
{
	char octets[1 << 13];
	FILE *in = fopen(what, "re");
	size_t got = 0;
	bool failed = !in;

	while (!failed && (got = fread(octets, 1, sizeof(octets), in)) > 0)
		failed = fwrite(octets, 1, got, out) != got;
	if (in) {
		failed |= ferror(in) != 0;
		fclose(in);
	}
	return failed ? -1 : 0;
}

int report_pdf(const json_t *report, struct store *store, const char *path, struct error *error)
{
	const struct printer *printer = printer_find();
	struct print print = {.folder = ""};
	int status = printer ? begin(&print, error) : complain_none(error);

	if (!status)
		status = report_html(report, store, print.html, error);
	if (!status && !printer->browser)
		status = plain_charts(print.html, error);
	if (!status)
		status = run(printer, &print, error);
	if (!status)
		status = output_file("--pdf", path, copy, print.pdf, error);
	end(&print);
	return status;
}
