/* SPDX-License-Identifier: Apache-2.0 */
/* The run file as a file: what is on disk at which time, its names, its rows of results. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store_case.h"

TestSuite(store, .init = store_case_enter, .fini = store_case_leave);

/* Counts what SQLite asks of the system, one layer below it: the files keep their own methods, except for xSync. */
struct counted_methods {
	sqlite3_io_methods methods; /* first: a file points here */
	const sqlite3_io_methods *original;
};

static sqlite3_vfs counting_vfs;
static int (*original_open)(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags);
static unsigned wal_syncs, database_syncs;

static int counted_sync(sqlite3_file *file, unsigned *count, int flags)
{
	++*count;
	return ((const struct counted_methods *)file->pMethods)->original->xSync(file, flags);
}

static int sync_wal(sqlite3_file *file, int flags)
{
	return counted_sync(file, &wal_syncs, flags);
}

static int sync_database(sqlite3_file *file, int flags)
{
	return counted_sync(file, &database_syncs, flags);
}

static int counting_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	static struct counted_methods counted[64];
	static size_t used;
	int status = original_open(vfs, name, file, flags, out_flags);

	if (status == SQLITE_OK && file->pMethods && flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_DB)) {
		cr_assert_lt(used, sizeof(counted) / sizeof(counted[0]));
		counted[used] = (struct counted_methods){.methods = *file->pMethods, .original = file->pMethods};
		counted[used].methods.xSync = flags & SQLITE_OPEN_WAL ? sync_wal : sync_database;
		file->pMethods = &counted[used++].methods;
	}
	return status;
}

static void count_syncs(void)
{
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

	counting_vfs = *usual;
	counting_vfs.zName = "counting";
	counting_vfs.xOpen = counting_open;
	original_open = usual->xOpen;
	cr_assert_eq(sqlite3_vfs_register(&counting_vfs, 1), SQLITE_OK);
}

/* Adds trials and checks that for each the disk was asked to keep it before the call returned. */
static void expect_a_sync_a_trial(struct store *store, const char *what)
{
	struct error error = {0};

	for (unsigned i = 0; i < 10; i++) {
		struct store_trial trial = random_trial();
		unsigned before = wal_syncs;

		cr_assert_eq(store_trial_add(store, &trial, &error), 0, "%s", error.text);
		cr_expect_geq(wal_syncs, before + 1, "%s: trial %u was not brought to the disk", what, i + 1);
	}
}

/* PRAGMA synchronous = FULL, as it matters in a power cut; nothing in the written file can show it afterwards. */
Test(store, a_trial_has_been_synced_to_the_disk_when_its_commit_returns)
{
	struct store_result result = {.test_number = 1,
	                              .test = "throughput",
	                              .rfc = "r",
	                              .frame_octets = 64,
	                              .valid = true,
	                              .document = "{}"};
	struct error error = {0};
	struct store *store;
	unsigned before;

	count_syncs();
	store = store_case_create();
	expect_a_sync_a_trial(store, "run");
	before = wal_syncs;
	cr_assert_eq(store_results_put(store, &result, 1, &error), 0, "%s", error.text);
	cr_expect_geq(wal_syncs, before + 1, "a result was not brought to the disk");
	before = database_syncs;
	store_close(store);
	cr_expect_geq(database_syncs, before + 1, "the journal was taken away from what is not on the disk");
	store = store_case_reopen(STORE_RESUME);
	expect_a_sync_a_trial(store, "resume");
	store_close(store);
}

static int count_result(void *user, const struct store_result *result)
{
	char *text = user;

	strcat(text, result->document);
	return 0;
}

Test(store, results_may_change_and_those_that_are_no_more_go)
{
	struct store_result results[] = {{.test = "a", .rfc = "", .document = "{\"x\":1}"},
	                                 {.test = "b", .rfc = "", .document = "{\"x\":2}"}};
	struct store *store = store_case_create();
	struct error error = {0};
	char text[64] = "";

	cr_expect_eq(store_results_put(store, results, 2, &error), 0, "%s", error.text);
	results[0].document = "{\"x\":3}";
	cr_expect_eq(store_results_put(store, results, 2, &error), 0, "%s", error.text);
	cr_expect_eq(store_results_each(store, count_result, text, &error), 0, "%s", error.text);
	cr_expect_str_eq(text, "{\"x\":3}{\"x\":2}");
	text[0] = 0;
	cr_expect_eq(store_results_put(store, results, 1, &error), 0, "%s", error.text);
	cr_expect_eq(store_results_each(store, count_result, text, &error), 0, "%s", error.text);
	cr_expect_str_eq(text, "{\"x\":3}");
	store_close(store);
}

Test(store, names_that_mean_something_to_sqlite_are_names_of_files)
{
	static const char *const NAMES[] = {":memory:", "file:x?mode=memory", "a b%20c#?.db"};
	struct store_run run = {
	        .tool = "t", .plan_path = "p", .files = &STORE_CASE_PLAN, .file_count = 1, .tester = "{}"};
	struct store *store;
	struct error error = {0};

	cr_assert_eq(chdir(store_case_directory), 0);
	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		cr_assert_eq(store_create(NAMES[i], &run, "", &store, &error), 0, "%s", error.text);
		store_close(store);
		cr_assert_eq(store_open(NAMES[i], STORE_REPORT, &store, &error), 0, "%s", error.text);
		cr_expect_str_eq(store_run(store)->plan_text, STORE_CASE_PLAN.text);
		store_close(store);
		cr_expect_eq(unlink(NAMES[i]), 0, "%s is no file", NAMES[i]);
	}
}

Test(store, is_in_wal_mode_while_it_is_written_and_one_file_at_rest)
{
	/* The settings of the store's connection are its own business; what it left in the file is seen from
	 * outside. */
	struct store *store = store_case_create();
	sqlite3 *database;
	sqlite3_stmt *mode;

	cr_assert_eq(sqlite3_open_v2(store_case_path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(database, "PRAGMA journal_mode", -1, &mode, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_step(mode), SQLITE_ROW);
	cr_expect_str_eq((const char *)sqlite3_column_text(mode, 0), "wal");
	sqlite3_finalize(mode);
	sqlite3_close(database);
	store_close(store);
	cr_assert_eq(sqlite3_open_v2(store_case_path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(database, "PRAGMA journal_mode", -1, &mode, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_step(mode), SQLITE_ROW);
	cr_expect_str_eq((const char *)sqlite3_column_text(mode, 0), "delete", "a file at rest is one file");
	sqlite3_finalize(mode);
	sqlite3_close(database);
}
