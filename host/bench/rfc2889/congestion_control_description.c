/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a congestion control test (RFC 2889 section 5.5.5). */
#include "host/bench/rfc2889/congestion_control.h"
#include "host/result/common.h"

static const struct metric A_GROUP[] = {
        {.key = "first_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "first_source_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "second_source_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "first_source_fps", .unit = METRIC_FPS},
        {.key = "second_source_fps", .unit = METRIC_FPS},
        {.key = "first_source_pause_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "second_source_pause_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "first_source_held_ns", .unit = METRIC_NS, .known = KNOWN_ALWAYS},
        {.key = "second_source_held_ns", .unit = METRIC_NS, .known = KNOWN_ALWAYS},
        {.key = "uncongested_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "uncongested_lost_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "uncongested_loss_percent", .unit = METRIC_PERCENT},
        {.key = "uncongested_fps", .unit = METRIC_FPS},
        {.key = "congested_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "congested_lost_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "congested_loss_percent", .unit = METRIC_PERCENT},
        {.key = "congested_fps", .unit = METRIC_FPS},
};
static const struct metric_slice A_GROUP_METRICS = METRIC_SLICE(A_GROUP);

static const struct metric METRICS[] = {
        {"head_of_line_blocking", "HOL blocking", METRIC_YES_NO, .or_null = true,
         .meaning = "whether frames to an uncongested port were lost because another port was congested (RFC 2889 "
                    "section 5.5.5.1); null if they are lost without congestion, too"},
        {"back_pressure", "Back pressure", METRIC_YES_NO, .or_null = true,
         .meaning = "whether the device attempts to hold its senders back (section 5.5.5.2, RFC 2285 section 3.7.1): "
                    "true if it sent pause frames to sources, and none without congestion; false if frames were lost "
                    "at the congested port and it sent none; null, with a flag, if it sent some without congestion "
                    "too, or sent none and lost nothing. This is where no source obeys them; "
                    "`obeyed_congested_loss_percent` is 0 if the device holds sources that do in time"},
        {"uncongested_loss_percent", "Loss, uncongested", METRIC_PERCENT, .sql_heading = "Loss uncongested, %",
         .places = 5, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .meaning = "100 x lost / sent there, the largest of all groups"},
        {"congested_loss_percent", "Loss, congested", METRIC_PERCENT, .sql_heading = "Loss congested, %", .places = 5,
         .known = KNOWN_IF_VALID,
         .meaning =
                 "the same at the congested port: 33% without congestion control, for it is sent 150% of what it can"},
        {"forwarding_rate_fps", "Rate, uncongested", METRIC_FPS, .sql_heading = "Rate uncongested, frames/s",
         .places = 1, .better = BETTER_MORE,
         .meaning = "forwarding rate of the uncongested port, which is offered 50% of line rate; the smallest of all "
                    "groups"},
        {"congested_forwarding_rate_fps", "Rate, congested", METRIC_FPS, .places = 1, .better = BETTER_MORE,
         .meaning = "the same of the congested port"},
        {"offered_load_fps", "Offered load", METRIC_FPS, .places = 1,
         .meaning = "Oload of the device, as measured: the rates of all sources together"},
        {"flood_frames", "Flooded", METRIC_FRAMES, .whole = true, .better = BETTER_LESS,
         .meaning = "test frames that came to a port that is not theirs"},
        {"pause_frames", "Pause frames", METRIC_FRAMES, .whole = true,
         .meaning = "pause frames (IEEE 802.3 annex 31B) that the device sent, at any port, in the trial of all "
                    "sources; those of 0 quanta count, too"},
        {"relieved_lost_frames", "Lost without congestion", METRIC_FRAMES, .whole = true, .better = BETTER_LESS,
         .meaning = "frames lost at uncongested ports in the trial before, in which the second sources sent nothing"},
        {"groups", "Groups", METRIC_LIST, .definition = "congestion_group", .items = &A_GROUP_METRICS,
         .meaning = "for each group of four ports: `first_port`, of which `first_source_frames` went to the "
                    "uncongested port, two further, and to the congested one, three further, in turn; "
                    "`second_source_frames`, from the port between, all to the congested one; `first_source_fps` and "
                    "`second_source_fps`, the load of each as measured; `first_source_pause_frames` and "
                    "`second_source_pause_frames`, what the device sent to each of them; of the uncongested port the "
                    "frames received, `uncongested_frames`, lost, `uncongested_lost_frames` and "
                    "`uncongested_loss_percent`, and the forwarding rate, `uncongested_fps`; and the same of the "
                    "congested one. `first_source_held_ns` and `second_source_held_ns` are 0: no source obeys"},
        {"obeyed_offered_load_fps", "Offered load, obeying", METRIC_FPS, .places = 1,
         .meaning = "in the trial in which sources obey pause frames (`obey_pause`): Oload as it became, of all "
                    "sources together, which is what the device accepts (section 5.5.4). Null, as the others of that "
                    "trial, if it was not made: no source was sent a pause frame, or the plan does not want it"},
        {"obeyed_uncongested_loss_percent", "Loss, uncongested, obeying", METRIC_PERCENT, .places = 5,
         .better = BETTER_LESS, .meaning = "as `uncongested_loss_percent`, there"},
        {"obeyed_congested_loss_percent", "Loss, congested, obeying", METRIC_PERCENT, .places = 5,
         .better = BETTER_LESS,
         .meaning = "as `congested_loss_percent`, there: 0 if the device holds its senders back before it has to drop "
                    "frames (section 5.5.5.2)"},
        {"obeyed_forwarding_rate_fps", "Rate, uncongested, obeying", METRIC_FPS, .places = 1, .better = BETTER_MORE,
         .meaning = "as `forwarding_rate_fps`, there: below 50% of line rate if sources are held for frames to the "
                    "congested port and cannot send others either (section 5.5.5.2)"},
        {"obeyed_congested_forwarding_rate_fps", "Rate, congested, obeying", METRIC_FPS, .places = 1,
         .better = BETTER_MORE,
         .meaning = "the same of the congested port: below what it can send if sources are held for too long"},
        {"held_percent", "Held", METRIC_PERCENT, .places = 3,
         .meaning = "the share of that trial in which a frame was due and was held by pauses, of the source where it "
                    "is largest"},
        {"obeyed_pause_frames", "Pause frames, obeying", METRIC_FRAMES, .whole = true,
         .meaning = "as `pause_frames`, there"},
        {"obeyed_groups", "Groups, obeying", METRIC_LIST, .definition = "congestion_group", .items = &A_GROUP_METRICS,
         .meaning = "as `groups`, there: how long each source was held, what it offered and what came of it. Empty if "
                    "there is no such trial"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of all trials"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_table TABLE = {
        .name = "congestion_control",
        .caption = "Congestion control",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "head_of_line_blocking", .sql = true},
                           {.key = "back_pressure", .sql = true}, {.key = "uncongested_loss_percent", .sql = true},
                           {.key = "congested_loss_percent", .sql = true}, {.key = "forwarding_rate_fps", .sql = true},
                           {.key = "congested_forwarding_rate_fps", .details = true},
                           {.key = "offered_load_fps", .details = true}, {.key = "flood_frames", .details = true},
                           {.key = "pause_frames", .details = true}, {.key = "relieved_lost_frames", .details = true},
                           {.key = "obeyed_offered_load_fps", .details = true},
                           {.key = "obeyed_uncongested_loss_percent", .details = true},
                           {.key = "obeyed_congested_loss_percent", .details = true},
                           {.key = "obeyed_forwarding_rate_fps", .details = true},
                           {.key = "obeyed_congested_forwarding_rate_fps", .details = true},
                           {.key = "held_percent", .details = true}, {.key = "obeyed_pause_frames", .details = true},
                           {.key = "trials", .sql = true}, {.key = "valid", .sql = true}),
};

