/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of all ports, joined to a device under test in Verilog: a MAC at each of its ports, and its clock, which
 * has any ratio to that of the line (docs/your-own-dut.md).
 *
 * In each clock of the line, verilog_line_put() at every port with a word that is not idle, then verilog_line_pass(),
 * then verilog_line_take() at every port. */
#ifndef FPGAUGE_SIM_VERILOG_LINE_H
#define FPGAUGE_SIM_VERILOG_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/line/line.h"
#include "sim/verilog/verilog_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct verilog_line;

/* Takes over the library of the settings, even if it fails. NULL: out of memory. */
struct verilog_line *verilog_line_create(const struct verilog_settings *settings);
void verilog_line_destroy(struct verilog_line *line); /* NULL is allowed */

/* The word that comes in at a port, if it is not idle; it is read in the next verilog_line_pass(). */
void verilog_line_put(struct verilog_line *line, unsigned port, const struct line_word *in);

/* The device plays the time of this word. Words may be left out before verilog_line_next(). */
void verilog_line_pass(struct verilog_line *line, uint64_t word_number);

/* The word that leaves at a port; false if it is idle, with *out untouched. */
bool verilog_line_take(struct verilog_line *line, unsigned port, struct line_word *out);

/* Number of the first word that must be passed if nothing more comes in; 0: at once, UINT64_MAX: never, because the
 * device says that it is idle. */
uint64_t verilog_line_next(const struct verilog_line *line);

/* The rule that the device has broken, where and when, or that its waveform cannot be written; "" if all is well. */
const char *verilog_line_failure(const struct verilog_line *line);

#ifdef __cplusplus
}
#endif

#endif
