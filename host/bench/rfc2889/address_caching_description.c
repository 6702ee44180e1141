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
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "addresses", .sql = true},
                           {.key = "learning_port_addresses", .sql = true}, {.key = "flood_frames", .sql = true},
                           {.key = "ageing_s", .sql = true}, {.key = "trials", .sql = true},
                           {.key = "valid", .sql = true}),
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
        .sql = "rfc2889_address_caching",
};
