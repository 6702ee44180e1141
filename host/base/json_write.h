/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON so that no key can be missing in silence. A value that could not be made (memory, a number that is not
 * finite, text that is not UTF-8), or not be put where it belongs, is remembered with its key, whatever the thread,
 * until whoever writes the whole asks json_write_check(): that is then an error. */
#ifndef FPGAUGE_BASE_JSON_WRITE_H
#define FPGAUGE_BASE_JSON_WRITE_H

#include <jansson.h>

#include "host/base/error.h"

/* Take over the value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

/* Share the value with the caller. */
void json_put_shared(json_t *object, const char *key, json_t *value);
void json_add_shared(json_t *array, json_t *value);

/* All keys of the other one. */
void json_put_all(json_t *object, json_t *other);

/* 0, or ERROR_INTERNAL that names the first key which failed since this was asked last. */
int json_write_check(struct error *error);

/* A value as JSON, cut to fit; for complaints. Returns buffer. */
const char *json_show(const json_t *value, char *buffer, size_t size);

#endif
