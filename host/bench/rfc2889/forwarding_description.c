/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of the tests of forwarding: RFC 2889 sections 5.1.4, 5.1.5 and their like. */
#include "host/bench/rfc2889/forwarding.h"

static const struct metric A_LOAD[] = {
        {.key = "load_percent", .unit = METRIC_PERCENT, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {.key = "intended_load_fps", .unit = METRIC_FPS, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {.key = "offered_load_fps", .unit = METRIC_FPS},
        {.key = "forwarding_rate_fps", .unit = METRIC_FPS},
        {.key = "forwarding_percent", .unit = METRIC_PERCENT},
        {.key = "layer_1_gbps", .unit = METRIC_GBPS},
        {.key = "layer_2_gbps", .unit = METRIC_GBPS},
        {.key = "offered_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "received_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "lost_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "loss_percent", .unit = METRIC_PERCENT},
        {.key = "flood_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "duration_s", .unit = METRIC_S, .known = KNOWN_ALWAYS},
};
static const struct metric_slice A_LOAD_METRICS = METRIC_SLICE(A_LOAD);

static const struct metric METRICS[] = {
        {"theoretical_fps", "Theoretical", METRIC_FPS, .sql_heading = "Theoretical maximum, frames/s", .places = 1,
         .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "what all receiving ports together can be sent at most with this traffic: at each the line rate, "
                    "or less where its senders cannot send it more; of broadcasts, what each of them can be sent"},
        {"throughput_fps", "Throughput", METRIC_FPS, .places = 1, .better = BETTER_MORE, .known = KNOWN_IF_VALID,
         .step = "resolution_fps", .lower_limit = true,
         .meaning = "the highest offered load without loss in a trial of full length, of all sending ports together"},
        {"throughput_percent", "Of line rate", METRIC_PERCENT,
         .sql_heading = "Throughput, % of line rate at each sending port", .places = 3, .better = BETTER_MORE,
         .derived = true, .step = "parameters.resolution_percent", .lower_limit = true,
         .meaning = "its ILoad: at each sending port, as a percentage of `max_theoretical_fps`"},
        LAYER_METRICS("", "", "the throughput, of all sending ports,"),
        {"first_lossy_fps", "First lossy", METRIC_FPS, .places = 1,
         .meaning = "the lowest load of the search that lost frames, of all sending ports; null if none did"},
        {"resolution_fps", "Resolution", METRIC_FPS, .places = 1,
         .meaning = "step of the search, of all sending ports"},
        {"queue_growth_fps", "Queue growth", METRIC_FPS, .places = 1,
         .meaning = "self-check: by how much the throughput is too high if latency grew in its trial because a buffer "
                    "was filling, at the port where it grew most; of all sending ports. It includes jitter; a flag is "
                    "set if it exceeds `resolution_fps`, and another one if the throughput is above `theoretical_fps`. "
                    "Null if latency was not measured"},
        {"mol_fps", "MOL", METRIC_FPS, .places = 1, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "maximum offered load (RFC 2285 section 3.5.3): all sending ports at line rate, or at the highest "
                    "load that max_load of the plan leaves"},
        {"mol_offered_load_fps", "Offered at the MOL", METRIC_FPS, .places = 1,
         .meaning = "Oload of the trial at the maximum offered load, by the counters and clocks of the sending ports"},
        {"frmol_fps", "FRMOL", METRIC_FPS, .places = 1, .better = BETTER_MORE, .spread = 0.001,
         .meaning = "forwarding rate at the maximum offered load: at each port the test frames that had to arrive "
                    "there, over the time from the first to the last of them, summed up over the ports; of broadcasts, "
                    "that of the port where it is lowest; null if no port received two frames"},
        LAYER_METRICS("frmol_", "FRMOL ", "the FRMOL"),
        {"mol_loss_percent", "Frame loss", METRIC_PERCENT, .sql_heading = "Frame loss at the MOL, %", .places = 5,
         .better = BETTER_LESS, .known = KNOWN_IF_VALID, .spread = 0.001,
         .meaning = "frame loss rate at the maximum offered load (RFC 2544 section 26.3), at the end of the trial"},
        {"mfr_fps", "MFR", METRIC_FPS, .places = 1, .better = BETTER_MORE, .spread = 0.001,
         .meaning = "maximum forwarding rate: the highest of all trials of full length, which `loads` lists; null if "
                    "no port received two frames in any"},
        LAYER_METRICS("mfr_", "MFR ", "the MFR"),
        {"mfr_offered_load_fps", "Offered at the MFR", METRIC_FPS, .sql_heading = "Offered load at the MFR, frames/s",
         .places = 1, .meaning = "Oload of that trial"},
        {"mfr_load_percent", "ILoad at the MFR", METRIC_PERCENT, .places = 3,
         .meaning = "ILoad of that trial, at each sending port"},
        {"flood_frames", "Flooded", METRIC_FRAMES, .whole = true, .better = BETTER_LESS,
         .meaning = "flood count (RFC 2285 section 3.8.3) at the maximum offered load: test frames at ports to which "
                    "they do not belong. Not counted as received"},
        {"start_spread_ns", "Start spread", METRIC_NS, .places = 2,
         .meaning = "from the first port that began to send to the last one, in the same trial (RFC 2889 section "
                    "5.1.3: within 1% of the trial)"},
        {"loads", "Forwarding rate by load", METRIC_LIST, .definition = "forwarding_load", .items = &A_LOAD_METRICS,
         .meaning = "every load that was offered for `trial_duration`, lowest first: `load_percent` intended at each "
                    "sending port, `intended_load_fps` of all, `offered_load_fps` measured, `forwarding_rate_fps`, "
                    "`forwarding_percent` of `theoretical_fps`, the forwarding rate as `layer_1_gbps` and "
                    "`layer_2_gbps`, `offered_frames`, `received_frames` without duplicates, `lost_frames`, "
                    "`loss_percent`, `flood_frames`, `duration_s` measured"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of the trial at the maximum offered load"},
};
const struct metric_slice FORWARDING_METRICS = METRIC_SLICE(METRICS);

static const struct metric INTENDED[] = {
        {"intended_load_percent", "ILoad", METRIC_PERCENT, .places = 3,
         .meaning = "intended load of the plan, at each sending port, as a percentage of `max_theoretical_fps`"},
        {"offered_load_fps", "Oload", METRIC_FPS, .places = 1,
         .meaning = "offered load there, measured, of all sending ports"},
        {"forwarding_rate_fps", "Forwarding rate", METRIC_FPS, .places = 1, .better = BETTER_MORE, .spread = 0.001,
         .meaning = "forwarding rate in response to it, over all receiving ports"},
        LAYER_METRICS("forwarding_", "Forwarding rate ", "the forwarding rate there"),
        {"intended_loss_percent", "Frame loss at the ILoad", METRIC_PERCENT, .places = 5, .better = BETTER_LESS,
         .spread = 0.001, .meaning = "frame loss rate there"},
};
const struct metric_slice FORWARDING_INTENDED_METRICS = METRIC_SLICE(INTENDED);

const struct result_line FORWARDING_PARAMETERS[] = {
        PARAMETERS_OF_EVERY_TEST,
        RFC2889_PARAMETERS,
        {"Resolution", "{resolution_percent} of line rate", false},
        {"Trials",
         "{trial_duration_s}, while searching {search_trial_duration_s}, by {load_mode} (RFC 2889 appendix B); frames "
         "in a burst: {burst_frames}",
         false},
        {"Devices", "ports at the first of two devices: {first_device_ports}; local traffic: {local_traffic}", false},
        {"Rates", "{load}", false},
        PARAMETERS_LOAD_RANGE,
        {"Loads", "from the throughput up to the maximum offered load in steps of {step_percent} of line rate", false},
        {0},
};

static const struct result_chart CHART = {
        .name = "forwarding",
        .title = "Throughput and forwarding rates over frame size",
        .description = "The highest load without loss, the forwarding rate at the maximum offered load (FRMOL), and "
                       "the highest forwarding rate at any load (MFR), below what the receiving ports can be sent at "
                       "most (RFC 2889 section 5.1.5). The points are in the table below.",
        .y_label = "rate",
        .series = (const struct result_series[]){{"theoretical maximum", MARK_DASHES, "theoretical_fps", NULL, NULL,
                                                  true},
                                                 {"throughput", MARK_LINE_POINTS, "throughput_fps", NULL, NULL, false},
                                                 {"FRMOL", MARK_LINE_POINTS, "frmol_fps", NULL, NULL, false},
                                                 {"MFR", MARK_LINE_POINTS, "mfr_fps", NULL, NULL, false},
                                                 {0}},
};
static const struct result_table TABLE = {
        .name = "forwarding",
        .caption = "Throughput and forwarding rates over frame size",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "throughput_fps"}, {.key = "throughput_percent"},
                           {.key = "first_lossy_fps", .details = true}, {.key = "frmol_fps"}, {.key = "mfr_fps"},
                           {.key = "theoretical_fps"}, {.key = "trials"}, {.key = "valid"}),
};
static const struct result_table LOADS_TABLE = {
        .name = "forwarding_loads",
        .caption = "The loads of these rates, frame loss and flooding",
        .columns =
                COLUMNS({.key = "frame_octets"}, {.key = "mol_fps"}, {.key = "mol_offered_load_fps", .details = true},
                        {.key = "mol_loss_percent"}, {.key = "flood_frames"},
                        {.key = "counters.foreign_frames", .details = true}, {.key = "mfr_offered_load_fps"},
                        {.key = "mfr_load_percent"}, {.key = "start_spread_ns", .details = true}),
};
static const struct result_table INTENDED_TABLE = {
        .name = "forwarding_intended",
        .caption = "Forwarding rate at the intended load",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "intended_load_percent"}, {.key = "offered_load_fps"},
                           {.key = "forwarding_rate_fps"}, {.key = "intended_loss_percent"}),
        .needs = "intended_load_percent",
};
static const struct result_table LAYERS_TABLE = {
        .name = "forwarding_layers",
        .caption = "In Gb/s: of layer 1 with preamble and the minimum gap, of layer 2 the frames alone",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "layer_1_gbps", .heading = "Throughput, layer 1"},
                           {.key = "layer_2_gbps", .heading = "Layer 2"},
                           {.key = "frmol_layer_1_gbps", .heading = "FRMOL, layer 1"},
                           {.key = "frmol_layer_2_gbps", .heading = "Layer 2"},
                           {.key = "mfr_layer_1_gbps", .heading = "MFR, layer 1"},
                           {.key = "mfr_layer_2_gbps", .heading = "Layer 2"}),
        .needs = "layer_1_gbps",
};
const struct result_column FORWARDING_SQL_COLUMNS[] = {{.key = "frame_octets"},
                                                       {.key = "throughput_fps"},
                                                       {.key = "throughput_percent"},
                                                       {.key = "frmol_fps"},
                                                       {.key = "mol_fps"},
                                                       {.key = "mol_loss_percent"},
                                                       {.key = "mfr_fps"},
                                                       {.key = "mfr_offered_load_fps"},
                                                       {.key = "flood_frames"},
                                                       {.key = "theoretical_fps"},
                                                       {.key = "trials"},
                                                       {.key = "valid"},
                                                       {0}};
