/* SPDX-License-Identifier: Apache-2.0 */
/* The word that a mistyped one was meant to be. */
#ifndef FPGAUGE_BASE_NEAREST_H
#define FPGAUGE_BASE_NEAREST_H

#include <stddef.h>

/* The nearest of the words that were tried; {0} before the first. */
struct nearest {
	const char *word;
	size_t distance; /* letters to insert, delete, replace or exchange */
};

void nearest_try(struct nearest *nearest, const char *typed, const char *word);

/* NULL if none is near: with more than a third of its letters wrong, a name is another word, not a mistyped one. */
const char *nearest_word(const struct nearest *nearest);

#endif
