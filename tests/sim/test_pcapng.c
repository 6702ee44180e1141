// SPDX-License-Identifier: Apache-2.0
/* The capture writer, read back by tshark, an independent implementation of the format. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/internet_checksum.h"
#include "sim/line/capture.h"
#include "sim/line/frame_store.h"
#include "sim/line/line_encoder.h"
#include "sim/line/pcapng.h"
#include "tests/sim/fcs.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

/* A UDP echo frame with a good FCS, or a bad one. */
static void make_frame(uint8_t *frame, uint32_t length, bool good)
{
	static const uint8_t head[42] = {2, 0,  0,  0, 0, 1,   2,  0, 0, 0,   0,  2, 8, 0,    0x45, 0, 0, 0, 0, 0, 0,
	                                 0, 10, 17, 0, 0, 198, 18, 0, 1, 198, 19, 0, 1, 0xc0, 0x20, 0, 7, 0, 0, 0, 0};
	const uint32_t ip = length - 18, udp = length - 38;
	uint32_t fcs;

	for (uint32_t i = 0; i < length; i++)
		frame[i] = (uint8_t)(i - 42);
	memcpy(frame, head, sizeof(head));
	put_be16(frame + 16, ip);
	put_be16(frame + 38, udp);
	put_be16(frame + 24, internet_checksum(frame + 14, 20, 0));
	fcs = fcs_of(frame, length - 4) ^ (good ? 0 : 1);
	memcpy(frame + length - 4, &fcs, 4);
}

/* Gets what tshark says about a file, with the fields of one frame per line. */
static void decode(const char *path, char *text, size_t size)
{
	char command[512];
	size_t used;
	FILE *pipe;

	snprintf(command, sizeof(command),
	         "tshark -n -r %s -o eth.check_fcs:TRUE -o ip.check_checksum:TRUE -T fields -E separator=, "
	         "-e frame.interface_name -e frame.time_epoch -e frame.len -e eth.fcs.status -e ip.checksum.status "
	         "-e ip.len -e udp.dstport -e udp.length -e _ws.malformed 2>/dev/null",
	         path);
	pipe = popen(command, "r");
	cr_assert(pipe != NULL);
	used = fread(text, 1, size - 1, pipe);
	text[used] = '\0';
	cr_assert(pclose(pipe) == 0, "tshark failed");
}

static void temporary(char *path)
{
	int file = mkstemp(path);

	cr_assert(file >= 0);
	close(file);
}

Test(pcapng, tshark_reads_interfaces_times_lengths_and_fcs)
{
	static const char *const names[] = {"port0-tx", "port0-rx", "port1-tx"};
	char path[] = "/tmp/fpgauge-pcapng-XXXXXX";
	char text[4096];
	uint8_t frame[1518];
	struct pcapng *file;

	temporary(path);
	file = pcapng_create(path, names, 3, LINK_BPS);
	cr_assert(file != NULL);
	make_frame(frame, 64, true);
	cr_assert(pcapng_write(file, 0, 0, frame, 64) == 0);
	make_frame(frame, 65, true);
	cr_assert(pcapng_write(file, 1, 12345678917, frame, 65) == 0);
	make_frame(frame, 1518, false);
	cr_assert(pcapng_write(file, 2, UINT64_C(900000000000070), frame, 1518) == 0);
	cr_assert(pcapng_close(file) == 0);
	decode(path, text, sizeof(text));
	cr_expect_str_eq(text, "port0-tx,0.000000000,64,1,1,46,7,26,\n"
	                       "port0-rx,1.234567891,65,1,1,47,7,27,\n"
	                       "port1-tx,90000.000000007,1518,0,1,1500,7,1480,\n");
	unlink(path);
}

