/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of an address caching test (RFC 2889 section 5.7.5). */
#include "host/bench/rfc2889/address_caching.h"
#include "host/bench/rfc2889/learning_trial.h"
#include "host/result/common.h"

static const struct metric METRICS[] = {
        {"addresses", "Addresses", METRIC_NUMBER, .whole = true, .better = BETTER_MORE,
         .meaning = "the capacity: how many addresses the device knew at the same time, `learning_port_addresses` and "
                    "that of the test port, to which no frame was flooded while it learned the others. One more was "
                    "too many, unless a flag says that all were learned"},
        {"learning_port_addresses", "Behind the learning port", METRIC_NUMBER, .whole = true, .better = BETTER_MORE,
         .derived = true, .meaning = "N of the algorithm of RFC 2889 section 5.7.3: addresses behind a single port"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_table TABLE = {
        .name = "address_caching",
        .caption = "Address caching capacity",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "addresses"}, {.key = "learning_port_addresses"},
                           {.key = "flood_frames"}, {.key = "ageing_s"}, {.key = "trials"}, {.key = "valid"}),
};

static const struct result_table SQL_VIEW = {
        .name = "rfc2889_address_caching",
        .columns = COLUMNS(
                {.key = "frame_octets", .heading = "Frame size, octets"}, {.key = "addresses", .heading = "Addresses"},
                {.key = "learning_port_addresses", .heading = "Behind the learning port"},
                {.key = "flood_frames", .heading = "Flooded, frames"}, {.key = "ageing_s", .heading = "Ageing time, s"},
                {.key = "trials", .heading = "Trials"}, {.key = "valid", .heading = "Valid"}),
};

const struct result_description ADDRESS_CACHING_RESULTS = {
        .test = "rfc2889.address_caching",
        .title = "Address caching capacity",
        .clause = "RFC 2889 section 5.7",
        .answer = "addresses",
        .answer_unit = "addresses",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &LEARNING_METRICS, &COUNTER_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters =
                (const struct result_line[]){
                        LEARNING_PARAMETERS,
                        {"Search",
                         "addresses offered at {learning_rate_fps} a second, from {initial_addresses} on, doubled "
                         "until an iteration fails, then bisected; at most {max_addresses}",
                         false},
                        {0}},
        .views = (const struct result_view[]){{NULL, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&LEARNING_ROWS, NULL},
        .sql = &SQL_VIEW,
};
