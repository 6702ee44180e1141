/* SPDX-License-Identifier: Apache-2.0 */
/* Where the running program is. What belongs to it is found from there, so that an installation can be moved as a
 * whole. */
#ifndef FPGAUGE_DRIVERS_PROGRAM_FOLDER_H
#define FPGAUGE_DRIVERS_PROGRAM_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* "/usr/local/bin": the folder of the file that was started, links followed. False when nobody says, or it does not
 * fit. */
bool program_folder(char *folder, size_t size);

#endif
