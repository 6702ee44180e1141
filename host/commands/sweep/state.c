/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/report/load.h"
#include "host/store/store.h"

const char *sweep_state_text(enum point_state state)
{
	static const char *const TEXTS[] = {[POINT_NOT_BEGUN] = "not begun",
	                                    [POINT_BEGUN] = "incomplete",
	                                    [POINT_DONE] = "done",
	                                    [POINT_DAMAGED] = "damaged",
	                                    [POINT_FOREIGN] = "not of this sweep"};

	return TEXTS[state];
}

/* The plan, with what it includes, and all settings are those of the point. Settings after these are what run adds by
 * itself (fit_plan.h). */
static bool is_its_run(const struct sweep *sweep, size_t number, const struct store_run *run)
{
	const char **settings = calloc(sweep->set_count + sweep->axis_count, sizeof(*settings));
	size_t count = settings ? sweep_overrides(sweep, number, settings) : 0;
	bool same = settings && run->override_count >= count && run->file_count == sweep->file_count;

	for (size_t i = 0; same && i < count; i++)
		same = !strcmp(run->overrides[i], settings[i]);
	for (size_t i = 0; same && i < run->file_count; i++)
		same = !strcmp(run->files[i].text, sweep->files[i].text);
	free(settings);
	return same;
}

static enum point_state state_of(const struct sweep *sweep, size_t number, struct store *store, json_t **report,
                                 struct error *why)
{
	char text[300];

	if (!is_its_run(sweep, number, store_run(store))) {
		error_set(why, ERROR_STORE, "%s: holds another run than that of %s: move it away", store_path(store),
		          sweep_point_text(sweep, number, text, sizeof(text)));
		return POINT_FOREIGN;
	}
	if (report && report_load(store, report, why))
		return POINT_DAMAGED;
	return store_complete(store) ? POINT_DONE : POINT_BEGUN;
}

/* A process that dies while it makes the file leaves one without a run; what the store says of the others is their
 * only description. */
static enum point_state state_of_unreadable(const char *path, const struct error *why)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return errno == ENOENT ? POINT_NOT_BEGUN : POINT_FOREIGN;
	if (S_ISREG(status.st_mode) && (status.st_size == 0 || why->kind == ERROR_NO_RUN_IN_FILE))
		return POINT_NOT_BEGUN;
	return why->kind == ERROR_DAMAGED_FILE ? POINT_DAMAGED : POINT_FOREIGN;
}

enum point_state sweep_state(const struct sweep *sweep, size_t number, json_t **report, struct error *why)
{
	char *path = sweep_file_path(sweep, number);
	struct store *store = NULL;
	enum point_state state;

	if (report)
		*report = NULL;
	if (!path) {
		error_set(why, ERROR_INTERNAL, "out of memory");
		return POINT_FOREIGN;
	}
	if (store_open(path, STORE_REPORT, &store, why))
		state = state_of_unreadable(path, why);
	else
		state = state_of(sweep, number, store, report, why);
	store_close(store);
	free(path);
	return state;
}
