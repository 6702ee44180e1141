/* SPDX-License-Identifier: Apache-2.0 */
/* Name, kernel, clock. */
#include "host/commands/run/host_info.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/console/build_info.h"

static json_t *clock_source(void)
{
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
	char text[64] = "";

	if (file) {
		if (!fgets(text, sizeof(text), file))
			text[0] = 0;
		fclose(file);
	}
	text[strcspn(text, "\n")] = 0;
	return text[0] ? json_string(text_repair(text, sizeof(text))) : json_null();
}

/* Trials are timed by this clock; the kernel knows whether anything keeps it right. */
static json_t *clock_info(void)
{
	struct timex state = {0};
	json_t *clock = json_object();
	int status = adjtimex(&state);

	json_put(clock, "source", clock_source());
	json_put(clock, "synchronised", status < 0 ? json_null() : json_boolean(!(state.status & STA_UNSYNC)));
	json_put(clock, "max_error_s",
	         status < 0 || state.status & STA_UNSYNC ? json_null() : json_real((double)state.maxerror * 1e-6));
	return clock;
}

static void set_text(json_t *object, const char *key, const char *text)
{
	char repaired[256];

	json_put(object, key, json_string(text_copy(repaired, sizeof(repaired), text)));
}

char *host_info(const struct device *device)
{
	json_t *info = json_object();
	struct utsname name = {0};
	char system[200];
	char *text;

	if (uname(&name) == 0) {
		snprintf(system, sizeof(system), "%.60s %.100s", name.sysname, name.release);
		set_text(info, "name", name.nodename);
		set_text(info, "system", system);
		set_text(info, "machine", name.machine);
	}
	json_put(info, "processors", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_put(info, "clock", clock_info());
	json_put(info, "build", build_info(device));
	text = json_dumps(info, JSON_COMPACT | JSON_PRESERVE_ORDER);
	json_decref(info);
	return text;
}
