/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first asks, the second kills. */
#ifndef FPGAUGE_CLI_INTERRUPT_H
#define FPGAUGE_CLI_INTERRUPT_H

#include <signal.h>

/* From here on SIGINT, SIGTERM and SIGHUP set the flag that is returned, once; the next one ends the program. */
const volatile sig_atomic_t *interrupt_watch(void);

#endif
