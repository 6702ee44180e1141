/* SPDX-License-Identifier: Apache-2.0 */
#include "drivers/process_state.h"

#include <stdio.h>
#include <string.h>

/* proc(5): the state is the field after the name, which is in parentheses and may itself contain some. "R" has or wants
 * a processor. A driver of the kernel that hangs is "D", and not at work. */
static bool is_runnable(int pid)
{
	char path[64], line[512] = "";
	const char *name_end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	if (fgets(line, sizeof(line), file) == NULL)
		line[0] = '\0';
	fclose(file);
	name_end = strrchr(line, ')');
	return name_end != NULL && strncmp(name_end, ") R", 3) == 0;
}

bool process_is_at_work(pid_t pid)
{
	bool at_work = is_runnable(pid);
	char path[64];
	FILE *children;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	children = at_work ? NULL : fopen(path, "re");
	if (children == NULL)
		return at_work;
	while (!at_work && fscanf(children, "%d", &child) == 1)
		at_work = is_runnable(child);
	fclose(children);
	return at_work;
}
