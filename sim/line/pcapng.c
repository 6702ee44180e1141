// SPDX-License-Identifier: Apache-2.0
/* Writes pcapng. Numbers are in the byte order of the machine, as the format allows. */
#include "sim/line/pcapng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/ethernet.h"

enum {
	SECTION_HEADER_BLOCK = 0x0a0d0d0a,
	INTERFACE_DESCRIPTION_BLOCK = 1,
	ENHANCED_PACKET_BLOCK = 6,
	BYTE_ORDER_MAGIC = 0x1a2b3c4d,
	LINKTYPE_ETHERNET = 1,
	OPTION_END = 0,
	OPTION_USER_APPLICATION = 4, /* option of a section header */
	OPTION_IF_NAME = 2,
	OPTION_IF_SPEED = 8,
	OPTION_IF_TSRESOL = 9,
	OPTION_IF_FCSLEN = 13,
	TENTHS_OF_NS = 10, /* 10^-10 s: with finer ones tshark 4.0 overflows, and shows other times */
	BUFFER_OCTETS = 1 << 20,
	BLOCK_OCTETS = 256, /* room for a header block, options included */
	MAX_NAME_OCTETS = 64,
};

struct pcapng {
	FILE *file;
	int error; /* errno of the first failure */
};

/* A header block under construction. */
struct block {
	uint8_t octets[BLOCK_OCTETS];
	uint32_t length;
};

static void append(struct block *block, const void *octets, uint32_t length)
{
	memcpy(block->octets + block->length, octets, length);
	block->length += length;
	while (block->length % 4 != 0)
		block->octets[block->length++] = 0;
}

static void append_option(struct block *block, uint16_t code, const void *value, size_t length)
{
	const uint16_t head[2] = {code, (uint16_t)length};

	append(block, head, sizeof(head));
	append(block, value, (uint32_t)length);
}

static void write_octets(struct pcapng *file, const void *octets, size_t length)
{
	if (file->error == 0 && fwrite(octets, 1, length, file->file) != length)
		file->error = errno != 0 ? errno : EIO;
}

/* The length is written before and after the body. */
static void write_block(struct pcapng *file, uint32_t type, const struct block *body)
{
	const uint32_t total = body->length + 12;
	const uint32_t head[2] = {type, total};

	write_octets(file, head, sizeof(head));
	write_octets(file, body->octets, body->length);
	write_octets(file, &total, sizeof(total));
}

static void write_section(struct pcapng *file)
{
	static const char application[] = "fpgauge";
	const uint32_t magic = BYTE_ORDER_MAGIC;
	const uint16_t version[2] = {1, 0};
	const int64_t unknown_length = -1;
	struct block block = {.length = 0};

	append(&block, &magic, sizeof(magic));
	append(&block, version, sizeof(version));
	append(&block, &unknown_length, sizeof(unknown_length));
	append_option(&block, OPTION_USER_APPLICATION, application, sizeof(application) - 1);
	append_option(&block, OPTION_END, "", 0);
	write_block(file, SECTION_HEADER_BLOCK, &block);
}

static void write_interface(struct pcapng *file, const char *name, uint64_t link_bps)
{
	const uint16_t link[2] = {LINKTYPE_ETHERNET, 0};
	const uint32_t no_snap_length = 0;
	const uint8_t resolution = TENTHS_OF_NS, fcs = FCS_OCTETS;
	struct block block = {.length = 0};

	append(&block, link, sizeof(link));
	append(&block, &no_snap_length, sizeof(no_snap_length));
	append_option(&block, OPTION_IF_NAME, name, strnlen(name, MAX_NAME_OCTETS));
	append_option(&block, OPTION_IF_SPEED, &link_bps, sizeof(link_bps));
	append_option(&block, OPTION_IF_TSRESOL, &resolution, sizeof(resolution));
	append_option(&block, OPTION_IF_FCSLEN, &fcs, sizeof(fcs));
	append_option(&block, OPTION_END, "", 0);
	write_block(file, INTERFACE_DESCRIPTION_BLOCK, &block);
}

struct pcapng *pcapng_create(const char *path, const char *const *interface_names, size_t interfaces, uint64_t link_bps)
{
	struct pcapng *file = calloc(1, sizeof(*file));

	if (file == NULL)
		return NULL;
	file->file = fopen(path, "wb");
	if (file->file == NULL) {
		free(file);
		return NULL;
	}
	setvbuf(file->file, NULL, _IOFBF, BUFFER_OCTETS);
	write_section(file);
	for (size_t i = 0; i < interfaces; i++)
		write_interface(file, interface_names[i], link_bps);
	return file;
}

int pcapng_write(struct pcapng *file, uint32_t interface, uint64_t time, const uint8_t *octets, uint32_t length)
{
	static const uint8_t padding[4];
	const uint32_t padded = (length + 3) & ~UINT32_C(3);
	const uint32_t total = padded + 32;
	const uint32_t head[7] = {ENHANCED_PACKET_BLOCK, total,  interface, (uint32_t)(time >> 32),
	                          (uint32_t)time,        length, length};

	write_octets(file, head, sizeof(head));
	write_octets(file, octets, length);
	write_octets(file, padding, padded - length);
	write_octets(file, &total, sizeof(total));
	errno = file->error;
	return file->error == 0 ? 0 : -1;
}

int pcapng_close(struct pcapng *file)
{
	int error;

	if (file == NULL)
		return 0;
	error = file->error;
	if (fclose(file->file) != 0 && error == 0)
		error = errno;
	free(file);
	errno = error;
	return error == 0 ? 0 : -1;
}
