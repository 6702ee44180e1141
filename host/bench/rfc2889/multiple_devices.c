/* SPDX-License-Identifier: Apache-2.0 */
/* Partially meshed multiple devices (RFC 2889 section 5.3): two devices joined by an uplink. With local traffic each
 * port sends to all others, as in a full mesh; without, only to those of the other device, in turn. The procedure is in
 * forwarding.h. */
#include "host/bench/rfc2889/multiple_devices.h"

#include "host/bench/result.h"
#include "host/bench/rfc2889/forwarding.h"
#include "host/bench/rfc2889/two_devices.h"
#include "host/plan/key_slices.h"

struct multiple_devices_settings {
	struct forwarding_settings forwarding; /* first, for its keys */
	unsigned first_ports;                  /* of the first device; 0: half of all */
	bool local_traffic;
};
#define SETTINGS struct multiple_devices_settings

static const struct plan_key KEYS[] = {
        {.name = "first_device_ports",
         .value = COUNT(first_ports),
         .ranges = {{"0", "15"}},
         .unit = "ports",
         .default_text = "0",
         .doc = "Ports 0 and up at the first device; the others are at the second one. 0: half of them."},
        {.name = "local_traffic",
         .value = BOOL(local_traffic),
         .default_text = "false",
         .doc = "Ports also send to those at their own device, as in a full mesh (RFC 2889 section 5.3.2); else all "
                "frames "
                "cross the uplink."},
};
static const struct key_slice MULTIPLE_DEVICES_KEYS = {OWN_SLICE(KEYS)};

static unsigned first_ports_of(const struct plan_test *test, unsigned ports)
{
	const struct multiple_devices_settings *settings = test->settings;

	return settings->first_ports ? settings->first_ports : ports / 2;
}

static int two_devices_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	const struct multiple_devices_settings *settings = test->settings;
	const unsigned first = first_ports_of(test, traffic->ports);

	if (first >= traffic->ports)
		return error_set(
		        error, ERROR_PLAN,
		        "first_device_ports = %u: must be below the number of ports, %u, so that there are some "
		        "at the second device (RFC 2889 section 5.3)",
		        first, traffic->ports);
	if (!settings->local_traffic)
		two_devices_remote_only(traffic, first);
	return 0;
}

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 2889 section 5.3.3"};
static const struct result_table SQL_VIEW = FORWARDING_SQL("rfc2889_multiple_devices");
static const struct result_description RESULTS = {
        .test = "rfc2889.multiple_devices",
        .title = "Multiple devices",
        .clause = "RFC 2889 section 5.3",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = FORWARDING_METRIC_SLICES,
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_VIEWS,
        .listings = FORWARDING_LISTINGS,
        .sql = &SQL_VIEW,
};

static void report_devices(const struct forwarding *forwarding, json_t *result)
{
	const struct session *session = forwarding->session;
	const struct multiple_devices_settings *settings = session->test->settings;
	json_t *parameters = json_object_get(result, "parameters");

	result_count(parameters, "first_device_ports", first_ports_of(session->test, session->traffic->ports));
	json_object_set_new(parameters, "local_traffic", json_string(settings->local_traffic ? "on" : "off"));
	rfc2889_matrix(result, forwarding->has_mol ? &forwarding->mol : NULL);
}

static int run(struct session *session, struct error *error)
{
	return forwarding_run_with(session, report_devices, error);
}

const struct benchmark RFC2889_MULTIPLE_DEVICES = {
        .plan = {.keys = {.name = "rfc2889.multiple_devices",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &RFC2889_KEYS, &FORWARDING_KEYS,
                                           &FORWARDING_LOAD_KEYS, &FORWARDING_BURST_KEYS, &FORWARDING_STEP_KEYS,
                                           &MULTIPLE_DEVICES_KEYS)},
                 .settings_size = sizeof(struct multiple_devices_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = FORWARDING_WHY_SEARCHES,
                 .why_unmixed = FORWARDING_UNMIXED,
                 .pattern = &PATTERN,
                 .finish = forwarding_finish,
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "Multiple devices",
        .clause = "RFC 2889 5.3",
        .traffic = two_devices_traffic,
        .run = run,
        FORWARDING_ROW_OF_LOADS,
};
