/* SPDX-License-Identifier: Apache-2.0 */
/* Flows whose frames are segments of a TCP connection: what a device keeps of their headers (docs/tcp.md). The device
 * writes sequence numbers, flags, window, options and octets of the stream. */
#ifndef FPGAUGE_TRAFFIC_CONNECTION_FLOW_H
#define FPGAUGE_TRAFFIC_CONNECTION_FLOW_H

#include "host/traffic/traffic.h"

enum {
	CONNECTION_LEAST_MSS = 88, /* the frame of a whole segment has room for all that a flow keeps */
};

/* Octets of a frame before the stream, without options; 0: the packet has no network header. */
unsigned connection_header_octets(const struct packet *packet);

/* Makes of the packet of a test frame, of whatever transport, that of a connection: the same addresses and tags, these
 * TCP ports, and 0 wherever the device writes. False: it is not of IP, or has headers that a segment must not have. */
bool connection_packet(struct packet *packet, unsigned source_port, unsigned destination_port);

/* Makes a port one that has connections and sends nothing else: of its flows to port `to`, `count` flows of
 * connections, taking the addresses in turn. Connection c has the TCP port source_port + c here, and destination_port +
 * c there; the frame of a whole segment has mss octets of the stream. Several calls for different ports add connections
 * after those that are there; `mesh` has the flows to choose from. 0, ERROR_PLAN or ERROR_INTERNAL. */
struct connection_flows {
	unsigned port, to, count;
	unsigned source_port, destination_port; /* ports of the first connection */
	unsigned mss;
};
int connection_flows_add(const struct traffic *mesh, const struct connection_flows *wanted, struct traffic *traffic,
                         struct error *error);

#endif
