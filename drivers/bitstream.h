/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the bitstream of ours that has a UUID: XRT tells the UUID of what is loaded, and the manifest of a bitstream
 * that was built has it, with the version and git id of its sources (docs/xrt.md). */
#ifndef FPGAUGE_DRIVERS_BITSTREAM_H
#define FPGAUGE_DRIVERS_BITSTREAM_H

#include <libconfig.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/base/error.h"

enum { BITSTREAM_UUID_OCTETS = 16, BITSTREAM_UUID = 37, BITSTREAM_SHORT_TEXT = 41, BITSTREAM_TEXT = 200 };

struct bitstream {
	char uuid[BITSTREAM_UUID];          /* lower case; "": nobody has built it yet */
	char version[BITSTREAM_SHORT_TEXT]; /* version of fpgauge; "": not known */
	char git[BITSTREAM_SHORT_TEXT];     /* id of the commit; "": not known */
	char manifest[PATH_MAX];
};

/* The keys uuid, version and git of a manifest that was read from path; they may be missing, or "". */
int bitstream_of_config(const config_t *config, const char *path, struct bitstream *bitstream, struct error *error);

/* Looks in the manifests of FOLDER/NAME/manifest.cfg, for each FOLDER in FPGAUGE_BITSTREAM_PATH, then "bitstreams"
 * beside the program, above it, and where an installation has it. False: it is in none. Of manifests that cannot be
 * read, the first one's complaint is in *error, whether the UUID was found or not. */
bool bitstream_find(const char *uuid, struct bitstream *found, struct error *error);

/* "u55c (fpgauge 1.0.0, git 0123456789ab), UUID ...": the folder of the manifest, and of what it was built. */
void bitstream_text(const struct bitstream *bitstream, char text[BITSTREAM_TEXT]);

/* Finds the UUID and says which bitstream that is, or that it is unknown. False: it is. *error as bitstream_find(). */
bool bitstream_describe(const char *uuid, char text[BITSTREAM_TEXT], struct bitstream *found, struct error *error);

/* Writes it as XRT does. */
void bitstream_uuid_text(const uint8_t octets[BITSTREAM_UUID_OCTETS], char text[BITSTREAM_UUID]);

#endif
