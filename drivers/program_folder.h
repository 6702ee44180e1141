/* SPDX-License-Identifier: Apache-2.0 */
/* The location of the running program. Its other files are found relative to it, so that an installation can be moved
 * as a whole. */
#ifndef FPGAUGE_DRIVERS_PROGRAM_FOLDER_H
#define FPGAUGE_DRIVERS_PROGRAM_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* "/usr/local/bin": the folder of the file that was started, with links resolved. False if it is not known or does not
 * fit. */
bool program_folder(char *folder, size_t size);

#endif
