/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/device/reset.h"

#include <signal.h>
#include <string.h>

#include "host/base/spawn.h"

/* Its output goes to standard error: standard output is for results. */
static const struct spawn_file FILES[] = {{SPAWN_NO_FILE, 0}, {2, 1}};

static int start(struct device_reset *reset, const char *const *command, struct error *error)
{
	const struct spawn_request request = {.program = command[0],
	                                      .arguments = command,
	                                      .files = FILES,
	                                      .file_count = sizeof(FILES) / sizeof(FILES[0]),
	                                      .group = SPAWN_OWN_GROUP};
	const int why = spawn_start(&request, &reset->pid);

	if (why == 0)
		return 0;
	reset->pid = 0;
	return error_set(error, ERROR_DEVICE, "the reset command %s cannot be started: %s", command[0], strerror(why));
}

int device_reset_begin(struct device_reset *reset, struct device *device, const struct trial_request *request,
                       uint64_t *at_ot, struct error *error)
{
	int status = device_now(device, at_ot, error);

	*reset = (struct device_reset){0};
	if (status || request->reset == TRIAL_LEFT_ALONE)
		return status;
	if (request->reset == TRIAL_RESET_DEVICE)
		return device_reset_dut(device, error);
	reset->program = request->reset_command[0];
	return start(reset, request->reset_command, error);
}

bool device_reset_runs(struct device_reset *reset, int *status, struct error *error)
{
	struct spawn_end end;
	char text[SPAWN_END_TEXT];

	*status = 0;
	if (reset->pid == 0)
		return false;
	if (!spawn_has_ended(reset->pid, &end))
		return true;
	end = spawn_reap(reset->pid);
	reset->pid = 0;
	if (end.how != SPAWN_EXITED || end.number != 0) {
		spawn_end_text(&end, text);
		*status = error_set(error, ERROR_DEVICE, "the reset command %s %s", reset->program, text);
	}
	return false;
}

void device_reset_abandon(struct device_reset *reset)
{
	if (reset->pid == 0)
		return;
	kill(-reset->pid, SIGKILL);
	spawn_reap(reset->pid);
	reset->pid = 0;
}
