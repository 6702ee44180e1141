/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput, frame loss and forwarding rates of meshed traffic (RFC 2889 sections 5.1, 5.2 and 5.4): benchmarks that
 * differ only in who sends to whom. The procedure is in forwarding.h. */
#include "host/bench/rfc2889/meshes.h"

#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"

#define MESH_RESULTS(test_name, test_title, section, view)                                                             \
	&(const struct result_description)                                                                             \
	{                                                                                                              \
		.test = (test_name), .title = (test_title), .clause = "RFC 2889 section " section,                     \
		.answer = "throughput_fps", .answer_percent = "throughput_percent",                                    \
		.metrics = FORWARDING_METRIC_SLICES, .parameters = FORWARDING_PARAMETERS, .views = FORWARDING_VIEWS,   \
		.listings = FORWARDING_LISTINGS, FORWARDING_SQL(view)                                                  \
	}

/* A row by the name of the test, its title, its section, its view in the run file, and its pattern. */
#define MESH(test_name, test_title, section, view, ...)                                                                \
	.plan = {.keys = {.name = (test_name),                                                                         \
	                  .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &KEYS_LOAD_RANGE, &RFC2889_KEYS,               \
	                                   &FORWARDING_KEYS, &FORWARDING_LOAD_KEYS, &FORWARDING_BURST_KEYS,            \
	                                   &FORWARDING_STEP_KEYS)},                                                    \
	         .settings_size = sizeof(struct forwarding_settings),                                                  \
	         .searches = BY_BINARY | BY_LOSS_VERIFICATION,                                                         \
	         .why_searches = FORWARDING_WHY_SEARCHES,                                                              \
	         .why_unmixed = FORWARDING_UNMIXED,                                                                    \
	         .pattern = &(const struct plan_pattern){__VA_ARGS__, .clause = "RFC 2889 section " section ".3"},     \
	         .finish = forwarding_finish,                                                                          \
	         .results =                                                                                            \
	                 (const struct result_description *const[]){                                                   \
	                         MESH_RESULTS(test_name, test_title, section, view), NULL}},                           \
	.title = (test_title), .clause = "RFC 2889 " section, FORWARDING_ROW

/* Each port sends to all others in turn, beginning with the one after it. */
const struct benchmark RFC2889_FULL_MESH = {
        MESH("rfc2889.full_mesh", "Full mesh", "5.1", "rfc2889_full_mesh", .pattern = TRAFFIC_MESH,
             .bidirectional = true),
};

/* Port 0 sends to all others in turn; in both directions, they send to it too. */
const struct benchmark RFC2889_ONE_TO_MANY = {
        MESH("rfc2889.one_to_many", "One to many", "5.2", "rfc2889_one_to_many", .pattern = TRAFFIC_ONE_TO_MANY,
             .either = true),
};

/* All other ports send to port 0; in both directions, it sends to them in turn too. */
const struct benchmark RFC2889_MANY_TO_ONE = {
        MESH("rfc2889.many_to_one", "Many to one", "5.2", "rfc2889_many_to_one", .pattern = TRAFFIC_MANY_TO_ONE,
             .either = true),
};

/* Each port of the first half sends to all of the other half in turn, the order of 5.4.3. */
const struct benchmark RFC2889_UNIDIRECTIONAL_MESH = {
        MESH("rfc2889.unidirectional_mesh", "Unidirectional mesh", "5.4", "rfc2889_unidirectional_mesh",
             .pattern = TRAFFIC_UNIDIRECTIONAL_MESH, .bidirectional = false),
};
