/* SPDX-License-Identifier: Apache-2.0 */
/* How exact the latencies of a report are, beside them: what adapters and MACs of a card may move a frame by, as the
 * card states it (`latency_error_ns` of each result). */
#ifndef FPGAUGE_REPORT_LATENCY_ERROR_H
#define FPGAUGE_REPORT_LATENCY_ERROR_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/format.h"
#include "host/result/description.h"

/* Text that follows a caption: "; latency right within 85.0 ns"; of keys of jitter alone "; jitter ...". "" if none
 * of the keys, which may have commas between them, is of either, or if nothing is known to move a frame. */
struct format_text latency_error_of_keys(const json_t *result, const char *keys);
struct format_text latency_error_of_columns(const json_t *result, const struct result_column *columns);
struct format_text latency_error_of_series(const json_t *result, const struct result_series *series);

/* Returns whether any of these columns is a latency or a jitter. */
bool latency_error_is_of(const struct result_column *columns);
bool latency_error_is_of_key(const char *key);

/* The same as a sentence after a caption: " Latency is right within 85.0 ns." */
struct format_text latency_error_sentence(struct format_text after_caption);

#endif
