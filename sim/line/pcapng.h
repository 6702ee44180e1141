/* SPDX-License-Identifier: Apache-2.0 */
/* Writes pcapng (draft-ietf-opsawg-pcapng): Ethernet with FCS, tenths of a nanosecond. */
#ifndef FPGAUGE_SIM_LINE_PCAPNG_H
#define FPGAUGE_SIM_LINE_PCAPNG_H

#include <stddef.h>
#include <stdint.h>

struct pcapng;

/* Interfaces are numbered in the order of interface_names. NULL with errno set if the file cannot be created. */
struct pcapng *pcapng_create(const char *path, const char *const *interface_names, size_t interfaces,
                             uint64_t link_bps);

/* time: start of the frame, in tenths of a nanosecond. octets: destination MAC to FCS. 0, or -1 with errno set, for
 * this or an earlier frame: the file is truncated. */
int pcapng_write(struct pcapng *file, uint32_t interface, uint64_t time, const uint8_t *octets, uint32_t length);

/* Writes what is still buffered. 0, or -1 with errno set. NULL is allowed. */
int pcapng_close(struct pcapng *file);

#endif
