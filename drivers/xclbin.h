/* SPDX-License-Identifier: Apache-2.0 */
/* Bitstream files for XRT, checked before XRT is called: XRT loads whatever it gets, and says little about what was
 * wrong. */
#ifndef FPGAUGE_DRIVERS_XCLBIN_H
#define FPGAUGE_DRIVERS_XCLBIN_H

#include "drivers/bitstream.h"
#include "host/base/error.h"

enum { XCLBIN_PATH = 4096, XCLBIN_IP = 64, SHA256_HEX = 64 };

struct xclbin {
	char path[XCLBIN_PATH];
	char ip[XCLBIN_IP];          /* "fpgauge:{fpgauge_0}", as xrt::ip takes it */
	char sha256[SHA256_HEX + 1]; /* lower case; "": not known */
	struct bitstream bitstream;  /* names from the manifest; all "" without one */
	char uuid[BITSTREAM_UUID];   /* UUID of the file, once it was checked */
};

/* Reads a manifest (docs/xrt.md): which file, which IP, and the register map that it was built with, which must be that
 * of this program. The path of the file is relative to the manifest. */
int xclbin_read_manifest(const char *path, struct xclbin *xclbin, struct error *error);

/* Does the file exist, is it complete and an xclbin, does it contain the IP, and is it the one that the manifest
 * describes? */
int xclbin_check(struct xclbin *xclbin, struct error *error);

#endif
