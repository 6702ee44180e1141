/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep: one plan, run once for each combination of the values of some of its settings. A combination is a point;
 * points are numbered from 1, and the last axis varies fastest. Each point has a run file of its own in the folder of
 * the sweep, and whether it is done is what that file says: nothing here keeps a record of it that could be wrong. */
#ifndef FPGAUGE_COMMANDS_SWEEP_POINTS_H
#define FPGAUGE_COMMANDS_SWEEP_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/plan/source.h"

enum {
	SWEEP_MAX_POINTS =
	        1000,       /* so that their numbers fit an array job of Slurm as it is by default (MaxArraySize) */
	SWEEP_MAX_AXES = 6, /* most axes; with what a report says of each, they are the columns of its table */
};

/* A setting of the plan and the values that it takes in turn. */
struct sweep_axis {
	char *path;      /* "run[0].frame_sizes" */
	char **settings; /* "run[0].frame_sizes=[64]", as --set takes it */
	size_t count;
};

struct sweep {
	char *directory;         /* absolute; of the run files */
	char *working_directory; /* absolute; relative names in the plan begin there */
	char *tool, *created;    /* version of the program; RFC 3339 */
	struct plan_file *files; /* the plan, then what it includes */
	size_t file_count;
	char **set; /* settings of all points, in order */
	size_t set_count;
	struct sweep_axis axes[SWEEP_MAX_AXES];
	size_t axis_count;
};

void sweep_free(struct sweep *sweep); /* leaves it empty */

/* One --vary: "path=value,value,...". A comma inside of brackets or quotes separates nothing. Values are not
 * interpreted: that they are what the plan can take shows when the plan is read with them. */
int sweep_add_axis(struct sweep *sweep, const char *text, struct error *error);

/* A setting of all points, "path=value". */
int sweep_add_set(struct sweep *sweep, const char *text, struct error *error);

/* Checks that axes and settings leave one another alone, and the number of points. Call it before anything below. */
int sweep_check(const struct sweep *sweep, struct error *error);

size_t sweep_points(const struct sweep *sweep);

/* The setting that an axis has at a point: "dut.buffer_frames=64"; and its value alone. */
const char *sweep_setting(const struct sweep *sweep, size_t number, size_t axis);
const char *sweep_value(const struct sweep *sweep, size_t number, size_t axis);

/* The settings of a point for plan_read(): those of all points first. `list` has room for set_count + axis_count.
 * Returns their number. */
size_t sweep_overrides(const struct sweep *sweep, size_t number, const char **list);

/* "dut.buffer_frames=64, run[0].frame_sizes=[64]", cut to fit. Returns text. */
const char *sweep_point_text(const struct sweep *sweep, size_t number, char *text, size_t size);

/* The run file of a point, without its folder: "007-buffer_frames-64.db"; number and settings, as far as a file name
 * may hold them. */
enum { SWEEP_FILE_NAME = 128 };
const char *sweep_file_name(const struct sweep *sweep, size_t number, char name[SWEEP_FILE_NAME]);

/* The same with its folder, to be freed; NULL when out of memory. */
char *sweep_file_path(const struct sweep *sweep, size_t number);

/* The number of a point of `other` with the same settings on the same axes; 0 when there is none. */
size_t sweep_find(const struct sweep *other, const struct sweep *sweep, size_t number);

#endif
