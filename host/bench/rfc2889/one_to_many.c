/* SPDX-License-Identifier: Apache-2.0 */
/* Partially meshed, one to many (RFC 2889 section 5.2): port 0 sends to all others in turn; in both directions, they
 * send to it too. The procedure is in forwarding.h. */
#include "host/bench/rfc2889/one_to_many.h"

#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_ONE_TO_MANY, .bidirectional = false, .either = true, .clause = "RFC 2889 section 5.2.3"};
static const struct result_table SQL_VIEW = FORWARDING_SQL("rfc2889_one_to_many");
static const struct result_description RESULTS = {
        .test = "rfc2889.one_to_many",
        .title = "One to many",
        .clause = "RFC 2889 section 5.2",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = FORWARDING_METRIC_SLICES,
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_VIEWS,
        .listings = FORWARDING_LISTINGS,
        .sql = &SQL_VIEW,
};

const struct benchmark RFC2889_ONE_TO_MANY = {
        .plan = {.keys = {.name = "rfc2889.one_to_many",
                          .slices =
                                  SLICES(&KEYS_TEST, &KEYS_BISECTION, &KEYS_LOAD_RANGE, &RFC2889_KEYS, &FORWARDING_KEYS,
                                         &FORWARDING_LOAD_KEYS, &FORWARDING_BURST_KEYS, &FORWARDING_STEP_KEYS)},
                 .settings_size = sizeof(struct forwarding_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = FORWARDING_WHY_SEARCHES,
                 .why_unmixed = FORWARDING_UNMIXED,
                 .pattern = &PATTERN,
                 .finish = forwarding_finish,
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "One to many",
        .clause = "RFC 2889 5.2",
        FORWARDING_ROW,
};
