/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a test, in words (RFC 2544 section 26.1: "the protocol, data stream format"). */
#ifndef FPGAUGE_REPORT_FRAMES_H
#define FPGAUGE_REPORT_FRAMES_H

#include <jansson.h>
#include <stdbool.h>

/* Longer than any text below, and than a longest text of somebody else's file, which is cut. */
struct frames_text {
	char text[160];
};

/* Describes the frames by the parameters of a result: "UDP echo over IPv6 (addresses of RFC 5180 section 5.2), VLAN
 * 100". A program that wrote none of these keys sent plain frames. */
struct frames_text frames_text(const json_t *parameters);

/* Untagged UDP echo requests over IPv4. */
bool frames_are_plain(const json_t *parameters);

/* Describes for the head of a report the frames of all tests, as far as they are the same. An external program makes
 * frames as it likes. */
struct frames_text frames_of_report(const json_t *report);

#endif
