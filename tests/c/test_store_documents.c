/* SPDX-License-Identifier: Apache-2.0 */
/* Trials as documents: exact both ways, canonical, and the same to SQL. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "host/store/trial_document.h"
#include "store_case.h"

TestSuite(documents, .init = store_case_enter, .fini = store_case_leave);

#define SAME(a, b, member) cr_expect_eq(memcmp(&(a)->member, &(b)->member, sizeof((a)->member)), 0, #member)

static void expect_same_double(double a, double b, const char *name)
{
	cr_expect((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof(a)) == 0, "%s: %.17g, %.17g", name, a, b);
}

static void expect_same_port(const struct trial_port *a, const struct trial_port *b)
{
	cr_expect_eq(a->sent, b->sent);
	cr_expect_eq(memcmp(&a->offered_frames, &b->offered_frames,
	                    offsetof(struct trial_port, latency) - offsetof(struct trial_port, offered_frames)),
	             0);
	SAME(a, b, latency.frames);
	SAME(a, b, latency.min_ot);
	SAME(a, b, latency.max_ot);
	expect_same_double(a->latency.mean_ot, b->latency.mean_ot, "port latency");
	SAME(a, b, latency_histogram);
	SAME(a, b, latency_octaves);
	SAME(a, b, tx_gap_histogram);
	SAME(a, b, next_load_ot);
	SAME(a, b, silence_ot);
	SAME(a, b, rx_gap_histogram);
	SAME(a, b, broadcast_offered_frames);
	SAME(a, b, broadcast_expected_frames);
	SAME(a, b, broadcast_received_frames);
	SAME(a, b, obeyed_pause_frames);
	SAME(a, b, obeyed_resume_frames);
	SAME(a, b, held_ot);
}

static void expect_same_flow(const struct trial_flow *a, const struct trial_flow *b)
{
	cr_expect(a->port == b->port && a->flow == b->flow && a->arrives == b->arrives);
	cr_expect_eq(memcmp(&a->offered_frames, &b->offered_frames,
	                    sizeof(*a) - offsetof(struct trial_flow, offered_frames)),
	             0);
}

Test(documents, gives_every_counter_of_a_trial_back_as_it_was)
{
	enum { TRIALS = 200 };
	static struct store_trial trials[TRIALS];
	struct store *store = store_case_create();
	struct error error = {0};

	for (unsigned i = 0; i < TRIALS; i++) {
		trials[i] = random_trial();
		cr_assert_eq(store_trial_add(store, &trials[i], &error), 0, "%s", error.text);
	}
	store_close(store);
	store = store_case_reopen(STORE_REPORT);
	cr_assert_eq(store_trial_count(store), TRIALS);
	for (unsigned i = 0; i < TRIALS; i++) {
		const struct trial_result *is = &trials[i].result, *was;
		struct store_trial back;
		char text[200];

		cr_assert_eq(store_trial_get(store, i + 1, &back, &error), 0, "%s", error.text);
		was = &back.result;
		cr_expect_eq(store_request_differs(&back.request, &trials[i].request, text, sizeof(text)), 0, "%s",
		             text);
		cr_expect_eq(is->valid, was->valid);
		cr_expect_str_eq(is->why_invalid, was->why_invalid);
		SAME(is, was, intended_frames);
		expect_same_double(is->intended_fps, was->intended_fps, "intended_fps");
		cr_expect_eq(memcmp(&is->offered_frames, &was->offered_frames,
		                    offsetof(struct trial_result, late_frames) -
		                            offsetof(struct trial_result, offered_frames)),
		             0);
		SAME(is, was, late_frames);
		SAME(is, was, tx_gap);
		cr_expect_eq(is->gaps_unproven, was->gaps_unproven);
		expect_same_double(is->latency.mean_ot, was->latency.mean_ot, "latency");
		expect_same_double(is->forwarding_rate_fps, was->forwarding_rate_fps, "forwarding_rate_fps");
		expect_same_double(is->duration_s, was->duration_s, "duration_s");
		SAME(is, was, truncated_ot);
		SAME(is, was, reset_ot);
		cr_assert_eq(is->ports, was->ports);
		for (unsigned port = 0; port < is->ports; port++)
			expect_same_port(&is->port[port], &was->port[port]);
		SAME(is, was, flow_count);
		cr_assert_eq(is->flows, was->flows);
		for (unsigned flow = 0; flow < is->flows; flow++)
			expect_same_flow(&is->flow[flow], &was->flow[flow]);
		SAME(is, was, tcp_ot);
		cr_assert_eq(is->connections, was->connections);
		for (unsigned c = 0; c < is->connections; c++)
			SAME(is, was, connection[c]);
	}
	store_close(store);
}

/* -- the texts ----------------------------------------------------------------------------------------------------- */

