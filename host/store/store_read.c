/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in their order, for whoever reports: trials with their place in the run, sessions, events. */
#include <stdlib.h>

#include "host/base/text.h"
#include "host/store/store_check.h"

static const char *text_of(sqlite3_stmt *statement, int column)
{
	return (const char *)sqlite3_column_text(statement, column);
}

static void read_place(sqlite3_stmt *statement, struct store_place *place)
{
	const char *test = text_of(statement, 2);

	*place = (struct store_place){
	        .test_number = (unsigned)sqlite3_column_int64(statement, 1),
	        .frame_octets = (uint32_t)sqlite3_column_int64(statement, 3),
	        .repetition = (unsigned)sqlite3_column_int64(statement, 4),
	        .point = (uint64_t)sqlite3_column_int64(statement, 5),
	        .low = (uint64_t)sqlite3_column_int64(statement, 6),
	        .high = (uint64_t)sqlite3_column_int64(statement, 7),
	};
	text_copy(place->test, sizeof(place->test), test ? test : "");
}

int store_trials_each(struct store *store, int (*each)(void *user, uint64_t number, const struct store_trial *trial),
                      void *user, struct error *error)
{
	static const char SQL[] = "SELECT trial.number, search.test_number, search.test, search.frame_octets, "
	                          "search.repetition, trial.point, trial.low, trial.high "
	                          "FROM trial JOIN search ON trial.search = search.number ORDER BY trial.number";
	struct store_trial *trial = malloc(sizeof(*trial));
	sqlite3_stmt *statement = NULL;
	int status = trial ? 0 : error_set(error, ERROR_INTERNAL, "out of memory"), step = SQLITE_DONE;

	if (status == 0)
		status = store_prepare(store, SQL, &statement, error);
	while (status == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		uint64_t number = (uint64_t)sqlite3_column_int64(statement, 0);

		/* point, low and high may be any 64 bits */
		status = store_check_row(store, statement, "trial", "nntnn", error);
		if (status == 0)
			status = store_trial_get(store, number, trial, error);
		if (status)
			break;
		read_place(statement, &trial->place);
		status = each(user, number, trial);
	}
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "trials cannot be read");
	sqlite3_finalize(statement);
	free(trial);
	return status;
}

int store_sessions_each(struct store *store, int (*each)(void *user, const struct store_session *session), void *user,
                        struct error *error)
{
	static const char SQL[] =
	        "SELECT command, tool, host, first_trial, started, ended, outcome FROM session ORDER BY number";
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, SQL, &statement, error), step = SQLITE_DONE;

	while (status == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		struct store_session session;

		status = store_check_row(store, statement, "session", "tttntTT", error);
		if (status)
			break;
		session = (struct store_session){
		        .command = text_of(statement, 0),
		        .tool = text_of(statement, 1),
		        .host = text_of(statement, 2),
		        .first_trial = (uint64_t)sqlite3_column_int64(statement, 3),
		        .started = text_of(statement, 4),
		        .ended = text_of(statement, 5),
		        .outcome = text_of(statement, 6),
		};

		status = each(user, &session);
	}
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "sessions cannot be read");
	sqlite3_finalize(statement);
	return status;
}

int store_events_each(struct store *store, int (*each)(void *user, const struct store_event_row *event), void *user,
                      struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, "SELECT session, time, kind, detail FROM event ORDER BY number", &statement,
	                           error);
	int step = SQLITE_DONE;

	while (status == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		struct store_event_row event;

		status = store_check_row(store, statement, "event", "nttT", error);
		if (status)
			break;
		event = (struct store_event_row){
		        .session = (uint64_t)sqlite3_column_int64(statement, 0),
		        .time = text_of(statement, 1),
		        .kind = text_of(statement, 2),
		        .detail = text_of(statement, 3),
		};

		status = each(user, &event);
	}
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "events cannot be read");
	sqlite3_finalize(statement);
	return status;
}
