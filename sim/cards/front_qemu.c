// SPDX-License-Identifier: Apache-2.0
/* The front for a QEMU guest: the card is a PCI function of the guest, through QEMU's x-pci-proxy-dev. Every access to
 * its configuration space and to its BAR is a message on an open socket (--fd), as in hw/remote/mpqemu-link.h of QEMU
 * 7.2. Serves until QEMU is gone. No interrupts and no access to the guest's memory, because the card uses neither. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/base/octets.h"
#include "hw/regs/fpgauge_regs.h"
#include "sim/cards/front.h"

/* -- what goes over the socket --------------------------------------------------------------------------------------
 */

enum command { SYNC_SYSMEM, RET, PCI_CFGWRITE, PCI_CFGREAD, BAR_WRITE, BAR_READ, SET_IRQFD, DEVICE_RESET };

struct header { /* 16 octets */
	int32_t command;
	uint64_t octets; /* length of what follows */
};

struct config_access {
	uint32_t offset, value;
	int32_t octets;
};

struct bar_access {
	uint64_t address; /* address in the guest's physical memory */
	uint64_t value;
	uint32_t octets;
	uint8_t memory;
};

struct message {
	struct header header;
	union {
		struct config_access config;
		struct bar_access bar;
		uint8_t octets[512];
	} data;
};

/* -- the PCI function -----------------------------------------------------------------------------------------------
 */

enum {
	CONFIG_OCTETS = 256,
	VENDOR_ID = 0x00,
	DEVICE_ID = 0x02,
	COMMAND = 0x04,
	CLASS_CODE = 0x08, /* class code, and the revision in the least significant octet */
	BAR0 = 0x10,
	SUBSYSTEM_VENDOR_ID = 0x2c,
	SUBSYSTEM_ID = 0x2e,
	COMMAND_WRITABLE = 0x0407, /* I/O, memory, bus master, interrupts off */
	BAR_OCTETS = FPGAUGE_MAP_OCTETS,
};

struct function {
	struct sim_card *card;
	int fd;
	uint8_t config[CONFIG_OCTETS];
};

/* A board that drivers/pci_find.c knows: an XDMA bridge, Gen3 x16, with one 32-bit memory BAR. */
static void reset_config(uint8_t *config)
{
	memset(config, 0, CONFIG_OCTETS);
	put_le(config + VENDOR_ID, 0x10ee, 2);
	put_le(config + DEVICE_ID, 0x903f, 2);
	put_le(config + CLASS_CODE, 0x12000000, 4); /* processing accelerator */
	put_le(config + SUBSYSTEM_VENDOR_ID, 0x10ee, 2);
	put_le(config + SUBSYSTEM_ID, 0x0007, 2);
}

static bool config_is_inside(const struct config_access *access)
{
	return (access->octets == 1 || access->octets == 2 || access->octets == 4) &&
	       access->offset + (uint64_t)access->octets <= CONFIG_OCTETS;
}

/* Writes only what a function must allow to be written: whether it responds, and where its BAR is (PCI 3.0 section
 * 6.2.5.1). */
static void write_config(struct function *function, const struct config_access *access)
{
	if (!config_is_inside(access))
		return;
	if (access->offset == COMMAND)
		put_le(function->config + COMMAND, access->value & COMMAND_WRITABLE, 2);
	else if (access->offset == BAR0 && access->octets == 4)
		put_le(function->config + BAR0, access->value & ~(uint32_t)(BAR_OCTETS - 1), 4);
}

static uint32_t read_config(const struct function *function, const struct config_access *access)
{
	return config_is_inside(access) ? (uint32_t)get_le(function->config + access->offset, (unsigned)access->octets)
	                                : UINT32_MAX;
}

/* The register of an access; false if it is not a 32-bit access to the BAR. */
static bool register_of(const struct function *function, const struct bar_access *access, uint32_t *address)
{
	uint64_t base = get_le(function->config + BAR0, 4);

	*address = (uint32_t)(access->address - base);
	return access->memory && access->octets == 4 && access->address >= base &&
	       access->address - base < BAR_OCTETS && *address % 4 == 0;
}

/* -- serving --------------------------------------------------------------------------------------------------------
 */

