/* SPDX-License-Identifier: Apache-2.0 */
/* A C interface to XRT: what fpgauge needs from its C++ library, and nothing else. Only the bridge (xrt_bridge.c) calls
 * it. */
#ifndef FPGAUGE_DRIVERS_XRT_IP_H
#define FPGAUGE_DRIVERS_XRT_IP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xrt_ip; /* a card with a bitstream, and the user-managed kernel in it */

/* Every function returns 0, or -1 with one line in error. No exception escapes. */

/* card: number or PCI address; "": the only card. Opens it and changes nothing. Writes the PCI address, or the number
 * if XRT knows no address, into name. */
int xrt_ip_find(const char *card, struct xrt_ip **found, char *name, size_t name_size, char *error, size_t error_size);

/* Loads the bitstream and opens the IP exclusively; registers can be accessed only after that. */
int xrt_ip_load(struct xrt_ip *card, const char *xclbin, const char *ip, char *error, size_t error_size);
void xrt_ip_close(struct xrt_ip *ip); /* NULL is allowed */

int xrt_ip_read32(struct xrt_ip *ip, uint32_t address, uint32_t *value, char *error, size_t error_size);
int xrt_ip_write32(struct xrt_ip *ip, uint32_t address, uint32_t value, char *error, size_t error_size);

/* XRT's JSON of temperatures and of power. What it has none of, or cannot read, is an empty string; it never fails. */
void xrt_ip_sensors(struct xrt_ip *ip, char *thermal, size_t thermal_size, char *electrical, size_t electrical_size);

int xrt_ip_count(unsigned *count, char *error, size_t error_size);

/* Gives the PCI address (or number), and XRT's name for the card. */
int xrt_ip_describe(unsigned number, char *name, size_t name_size, char *what, size_t what_size, char *error,
                    size_t error_size);

/* The UUID of the xclbin on that card, and XRT's JSON of what is in it. Nothing is opened or changed on the card; what
 * XRT does not tell is an empty string. */
void xrt_ip_loaded(unsigned number, char *uuid, size_t uuid_size, char *regions, size_t regions_size);

#ifdef __cplusplus
}
#endif

#endif
