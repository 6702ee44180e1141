/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a plan: read whole, held to the limits on size and text, identified by device and inode. */
#ifndef FPGAUGE_PLAN_SOURCE_FILE_H
#define FPGAUGE_PLAN_SOURCE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "host/plan/source.h"

struct file_identity {
	bool known;
	dev_t device;
	ino_t inode;
};

/* True when both are the same file, whatever the names. */
bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);

/* Reads a file, from the disk or from what the source has recorded; name is relative to directory (NULL: to the working
 * directory). Counts it towards the source's limit. *shown, the name for messages, and *text belong to the source. */
int source_file_load(struct source *source, const char *directory, const char *name, const char **shown,
                     const char **text, struct file_identity *identity, struct error *error);

#endif
