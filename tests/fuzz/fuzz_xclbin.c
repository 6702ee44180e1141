/* SPDX-License-Identifier: Apache-2.0 */
/* Manifests and the bitstream files that they name.
 *
 * Input: the manifest, in which "$VERSION" and "$HASH" are those of this program's register map and "$SHA256" is that
 * of the file;
 * "%%"; the file, which the manifest names as "101". */
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/xclbin.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/fuzz/fuzz.h"

static void digest_of(const struct fuzz_piece *piece, char text[SHA256_HEX + 1])
{
	struct sha256_ctx context;
	uint8_t digest[SHA256_DIGEST_SIZE];

	sha256_init(&context);
	sha256_update(&context, piece->size, piece->octets);
	sha256_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

static void check_file(struct xclbin *xclbin)
{
	struct error error = {0};
	int status = xclbin_check(xclbin, &error);

	if (status)
		fuzz_expect_complaint(status, &error);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_silence();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_piece pieces[2];
	char version[16], hash[16], digest[SHA256_HEX + 1], *manifest;
	const struct fuzz_name names[] = {{"$VERSION", version}, {"$HASH", hash}, {"$SHA256", digest}};
	struct xclbin xclbin = {.path = "", .ip = "fpgauge:{fpgauge_0}"};
	struct error error = {0};
	size_t length;
	int status;

	fuzz_split(data, size, pieces, 2);
	snprintf(version, sizeof(version), "%" PRIu32, FPGAUGE_MAP_VERSION);
	snprintf(hash, sizeof(hash), "0x%08" PRIx32, FPGAUGE_MAP_HASH);
	digest_of(&pieces[1], digest);
	manifest = fuzz_replace(&pieces[0], names, sizeof(names) / sizeof(names[0]), &length);
	snprintf(xclbin.path, sizeof(xclbin.path), "%s", fuzz_file(1, pieces[1].octets, pieces[1].size));
	check_file(&xclbin);
	status = xclbin_read_manifest(fuzz_file(0, manifest, length), &xclbin, &error);
	if (status)
		fuzz_expect_complaint(status, &error);
	else
		check_file(&xclbin);
	free(manifest);
	return 0;
}
