/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first asks, the second kills. */
#ifndef FPGAUGE_CONSOLE_INTERRUPT_H
#define FPGAUGE_CONSOLE_INTERRUPT_H

/* Starts to watch SIGINT, SIGTERM and SIGHUP, which set the flag that is returned, once; the next one ends the
 * program. */
const _Atomic int *interrupt_watch(void);

/* Sets the flag as the first Ctrl-C does. */
void interrupt_ask(void);

#endif
