/* SPDX-License-Identifier: Apache-2.0 */
/* Random scripts in which ports send shares of line rate through a switch, and congest one of its ports: what the tests
 * of buffers, microbursts and head-of-line blocking do (RFC 8239 sections 3 to 5). */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_GENERATE_SHARES_H
#define FPGAUGE_TESTS_DIFFERENTIAL_GENERATE_SHARES_H

#include <stdint.h>

#include "tests/differential/script.h"

/* The caller releases the script. */
void generate_shares(uint64_t seed, unsigned ports, struct script *script);

#endif
