/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the device router. docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_H
#define FPGAUGE_SIM_DUT_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/devices.h"
#include "sim/dut/earliest.h"
#include "sim/dut/neighbours.h"
#include "sim/dut/output_queue.h"
#include "sim/dut/ring.h"
#include "sim/dut/router_agent.h"
#include "sim/dut/router_lookup.h"
#include "sim/dut/router_packet.h"
#include "sim/dut/router_rip.h"
#include "sim/dut/router_settings.h"

/* A frame that has come in and waits for its decision, with its header. */
struct router_arrival {
	struct dut_frame frame;
	uint8_t header[DUT_HEADER_OCTETS];
};

/* A frame that leaves. */
struct router_leaving {
	struct dut_frame frame;
	uint64_t to_mac; /* next hop of a forwarded frame */
};

/* One that the router has made; its id is its number at that port. */
struct router_own {
	uint8_t octets[ROUTER_OWN_OCTETS];
};

struct router_port {
	struct ring arrivals, leaving, own;
	uint64_t told;      /* entries of leaving before this one were taken before the last take */
	uint64_t own_taken; /* ids below have been taken */
	struct output_queue queue;
	struct agent_counters counters;
};

/* A packet for a neighbour whose MAC is not known yet. */
struct router_waiting {
	struct dut_frame frame;
	uint64_t until_ot; /* then it is lost */
	struct net_address neighbour;
	unsigned port;
};

struct router_device {
	struct dut_device device;
	struct router_settings settings;
	struct neighbours neighbours;
	struct router_lookup lookup;
	struct router_rip rip;
	struct router_waiting *waiting; /* ordered as they came */
	size_t waiting_count;
	uint64_t queries; /* management queries that came to an address of a port */
	struct earliest decisions;
	struct router_port ports[DUT_MAX_PORTS];
};

/* router_way.c: whether a frame has come in whole and right; whether what is in it is for the port where it came in;
 * the route to an address; the way of a packet to another station. NULL: there is none, it is lost. */
bool router_is_whole(const struct dut_frame *frame);
bool router_is_for_port(const struct router_header *read, unsigned port);
const struct route *router_find_route(const struct router_device *dut, const struct net_address *address);
const struct route *router_way(const struct router_device *dut, const struct router_header *read);

/* router_steady.c: as in device.h, for going on without playing every frame. */
enum dut_way router_foresee(const struct dut_device *device, unsigned port, const uint8_t *header, uint32_t octets,
                            unsigned *output);
bool router_settle(struct dut_device *device);
struct dut_queue router_queue(struct dut_device *device, unsigned output, uint32_t octets);
void router_account(struct dut_device *device, const struct dut_passage *passage);

/* router_send.c: a frame goes to the queue of an output. Forwarded to this MAC; made by the router, of this length. */
void router_forward(struct router_device *dut, unsigned output, const struct dut_frame *frame, uint64_t to_mac,
                    uint64_t now_ot);
void router_send_own(struct router_device *dut, unsigned output, const struct router_own *own, uint32_t octets,
                     uint64_t now_ot);

/* router_management.c: a packet to an address of the router. */
void router_manage(struct router_device *dut, unsigned port, const uint8_t *header, const struct router_header *read,
                   uint64_t now_ot);

/* router_neighbours.c: what ARP and neighbour discovery say, and ask for. */
void router_hear(struct router_device *dut, unsigned port, const struct router_header *heard, uint64_t now_ot);
/* A packet is for this neighbour at a port: forwards it, or lets it wait and asks. */
void router_deliver(struct router_device *dut, const struct route_interface *interface,
                    const struct net_address *neighbour, const struct dut_frame *frame, uint64_t now_ot);
/* Loses the frames whose time is over. */
void router_stop_waiting(struct router_device *dut, uint64_t now_ot);

#endif
