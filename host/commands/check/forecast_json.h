/* SPDX-License-Identifier: Apache-2.0 */
/* The forecast of `check` as JSON. */
#ifndef FPGAUGE_COMMANDS_CHECK_FORECAST_JSON_H
#define FPGAUGE_COMMANDS_CHECK_FORECAST_JSON_H

#include "host/forecast/pace.h"

/* path "-": standard output. 0, or ERROR_STORE with the path. */
int check_json_write(const char *path, const struct setup *setup, const struct pace *pace, struct error *error);

#endif
