/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of tests of port buffers: RFC 8239 section 3.3. */
#include "host/bench/rfc8239/port_buffer.h"
#include "host/result/common.h"

#define BUFFER_ITEMS                                                                                                   \
	{.key = "egress_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},                           \
	        {.key = "buffer_frames", .unit = METRIC_FRAMES}, {.key = "min_buffer_frames", .unit = METRIC_FRAMES},  \
	        {.key = "max_buffer_frames", .unit = METRIC_FRAMES}, {.key = "buffer_octets", .unit = METRIC_OCTETS},  \
	        {.key = "buffer_from_latency_frames", .unit = METRIC_FRAMES},                                          \
	        {.key = "egress_fps", .unit = METRIC_FPS}, {.key = "agrees", .unit = METRIC_YES_NO},                   \
	        {.key = "remark", .unit = METRIC_TEXT}, VARIATION_ITEMS
#define TWO_PORTS_ITEMS                                                                                                \
	{.key = "ingress_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},                          \
	{                                                                                                              \
		.key = "oversubscribing_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS             \
	}
#define BUFFER_ITEMS_MEANING                                                                                           \
	"`buffer_frames` with `min_buffer_frames` and `max_buffer_frames` of the repetitions, `buffer_octets`, "       \
	"`buffer_from_latency_frames`; `egress_fps`, at which the egress port forwarded; `agrees` and `remark`, "      \
	"which says why not; `variation_percent` and `relative_stddev_percent` as below"

static const struct metric A_BUFFER[] = {TWO_PORTS_ITEMS, BUFFER_ITEMS};
static const struct metric_slice A_BUFFER_METRICS = METRIC_SLICE(A_BUFFER);

static const struct metric A_PAIR_BUFFER[] = {
        {.key = "place", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS}, TWO_PORTS_ITEMS, BUFFER_ITEMS};
static const struct metric_slice A_PAIR_BUFFER_METRICS = METRIC_SLICE(A_PAIR_BUFFER);

static const struct metric A_DEVICE_BUFFER[] = {{.key = "ingress_ports", .unit = METRIC_NUMBERS}, BUFFER_ITEMS};
static const struct metric_slice A_DEVICE_BUFFER_METRICS = METRIC_SLICE(A_DEVICE_BUFFER);

static const struct metric METRICS[] = {
        {"buffer_frames", "Buffer", METRIC_FRAMES, .places = 2, .better = BETTER_MORE, .known = KNOWN_IF_VALID,
         .spread = 0.001,
         .meaning = "maximum buffer size by count: frames that the oversubscribing port sent until the first loss, "
                    "less that one, or where all ports oversubscribe, the frames that had not left by then; mean of "
                    "the repetitions, at the egress port where it is least"},
        {"buffer_octets", "Buffer", METRIC_OCTETS, .places = 0, .better = BETTER_MORE, .derived = true,
         .known = KNOWN_IF_VALID, .meaning = "the same times the frame size, FCS included"},
        {"buffer_from_latency_frames", "By latency", METRIC_FRAMES, .places = 2, .better = BETTER_MORE, .derived = true,
         .meaning = "the same buffer by the inflection of the maximum latency: what it is above the smallest in the "
                    "shortest trial with loss, times the rate of the egress port"},
        {"largest_buffer_frames", "Largest", METRIC_FRAMES, .places = 2, .better = BETTER_MORE, .derived = true,
         .meaning = "`buffer_frames` at the egress port where it is most"},
        {"egress_port", "Egress port", METRIC_NUMBER, .whole = true, .meaning = "where it is least"},
        {"estimates_agree", "Estimates agree", METRIC_YES_NO, .presence = IN_VALID_RESULTS, .known = KNOWN_IF_VALID,
         .meaning = "whether at every egress port the egress port was at line rate, the maximum latency constant after "
                    "the first loss, and both estimates within one frame; a flag says why not"},
};
static const struct metric_slice BUFFER_METRICS = METRIC_SLICE(METRICS);

static const struct metric PORT[] = {
        {"buffers", "Every egress port", METRIC_LIST, .definition = "port_buffer", .items = &A_BUFFER_METRICS,
         .meaning = "each of them: `ingress_port` at line rate, `oversubscribing_port`, "
                    "`egress_port`; " BUFFER_ITEMS_MEANING},
};
static const struct metric_slice EGRESS_METRICS = METRIC_SLICE(PORT);

static const struct metric PAIR[] = {
        {"pair_buffer_frames", "Both ports", METRIC_FRAMES, .places = 2, .better = BETTER_MORE, .derived = true,
         .meaning = "`buffer_frames` of both egress ports that are oversubscribed at the same time, at the place where "
                    "that is most"},
        {"pair_buffer_octets", "Both ports", METRIC_OCTETS, .places = 0, .better = BETTER_MORE, .derived = true,
         .meaning = "the same times the frame size, FCS included"},
        {"pair_buffers", "Every egress port", METRIC_LIST, .definition = "pair_buffer", .items = &A_PAIR_BUFFER_METRICS,
         .meaning = "each of them at each `place`, from 0, where two are oversubscribed at the same time: "
                    "`ingress_port` at line rate, `oversubscribing_port`, `egress_port`; " BUFFER_ITEMS_MEANING},
};
static const struct metric_slice PAIR_METRICS = METRIC_SLICE(PAIR);

static const struct metric DEVICE[] = {
        {"device_buffers", "Every egress port", METRIC_LIST, .definition = "device_buffer",
         .items = &A_DEVICE_BUFFER_METRICS,
         .meaning = "each of them, to which `ingress_ports` send equal loads: `egress_port`; " BUFFER_ITEMS_MEANING},
};
static const struct metric_slice DEVICE_METRICS = METRIC_SLICE(DEVICE);

static const struct metric EFFICIENCY[] = {
        {"efficient_frame_octets", "Most efficient", METRIC_OCTETS, .whole = true,
         .meaning = "frame size of the highest buffer efficiency: of the sizes of this test up to this one, in order, "
                    "the one with the largest `buffer_octets`; the last result has that of all"},
};
static const struct metric_slice EFFICIENCY_METRICS = METRIC_SLICE(EFFICIENCY);

#define BUFFER_TRAFFIC                                                                                                 \
	{                                                                                                              \
		"Traffic",                                                                                             \
		        "unicast[, DSCP {dscp}][, CoS {cos}], addresses for each pair of ports: {addresses}[, VLAN "   \
		        "{vlan}]",                                                                                     \
		        false                                                                                          \
	}

static const struct result_line PARAMETERS[] = {
        PARAMETERS_SEARCH,
        PARAMETERS_WAITS,
        RFC8239_PARAMETERS,
        BUFFER_TRAFFIC,
        {"Oversubscription", "{oversubscription_percent:3}% of line rate, up to {max_frames} frames", false},
        {0},
};

static const struct result_series SERIES[] = {
        {"by count", MARK_LINE_POINTS, "buffer_frames", NULL, NULL, false},
        {"by latency", MARK_POINTS, "buffer_from_latency_frames", NULL, NULL, false},
        {0}};
static const struct result_chart CHART = {
        .name = "port_buffer",
        .title = "Buffer of a port over frame size",
        .description = "Frames that fit into the buffer of the egress port where it is least, by both estimates. The "
                       "values are in the table below.",
        .series = SERIES,
        .needs = "buffer_frames",
};
#define TABLE_COLUMNS                                                                                                  \
	COLUMNS({.key = "frame_octets", .sql = true}, {.key = "egress_port"}, {.key = "buffer_frames", .sql = true},   \
	        {.key = "buffer_from_latency_frames", .sql = true}, {.key = "buffer_octets", .sql = true},             \
	        {.key = "largest_buffer_frames", .details = true}, {.key = "estimates_agree", .sql = true},            \
	        VARIATION_COLUMNS, {.key = "valid", .sql = true})
static const struct result_table TABLE = {
        .name = "port_buffer",
        .caption = "Maximum port buffer size, where it is least",
        .columns = TABLE_COLUMNS,
};

#define FROM_TWO_PORTS                                                                                                 \
	{.key = "ingress_port", .heading = "From port"},                                                               \
	{                                                                                                              \
		.key = "oversubscribing_port", .heading = "and port"                                                   \
	}
#define BUFFER_COLUMNS                                                                                                 \
	{.key = "egress_port", .heading = "to port"},                                                                  \
	        {.key = "buffer_frames", .heading = "Buffer, frames", .places = 2},                                    \
	        {.key = "buffer_from_latency_frames", .heading = "By latency", .places = 2},                           \
	        {.key = "buffer_octets", .heading = "Buffer, octets", .places = 0},                                    \
	        {.key = "egress_fps", .heading = "Egress rate, frames/s", .places = 1},                                \
	{                                                                                                              \
		.key = "relative_stddev_percent", .heading = "Rel. StdDev, %", .places = 3                             \
	}
#define LARGEST_BUFFERS .worst = "buffer_frames", .most = 16, .which = "the largest", .always = true
static const struct result_listing BUFFER_ROWS = {
        .list = "buffers",
        .caption = "Maximum port buffer size at every egress port",
        .columns = COLUMNS(FROM_TWO_PORTS, BUFFER_COLUMNS),
        LARGEST_BUFFERS,
};
static const struct result_listing PAIR_ROWS = {
        .list = "pair_buffers",
        .caption = "Maximum buffer sizes of port pairs at every egress port",
        .columns = COLUMNS({.key = "place", .heading = "Place"}, FROM_TWO_PORTS, BUFFER_COLUMNS),
        LARGEST_BUFFERS,
};
static const struct result_listing DEVICE_ROWS = {
        .list = "device_buffers",
        .caption = "Maximum buffer size of the device, with each port the egress port of all others",
        .columns = COLUMNS({.key = "ingress_ports", .heading = "From ports"}, BUFFER_COLUMNS),
        LARGEST_BUFFERS,
};

#define SQL_COLUMNS                                                                                                    \
	{.key = "frame_octets"}, {.key = "buffer_frames"}, {.key = "buffer_from_latency_frames"},                      \
	        {.key = "buffer_octets"}, {.key = "estimates_agree"}, {.key = "relative_stddev_percent"},              \
	{                                                                                                              \
		.key = "valid"                                                                                         \
	}

const struct result_description PORT_BUFFER_RESULTS = {
        .test = "rfc8239.port_buffer",
        .title = "Port buffer",
        .clause = "RFC 8239 section 3.2, procedure 2",
        .answer = "buffer_frames",
        .metrics = (const struct metric_slice *const[]){&BUFFER_METRICS, &EGRESS_METRICS, &VARIATION_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&BUFFER_ROWS, NULL},
        .sql = "rfc8239_port_buffer",
};

static const struct result_chart EFFICIENCY_CHART = {
        .name = "buffer_efficiency",
        .title = "Buffer in octets over frame size",
        .description = "Octets of frames that the buffer of the egress port holds. The size of which it holds most is "
                       "used most efficiently. The values are in the table below.",
        .series = (const struct result_series[]){{"buffer", MARK_LINE_POINTS, "buffer_octets", NULL, NULL, false}, {0}},
        .needs = "buffer_octets",
};
static const struct result_table EFFICIENCY_TABLE = {
        .name = "buffer_efficiency",
        .caption = "Buffer by frame size, and the most efficient size so far",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "buffer_frames"}, {.key = "buffer_from_latency_frames"},
                           {.key = "buffer_octets"}, {.key = "efficient_frame_octets"}, {.key = "estimates_agree"},
                           VARIATION_COLUMNS, {.key = "valid"}),
};
const struct result_description BUFFER_EFFICIENCY_RESULTS = {
        .test = "rfc8239.buffer_efficiency",
        .title = "Buffer efficiency",
        .clause = "RFC 8239 section 3.2, procedure 1",
        .answer = "buffer_octets",
        .metrics = (const struct metric_slice *const[]){&BUFFER_METRICS, &EGRESS_METRICS, &EFFICIENCY_METRICS,
                                                        &VARIATION_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&EFFICIENCY_CHART, &EFFICIENCY_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&BUFFER_ROWS, NULL},
        .sql = "rfc8239_buffer_efficiency",
        .sql_columns = COLUMNS(SQL_COLUMNS, {.key = "efficient_frame_octets"}),
};

