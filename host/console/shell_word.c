/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/shell_word.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *shell_word(const char *word, char *quoted, size_t size)
{
	bool plain =
	        word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:+,@%=-")] == '\0';
	size_t length = 0;

	if (plain && *word) {
		snprintf(quoted, size, "%s", word);
		return quoted;
	}
	quoted[length++] = '\'';
	for (; *word && length + 6 < size; word++) {
		if (*word == '\'')
			length += (size_t)snprintf(quoted + length, size - length, "'\\''");
		else
			quoted[length++] = *word;
	}
	quoted[length++] = '\'';
	quoted[length] = '\0';
	return quoted;
}
