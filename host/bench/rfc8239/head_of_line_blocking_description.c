/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a test of head-of-line blocking: RFC 8239 section 5.3. */
#include "host/bench/rfc8239/head_of_line_blocking.h"
#include "host/result/common.h"

static const struct metric A_GROUP[] = {
        {.key = "position", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"first_port", "First port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"second_port", "second", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"free_port", "Free port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"congested_port", "Congested", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "offered_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"lost_frames", "Lost, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"loss_percent", "Loss, %", METRIC_PERCENT, .places = 5},
        {"congested_loss_percent", "Congested loss, %", METRIC_PERCENT, .places = 5},
        VARIATION_ITEMS,
};
static const struct metric_slice A_GROUP_METRICS = METRIC_SLICE(A_GROUP);

static const struct metric METRICS[] = {
        {"head_of_line_blocking", "Blocking", METRIC_YES_NO, .presence = IN_VALID_RESULTS, .known = KNOWN_IF_VALID,
         .meaning = "whether frames for a free egress port were lost, in any group at any place. A buffer that all "
                    "ports share loses them too, once the congested port has filled it"},
        {"loss_percent", "Worst loss", METRIC_PERCENT, .places = 5, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .spread = 0.001,
         .meaning = "frames for free egress ports that were lost, of those that the first port of a group offered to "
                    "them, over all repetitions: in the group, at the place, that lost most"},
        {"mean_loss_percent", "Mean loss", METRIC_PERCENT, .places = 5, .better = BETTER_LESS, .derived = true,
         .meaning = "the same over all groups and places"},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .better = BETTER_LESS, .derived = true,
         .meaning = "all of them"},
        {"groups", "Every group", METRIC_LIST, .definition = "holb_group", .items = &A_GROUP_METRICS,
         .meaning = "each group at each place: `position`, by how many ports all were moved on; ingress ports "
                    "`first_port` and `second_port`; egress ports `free_port` and `congested_port`; `offered_frames` "
                    "and `lost_frames` from the first port to free ports, over all repetitions, and their "
                    "`loss_percent`; `congested_loss_percent` of what both ingress ports sent to congested ports, to "
                    "each of which more than line rate was offered; `variation_percent` and `relative_stddev_percent` "
                    "of the loss from repetition to repetition"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_WAITS,
        RFC8239_PARAMETERS,
        RFC8239_TRAFFIC,
        {"Groups", "{groups} of four ports (procedure {procedure}), {trial_duration_s} at line rate", false},
        {0},
};

static const struct result_chart CHART = {
        .name = "head_of_line_blocking",
        .title = "Loss for free egress ports over frame size",
        .description = "Share of the frames for egress ports that are not congested that the device lost: in the group "
                       "that lost most, and over all. The values are in the table below.",
        .y_label = "frames lost",
        .series =
                (const struct result_series[]){
                        {"group that lost most", MARK_LINE_POINTS, "loss_percent", NULL, NULL, false},
                        {"all groups", MARK_DASHES_POINTS, "mean_loss_percent", NULL, NULL, false},
                        {0}},
};
static const struct result_table TABLE = {
        .name = "head_of_line_blocking",
        .caption = "Loss of frames for egress ports that are not congested",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "head_of_line_blocking", .sql = true},
                           {.key = "loss_percent", .sql = true}, {.key = "mean_loss_percent", .sql = true},
                           {.key = "lost_frames", .sql = true}, VARIATION_COLUMNS, {.key = "valid", .sql = true}),
};
static const struct result_listing GROUP_ROWS = {
        .list = "groups",
        .caption = "Every group at every place",
        .items = &A_GROUP_METRICS,
        .worst = "loss_percent",
        .most = 8,
        .which = "those that lost most",
        .always = true,
};

const struct result_description HOLB_RESULTS = {
        .test = "rfc8239.head_of_line_blocking",
        .title = "Head-of-line blocking",
        .clause = "RFC 8239 section 5",
        .answer = "loss_percent",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &VARIATION_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&GROUP_ROWS, NULL},
        .sql = "rfc8239_head_of_line_blocking",
};
