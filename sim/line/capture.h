/* SPDX-License-Identifier: Apache-2.0 */
/* Captures both directions of every port of a tester in a pcapng file: interface 2p is "port<p>-tx", what the tester
 * sent, 2p + 1 is "port<p>-rx", what it received. Broken frames are left out. */
#ifndef FPGAUGE_SIM_LINE_CAPTURE_H
#define FPGAUGE_SIM_LINE_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/line/line.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAPTURE_MAX_PORTS = 16 };

struct capture;

/* NULL with errno set if the file cannot be created. */
struct capture *capture_create(const char *path, unsigned ports, uint64_t link_bps);

/* Takes words in order; idle ones may be left out. 0, or -1 with errno set if the file cannot be written. */
int capture_word(struct capture *capture, unsigned port, bool received, uint64_t word_number,
                 const struct line_word *word);

/* 0, or -1 with errno set: the file is incomplete. NULL is allowed. */
int capture_close(struct capture *capture);

#ifdef __cplusplus
}
#endif

#endif
