/* SPDX-License-Identifier: Apache-2.0 */
/* State that the checks share: the device, the rows, and register access. Private to this folder. */
#ifndef FPGAUGE_COMMANDS_SELFTEST_SESSION_H
#define FPGAUGE_COMMANDS_SELFTEST_SESSION_H

#include "host/commands/selftest/checks.h"
#include "hw/regs/fpgauge_regs.h"

struct session {
	struct device *device;
	const struct device_identity *identity;
	const struct selftest_config *config;
	struct selftest_report *report;
	struct error *error;
	uint8_t run_id;
};

/* A row, to be filled and then closed. NULL when out of memory, with the error set. */
struct selftest_row *row_open(struct session *session, const char *check, int port, uint32_t frame_octets);
void row_fail(struct selftest_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));
void row_text(struct selftest_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));
void row_value(struct selftest_row *row, const char *name, double value);
void row_close(struct session *session, const struct selftest_row *row);

/* Register access that reports into the session's error: 0 or a negative error. */
int get32(struct session *session, uint32_t address, uint32_t *value);
int get64(struct session *session, uint32_t address, uint64_t *value);
int put32(struct session *session, uint32_t address, uint32_t value);
int put64(struct session *session, uint32_t address, uint64_t value);

/* Lets device time pass, in slices, and notices a cancel. */
int session_wait(struct session *session, uint64_t octet_times);

/* Waits until a bit of status is 0. */
int session_settle(struct session *session, uint32_t bit, const char *name);

/* Adds to a row that failed what the receiver of the port knows of it. */
int link_explain(struct session *session, unsigned port, struct selftest_row *row);

/* The checks. 0 if they could be made, whatever they found. */
int check_registers(struct session *session);
int check_memory(struct session *session);
int check_counters(struct session *session);
int check_clock(struct session *session);
int check_link(struct session *session);
int check_loopback(struct session *session);
int check_external(struct session *session);

#endif