Test(documents, are_canonical_json)
{
	for (unsigned i = 0; i < 200; i++) {
		struct store_trial trial = random_trial();
		char *const texts[] = {trial_request_text(&trial.request), trial_result_text(&trial.result)};

		for (size_t j = 0; j < sizeof(texts) / sizeof(texts[0]); j++) {
			json_t *document = json_loads(texts[j], JSON_REJECT_DUPLICATES, NULL);
			char *again = json_dumps(document, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));

			cr_assert_not_null(again);
			cr_expect_str_eq(again, texts[j]);
			free(again);
			json_decref(document);
			free(texts[j]);
		}
	}
}

Test(documents, a_trial_has_the_text_that_the_manual_promises)
{
	struct trial_request request = {.kind = TRIAL_LOAD,
	                                .shape = traffic_shape_plain(64),
	                                .gap_octets = 12,
	                                .load = {1000, 3},
	                                .duration_ot = COUNT_UNKNOWN,
	                                .burst_frames = UINT64_MAX - 1,
	                                .drain_ot = INT64_MAX,
	                                .settle_ot = (uint64_t)INT64_MAX + 1,
	                                .tag_after_ot = 77};
	char *text;

	request.shape.bidirectional = false;
	text = trial_request_text(&request);
	cr_expect_str_eq(text,
	                 "{\"burst_frames\":\"18446744073709551614\",\"destinations\":1,"
	                 "\"direction\":\"unidirectional\",\"drain_ot\":9223372036854775807,\"duration_ot\":null,"
	                 "\"frame\":\"ipv4_udp\",\"frame_octets\":64,\"gap_octets\":12,\"kind\":\"load\","
	                 "\"load_fps_denominator\":3,\"load_fps_numerator\":1000,\"pattern\":\"pairs\","
	                 "\"routed\":false,\"seed\":1,"
	                 "\"settle_ot\":\"9223372036854775808\",\"sizes\":null,\"tag_after_ot\":77,\"vlan\":null}");
	free(text);
}

Test(documents, a_request_has_all_of_its_traffic)
{
	struct trial_request request = {.shape = {.pattern = TRAFFIC_UNIDIRECTIONAL_MESH,
	                                          .frame = TRAFFIC_ETHERNET,
	                                          .vlan = 0,
	                                          .addresses = 5,
	                                          .sizes = {3, {64, 570, 64}},
	                                          .seed = UINT32_MAX}};
	char *text = trial_request_text(&request);
	struct trial_request back;
	char why[200];

	cr_expect_str_eq(text, "{\"burst_frames\":0,\"destinations\":5,\"direction\":\"unidirectional\",\"drain_ot\":0,"
	                       "\"duration_ot\":0,\"frame\":\"ethernet\",\"frame_octets\":0,\"gap_octets\":0,\"kind\":"
	                       "\"load\",\"load_fps_denominator\":0,\"load_fps_numerator\":0,\"pattern\":"
	                       "\"unidirectional_mesh\",\"routed\":false,\"seed\":4294967295,\"settle_ot\":0,\"sizes\":"
	                       "\"[64, 570, 64]\","
	                       "\"tag_after_ot\":0,\"vlan\":0}");
	memset(&back, 0xff, sizeof(back));
	cr_assert_eq(trial_request_read(text, &back, why, sizeof(why)), 0, "%s", why);
	cr_expect(traffic_shape_equal(&back.shape, &request.shape));
	free(text);
}

