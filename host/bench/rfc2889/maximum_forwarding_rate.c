/* SPDX-License-Identifier: Apache-2.0 */
/* Maximum forwarding rate (RFC 2889 section 5.6.3.1): from the throughput up to the maximum offered load in steps, from
 * each even port to the next one. If both are the same load, that is the MFR, and nothing is stepped. The procedure is
 * in forwarding.h. */
#include "host/bench/rfc2889/maximum_forwarding_rate.h"

#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_PAIRS, .either = true, .clause = "RFC 2889 section 5.6.3.1"};
static const struct result_description RESULTS = {
        .test = "rfc2889.maximum_forwarding_rate",
        .title = "Maximum forwarding rate",
        .clause = "RFC 2889 section 5.6.3.1",
        .answer = "mfr_fps",
        .metrics =
                (const struct metric_slice *const[]){&FORWARDING_METRICS, &LOAD_RANGE_METRICS, &RFC2889_MATRIX_METRICS,
                                                     &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_UNINTENDED_VIEWS,
        .listings = FORWARDING_LISTINGS,
        FORWARDING_SQL("rfc2889_maximum_forwarding_rate"),
};

const struct benchmark RFC2889_MAXIMUM_FORWARDING_RATE = {
        .plan = {.keys = {.name = "rfc2889.maximum_forwarding_rate",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &KEYS_LOAD_RANGE, &RFC2889_KEYS,
                                           &FORWARDING_KEYS, &FORWARDING_FINE_STEP_KEYS)},
                 .settings_size = sizeof(struct forwarding_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = FORWARDING_WHY_SEARCHES,
                 .why_unmixed = FORWARDING_UNMIXED,
                 .pattern = &PATTERN,
                 .finish = forwarding_finish,
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "Maximum forwarding rate",
        .clause = "RFC 2889 5.6.3.1",
        FORWARDING_ROW,
};
