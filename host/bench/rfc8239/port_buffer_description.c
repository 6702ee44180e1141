/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of port buffers report: RFC 8239 section 3.3. */
#include "host/bench/rfc8239/port_buffer.h"
#include "host/result/common.h"

static const struct metric A_BUFFER[] = {
        {.key = "ingress_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "oversubscribing_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "egress_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "buffer_frames", .unit = METRIC_FRAMES},
        {.key = "min_buffer_frames", .unit = METRIC_FRAMES},
        {.key = "max_buffer_frames", .unit = METRIC_FRAMES},
        {.key = "buffer_octets", .unit = METRIC_OCTETS},
        {.key = "buffer_from_latency_frames", .unit = METRIC_FRAMES},
        {.key = "egress_fps", .unit = METRIC_FPS},
        {.key = "agrees", .unit = METRIC_YES_NO},
        {.key = "remark", .unit = METRIC_TEXT},
        VARIATION_ITEMS,
};
static const struct metric_slice A_BUFFER_METRICS = METRIC_SLICE(A_BUFFER);

static const struct metric METRICS[] = {
        {.key = "buffer_frames",
         .heading = "Buffer",
         .unit = METRIC_FRAMES,
         .places = 2,
         .better = BETTER_MORE,
         .known = KNOWN_IF_VALID,
         .spread = 0.001,
         .meaning =
                 "maximum port buffer size by count: frames that the oversubscribing port sent until the first loss, "
                 "less that one; mean of the repetitions, at the egress port where it is least"},
        {.key = "buffer_octets",
         .heading = "Buffer",
         .unit = METRIC_OCTETS,
         .places = 0,
         .better = BETTER_MORE,
         .derived = true,
         .known = KNOWN_IF_VALID,
         .meaning = "the same times the frame size, FCS included"},
        {.key = "buffer_from_latency_frames",
         .heading = "By latency",
         .unit = METRIC_FRAMES,
         .places = 2,
         .better = BETTER_MORE,
         .derived = true,
         .meaning = "the same buffer by the inflection of the maximum latency: what it is above the smallest in the "
                    "shortest trial with loss, times the rate of the egress port"},
        {.key = "largest_buffer_frames",
         .heading = "Largest",
         .unit = METRIC_FRAMES,
         .places = 2,
         .better = BETTER_MORE,
         .derived = true,
         .meaning = "`buffer_frames` at the egress port where it is most"},
        {.key = "egress_port",
         .heading = "Egress port",
         .unit = METRIC_NUMBER,
         .whole = true,
         .meaning = "where it is least"},
        {.key = "estimates_agree",
         .heading = "Estimates agree",
         .unit = METRIC_YES_NO,
         .presence = IN_VALID_RESULTS,
         .meaning = "whether at every egress port the egress port was at line rate, the maximum latency constant after "
                    "the first loss, and both estimates within one frame; a flag says why not"},
        {.key = "buffers",
         .heading = "Every egress port",
         .unit = METRIC_LIST,
         .definition = "port_buffer",
         .items = &A_BUFFER_METRICS,
         .items_closed = true,
         .meaning = "each of them: `ingress_port` at line rate, `oversubscribing_port`, `egress_port`; `buffer_frames` "
                    "with `min_buffer_frames` and `max_buffer_frames` of the repetitions, `buffer_octets`, "
                    "`buffer_from_latency_frames`; `egress_fps`, at which the egress port forwarded; `agrees` and "
                    "`remark`, which says why not; `variation_percent` and `relative_stddev_percent` as below"},
};
const struct metric_slice PORT_BUFFER_METRICS = METRIC_SLICE(METRICS);

static const struct metric EFFICIENCY[] = {
        {.key = "efficient_frame_octets",
         .heading = "Most efficient",
         .unit = METRIC_OCTETS,
         .whole = true,
         .meaning = "frame size of the highest buffer efficiency: of the sizes of this test up to this one, in order, "
                    "the one with the largest `buffer_octets`; the last result has that of all"},
};
static const struct metric_slice EFFICIENCY_METRICS = METRIC_SLICE(EFFICIENCY);

const struct result_line PORT_BUFFER_PARAMETERS[] = {
        PARAMETERS_SEARCH,
        PARAMETERS_WAITS,
        RFC8239_PARAMETERS,
        RFC8239_TRAFFIC,
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
static const struct result_table TABLE = {
        .name = "port_buffer",
        .caption = "Maximum port buffer size, where it is least",
        .columns = (const struct result_column[]){{.key = "frame_octets"},
                                                  {.key = "egress_port"},
                                                  {.key = "buffer_frames"},
                                                  {.key = "buffer_from_latency_frames"},
                                                  {.key = "buffer_octets"},
                                                  {.key = "largest_buffer_frames", .details = true},
                                                  {.key = "estimates_agree"},
                                                  {.key = "variation_percent.min", .details = true},
                                                  {.key = "variation_percent.mean"},
                                                  {.key = "variation_percent.max", .details = true},
                                                  {.key = "relative_stddev_percent"},
                                                  {.key = "valid"},
                                                  {0}},
        .rows = ROWS_ALL,
};
const struct result_listing PORT_BUFFER_ROWS = {
        .list = "buffers",
        .caption = "Maximum port buffer size at every egress port",
        .columns =
                (const struct result_column[]){
                        {.key = "ingress_port", .heading = "From port"},
                        {.key = "oversubscribing_port", .heading = "and port"},
                        {.key = "egress_port", .heading = "to port"},
                        {.key = "buffer_frames", .heading = "Buffer, frames", .places = 2},
                        {.key = "buffer_from_latency_frames", .heading = "By latency", .places = 2},
                        {.key = "buffer_octets", .heading = "Buffer, octets", .places = 0},
                        {.key = "egress_fps", .heading = "Egress rate, frames/s", .places = 1},
                        {.key = "relative_stddev_percent", .heading = "Rel. StdDev, %", .places = 3},
                        {0}},
        .worst = "buffer_frames",
        .most = 16,
        .which = "the largest",
        .always = true,
};

#define SQL_COLUMNS                                                                                                    \
	{.key = "frame_octets", .heading = "Frame size, octets"},                                                      \
	        {.key = "buffer_frames", .heading = "Buffer, frames"},                                                 \
	        {.key = "buffer_from_latency_frames", .heading = "By latency, frames"},                                \
	        {.key = "buffer_octets", .heading = "Buffer, octets"},                                                 \
	        {.key = "estimates_agree", .heading = "Estimates agree"},                                              \
	        {.key = "relative_stddev_percent", .heading = "Rel. StdDev, %"},                                       \
	{                                                                                                              \
		.key = "valid", .heading = "Valid"                                                                     \
	}
static const struct result_table PORT_SQL = {.name = "rfc8239_port_buffer",
                                             .columns = (const struct result_column[]){SQL_COLUMNS, {0}}};
static const struct result_table EFFICIENCY_SQL = {
        .name = "rfc8239_buffer_efficiency",
        .columns = (const struct result_column[]){
                SQL_COLUMNS, {.key = "efficient_frame_octets", .heading = "Most efficient, octets"}, {0}}};

const struct result_description PORT_BUFFER_RESULTS = {
        .test = "rfc8239.port_buffer",
        .title = "Port buffer",
        .clause = "RFC 8239 section 3.2, procedure 2",
        .answer = "buffer_frames",
        .metrics = (const struct metric_slice *const[]){&PORT_BUFFER_METRICS, &VARIATION_METRICS, &EVERY_RESULT, NULL},
        .parameters = PORT_BUFFER_PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&PORT_BUFFER_ROWS, NULL},
        .sql = &PORT_SQL,
};

static const struct result_chart EFFICIENCY_CHART = {
        .name = "buffer_efficiency",
        .title = "Buffer in octets over frame size",
        .description =
                "Octets of frames that the buffer of the egress port holds. The size of which it holds most is used "
                "most efficiently. The values are in the table below.",
        .series = (const struct result_series[]){{"buffer", MARK_LINE_POINTS, "buffer_octets", NULL, NULL, false}, {0}},
        .needs = "buffer_octets",
};
static const struct result_table EFFICIENCY_TABLE = {
        .name = "buffer_efficiency",
        .caption = "Buffer by frame size, and the most efficient size so far",
        .columns = (const struct result_column[]){{.key = "frame_octets"},
                                                  {.key = "buffer_frames"},
                                                  {.key = "buffer_from_latency_frames"},
                                                  {.key = "buffer_octets"},
                                                  {.key = "efficient_frame_octets"},
                                                  {.key = "estimates_agree"},
                                                  {.key = "variation_percent.min", .details = true},
                                                  {.key = "variation_percent.mean"},
                                                  {.key = "variation_percent.max", .details = true},
                                                  {.key = "relative_stddev_percent"},
                                                  {.key = "valid"},
                                                  {0}},
        .rows = ROWS_ALL,
};
const struct result_description BUFFER_EFFICIENCY_RESULTS = {
        .test = "rfc8239.buffer_efficiency",
        .title = "Buffer efficiency",
        .clause = "RFC 8239 section 3.2, procedure 1",
        .answer = "buffer_octets",
        .metrics = (const struct metric_slice *const[]){&PORT_BUFFER_METRICS, &EFFICIENCY_METRICS, &VARIATION_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = PORT_BUFFER_PARAMETERS,
        .views = (const struct result_view[]){{&EFFICIENCY_CHART, &EFFICIENCY_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&PORT_BUFFER_ROWS, NULL},
        .sql = &EFFICIENCY_SQL,
};