Test(documents, traffic_that_was_not_written_is_refused)
{
	static const struct {
		const char *was, *is, *why;
	} WRONG[] = {
	        {"\"vlan\":null", "\"vlan\":4095", "/vlan is 4095: must be a whole number from 0 to 4094, or null"},
	        {"\"vlan\":null", "\"vlan\":65535", "/vlan is 65535: must be a whole number from 0 to 4094, or null"},
	        {"\"vlan\":null", "\"vlan\":-1", "/vlan is -1: must be a whole number from 0 to 4094, or null"},
	        {"\"vlan\":null", "\"vlan\":\"5\"", "/vlan is \"5\": must be a whole number from 0 to 4094, or null"},
	        {"\"sizes\":null", "\"sizes\":\"genome:z\"",
	         "/sizes is \"genome:z\": must be imix, a genome or a list of lengths, as this program writes it, or "
	         "null"},
	        {"\"sizes\":null", "\"sizes\":\"[63]\"",
	         "/sizes is \"[63]\": must be imix, a genome or a list of lengths, as this program writes it, or null"},
	        {"\"sizes\":null", "\"sizes\":[64]",
	         "/sizes is [64]: must be imix, a genome or a list of lengths, as this program writes it, or null"},
	        {"\"pairs\"", "\"pair\"",
	         "/pattern is \"pair\": must be \"pairs\" or \"one_to_many\" or \"many_to_one\" or \"mesh\" or "
	         "\"unidirectional_mesh\" or \"snake\""},
	        {"\"bidirectional\"", "\"both\"",
	         "/direction is \"both\": must be \"unidirectional\" or \"bidirectional\""},
	        {"\"seed\":1,", "", "/seed is missing"},
	};
	const struct trial_request request = {.shape = traffic_shape_plain(64)};
	char *text = trial_request_text(&request);

	for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
		const char *at = strstr(text, WRONG[i].was);
		struct trial_request back;
		char changed[600], why[256];

		cr_assert_not_null(at, "%s", WRONG[i].was);
		snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, WRONG[i].is,
		         at + strlen(WRONG[i].was));
		cr_expect_eq(trial_request_read(changed, &back, why, sizeof(why)), -1, "%s", changed);
		cr_expect_str_eq(why, WRONG[i].why, "%s", why);
	}
	free(text);
}

Test(documents, every_double_comes_back_to_the_bit)
{
	for (unsigned i = 0; i < 100000; i++) {
		struct trial_result result = {.why_invalid = ""}, back = {.ports = 0};
		uint64_t bits = next_random(), was;
		char why[100], *text;

		memcpy(&result.duration_s, &bits, sizeof(bits));
		text = trial_result_text(&result);
		cr_assert_eq(trial_result_read(text, &back, why, sizeof(why)), 0, "%s", why);
		memcpy(&was, &back.duration_s, sizeof(was));
		cr_assert(was == bits || (isnan(result.duration_s) && isnan(back.duration_s)), "%016" PRIx64, bits);
		free(text);
	}
}

/* -- SQL ----------------------------------------------------------------------------------------------------------- */

