/* SPDX-License-Identifier: Apache-2.0 */
/* Fully meshed throughput, frame loss and forwarding rates (RFC 2889 section 5.1): each port sends to all others in
 * turn, beginning with the one after it. The procedure is in forwarding.h. */
#include "host/bench/rfc2889/full_mesh.h"

#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 2889 section 5.1.3"};
static const struct result_table SQL_VIEW = FORWARDING_SQL("rfc2889_full_mesh");
static const struct result_description RESULTS = {
        .test = "rfc2889.full_mesh",
        .title = "Full mesh",
        .clause = "RFC 2889 section 5.1",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = FORWARDING_METRIC_SLICES,
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_VIEWS,
        .listings = FORWARDING_LISTINGS,
        .sql = &SQL_VIEW,
};

const struct benchmark RFC2889_FULL_MESH = {
        .plan = {.keys = {.name = "rfc2889.full_mesh",
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
        .title = "Full mesh",
        .clause = "RFC 2889 5.1",
        FORWARDING_ROW,
};
