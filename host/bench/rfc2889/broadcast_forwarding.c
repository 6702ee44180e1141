/* SPDX-License-Identifier: Apache-2.0 */
/* Broadcast frame throughput (RFC 2889 section 5.10.3): port 0 sends test frames to the broadcast address, and each
 * other port measures forwarding rate and frame loss rate. The procedure is in forwarding.h; a load passes if nothing
 * is lost at any port. */
#include "host/bench/rfc2889/broadcast_forwarding.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/broadcast.h"
#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"
#include "host/trial/judging/sum.h"

static const struct metric A_RECEIVER[] = {
        {"port", "Port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"forwarding_rate_fps", "Forwarding rate, frames/s", METRIC_FPS, .places = 1},
        {"received_frames", "Received, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"loss_percent", "Loss, %", METRIC_PERCENT, .places = 5},
};
static const struct metric_slice A_RECEIVER_METRICS = METRIC_SLICE(A_RECEIVER);
static const struct metric METRICS[] = {
        {"receivers", "Receiving ports", METRIC_LIST, .definition = "broadcast_receiver", .items = &A_RECEIVER_METRICS,
         .meaning = "each receiving port at the maximum offered load: `port`, `forwarding_rate_fps`, `received_frames` "
                    "without duplicates, `lost_frames` of those that the source port sent, and `loss_percent`"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_listing RECEIVER_ROWS = {
        .list = "receivers",
        .caption = "By receiving port, at the maximum offered load",
        .items = &A_RECEIVER_METRICS,
        .always = true,
};
static const struct result_description RESULTS = {
        .test = "rfc2889.broadcast_forwarding",
        .title = "Broadcast forwarding",
        .clause = "RFC 2889 section 5.10",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = (const struct metric_slice *const[]){&FORWARDING_METRICS, &LOAD_RANGE_METRICS,
                                                        &FORWARDING_INTENDED_METRICS, &OWN_METRICS, &PORT_METRICS,
                                                        &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_VIEWS,
        .listings =
                (const struct result_listing *const[]){&FORWARDING_LOAD_ROWS, &RECEIVER_ROWS, &RFC2889_PORT_ROWS, NULL},
        FORWARDING_SQL("rfc2889_broadcast_forwarding"),
};

static json_t *receiver_row(const struct session *session, unsigned number, const struct trial_port *port,
                            uint64_t sent)
{
	const uint64_t received =
	        trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);
	const uint64_t lost = sent > received ? sent - received : 0;
	json_t *row = json_object();

	result_count(row, "port", number);
	result_number(row, "forwarding_rate_fps", rfc2889_port_forwarding_fps(session, port, 0));
	result_count(row, "received_frames", received);
	result_count(row, "lost_frames", lost);
	result_number(row, "loss_percent", ratio_percent(lost, sent));
	return row;
}

static void report_receivers(const struct forwarding *forwarding, json_t *result)
{
	const struct trial_result *mol = forwarding->mol;
	json_t *rows = json_array();

	for (unsigned i = 1; mol && i < mol->ports && i < TRIAL_MAX_PORTS; i++)
		json_add(rows, receiver_row(forwarding->session, i, &mol->port[i], mol->port[0].offered_frames));
	json_put(result, "receivers", rows);
}

static int run(struct session *session, struct error *error)
{
	return forwarding_run_with(session, report_receivers, error);
}

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const int status = broadcast_check_plan(plan, test, group, error);

	return status ? status : forwarding_finish(plan, test, group, error);
}

const struct benchmark RFC2889_BROADCAST_FORWARDING = {
        .plan = {.keys = {.name = "rfc2889.broadcast_forwarding",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &KEYS_LOAD_RANGE, &RFC2889_KEYS,
                                           &FORWARDING_KEYS, &FORWARDING_LOAD_KEYS, &FORWARDING_STEP_KEYS)},
                 .settings_size = sizeof(struct forwarding_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = FORWARDING_WHY_SEARCHES,
                 .why_unmixed = FORWARDING_UNMIXED,
                 .pattern = &BROADCAST_PATTERN,
                 .finish = finish,
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "Broadcast forwarding",
        .clause = "RFC 2889 5.10",
        .run = run,
        .traffic = broadcast_traffic,
        FORWARDING_ROW_OF_LOADS,
};
