/* SPDX-License-Identifier: Apache-2.0 */
/* Columns separated by blanks, "-" for what is not known: gnuplot and awk can read it as it is. */
#include "host/commands/run/trial_log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

static const char HEADING[] =
        "# number test octets repetition trial load_fps burst_frames duration_s offered_frames lost_frames "
        "loss_ratio, then for each goal: class lower upper\n";

static int complain(const char *path, struct error *error)
{
	return error_set(error, ERROR_PLAN, "trial log %s: cannot be written: %s", path, strerror(errno));
}

int trial_log_open(struct trial_log *log, const char *path, struct error *error)
{
	*log = (struct trial_log){.path = path};
	if (!path)
		return 0;
	if (!strcmp(path, "-")) {
		log->out = stderr;
		log->beside_live_line = isatty(STDERR_FILENO);
		return 0;
	}
	log->out = fopen(path, "we");
	return log->out ? 0 : complain(path, error);
}

static void print_number(const char *format, double value, FILE *out)
{
	if (isnan(value))
		fprintf(out, " -");
	else
		fprintf(out, format, value);
}

void trial_log_line(const struct bench_trial *trial, FILE *out)
{
	static const char *const CLASSES[] = {
	        [BENCH_UNDECIDED] = "undecided", [BENCH_LOWER] = "LOWER", [BENCH_UPPER] = "UPPER"};

	char frames[TRAFFIC_SIZES_TEXT], modifiers[TRAFFIC_MODIFIERS_TEXT];

	fprintf(out, "%u %s%s%s %s %u %u %.3f", trial->test_number, trial->test, trial->modifiers ? "+" : "",
	        traffic_modifiers_text(trial->modifiers, modifiers, sizeof(modifiers)),
	        traffic_sizes_word(trial->frame_octets, trial->sizes, frames, sizeof(frames)), trial->repetition,
	        trial->trial, trial->load_fps);
	if (trial->burst_frames)
		fprintf(out, " %" PRIu64, trial->burst_frames);
	else
		fprintf(out, " -");
	print_number(" %.9g", trial->duration_s, out);
	if (trial->why_invalid) {
		fprintf(out, " - - - INVALID - - # %s\n", trial->why_invalid);
		return;
	}
	fprintf(out, " %" PRIu64 " %" PRIu64, trial->offered_frames, trial->lost_frames);
	print_number(" %.9g",
	             trial->offered_frames ? (double)trial->lost_frames / (double)trial->offered_frames : (double)NAN,
	             out);
	if (trial->goals == 0)
		fprintf(out, " warm-up - -");
	for (size_t i = 0; i < trial->goals; i++) {
		fprintf(out, " %s", CLASSES[trial->goal[i].class]);
		print_number(" %.0f", trial->goal[i].lower, out);
		print_number(" %.0f", trial->goal[i].upper, out);
	}
	fputc('\n', out);
}

void trial_log_show(void *user, const struct bench_trial *trial)
{
	struct trial_log *log = user;

	if (log->beside_live_line) /* the line is drawn again after the next trial */
		fprintf(log->out, "\r\033[K");
	if (!log->begun)
		fputs(HEADING, log->out);
	log->begun = true;
	trial_log_line(trial, log->out);
	fflush(log->out); /* so that it can be followed while it grows */
}

int trial_log_close(struct trial_log *log, struct error *error)
{
	bool failed = log->out && ferror(log->out);

	if (log->out && log->out != stderr)
		failed |= fclose(log->out) != 0;
	return failed && log->out != stderr ? complain(log->path, error) : 0;
}