static sqlite3 *look(void)
{
	sqlite3 *database;

	cr_assert_eq(sqlite3_open_v2(store_case_path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	return database;
}

static void expect_text(sqlite3 *database, const char *sql, const char *expected)
{
	sqlite3_stmt *statement;
	const char *found;

	cr_assert_eq(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK, "%s",
	             sqlite3_errmsg(database));
	cr_assert_eq(sqlite3_step(statement), SQLITE_ROW, "%s: %s", sql, sqlite3_errmsg(database));
	found = (const char *)sqlite3_column_text(statement, 0);
	cr_expect_str_eq(found ? found : "NULL", expected, "%s: %s", sql, found ? found : "NULL");
	sqlite3_finalize(statement);
}

static void add(struct store *store, const struct store_trial *trial)
{
	struct error error = {0};

	cr_assert_eq(store_trial_add(store, trial, &error), 0, "%s", error.text);
}

Test(documents, columns_and_ports_say_in_sql_what_the_trial_says)
{
	struct store_trial trial = {.place = {.test_number = 1, .test = "throughput", .frame_octets = 64},
	                            .request = {.kind = TRIAL_BURST, .burst_frames = 77},
	                            .result = {.valid = true,
	                                       .why_invalid = "it's \"so\"",
	                                       .intended_fps = (double)NAN,
	                                       .duration_s = 0.1,
	                                       .offered_frames = COUNT_UNKNOWN,
	                                       .lost_frames = UINT64_C(1) << 63,
	                                       .ports = 2}};
	struct store *store = store_case_create();
	sqlite3 *database;

	trial.result.port[1].sent = true;
	trial.result.port[1].rx_gap.max_octets = 1234;
	trial.result.port[1].latency_histogram = (struct histogram){100, 8, 1, 2, {5, 6}};
	trial.result.port[1].latency_octaves = (struct octaves){40, 320, 3, {1, 0, 2}};
	add(store, &trial);
	store_close(store);
	database = look();
	expect_text(database, "SELECT kind || burst_frames || valid || ports FROM trial", "burst7712");
	expect_text(database, "SELECT why_invalid FROM trial", "it's \"so\"");
	expect_text(database, "SELECT intended_fps IS NULL AND offered_frames IS NULL FROM trial", "1");
	expect_text(database, "SELECT duration_s = 0.1 FROM trial", "1");
	expect_text(database, "SELECT lost_frames = 9223372036854775808.0 FROM trial", "1");
	expect_text(database, "SELECT typeof(valid) || typeof(kind) || typeof(duration_s) FROM trial",
	            "integertextreal");
	expect_text(database, "SELECT group_concat(port || ':' || sent) FROM trial_port", "0:0,1:1");
	expect_text(database, "SELECT rx_gap_max_octets FROM trial_port WHERE port = 1", "1234");
	expect_text(database, "SELECT latency_histogram FROM trial_port WHERE port = 1", "[100,8,1,5,6]");
	expect_text(database, "SELECT latency_histogram IS NULL FROM trial_port WHERE port = 0", "1");
	expect_text(database, "SELECT latency_octaves FROM trial_port WHERE port = 1", "[40,320,1,0,2]");
	expect_text(database, "SELECT latency_octaves IS NULL FROM trial_port WHERE port = 0", "1");
	sqlite3_close(database);
}

Test(documents, an_index_on_a_generated_column_stays_right_while_trials_are_added)
{
	struct store_trial trial = {.place = {.test_number = 1, .test = "throughput", .frame_octets = 64}};
	struct store *store = store_case_create();
	sqlite3 *database = look();

	trial.result.lost_frames = 5;
	add(store, &trial);
	cr_assert_eq(sqlite3_exec(database, "CREATE INDEX lossy ON trial (lost_frames)", NULL, NULL, NULL), SQLITE_OK,
	             "%s", sqlite3_errmsg(database));
	trial.result.lost_frames = 6;
	add(store, &trial);
	expect_text(database, "SELECT number FROM trial INDEXED BY lossy WHERE lost_frames = 6", "2");
	sqlite3_close(database);
	store_close(store);
	store = store_case_reopen(STORE_RESUME);
	trial.result.lost_frames = 7;
	add(store, &trial);
	store_close(store);
	database = look();
	expect_text(database, "SELECT number FROM trial INDEXED BY lossy WHERE lost_frames = 7", "3");
	expect_text(database, "PRAGMA integrity_check", "ok");
	sqlite3_close(database);
}

static void crc_of(sqlite3_context *context, int count, sqlite3_value **values)
{
	const unsigned char *text = sqlite3_value_text(values[0]);

	(void)count;
	sqlite3_result_int64(context, (sqlite3_int64)crc32(0, text, (uInt)strlen((const char *)text)));
}

Test(documents, the_checksum_is_the_crc_32_of_both_texts_as_they_stand)
{
	struct store_trial trial = random_trial();
	struct store *store = store_case_create();
	sqlite3 *database;

	add(store, &trial);
	store_close(store);
	database = look();
	sqlite3_create_function(database, "crc", 1, SQLITE_UTF8, NULL, crc_of, NULL, NULL);
	expect_text(database, "SELECT checksum = crc(request || result) FROM trial", "1");
	sqlite3_close(database);
}
