/* SPDX-License-Identifier: Apache-2.0 */
/* The program reads the filters from its standard input, a file in memory, so that it need not read it at once, or at
 * all. */
#include "host/trial/device/filters.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/spawn.h"
#include "host/traffic/pattern.h"
#include "host/trial/filters.h"

enum {
	WAIT_OT = 4096,    /* device time goes on, as it does while a device is reset */
	WAIT_NS = 1000000, /* and wall time, without a busy loop in a simulation */
};

static int write_all(int file, const char *text, size_t length)
{
	while (length) {
		const ssize_t written = write(file, text, length);

		if (written < 0)
			return -1;
		text += written;
		length -= (size_t)written;
	}
	return lseek(file, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* A file to read the filters from, or -1. */
static int file_of(const struct trial_filter_program *by, const struct traffic_shape *shape, unsigned ports)
{
	char *text = malloc(TRIAL_FILTERS_TEXT_SIZE);
	int file = text ? memfd_create("filters", MFD_CLOEXEC) : -1;
	size_t length;

	if (file >= 0) {
		length = by->nft ? trial_filters_nft(shape, ports, by->interfaces, text, TRIAL_FILTERS_TEXT_SIZE)
		                 : trial_filters_text(shape, ports, text, TRIAL_FILTERS_TEXT_SIZE);
		if (write_all(file, text, length)) {
			close(file);
			file = -1;
		}
	}
	free(text);
	return file;
}

/* steps: NULL when the device is not to be used any more. */
static int wait_for(const struct device_steps *steps, pid_t pid, const char *program, struct error *error)
{
	char text[SPAWN_END_TEXT];
	struct spawn_end end;
	int status = 0;

	while (status == 0 && !spawn_has_ended(pid, &end)) {
		clock_sleep_ns(WAIT_NS);
		if (steps)
			status = steps_wait(steps, WAIT_OT, error);
	}
	if (status)
		kill(-pid, SIGKILL);
	end = spawn_reap(pid);
	if (status == 0 && (end.how != SPAWN_EXITED || end.number != 0)) {
		spawn_end_text(&end, text);
		status = error_set(error, ERROR_DEVICE, "the filters command %s %s", program, text);
	}
	return status;
}

static int run(const struct trial_filter_program *by, const struct traffic_shape *shape, unsigned ports,
               const struct device_steps *steps, struct error *error)
{
	const int file = file_of(by, shape, ports);
	/* Its output goes to standard error: standard output is for results. */
	const struct spawn_file files[] = {{file, 0}, {2, 1}};
	const struct spawn_request request = {.program = by->command[0],
	                                      .arguments = by->command,
	                                      .files = files,
	                                      .file_count = sizeof(files) / sizeof(files[0]),
	                                      .group = SPAWN_OWN_GROUP};
	pid_t pid;
	int why;

	if (file < 0)
		return error_set(error, ERROR_INTERNAL, "no file in memory for filters: %s", strerror(errno));
	why = spawn_start(&request, &pid);
	close(file);
	if (why)
		return error_set(error, ERROR_DEVICE, "the filters command %s cannot be started: %s", by->command[0],
		                 strerror(why));
	return wait_for(steps, pid, by->command[0], error);
}

/* True if filters for one shape are those for the other: they follow from these members alone. */
static bool same_filters(const struct traffic_shape *a, const struct traffic_shape *b)
{
	if (!traffic_filters(a) && !traffic_filters(b))
		return true;
	return traffic_filters(a) == traffic_filters(b) && a->routed == b->routed && a->frame == b->frame &&
	       a->pattern == b->pattern && a->bidirectional == b->bidirectional;
}

/* Filters for another shape may be in another table of nft, or for other ports. */
static int remove_set(struct device_filters *filters, const struct device_steps *steps, unsigned ports,
                      struct error *error)
{
	struct traffic_shape none = filters->shape;

	none.modifiers = 0;
	filters->known = false;
	return run(&filters->by, &none, ports, steps, error);
}

/* A table of nft drops all that comes in and is not of its stream: without interfaces, the streams of others too. */
static int check_interfaces(const struct trial_filter_program *by, const struct traffic_shape *shape, unsigned ports,
                            struct error *error)
{
	const unsigned senders = pattern_senders(shape->pattern, shape->bidirectional, ports);
	unsigned named = 0;

	while (by->interfaces && by->interfaces[named])
		named++;
	if (!by->nft || (!by->interfaces && senders < 2) || (by->interfaces && named == ports))
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "filters_interfaces: %u named: must be %u, one for each port of the tester, because with "
	                 "filters_format = \"nft\" the filters of each stream are at the interface where it comes in",
	                 named, ports);
}

/* All previous conditions are cleared before others are entered (RFC 2544 section 11.4.1). */
int device_filters_set(struct device_filters *filters, const struct device_steps *steps,
                       const struct trial_request *request, unsigned ports, struct error *error)
{
	int status = 0;

	if (filters->known && same_filters(&filters->shape, &request->shape))
		return 0;
	if (filters->known && traffic_filters(&filters->shape))
		status = remove_set(filters, steps, ports, error);
	if (status == 0 && request->filters)
		status = check_interfaces(request->filters, &request->shape, ports, error);
	if (status || !request->filters)
		return status;
	filters->by = *request->filters;
	filters->shape = request->shape;
	status = run(&filters->by, &filters->shape, ports, steps, error);
	filters->known = status == 0;
	return status;
}

void device_filters_remove(struct device_filters *filters, unsigned ports)
{
	struct error ignored = {0};

	if (filters->known && traffic_filters(&filters->shape))
		remove_set(filters, NULL, ports, &ignored);
}