const struct result_view FORWARDING_VIEWS[] = {{&CHART, &TABLE, NULL},
                                               {NULL, &LAYERS_TABLE, NULL},
                                               {NULL, &LOADS_TABLE, NULL},
                                               {NULL, &INTENDED_TABLE, NULL},
                                               {0}};
const struct result_view FORWARDING_UNINTENDED_VIEWS[] = {
        {&CHART, &TABLE, NULL}, {NULL, &LAYERS_TABLE, NULL}, {NULL, &LOADS_TABLE, NULL}, {0}};

static const struct result_curves CURVES = {
        .name = "forwarding_rate",
        .title = "Forwarding rate by load",
        .description = "The forwarding rate at each load, as a share of what the receiving ports can be sent at most; "
                       "the load is that of each sending port. The points are in the table below.",
        .x = "load_percent",
        .y = "forwarding_percent",
        .x_label = "intended load, % of line rate at each sending port",
        .y_label = "forwarding rate, % of the theoretical maximum",
        .x_word = "load",
        .y_word = "forwarding rate",
        .x_end = 100,

};
const struct result_listing FORWARDING_LOAD_ROWS = {
        .list = "loads",
        .caption = "Forwarding rate by load",
        .columns = COLUMNS({.key = "load_percent", .heading = "ILoad, %", .places = 3},
                           {.key = "offered_load_fps", .heading = "Oload, frames/s", .places = 1},
                           {.key = "forwarding_rate_fps", .heading = "Forwarding rate, frames/s", .places = 1},
                           {.key = "layer_1_gbps", .heading = "Layer 1, Gb/s", .places = 3, .details = true},
                           {.key = "layer_2_gbps", .heading = "Layer 2, Gb/s", .places = 3},
                           {.key = "forwarding_percent", .heading = "Of the theoretical, %", .places = 3},
                           {.key = "lost_frames", .heading = "Lost, frames"},
                           {.key = "loss_percent", .heading = "Loss, %", .places = 5},
                           {.key = "flood_frames", .heading = "Flooded"}),
        .worst = "forwarding_rate_fps",
        .most = 4,
        .which = "the highest forwarding rates",
        .curves = &CURVES,
        .always = true,
};