static const struct result_listing GROUP_ROWS = {
        .list = "groups",
        .caption = "Groups of four ports",
        .columns = COLUMNS({.key = "first_port", .heading = "First port"},
                           {.key = "first_source_frames", .heading = "First source, frames"},
                           {.key = "second_source_frames", .heading = "Second source"},
                           {.key = "uncongested_frames", .heading = "Uncongested, received"},
                           {.key = "uncongested_lost_frames", .heading = "Lost"},
                           {.key = "congested_frames", .heading = "Congested, received"},
                           {.key = "congested_lost_frames", .heading = "Lost there"},
                           {.key = "first_source_pause_frames", .heading = "Pauses, first source"},
                           {.key = "second_source_pause_frames", .heading = "Second source"}),
        .always = true,
};

static const struct result_listing OBEYED_ROWS = {
        .list = "obeyed_groups",
        .caption = "Groups of four ports, with sources that obey pause frames",
        .columns = COLUMNS({.key = "first_port", .heading = "First port"},
                           {.key = "first_source_fps", .heading = "First source, frames/s"},
                           {.key = "second_source_fps", .heading = "Second source"},
                           {.key = "first_source_held_ns", .heading = "First source, held"},
                           {.key = "second_source_held_ns", .heading = "Second source"},
                           {.key = "first_source_pause_frames", .heading = "Pauses, first source"},
                           {.key = "second_source_pause_frames", .heading = "Second source"},
                           {.key = "uncongested_frames", .heading = "Uncongested, received"},
                           {.key = "uncongested_lost_frames", .heading = "Lost"},
                           {.key = "congested_frames", .heading = "Congested, received"},
                           {.key = "congested_lost_frames", .heading = "Lost there"}),
};

const struct result_description CONGESTION_CONTROL_RESULTS = {
        .test = "rfc2889.congestion_control",
        .title = "Congestion control",
        .clause = "RFC 2889 section 5.5",
        .answer = "uncongested_loss_percent",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT,
                                                        NULL},
        .parameters =
                (const struct result_line[]){
                        {"Groups",
                         "of ports 0 to 3, 4 to 7 ...: the first sends to the third (uncongested) and the fourth "
                         "(congested) in turn, the second to the fourth",
                         false},
                        {"Trials", "{trial_duration_s} at line rate: of the first sources alone, then of all", false},
                        {"Flow control", "{flow_control}", false},
                        {"Waits", "settle {settle_s}, drain at most {drain_s}", false},
                        RFC2889_PARAMETERS,
                        {0}},
        .views = (const struct result_view[]){{NULL, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&GROUP_ROWS, &OBEYED_ROWS, &PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2889_congestion_control",
};
