/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a command line for people and shells to read. */
#ifndef FPGAUGE_CONSOLE_SHELL_WORD_H
#define FPGAUGE_CONSOLE_SHELL_WORD_H

#include <stddef.h>

/* A word as a shell accepts it: plain, or in quotes; cut to fit. Returns quoted. */
const char *shell_word(const char *word, char *quoted, size_t size);

#endif
