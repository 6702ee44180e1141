/* SPDX-License-Identifier: Apache-2.0 */
/* Modifiers of existing traffic: each makes other traffic of it, so that a benchmark measures "first without, then each
 * alone" (RFC 2544 section 11) in a loop. traffic_check() says what the result may not be. */
#ifndef FPGAUGE_TRAFFIC_MODIFIER_H
#define FPGAUGE_TRAFFIC_MODIFIER_H

#include "host/traffic/traffic.h"

/* Frames of each flow have the lengths in this order, beginning with flow 0 at the first entry, with flow 1 at the
 * second, and so on around the list. Flows interleave one after another. 0 or a negative error. */
int traffic_mix_lengths(struct traffic *traffic, const struct traffic_sizes *sizes, struct error *error);

/* A tag of IEEE 802.1Q in every frame, outside of those that are there. Frames do not become longer. */
void traffic_add_tag(struct traffic *traffic, unsigned ethertype, unsigned tci);

/* Class of service of every frame: DSCP in the IP header (RFC 2474), 0 to 63, and priority in the outer VLAN tag (IEEE
 * 802.1Q), 0 to 7. A frame that has no IP header, or no tag, stays as it is. */
void traffic_mark(struct traffic *traffic, unsigned dscp, unsigned cos);

/* Each flow goes from `hosts` hosts to as many, all of which have their turn before one comes again. hosts: a power of
 * two. seed: the pairs are scattered; NULL: host n sends to host n. Takes flows that arrive at one port, as
 * traffic_build() makes them. */
void traffic_vary_hosts(struct traffic *traffic, unsigned hosts, const uint32_t *seed);

/* Every n-th frame of each port goes to the hardware broadcast address, of a type that no device processes (RFC 2544
 * section 11.1), and must arrive at all other ports in use. These frames have the same lengths as flow 0. Once only. */
int traffic_broadcast_every(struct traffic *traffic, uint32_t frames, struct error *error);

/* The destination of every frame is drawn from 256 (RFC 2544 section 12): in so many networks behind a router at the
 * port where it must arrive, if routed, else as many MAC addresses. Frames that are counted apart keep theirs. Takes
 * flows that arrive at one port and have no fields. */
void traffic_draw_destinations(struct traffic *traffic, bool routed);

/* All frames are wrong, and must arrive nowhere (RFC 2889 section 5.9). */
void traffic_make_wrong(struct traffic *traffic, enum traffic_wrong wrong);

/* All frames have this length; if it is one that a device must not forward, they must arrive nowhere. */
void traffic_make_length(struct traffic *traffic, uint32_t frame_octets, bool must_arrive);

/* All frames of a port to one host go to this MAC address: that of the router between. */
void traffic_send_to(struct traffic *traffic, unsigned port, const uint8_t mac[6]);

/* Frames of IPv4 that must arrive go to the network behind their port of which only routing updates tell
 * (test_learned_network()), to nodes with the numbers of those to which they went before. Frames that are counted apart
 * do not. */
void traffic_go_to_learned(struct traffic *traffic);

/* Writes constant lengths and header checksums where frames have one length and nothing varies in them. */
void traffic_fix(struct traffic *traffic);

#endif
