/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of traffic, at the top of a plan or in a test. */
#include "host/plan/key_slices.h"

#define SETTINGS struct traffic_shape

static const struct plan_key TRAFFIC[] = {
        {.name = "pattern",
         .value = CHOICE(pattern),
         .choices = TRAFFIC_PATTERN_NAMES,
         .default_text = "pairs",
         .doc = "Between which ports frames go: ports 0 and 1, 2 and 3 ...; port 0 and all others (RFC 2889 section "
                "5.2); each port to all others (5.1); one half of the ports to the other (5.4); or the first and the "
                "last port of a chain through all of the device (RFC 8239 section 2)."},
        {.name = "addresses",
         .value = COUNT(addresses),
         .ranges = {{"1", "65536"}},
         .unit = "addresses",
         .default_text = "1",
         .doc = "Destination addresses for each pair of ports that exchange frames, each a separate stream."},
        {.name = "sizes",
         .value = KEY_VALUE(KEY_MIX, struct traffic_sizes, sizes),
         .doc = "Frame lengths mixed within a trial, taken in turn, instead of frame_sizes. \"imix\" is 7 frames of "
                "64, 4 "
                "of 570 and 1 of 1518 octets, in a fixed order; the letters of a genome are a 64, b 128, c 256, d "
                "512, e 1024, f 1280, g 1518, h 2112, i 9000 octets, and z, the MTU, 1518."},
        {.name = "frame",
         .value = CHOICE(frame),
         .choices = TRAFFIC_FRAME_NAMES,
         .default_text = "ipv4_udp",
         .doc = "Headers of test frames; the last six are UDP over IPv6 with extension headers (RFC 5180 section "
                "5.3)."},
        {.name = "routed",
         .value = BOOL(routed),
         .default_text = "false",
         .doc = "The device under test is a router: frames go to its MAC address at the port, for which every host "
                "asks "
                "(ARP, neighbour discovery), and to hosts in another network. It must have the address ending in .1 "
                "(IPv6: ::1) in the network of each port."},
        {.name = "vlan",
         .value = COUNT(vlan),
         .ranges = {{"0", "4094"}},
         .doc = "VLAN of test frames, 0 for a priority tag; default: frames have no tag."},
        {.name = "seed",
         .value = COUNT(seed),
         .ranges = {{"1", "2147483647"}},
         .default_text = "1",
         .doc = "Of what is drawn at random; the same seed gives the same frames."},
        {.name = "snmp_version",
         .value = CHOICE(snmp_version),
         .choices = TRAFFIC_SNMP_NAMES,
         .default_text = "2c",
         .doc = "Version of SNMP in the queries of modifier management."},
        {.name = "community",
         .value = TEXT(community),
         .default_text = "public",
         .doc = "Community in these queries, 1 to 32 octets."},
        {.name = "interface",
         .value = COUNT(interface),
         .ranges = {{"1", "2147483647"}},
         .default_text = "1",
         .doc = "ifIndex of the interface whose counters they ask for."},
        {.name = "routing_interval",
         .value = TIME(routing_interval_ns),
         .ranges = {{"1ms", "3600s"}},
         .default_text = "30s",
         .doc = "From one update of modifier routing to the next (RFC 2544 C.2.3: 30 s for RIP)."},
        {.name = "routing_wait",
         .value = TIME(routing_wait_ns),
         .ranges = {{"1us", "60s"}},
         .default_text = "2s",
         .doc = "From the update before each trial with modifier routing to its start (RFC 2544 section 23: 2 s)."},
};
static const struct key_slice TRAFFIC_SLICE = {
        .heading = "traffic = { ... }, at the top level for every test, or in a test for it alone", SLICE(TRAFFIC)};
const struct key_set PLAN_TRAFFIC_KEYS = {.slices = SLICES(&TRAFFIC_SLICE)};
