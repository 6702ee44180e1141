/* SPDX-License-Identifier: Apache-2.0 */
/* Partially meshed, many to one (RFC 2889 section 5.2): all other ports send to port 0; in both directions, it sends to
 * them in turn too. The procedure is in forwarding.h. */
#include "host/bench/rfc2889/many_to_one.h"

#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MANY_TO_ONE, .bidirectional = false, .either = true, .clause = "RFC 2889 section 5.2.3"};
static const struct result_table SQL_VIEW = FORWARDING_SQL("rfc2889_many_to_one");
static const struct result_description RESULTS = {
        .test = "rfc2889.many_to_one",
        .title = "Many to one",
        .clause = "RFC 2889 section 5.2",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = FORWARDING_METRIC_SLICES,
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_VIEWS,
        .listings = FORWARDING_LISTINGS,
        .sql = &SQL_VIEW,
};

const struct benchmark RFC2889_MANY_TO_ONE = {
        .plan = {.keys = {.name = "rfc2889.many_to_one",
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
        .title = "Many to one",
        .clause = "RFC 2889 5.2",
        FORWARDING_ROW,
};
