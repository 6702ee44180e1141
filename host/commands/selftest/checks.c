/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the checks: those that others rely on come first. */
#include "host/commands/selftest/checks.h"

#include <stdlib.h>

#include "host/commands/selftest/session.h"

/* Stops whatever a killed run left going. */
static int make_quiet(struct session *session)
{
	uint32_t run_id = 0;
	int status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);

	if (!status)
		status = session_settle(session, FPGAUGE_GLOBAL_STATUS_SENDING, "sending");
	if (!status)
		status = session_settle(session, FPGAUGE_GLOBAL_STATUS_CLEARING, "clearing");
	/* Run ids continue, because its frames may still be in flight. */
	if (!status)
		status = get32(session, FPGAUGE_GLOBAL_RUN_ID, &run_id);
	session->run_id = (uint8_t)run_id;
	return status;
}

/* Leaves the device as harmless as after reset, except for the run id. */
static int leave(struct session *session)
{
	int status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);

	for (unsigned port = 0; !status && port < session->identity->ports; port++) {
		status = put32(session, FPGAUGE_PORT_TX_ENABLE(port), 0);
		if (!status)
			status = put32(session, FPGAUGE_PORT_LOOPBACK(port), 0);
	}
	if (!status)
		status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	return status ? status : session_settle(session, FPGAUGE_GLOBAL_STATUS_CLEARING, "clearing");
}

static int run_checks(struct session *session)
{
	int status = make_quiet(session);

	if (!status)
		status = check_registers(session);
	if (!status)
		status = put32(session, FPGAUGE_GLOBAL_RUN_ID, session->run_id);
	if (!status)
		status = check_memory(session);
	if (!status)
		status = check_counters(session);
	if (!status)
		status = check_clock(session);
	if (!status)
		status = check_loopback(session);
	if (!status)
		status = check_link(session);
	if (!status && session->config->external)
		status = check_external(session);
	return status;
}

int selftest_run(struct device *device, const struct selftest_config *config, struct selftest_report *report,
                 struct error *error)
{
	struct error ignored = {0};
	struct session session = {.device = device,
	                          .identity = device_identity(device),
	                          .config = config,
	                          .report = report,
	                          .error = error};
	int status;

	*report = (struct selftest_report){0};
	status = run_checks(&session);
	if (status) /* a second error would say nothing new */
		session.error = &ignored;
	return leave(&session) && !status ? (int)error->code : status;
}

bool selftest_passes(const struct selftest_report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->rows[i].verdict == SELFTEST_FAIL)
			return false;
	return report->count > 0;
}

void selftest_free(struct selftest_report *report)
{
	free(report->rows);
	*report = (struct selftest_report){0};
}
