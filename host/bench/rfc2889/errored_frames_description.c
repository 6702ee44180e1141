/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of an errored frames test: pass or fail for each error, with counts (RFC 2889 5.9.5). */
#include "host/bench/rfc2889/errored_frames.h"
#include "host/result/common.h"

static const struct metric A_VERDICT[] = {
        {"error", "Error", METRIC_TEXT, .known = KNOWN_ALWAYS},
        {"error_octets", "Octets", METRIC_OCTETS, .whole = true, .known = KNOWN_ALWAYS},
        {"load_percent", "Load, %", METRIC_PERCENT, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {"offered_frames", "Offered, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"forwarded_frames", "Forwarded", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "unknown_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "right_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "right_received_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"rule", "Rule", METRIC_TEXT, .known = KNOWN_ALWAYS},
        {"verdict", "Verdict", METRIC_TEXT, .known = KNOWN_ALWAYS},
};
static const struct metric_slice A_VERDICT_METRICS = METRIC_SLICE(A_VERDICT);

static const struct metric METRICS[] = {
        {"failed_verdicts", "Failed", METRIC_NUMBER, .whole = true, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .meaning = "how many of the `verdicts` are `fail`"},
        {"untested_verdicts", "Not tested", METRIC_NUMBER, .whole = true, .better = BETTER_LESS,
         .meaning = "how many of them are `not tested`: such frames do not count as filtered"},
        {"forwarded_frames", "Forwarded", METRIC_FRAMES, .whole = true, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .meaning = "sum of `forwarded_frames` of the `verdicts`, those that may be forwarded among them"},
        {"verdicts", "Verdicts", METRIC_LIST, .definition = "errored_verdict", .items = &A_VERDICT_METRICS,
         .meaning = "for each error and load: the `error`, `oversize`, `tagged`, `undersize`, `fcs` (a wrong FCS) or "
                    "`code` (the frame ends with an error character); `error_octets`, the length of its frames; "
                    "`load_percent` of line rate at each sending port; `offered_frames`; `forwarded_frames`, how many "
                    "of them or of their copies came out of the device at any port, with whatever FCS; "
                    "`unknown_frames`, those without a signature that are of no kind that devices send by themselves; "
                    "`right_frames` that went the same way before, and `right_received_frames` of them; the `rule`; "
                    "and the `verdict`: `pass`, `fail` if any was forwarded that must or should be filtered, or `not "
                    "tested` if none was, but `unknown_frames` came, which may be these, padded or cut on the way, as "
                    "an interface of Linux does"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of all these trials"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_table TABLE = {
        .name = "errored_frames",
        .caption = "Errored frames filtering",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "failed_verdicts", .sql = true},
                           {.key = "untested_verdicts", .sql = true}, {.key = "forwarded_frames", .sql = true},
                           {.key = "counters.offered_frames", .details = true}, {.key = "trials", .sql = true},
                           {.key = "valid", .sql = true}),
};

static const struct result_listing VERDICT_ROWS = {
        .list = "verdicts",
        .caption = "Verdicts",
        .items = &A_VERDICT_METRICS,
        .always = true,
};

const struct result_description ERRORED_FRAMES_RESULTS = {
        .test = "rfc2889.errored_frames",
        .title = "Errored frames filtering",
        .clause = "RFC 2889 section 5.9",
        .answer = "failed_verdicts",
        .answer_unit = "failed",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = (const struct result_line[]){{"Trials",
                                                    "{trial_duration_s} each, of errored frames only; before each, "
                                                    "{right_frames} right frames of each port the same way",
                                                    false},
                                                   {"Longest frame", "{max_frame_octets} octets without a tag", false},
                                                   {"Not tested",
                                                    "dribble bits and alignment errors, which do not exist above 100 "
                                                    "Mb/s: frames are whole octets there by their coding",
                                                    false},
                                                   PARAMETERS_WITHOUT_SEARCH,
                                                   {0}},
        .views = (const struct result_view[]){{NULL, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&VERDICT_ROWS, NULL},
        .sql = "rfc2889_errored_frames",
};
