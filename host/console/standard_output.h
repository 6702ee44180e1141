/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output whose reader may go away: `fpgauge report run.db | head`. That is no error: what comes after is not
 * wanted, and a run that measures goes on for its run file and its other reports. */
#ifndef FPGAUGE_CONSOLE_STANDARD_OUTPUT_H
#define FPGAUGE_CONSOLE_STANDARD_OUTPUT_H

#include <stdbool.h>

/* Must be called before anything is printed. SIGPIPE must be ignored. False: out of memory. */
bool standard_output_begin(void);

/* True once the reader has gone away, for a command that would go on for ever. */
bool standard_output_is_gone(void);

#endif
