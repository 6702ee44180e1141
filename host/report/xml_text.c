/* SPDX-License-Identifier: Apache-2.0 */
/* Characters are judged by libxml2's table. */
#include "host/report/xml_text.h"

#include <libxml/chvalid.h>
#include <libxml/xmlstring.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_harmless(int c)
{
	return c > 0 && xmlIsCharQ(c) && !(c >= 0x7f && c <= 0x9f) && !(c >= 0x202a && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069);
}

char *xml_text(const char *text)
{
	size_t left = strlen(text);
	char *out = malloc(3 * left + 1), *to = out;

	for (const char *from = text; out && left;) {
		int length = left > 4 ? 4 : (int)left;
		int c = xmlGetUTF8Char((const xmlChar *)from, &length);

		if (c < 0 || length <= 0)
			length = 1;
		if (is_harmless(c)) {
			memcpy(to, from, (size_t)length);
			to += length;
		} else {
			memcpy(to, "\xef\xbf\xbd", 3);
			to += 3;
		}
		from += length;
		left -= (size_t)length;
	}
	if (out)
		*to = 0;
	return out;
}