/* -- several ports at once ---------------------------------------------------------------------------------------- */

static const struct result_table PAIR_TABLE = {
        .name = "port_pair_buffer",
        .caption = "Maximum buffer sizes of port pairs: of the egress port where it is least, and of both where it is "
                   "most",
        .columns =
                COLUMNS({.key = "frame_octets"}, {.key = "egress_port"}, {.key = "buffer_frames"},
                        {.key = "buffer_from_latency_frames"}, {.key = "pair_buffer_frames"},
                        {.key = "pair_buffer_octets"}, {.key = "estimates_agree"}, VARIATION_COLUMNS, {.key = "valid"}),
};
const struct result_description PORT_PAIR_BUFFER_RESULTS = {
        .test = "rfc8239.port_pair_buffer",
        .title = "Port pair buffer",
        .clause = "RFC 8239 section 3.2, procedure 3",
        .answer = "buffer_frames",
        .metrics = (const struct metric_slice *const[]){&BUFFER_METRICS, &PAIR_METRICS, &VARIATION_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &PAIR_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&PAIR_ROWS, NULL},
        .sql = "rfc8239_port_pair_buffer",
        .sql_columns = COLUMNS(SQL_COLUMNS, {.key = "pair_buffer_frames"}),
};

static const struct result_line DEVICE_PARAMETERS[] = {
        PARAMETERS_SEARCH,
        PARAMETERS_WAITS,
        RFC8239_PARAMETERS,
        BUFFER_TRAFFIC,
        {"Load",
         "99.98% of line rate and {oversubscription_percent:3}%, in equal parts from all other ports, up to "
         "{max_frames} frames in excess",
         false},
        {0},
};
static const struct result_table DEVICE_TABLE = {
        .name = "device_buffer",
        .caption = "Maximum buffer size of the device, many to one port",
        .columns = TABLE_COLUMNS,
};
const struct result_description DEVICE_BUFFER_RESULTS = {
        .test = "rfc8239.device_buffer",
        .title = "Device buffer",
        .clause = "RFC 8239 section 3.2, procedure 4",
        .answer = "buffer_frames",
        .metrics = (const struct metric_slice *const[]){&BUFFER_METRICS, &DEVICE_METRICS, &VARIATION_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = DEVICE_PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &DEVICE_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&DEVICE_ROWS, NULL},
        .sql = "rfc8239_device_buffer",
};
