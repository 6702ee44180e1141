/* SPDX-License-Identifier: Apache-2.0 */
/* The file through which a program is the other end of a Linux TAP interface: a read gives one frame that Linux sends,
 * a write is one frame that Linux receives, both from destination MAC to the last octet before the FCS. */
#ifndef FPGAUGE_SIM_TAP_TAP_FILE_H
#define FPGAUGE_SIM_TAP_TAP_FILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the TAP of that name in the network namespace of this process; it must exist, because one that is made here
 * would be nobody's. *queue_frames: how many frames Linux holds for us (txqueuelen). Returns a descriptor that does not
 * block, or -1 with a line in why. */
int tap_file_open(const char *name, uint32_t *queue_frames, char *why, size_t why_size);

/* Waits until Linux passes frames through an interface that was opened: it has a carrier and, if it is in a bridge, the
 * bridge forwards to it, which with a spanning tree takes twice its forward delay. 0, or -1 with a line in why. */
int tap_file_wait(const char *name, char *why, size_t why_size);

#ifdef __cplusplus
}
#endif

#endif
