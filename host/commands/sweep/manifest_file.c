/* SPDX-License-Identifier: Apache-2.0 */
/* The manifest on the disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/commands/sweep/manifest.h"

static char *path_in(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

bool manifest_exists(const char *directory)
{
	char *path = path_in(directory, "sweep.json");
	bool exists = path && access(path, F_OK) == 0;

	free(path);
	return exists;
}

/* Both to be kept by the sweep: where it was made, for manifest_is_foreign(), is in the file still. */
static int take_place(struct sweep *sweep, const char *directory, struct error *error)
{
	char *real = realpath(directory, NULL);

	if (!real)
		return error_set(error, ERROR_STORE, "%s: cannot be read: %s", directory, strerror(errno));
	free(sweep->directory);
	sweep->directory = real;
	return 0;
}

int manifest_read(const char *directory, struct sweep *sweep, struct error *error)
{
	char *path = path_in(directory, "sweep.json");
	json_error_t where;
	json_t *object;
	int status;

	if (!path)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	object = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
	if (object)
		status = manifest_parse(object, path, sweep, error);
	else if (where.line < 0) /* jansson says by this that there was nothing to read */
		status = error_set(error, ERROR_STORE, "%s: is not the folder of a sweep: %s", directory, where.text);
	else
		status = error_set(error, ERROR_STORE, "%s:%d: %s", path, where.line, where.text);
	json_decref(object);
	free(path);
	return status ? status : take_place(sweep, directory, error);
}

/* A crash of the machine leaves the whole file or none: its contents are on the disk before its name is. */
static int write_whole(const json_t *object, const char *directory, const char *draft, const char *path)
{
	int file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), folder;
	int failed = file < 0 || json_dumpfd(object, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER) || fsync(file);

	if (file >= 0)
		failed |= close(file);
	if (failed || rename(draft, path))
		return -1;
	folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		fsync(folder);
		close(folder);
	}
	return 0;
}

int manifest_write(const struct sweep *sweep, struct error *error)
{
	char *path = path_in(sweep->directory, "sweep.json"), *draft = path_in(sweep->directory, "sweep.json.new");
	json_t *object = manifest_make(sweep);
	int status = json_write_check(error);

	if (status == 0 && (!path || !draft))
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	else if (status == 0 && !object)
		status = error_set(error, ERROR_STORE, "%s: cannot be written: a path in it is not UTF-8", path);
	else if (status == 0 && write_whole(object, sweep->directory, draft, path))
		status = error_set(error, ERROR_STORE, "%s: cannot be written: %s", path, strerror(errno));
	json_decref(object);
	free(draft);
	free(path);
	return status;
}

static void compare_places(const char *path, const struct sweep *sweep, char *why, size_t size)
{
	json_t *object = json_load_file(path, 0, NULL);
	const char *made = json_string_value(json_object_get(object, "directory"));
	struct stat status;

	if (!made || stat(path, &status))
		snprintf(why, size, "cannot be looked at");
	else if (status.st_uid != geteuid())
		snprintf(why, size, "belongs to another user, number %u", (unsigned)status.st_uid);
	else if (strcmp(made, sweep->directory) != 0)
		snprintf(why, size, "was made in %.200s and lies in %.200s now", made, sweep->directory);
	json_decref(object);
}

bool manifest_is_foreign(const struct sweep *sweep, char *why, size_t size)
{
	char *path = path_in(sweep->directory, "sweep.json");

	why[0] = '\0';
	if (path)
		compare_places(path, sweep, why, size);
	else
		snprintf(why, size, "cannot be looked at");
	free(path);
	text_repair(why, size);
	return why[0] != '\0';
}

static int differs(const struct sweep *recorded, const char *what, const char *then, const char *now,
                   struct error *error)
{
	return error_set(
	        error, ERROR_PLAN,
	        "%.200s: holds another sweep: %s %.150s there, %.150s here; must be a new folder (`fpgauge sweep "
	        "--resume %.200s` goes on with it)",
	        recorded->directory, what, then ? then : "nothing", now ? now : "nothing", recorded->directory);
}

static int check_files(const struct sweep *recorded, const struct sweep *asked, struct error *error)
{
	bool same = recorded->file_count == asked->file_count;

	for (size_t i = 0; i < recorded->file_count && same; i++)
		same = !strcmp(recorded->files[i].text, asked->files[i].text);
	if (same)
		return 0;
	return differs(recorded, "the plan is", recorded->files[0].path, "another one, or was changed", error);
}

int manifest_check_same(const struct sweep *recorded, const struct sweep *asked, struct error *error)
{
	for (size_t i = 0; i < recorded->set_count || i < asked->set_count; i++) {
		const char *then = i < recorded->set_count ? recorded->set[i] : NULL;
		const char *now = i < asked->set_count ? asked->set[i] : NULL;

		if (!then || !now || strcmp(then, now) != 0)
			return differs(recorded, "--set", then, now, error);
	}
	for (size_t i = 0; i < recorded->axis_count || i < asked->axis_count; i++) {
		const struct sweep_axis *then = i < recorded->axis_count ? &recorded->axes[i] : NULL;
		const struct sweep_axis *now = i < asked->axis_count ? &asked->axes[i] : NULL;

		if (!then || !now || strcmp(then->path, now->path) != 0)
			return differs(recorded, "--vary", then ? then->path : NULL, now ? now->path : NULL, error);
		for (size_t j = 0; j < then->count || j < now->count; j++) {
			const char *was = j < then->count ? then->settings[j] : NULL;
			const char *is = j < now->count ? now->settings[j] : NULL;

			if (!was || !is || strcmp(was, is) != 0)
				return differs(recorded, "--vary", was, is, error);
		}
	}
	return check_files(recorded, asked, error);
}
