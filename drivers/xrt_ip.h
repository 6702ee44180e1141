/* SPDX-License-Identifier: Apache-2.0 */
/* The C face of XRT: what fpgauge needs of its C++ library, and nothing else. Only the bridge (xrt_bridge.c) calls it.
 */
#ifndef FPGAUGE_DRIVERS_XRT_IP_H
#define FPGAUGE_DRIVERS_XRT_IP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xrt_ip; /* a card with a bitstream, and the user-managed kernel in it */

/* Every function: 0, or -1 with one line in error. No exception leaves. */

/* card: number or PCI address; "" is the only one there is. Opens it and changes nothing. Writes the PCI address, or
 * the number where XRT knows none, into name. */
int xrt_ip_find(const char *card, struct xrt_ip **found, char *name, size_t name_size, char *error, size_t error_size);

/* Loads the bitstream and takes the IP for itself alone; accesses are for after that. */
int xrt_ip_load(struct xrt_ip *card, const char *xclbin, const char *ip, char *error, size_t error_size);
void xrt_ip_close(struct xrt_ip *ip); /* NULL is allowed */

int xrt_ip_read32(struct xrt_ip *ip, uint32_t address, uint32_t *value, char *error, size_t error_size);
int xrt_ip_write32(struct xrt_ip *ip, uint32_t address, uint32_t value, char *error, size_t error_size);

int xrt_ip_count(unsigned *count, char *error, size_t error_size);

/* PCI address (or number) and what XRT calls the card. */
int xrt_ip_describe(unsigned number, char *name, size_t name_size, char *what, size_t what_size, char *error,
                    size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
