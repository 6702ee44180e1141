/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what the journal costs per trial: `bench_store DIRECTORY TRIALS` prints "journal_s flush_s octets", each per
 * trial. flush_s is how long the disk under DIRECTORY takes to keep as many octets (pwrite, fdatasync): no journal that
 * waits for the disk can be faster, and anything above it is the journal's own cost. tools/bench runs it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fifo_tester.h"
#include "host/store/journal.h"

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int fail(const struct error *error)
{
	fprintf(stderr, "bench_store: %s\n", error->text);
	return 1;
}

/* Seconds per trial through the journal, minus those of the tester alone. */
static int run_journal(const char *path, unsigned trials, double *seconds, struct error *error)
{
	static const struct store_plan_file FILE_OF_PLAN = {"bench", "", "bench"};
	struct store_run run = {
	        .tool = "bench", .plan_path = "bench", .files = &FILE_OF_PLAN, .file_count = 1, .tester = "{}"};
	struct trial_request request = {.shape = traffic_shape_plain(64), .duration_ot = 1000000, .load = {1000, 1}};
	struct store_place place = {.test_number = 1, .test = "throughput", .frame_octets = 64};
	struct trial_result result;
	struct fifo_tester fifo;
	struct journal *journal = NULL;
	struct store *store;
	int status = store_create(path, &run, "", &store, error);

	fifo_begin(&fifo, 500, 2, 3);
	if (status == 0)
		status = store_session_begin(store, "bench", "bench", "{}", error);
	if (status == 0)
		status = journal_open(store, &fifo.tester, NULL, &journal, error);
	*seconds = now_s();
	for (unsigned i = 0; i < trials && status == 0; i++) {
		place.repetition = i / 16; /* a search of sixteen trials */
		journal_place(journal, &place);
		status = tester_run(journal_tester(journal), &request, &result, error);
	}
	*seconds = (now_s() - *seconds) / trials;
	journal_close(journal);
	store_close(store);
	return status;
}

static double run_flush(const char *path, unsigned trials, size_t octets)
{
	char *block = calloc(1, octets);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	double begin_s = now_s();

	for (unsigned i = 0; block && file >= 0 && i < trials; i++) {
		if (pwrite(file, block, octets, (off_t)(i * octets)) != (ssize_t)octets || fdatasync(file)) {
			perror("bench_store");
			break;
		}
	}
	begin_s = now_s() - begin_s;
	close(file);
	unlink(path);
	free(block);
	return begin_s / trials;
}

int main(int argc, char **argv)
{
	/* SQLite's log grows by so much in a trial: the changed pages of 4096 octets, each with a header of 24. */
	enum { PAGES = 4, PAGE_OCTETS = 4096 + 24 };
	unsigned trials = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	char path[4096], other[4096];
	struct error error = {0};
	struct stat size;
	double journal_s;

	if (trials == 0) {
		fprintf(stderr, "usage: bench_store DIRECTORY TRIALS\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/bench-%d.db", argv[1], (int)getpid());
	snprintf(other, sizeof(other), "%s/bench-%d.flush", argv[1], (int)getpid());
	if (run_journal(path, trials, &journal_s, &error))
		return fail(&error);
	stat(path, &size);
	unlink(path);
	printf("%.9f %.9f %.1f\n", journal_s, run_flush(other, trials, PAGES * PAGE_OCTETS),
	       (double)size.st_size / trials);
	return 0;
}
