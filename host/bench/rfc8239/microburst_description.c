/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a microburst test: RFC 8239 section 4.3. */
#include "host/bench/rfc8239/microburst.h"
#include "host/result/common.h"

static const struct metric A_BURST[] = {
        {.key = "senders", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "receivers", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "sending_ports", .unit = METRIC_NUMBERS},
        {.key = "receiving_ports", .unit = METRIC_NUMBERS},
        {.key = "burst_per_port_frames", .unit = METRIC_FRAMES},
        {.key = "burst_frames", .unit = METRIC_FRAMES},
        {.key = "min_burst_frames", .unit = METRIC_FRAMES},
        {.key = "max_burst_frames", .unit = METRIC_FRAMES},
        {.key = "reached_limit", .unit = METRIC_YES_NO},
        VARIATION_ITEMS,
};
static const struct metric_slice A_BURST_METRICS = METRIC_SLICE(A_BURST);

static const struct metric METRICS[] = {
        {"burst_frames", "Burst", METRIC_FRAMES, .sql_heading = "Burst of all, frames", .places = 2,
         .better = BETTER_MORE, .spread = 0.001,
         .meaning = "the largest microburst without loss, over all sending ports, as a mean of the repetitions, with "
                    "the choice of ports where that is least. Null if none up to `max_burst` was lossy"},
        {"burst_octets", "Burst", METRIC_OCTETS, .places = 0, .better = BETTER_MORE, .derived = true,
         .meaning = "the same in octets of frames, FCS included"},
        {"burst_per_port_frames", "By port", METRIC_FRAMES, .sql_heading = "Burst of a port, frames", .places = 2,
         .better = BETTER_MORE, .derived = true, .meaning = "frames of it received from each ingress port"},
        {"senders", "Senders", METRIC_NUMBER, .whole = true, .meaning = "ports that sent it"},
        {"receivers", "Receivers", METRIC_NUMBER, .whole = true, .meaning = "ports that received it"},
        {"bursts", "Every choice of ports", METRIC_LIST, .definition = "microburst", .items = &A_BURST_METRICS,
         .meaning = "the largest bursts of each choice of ports: how many `senders` and `receivers`, `sending_ports`, "
                    "`receiving_ports`; `burst_per_port_frames` of each ingress port, and `burst_frames` of all, means "
                    "of the repetitions; `min_burst_frames` and `max_burst_frames` of all; `reached_limit`: bursts of "
                    "`max_burst` lost nothing, and then these are null; `variation_percent` and "
                    "`relative_stddev_percent` as below"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_SEARCH,
        PARAMETERS_WAITS,
        RFC8239_PARAMETERS,
        RFC8239_TRAFFIC,
        {"Bursts",
         "of up to {max_burst_frames} frames a port at {intensity_percent:3}% of line rate; all senders begin at once "
         "and take the receivers in the same turn",
         false},
        {0},
};

static const struct result_chart CHART = {
        .name = "microburst",
        .title = "Largest microburst over frame size",
        .description = "Frames of all ingress ports together that the device takes without loss, with the choice of "
                       "ports where that is least. The values are in the table below.",
        .series = (const struct result_series[]){{"burst", MARK_LINE_POINTS, "burst_frames", NULL, NULL, false}, {0}},
        .needs = "burst_frames",
};
static const struct result_table TABLE = {
        .name = "microburst",
        .caption = "Largest microburst without loss, with the choice of ports where it is least",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "senders", .sql = true},
                           {.key = "receivers", .sql = true}, {.key = "burst_per_port_frames", .sql = true},
                           {.key = "burst_frames", .sql = true}, {.key = "burst_octets"}, VARIATION_COLUMNS,
                           {.key = "trials", .details = true}, {.key = "valid", .sql = true}),
};
static const struct result_listing BURST_ROWS = {
        .list = "bursts",
        .caption = "Largest microburst with each choice of ports",
        .columns = COLUMNS({.key = "senders", .heading = "Senders"}, {.key = "receivers", .heading = "Receivers"},
                           {.key = "sending_ports", .heading = "From ports"},
                           {.key = "receiving_ports", .heading = "to ports"},
                           {.key = "burst_per_port_frames", .heading = "By port", .places = 2},
                           {.key = "burst_frames", .heading = "Burst, frames", .places = 2},
                           {.key = "relative_stddev_percent", .heading = "Rel. StdDev, %", .places = 3},
                           {.key = "reached_limit", .heading = "Limit reached"}),
        .worst = "senders",
        .most = 16,
        .which = "those with most senders",
        .always = true,
};

const struct result_description MICROBURST_RESULTS = {
        .test = "rfc8239.microburst",
        .title = "Microburst",
        .clause = "RFC 8239 section 4",
        .answer = "burst_frames",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &VARIATION_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&BURST_ROWS, NULL},
        .sql = "rfc8239_microburst",
};