Test(pcapng, a_capture_has_both_directions_with_the_time_of_the_start)
{
	char path[] = "/tmp/fpgauge-pcapng-XXXXXX";
	char text[4096];
	struct frame_store store;
	struct line_encoder encoder;
	struct capture *capture;
	struct line_word word;

	temporary(path);
	capture = capture_create(path, 2, LINK_BPS);
	cr_assert(capture != NULL && frame_store_init(&store) == 0);
	line_encoder_init(&encoder, &store);
	make_frame(frame_store_reserve(&store), 70, true);
	cr_assert(frame_store_put(&store, 70, 1000) == 0); /* 80 ns */
	make_frame(frame_store_reserve(&store), 64, true);
	cr_assert(frame_store_put(&store, 64, 1096) == 0); /* 87.68 ns */
	for (uint64_t w = 0; w < 30; w++) {
		if (!line_encode(&encoder, w, &word))
			continue;
		cr_assert(capture_word(capture, 1, false, w, &word) == 0);
		cr_assert(capture_word(capture, 0, true, w, &word) == 0);
	}
	cr_assert(capture_close(capture) == 0);
	decode(path, text, sizeof(text));
	cr_expect_str_eq(text, "port1-tx,0.000000080,70,1,1,52,7,32,\n"
	                       "port0-rx,0.000000080,70,1,1,52,7,32,\n"
	                       "port1-tx,0.000000087,64,1,1,46,7,26,\n"
	                       "port0-rx,0.000000087,64,1,1,46,7,26,\n");
	frame_store_release(&store);
	unlink(path);
}

/* tshark shows whole nanoseconds; a start is known to less. */
Test(pcapng, times_are_the_nearest_tenth_of_a_nanosecond)
{
	static const uint64_t STARTS_OT[] = {0, 8, 16, 24, 1096, 125000000008},
	                      TENTHS_NS[] = {0, 6, 13, 19, 877, 100000000006};
	char path[] = "/tmp/fpgauge-pcapng-XXXXXX";
	struct frame_store store;
	struct line_encoder encoder;
	struct capture *capture;
	struct line_word word;
	uint32_t block[64], found = 0;
	FILE *file;

	temporary(path);
	for (size_t i = 0; i < sizeof(STARTS_OT) / sizeof(STARTS_OT[0]); i++) {
		const uint64_t first = STARTS_OT[i] / LINE_OCTETS;

		capture = capture_create(path, 1, LINK_BPS);
		cr_assert(capture != NULL && frame_store_init(&store) == 0);
		line_encoder_init(&encoder, &store);
		make_frame(frame_store_reserve(&store), 64, true);
		cr_assert(frame_store_put(&store, 64, STARTS_OT[i]) == 0);
		for (uint64_t w = first; w < first + 8; w++)
			if (line_encode(&encoder, w, &word))
				cr_assert(capture_word(capture, 0, false, w, &word) == 0);
		cr_assert(capture_close(capture) == 0);
		frame_store_release(&store);
		file = fopen(path, "rb");
		while (fread(block, 1, 8, file) == 8 && fread(&block[2], 1, block[1] - 8, file) == block[1] - 8) {
			if (block[0] == 1) /* if_tsresol, a power of ten, is an option of an octet */
				cr_expect(memmem(block, block[1], (uint8_t[]){9, 0, 1, 0, 10}, 5) != NULL);
			if (block[0] == 6) {
				cr_expect_eq((uint64_t)block[3] << 32 | block[4], TENTHS_NS[i]);
				found++;
			}
		}
		fclose(file);
	}
	cr_expect_eq(found, 6);
	unlink(path);
}

Test(pcapng, a_full_disk_and_a_missing_folder_are_said)
{
	const char *const name = "x";
	uint8_t frame[9000] = {0};
	struct pcapng *file;
	int result = 0;

	cr_assert(pcapng_create("/nonexistent/x.pcapng", &name, 1, LINK_BPS) == NULL);
	cr_expect(errno == ENOENT);
	file = pcapng_create("/dev/full", &name, 1, LINK_BPS);
	cr_assert(file != NULL);
	for (unsigned i = 0; i < 1000 && result == 0; i++)
		result = pcapng_write(file, 0, i, frame, sizeof(frame));
	cr_expect(result == -1 && errno == ENOSPC);
	cr_expect(pcapng_close(file) == -1 && errno == ENOSPC);
}
