/* SPDX-License-Identifier: Apache-2.0 */
/* Request and result of a trial, each as one canonical JSON text: keys in order, no blanks, numbers that read back
 * exactly. Equal values have equal texts, and one checksum covers both. */
#ifndef FPGAUGE_STORE_TRIAL_DOCUMENT_H
#define FPGAUGE_STORE_TRIAL_DOCUMENT_H

#include "host/trial/tester.h"

/* Both texts are to be freed; NULL: out of memory. A result has its ports in key "port", a list of objects, and its
 * flows in key "flow", a list of lists with the values of FLOW_FIELDS in order. */
char *trial_request_text(const struct trial_request *request);
char *trial_result_text(const struct trial_result *result);

/* CRC-32 over the octets of both texts, one after the other. */
uint32_t trial_checksum(const char *request, const char *result);

/* Reads them back, from anybody's file. 0, or -1 with why. */
int trial_request_read(const char *text, struct trial_request *request, char *why, size_t size);
int trial_result_read(const char *text, struct trial_result *result, char *why, size_t size);

#endif
