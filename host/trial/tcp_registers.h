/* SPDX-License-Identifier: Apache-2.0 */
/* Gives what a port with TCP connections is told, as writes to registers (section tcp of hw/regs/fpgauge.toml).
 * Pure. */
#ifndef FPGAUGE_TRIAL_TCP_REGISTERS_H
#define FPGAUGE_TRIAL_TCP_REGISTERS_H

#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "host/traffic/traffic.h"
#include "host/trial/register_write.h"
#include "host/trial/tester.h"

enum { TCP_SETTINGS_WRITES = 30, TCP_OPEN_WRITES = 3 };

/* The first TCP port of a tester port: no two have the same ones, so a flooded segment is nobody's. */
unsigned tcp_first_port(unsigned port);

/* The settings of a port with connections, to be written when the rest of its settings has been; returns how many. */
unsigned tcp_settings(const struct trial_tcp *tcp, unsigned port, unsigned header_octets,
                      const struct device_identity *identity, struct register_write writes[TCP_SETTINGS_WRITES]);

/* The timeout of a connection whose SYN was sent again, until a round trip was measured: 3 s (RFC 6298 section 5.7), or
 * the first one if that is longer. Three times the first one if that is below the 1 s of section 2.1: it was made
 * shorter for a fast network, and one that waits 3 s there measures nothing. */
uint64_t tcp_rto_after_syn_ot(const struct trial_tcp *tcp, const struct device_identity *identity);

/* Opens a connection: passive waits for the other end, and sends nothing. */
void tcp_open(const struct trial_tcp *tcp, unsigned port, unsigned connection, bool passive, uint32_t iss,
              struct register_write writes[TCP_OPEN_WRITES]);

/* Checks that a device can do what the request says; else ERROR_PLAN with the limit. */
int tcp_check(const struct trial_tcp *tcp, const struct device_identity *identity, struct error *error);

/* Makes the flows of all connections of flows of a mesh, which has addresses for all pairs of ports. Their ports send
 * nothing else. */
int tcp_add_flows(const struct traffic *mesh, const struct trial_tcp *tcp, struct traffic *traffic,
                  struct error *error);

#endif
