// SPDX-License-Identifier: Apache-2.0
/* The board is in the name of its shell: xilinx_u55c_gen3x16_xdma_base_3. */
#include "drivers/xrt_listing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "drivers/bitstream.h"

enum { LINES = 4, LINE_SIZE = 192, BOARD_SIZE = 12 };
enum { LONGEST_PATH = 140 }; /* there is room for; half a path would be none */
enum { ADDRESS, SHELL, UUID, KERNELS };

static const char OUR_KERNEL[] = "fpgauge:";

const char *const XRT_LISTING_RECIPES[] = {"u200", "u250", "u280", "u50", "u55c", NULL};

static void split(const char *said, char lines[LINES][LINE_SIZE])
{
	for (unsigned i = 0; i < LINES; i++) {
		const size_t length = strcspn(said, "\n");

		snprintf(lines[i], LINE_SIZE, "%.*s", (int)length, said);
		said += length + (said[length] == '\n');
	}
}

/* "u55c", as folders and shells have it; "" if this is no shell of an Alveo. */
static void board_of(const char *shell, char board[BOARD_SIZE])
{
	static const char vendor[] = "xilinx_";
	const char *name = shell + strlen(vendor);

	board[0] = '\0';
	if (strncmp(shell, vendor, strlen(vendor)) == 0 && name[0] == 'u' && isdigit((unsigned char)name[1]) &&
	    strcspn(name, "_") < BOARD_SIZE)
		snprintf(board, BOARD_SIZE, "%.*s", (int)strcspn(name, "_"), name);
}

static bool has_recipe(const char *board)
{
	for (const char *const *recipe = XRT_LISTING_RECIPES; *recipe != NULL; recipe++)
		if (strcmp(*recipe, board) == 0)
			return true;
	return false;
}

/* A card that was reset has a UUID of zeros. XRT may name no kernels, and a bitstream of ours need not be one whose
 * manifest is here. */
static void say_loaded(const char *uuid, const char *kernels, struct bitstream *bitstream, char *text, size_t size,
                       struct error *bad_manifest)
{
	const char *what = strstr(kernels, OUR_KERNEL) ? "fpgauge" : kernels;
	char which[BITSTREAM_TEXT];

	text[0] = '\0';
	if (*uuid != '\0' && strspn(uuid, "0-") == strlen(uuid))
		snprintf(text, size, ", nothing is loaded");
	else if (*uuid != '\0' && bitstream_describe(uuid, which, bitstream, bad_manifest))
		snprintf(text, size, ", loaded: %s", which);
	else if (*uuid != '\0')
		snprintf(text, size, ", loaded: %.60s%s%s", what, *what ? ", " : "", which);
}

static void say_need(const char *board, const char *manifest, char *text, size_t size)
{
	if (manifest[0] != '\0' && strlen(manifest) <= LONGEST_PATH)
		snprintf(text, size, "its bitstream must be named: --set device.manifest=%.*s", LONGEST_PATH, manifest);
	else if (has_recipe(board))
		snprintf(text, size,
		         "its bitstream must be named: --set device.manifest=bitstreams/%s/manifest.cfg "
		         "when it is built (docs/boards.md), or device.xclbin=FILE",
		         board);
	else if (board[0] != '\0')
		snprintf(text, size,
		         "there is no recipe for this board (docs/boards.md), and a bitstream must be named: --set "
		         "device.xclbin=FILE");
	else
		snprintf(text, size, "no bitstream is named: --set device.manifest=FILE or device.xclbin=FILE");
}

void xrt_listing_read(const char *said, struct device_listing *listing, struct error *bad_manifest)
{
	char lines[LINES][LINE_SIZE], board[BOARD_SIZE], name[BOARD_SIZE], loaded[BITSTREAM_TEXT + 80];
	struct bitstream bitstream = {0};

	*listing = (struct device_listing){0};
	split(said, lines);
	board_of(lines[SHELL], board);
	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = (char)toupper((unsigned char)board[i]);
	say_loaded(lines[UUID], lines[KERNELS], &bitstream, loaded, sizeof(loaded), bad_manifest);
	snprintf(listing->name, sizeof(listing->name), "xrt:%.80s", lines[ADDRESS]);
	snprintf(listing->what, sizeof(listing->what), "%s%s%s%.80s%.150s", board[0] ? "Alveo " : "",
	         board[0] ? name : "", board[0] ? ", " : "", lines[SHELL], loaded);
	say_need(board, bitstream.manifest, listing->why_not, sizeof(listing->why_not));
}
