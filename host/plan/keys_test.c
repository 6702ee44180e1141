/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of every test. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_test

static const struct plan_key TEST[] = {
        {.name = "test", .value = UNSTORED(KEY_CHOICE), .picks_set = true},
        {.name = "frame_sizes",
         .value = SIZES(frame_sizes),
         .ranges = {{"64", "9216"}},
         .unit = "octets",
         .default_text = "64 128 256 512 1024 1280 1518",
         .doc = "From destination MAC to FCS; the default is RFC 2544 section 9.1. Of the default, a preset and the "
                "mix imix, sizes "
                "in which a VLAN tag or the headers of IPv6 have no room are raised to the least that has."},
        {.name = "traffic",
         .value = UNSTORED(KEY_TRAFFIC),
         .doc = "Traffic of this test: each key in it takes the place of that key at the top level."},
        {.name = "search",
         .value = CHOICE(search),
         .choices = PLAN_SEARCH_NAMES,
         .default_text = "binary",
         .doc = "Binary Search, plain or with Loss Verification (ETSI GS NFV-TST 009 12.3), or MLRsearch (RFC 9971). "
                "Some tests take only some of them, and the default is then the first they take; some make no search."},
        {.name = "trials_limit",
         .value = COUNT(trials_limit),
         .ranges = {{"0", "1000000"}},
         .unit = "trials",
         .default_text = "0",
         .doc = "A search ends after this many trials, and its result is invalid; 0: no limit."},
        {.name = "direction",
         .value = CHOICE_OF_TWO(shape.bidirectional),
         .choices = CHOICES("unidirectional", "bidirectional"),
         .default_text = "bidirectional",
         .doc = "Every port sends (RFC 2544 section 14), or each even port sends to the next, which is the default for "
                "an external program with one sender. With a traffic.pattern: both ways or one way; a mesh is always "
                "bidirectional, a unidirectional mesh never."},
        {.name = "modifiers",
         .value = KEY_VALUE(KEY_MODIFIERS, uint32_t, shape.modifiers),
         .doc = "Conditions added to the traffic, all together. \"broadcast\": every 100th frame of each sending port "
                "is a broadcast, which is counted apart (RFC 2544 section 11.1). \"random_destinations\": destination "
                "addresses are drawn from 256, of MAC, or with traffic.routed of networks (RFC 2544 section 12). "
                "\"management\": the first frame of each second is an SNMP query to the router under test, and its "
                "answer "
                "is verified (section 11.2). \"routing\": the first frame is an update of RIP, and so is one at every "
                "traffic.routing_interval (section 11.3). \"filters_1\", \"filters_25\": the device has one "
                "filter or 25 (section 11.4), which is verified."},
        {.name = "each_alone",
         .value = BOOL(each_alone),
         .default_text = "false",
         .doc = "The test runs once without modifiers, then once with each of them alone (RFC 2544 section 11)."},
        {.name = "filters_command",
         .value = WORDS(filters_command),
         .doc = "The program that gives the device its filters, and its arguments; found by PATH. It reads the filters "
                "that are to be there from its standard input, and must end with exit status 0. It runs before trials "
                "with other filters than those before, and at the end, when there are to be none. Default: none, the "
                "device has its filters."},
        {.name = "filters_format",
         .value = CHOICE(filters_format),
         .choices = CHOICES("text", "nft"),
         .default_text = "text",
         .doc = "What filters_command reads: lines in the words of RFC 2544 section 11.4, nothing if there are to be "
                "no filters; or what \"nft -f -\" of Linux reads."},
        {.name = "filters_interfaces",
         .value = WORDS(filters_interfaces),
         .doc = "For filters_format = \"nft\": the interface of the device at each port of the tester. Needed when "
                "more ports than one send."},
        {.name = "settle",
         .value = TIME(settle_ns),
         .ranges = {{"0s", A_WEEK}},
         .default_text = "2s",
         .doc = "Wait after each trial for the device to empty (RFC 9004 section 6.2: at least 2 s)."},
        {.name = "drain",
         .value = TIME(drain_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "2s",
         .doc = "Longest wait for the last frame of a trial (RFC 2544 section 23)."},
        {.name = "if_possible",
         .value = BOOL(if_possible),
         .default_text = "false",
         .doc = "A device that was built without what the test needs, which is TCP connections, leaves it out, "
                "and check, run and reports say so. Else the plan is refused for such a device."},
        {.name = "require",
         .value = UNSTORED(KEY_REQUIRE),
         .doc = "Limits that the results are held against: { throughput_fps = \"148M\"; }."},
};
const struct key_slice KEYS_TEST = {.heading = "run = ( { ... }, ... ): keys of every test", SLICE(TEST)};
