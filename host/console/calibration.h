/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration: the latency of cables, which `fpgauge selftest --external` measures and a run subtracts.
 *
 * A file has one entry per device, bitstream (version and hash of the register map), speed and pair of ports. For a
 * simulation, whose "cable" is a model, none is kept or used unless a file is named. Format: docs/selftest.md. */
#ifndef FPGAUGE_CONSOLE_CALIBRATION_H
#define FPGAUGE_CONSOLE_CALIBRATION_H

#include <jansson.h>

#include "drivers/device.h"
#include "host/plan/plan.h"

/* Where calibrations of cards are kept: $XDG_STATE_HOME/fpgauge/calibration.json, or ~/.local/state/... "" when neither
 * is set. */
const char *calibration_default_path(char *path, size_t size);

/* The latency over a cable, as it was measured. */
struct calibration_cable {
	unsigned from, to; /* ports */
	uint64_t frames, min_ot, max_ot;
	double mean_ot;
};

/* Adds cables to a file, in place of earlier entries for the same ones. Makes the file, and the folder of the default
 * path. */
int calibration_store(const char *path, const struct device_identity *identity, const struct calibration_cable *cables,
                      size_t count, struct error *error);

/* Chooses what applies to a run on this device: *record is for the run file and the report, NULL when nothing is to be
 * subtracted; json_decref() it. An entry for another bitstream or speed is refused, naming both, as is a file named in
 * the plan without entries for this device, and a test that uses a way of which there is none. */
int calibration_choose(const struct plan *plan, const struct device_identity *identity, json_t **record,
                       struct error *error);

#endif
