/* SPDX-License-Identifier: Apache-2.0 */
/* Other people's run files: opened, read and reported as `fpgauge report` does it, and opened to be resumed.
 *
 * Input: changes to a good file (image.h), as JSON. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/report/load.h"
#include "tests/fuzz/forms.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/image.h"

static const char NAME[] = "foreign.db";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *path = fuzz_path("good.db");

	(void)argc;
	(void)argv;
	fuzz_silence();
	store_close(forms_store(path));
	image_begin(path);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return fuzz_mutate_json(data, size, max_size, seed);
}

/* Files that SQLite keeps next to a file belong to the previous file. */
static void write_image(const json_t *changes)
{
	static const char *const BESIDE[] = {"foreign.db-wal", "foreign.db-shm", "foreign.db-journal"};
	size_t size;
	unsigned char *image = image_make(changes, &size);
	int file = open(fuzz_path(NAME), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	FUZZ_EXPECT(file >= 0 && write(file, image, size) == (ssize_t)size, "%s", NAME);
	close(file);
	for (size_t i = 0; i < sizeof(BESIDE) / sizeof(BESIDE[0]); i++)
		unlink(fuzz_path(BESIDE[i]));
	sqlite3_free(image);
}

static void report(void)
{
	struct error error = {0};
	struct store *store = NULL;
	json_t *report = NULL;
	size_t left_out;
	int status = store_open(fuzz_path(NAME), STORE_REPORT, &store, &error);

	FUZZ_EXPECT(status == 0 || !store, "refused, and there");
	if (!status)
		status = report_load_most(store, &report, &left_out, &error);
	if (status)
		fuzz_expect_complaint(status, &error);
	else
		forms_check(report, store);
	json_decref(report);
	store_close(store);
}

/* Everything up to the first new trial. */
static void go_on(void)
{
	struct error error = {0};
	struct store *store = NULL;
	struct store_trial trial;
	int status = store_open(fuzz_path(NAME), STORE_RESUME, &store, &error);

	for (uint64_t i = 1; status == 0 && i <= store_trial_count(store); i++)
		status = store_trial_get(store, i, &trial, &error);
	if (status == 0 && !store_complete(store)) {
		status = store_session_begin(store, "resume", "fpgauge", "{}", &error);
		if (status == 0)
			status = store_session_end(store, "stopped", &error);
	}
	if (status)
		fuzz_expect_complaint(status, &error);
	store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *changes = json_loadb((const char *)data, size, JSON_ALLOW_NUL, NULL);

	if (json_is_object(changes)) {
		write_image(changes);
		report();
		if (json_object_get(changes, "go_on"))
			go_on();
	}
	json_decref(changes);
	return 0;
}
