/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and register access. */
#include "host/commands/selftest/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/text.h"

enum {
	SLICE_OT = 1 << 20, /* 84 us at 100G; simulating that in RTL takes some milliseconds */
	POLL_OT = 4096,
	POLLS = 4096, /* x POLL_OT is 1.3 ms at 100G longer than expected; tables are cleared in 1024 words */
	FIRST_ROWS = 64,
};

struct selftest_row *row_open(struct session *session, const char *check, int port, uint32_t frame_octets)
{
	struct selftest_report *report = session->report;
	struct selftest_row *grown;

	if (report->count % FIRST_ROWS == 0) {
		grown = realloc(report->rows, (report->count + FIRST_ROWS) * sizeof(*grown));
		if (!grown) {
			error_set(session->error, ERROR_INTERNAL, "out of memory");
			return NULL;
		}
		report->rows = grown;
	}
	report->rows[report->count] = (struct selftest_row){.check = check, .port = port, .frame_octets = frame_octets};
	return &report->rows[report->count++];
}

static void put_text(struct selftest_row *row, const char *format, va_list arguments)
{
	vsnprintf(row->text, sizeof(row->text), format, arguments);
	text_repair(row->text, sizeof(row->text));
}

void row_text(struct selftest_row *row, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put_text(row, format, arguments);
	va_end(arguments);
}

/* Keeps the first failure of a row: others often follow from it. */
void row_fail(struct selftest_row *row, const char *format, ...)
{
	va_list arguments;

	if (row->verdict == SELFTEST_FAIL)
		return;
	row->verdict = SELFTEST_FAIL;
	va_start(arguments, format);
	put_text(row, format, arguments);
	va_end(arguments);
}

void row_value(struct selftest_row *row, const char *name, double value)
{
	if (row->value_count < SELFTEST_MAX_VALUES)
		row->values[row->value_count++] = (struct selftest_value){name, value};
}

void row_close(struct session *session, const struct selftest_row *row)
{
	if (session->config->row)
		session->config->row(row, session->config->context);
}

int get32(struct session *session, uint32_t address, uint32_t *value)
{
	return device_read32(session->device, address, value, session->error);
}

int get64(struct session *session, uint32_t address, uint64_t *value)
{
	return device_read64(session->device, address, value, session->error);
}

int put32(struct session *session, uint32_t address, uint32_t value)
{
	return device_write32(session->device, address, value, session->error);
}

int put64(struct session *session, uint32_t address, uint64_t value)
{
	return device_write64(session->device, address, value, session->error);
}

int session_wait(struct session *session, uint64_t octet_times)
{
	while (octet_times > 0) {
		uint64_t step = octet_times < SLICE_OT ? octet_times : SLICE_OT;
		int status;

		if (session->config->cancel && *session->config->cancel)
			return error_set(session->error, ERROR_CANCELLED, "stopped by the user");
		status = device_wait(session->device, step, session->error);
		if (status)
			return status;
		octet_times -= step;
	}
	return 0;
}

int session_settle(struct session *session, uint32_t bit, const char *name)
{
	for (unsigned i = 0; i < POLLS; i++) {
		uint32_t flags;
		int status = get32(session, FPGAUGE_GLOBAL_STATUS, &flags);

		if (status || !(flags & bit))
			return status;
		status = session_wait(session, POLL_OT);
		if (status)
			return status;
	}
	return error_set(session->error, ERROR_DEVICE, "%s: status.%s is still set after %d octet times",
	                 session->identity->name, name, POLLS * POLL_OT);
}