/* Closes the descriptors of the guest's memory, which QEMU passes along. */
static void close_descriptors(struct msghdr *header)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part != NULL; part = CMSG_NXTHDR(header, part)) {
		size_t octets = part->cmsg_len - CMSG_LEN(0);
		int fd;

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof(fd) <= octets; at += sizeof(fd)) {
			memcpy(&fd, CMSG_DATA(part) + at, sizeof(fd));
			close(fd);
		}
	}
}

/* 1 if all of it arrived, 0 at the end of the stream, -1 on an error. */
static int receive(int fd, void *into, size_t octets)
{
	enum { MAX_DESCRIPTORS = 8 }; /* REMOTE_MAX_FDS of QEMU */
	char control[CMSG_SPACE(MAX_DESCRIPTORS * sizeof(int))];
	uint8_t *at = into;

	while (octets > 0) {
		struct iovec part = {.iov_base = at, .iov_len = octets};
		struct msghdr header = {
		        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
		ssize_t length = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);

		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return length == 0 || errno == ECONNRESET ? 0 : -1;
		close_descriptors(&header);
		at += length;
		octets -= (size_t)length;
	}
	return 1;
}

static bool answer(int fd, uint64_t value)
{
	struct {
		struct header header;
		uint64_t value;
	} message = {{RET, sizeof(value)}, value};

	return send(fd, &message, sizeof(message), MSG_NOSIGNAL) == (ssize_t)sizeof(message);
}

static uint64_t read_bar(struct function *function, const struct bar_access *access)
{
	uint32_t address, value = UINT32_MAX;

	if (register_of(function, access, &address))
		sim_card_read32(function->card, address, &value);
	return value;
}

static void write_bar(struct function *function, const struct bar_access *access)
{
	uint32_t address;

	if (register_of(function, access, &address))
		sim_card_write32(function->card, address, (uint32_t)access->value);
}

/* QEMU waits for an answer to all but two of its commands. */
static bool act(struct function *function, const struct message *message)
{
	switch (message->header.command) {
	case SYNC_SYSMEM:
	case SET_IRQFD:
		return true;
	case PCI_CFGREAD:
		return answer(function->fd, read_config(function, &message->data.config));
	case PCI_CFGWRITE:
		write_config(function, &message->data.config);
		return answer(function->fd, 0);
	case BAR_READ:
		return answer(function->fd, read_bar(function, &message->data.bar));
	case BAR_WRITE:
		write_bar(function, &message->data.bar);
		return answer(function->fd, 0);
	case DEVICE_RESET:
		reset_config(function->config);
		return answer(function->fd, 0);
	default:
		return false;
	}
}

/* Serves one message. 1; 0 if QEMU is gone; -1 with errno set if what arrives is not a message of QEMU's. */
static int serve_message(struct function *function)
{
	struct message message;
	int status = receive(function->fd, &message.header, sizeof(message.header));

	if (status <= 0)
		return status;
	memset(&message.data, 0, sizeof(message.data));
	errno = EPROTO;
	if (message.header.octets > sizeof(message.data))
		return -1;
	status = receive(function->fd, &message.data, message.header.octets);
	if (status <= 0)
		return status;
	errno = EPROTO;
	return act(function, &message) ? 1 : -1;
}

static int serve(struct sim_card *card, const struct front_arguments *arguments, char *error, size_t error_size)
{
	struct function function = {.card = card, .fd = arguments->fd};
	struct pollfd awaited = {.fd = arguments->fd, .events = POLLIN};
	int status = 1;

	if (arguments->fd < 0) {
		snprintf(error, error_size, "--front=qemu needs --fd=N, a socket whose other end QEMU has");
		return -1;
	}
	reset_config(function.config);
	while (status > 0) {
		int wait_ms = sim_card_idle(card);

		if (wait_ms < 0) {
			snprintf(error, error_size, "%s", sim_card_error(card));
			return -1;
		}
		if (poll(&awaited, 1, wait_ms) > 0)
			status = serve_message(&function);
	}
	if (status < 0)
		snprintf(error, error_size, "QEMU: %s", strerror(errno));
	return status;
}

const struct front front_qemu = {.name = "qemu", .serve = serve};
