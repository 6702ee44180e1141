/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how short the segments of TCP connections may be, so that the engine of a port keeps up with its line
 * (docs/tcp.md, "Load"). Pure. */
#ifndef FPGAUGE_TRIAL_TCP_LOAD_H
#define FPGAUGE_TRIAL_TCP_LOAD_H

#include "drivers/device.h"

enum tcp_load {
	TCP_LOAD_FITS,     /* the engine keeps up, whatever the device under test does */
	TCP_LOAD_DEPENDS,  /* unless acknowledgements come close together: of each segment, as after a loss */
	TCP_LOAD_TOO_MUCH, /* segments that arrive at line rate are more than the engine takes */
};

/* Judges whole segments, of mss octets of the stream behind headers of so many octets. */
enum tcp_load tcp_load_of(unsigned mss, unsigned header_octets, const struct device_identity *identity);

/* The least MSS that is no more than that. */
unsigned tcp_load_least_mss(enum tcp_load load, unsigned header_octets, const struct device_identity *identity);

#endif
