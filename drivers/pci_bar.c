// SPDX-License-Identifier: Apache-2.0
/* Maps a BAR through sysfs, and explains the many ways in which a system refuses (Documentation/PCI/sysfs-pci.rst of
 * Linux). */
#include "drivers/pci_bar.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drivers/board_lock.h"

enum {
	COMMAND_OFFSET = 4, /* offset in configuration space, PCI 3.0 section 6.2.2 */
	COMMAND_MEMORY = 0x2,
	MAX_LOCKDOWN = 64,
};

#define UDEV_RULE "the udev rule 70-fpgauge.rules"

static const struct pci_bar NOTHING_OPEN = {.lock = -1, .fds = {-1, -1, -1}};

/* -- accesses ---------------------------------------------------------------------------------------------------- */

/* Not inlined and not instrumented, so that each is exactly the one 32-bit move that it looks like: the compiler may
 * not merge, split or widen it, and the trapped BAR of a test can decode it. */
__attribute__((noinline, no_sanitize("address", "undefined"))) static uint32_t load32(const volatile uint32_t *word)
{
	return *word;
}

__attribute__((noinline, no_sanitize("address", "undefined"))) static void store32(volatile uint32_t *word,
                                                                                   uint32_t value)
{
	*word = value;
}

uint32_t pci_bar_read32(const struct pci_bar *bar, uint32_t offset)
{
	return le32toh(load32(bar->words + offset / 4));
}

void pci_bar_write32(const struct pci_bar *bar, uint32_t offset, uint32_t value)
{
	store32(bar->words + offset / 4, htole32(value));
}

/* -- memory space ------------------------------------------------------------------------------------------------ */

/* "/sys/bus/pci/devices/0000:3b:00.0/enable" */
static void path_of(char *path, const char *sysfs, const struct pci_board *board, const char *file)
{
	snprintf(path, PATH_MAX, "%s/devices/%s/%s", sysfs, board->address, file);
}

/* True if the board answers memory accesses. Unknown counts as true, because the id register will show it. */
static bool memory_is_on(const char *sysfs, const struct pci_board *board)
{
	char path[PATH_MAX];
	uint16_t command = 0;
	ssize_t length;
	int fd;

	path_of(path, sysfs, board, "config");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	length = pread(fd, &command, sizeof(command), COMMAND_OFFSET);
	close(fd);
	return length != (ssize_t)sizeof(command) || (le16toh(command) & COMMAND_MEMORY) != 0;
}

/* A board without a kernel driver is disabled until somebody asks the kernel to enable it, which also wakes it up. */
static int switch_memory_on(const char *sysfs, const struct pci_board *board, struct error *error)
{
	char path[PATH_MAX];
	int fd, why = 0;

	if (memory_is_on(sysfs, board))
		return 0;
	path_of(path, sysfs, board, "enable");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "1", 1) != 1)
		why = errno;
	if (fd >= 0)
		close(fd);
	if (why == 0 && memory_is_on(sysfs, board))
		return 0;
	return error_set(error, ERROR_DEVICE,
	                 "pci %s: memory space is off (command register) and writing 1 to %.256s did not switch it on"
	                 "%s%s; as root: echo 1 >%.256s, or install " UDEV_RULE,
	                 board->address, path, why ? ": " : "", why ? strerror(why) : "", path);
}

/* -- mapping ----------------------------------------------------------------------------------------------------- */

static int check_bar(const struct pci_board *board, unsigned number, uint32_t least_octets, struct error *error)
{
	uint64_t octets = board->bar[number].octets;

	if (octets == 0)
		return error_set(error, ERROR_DEVICE,
		                 "pci %s: BAR %u: the board has no such BAR; select another with device.bar",
		                 board->address, number);
	if (!board->bar[number].memory)
		return error_set(error, ERROR_DEVICE,
		                 "pci %s: BAR %u: is I/O ports, not memory; select another with device.bar",
		                 board->address, number);
	if (octets < least_octets)
		return error_set(error, ERROR_DEVICE,
		                 "pci %s: BAR %u: has %" PRIu64 " octets: the register map needs %" PRIu32,
		                 board->address, number, octets, least_octets);
	return 0;
}

/* The mode of kernel lockdown, as in "[integrity]"; empty if it is off or not known. It is found next to the bus in
 * /sys. */
static void read_lockdown(const char *sysfs, char *mode)
{
	char path[PATH_MAX], line[MAX_LOCKDOWN] = "", *begin, *end;
	int fd;

	mode[0] = '\0';
	snprintf(path, sizeof(path), "%s/../../kernel/security/lockdown", sysfs);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (read(fd, line, sizeof(line) - 1) > 0 && (begin = strchr(line, '[')) != NULL &&
	    (end = strchr(begin, ']')) != NULL && strncmp(begin, "[none]", 6) != 0)
		snprintf(mode, MAX_LOCKDOWN, "%.*s", (int)(end - begin - 1), begin + 1);
	close(fd);
}

/* Says why the system refused, and what to do. */
static int explain(const char *sysfs, const struct pci_board *board, const char *path, int why, struct error *error)
{
	char lockdown[MAX_LOCKDOWN];

	read_lockdown(sysfs, lockdown);
	if ((why == EPERM || why == EACCES) && lockdown[0] != '\0')
		return error_set(
		        error, ERROR_DEVICE,
		        "pci %s: %.256s: %s: kernel lockdown (%s), which comes with Secure Boot, forbids programs "
		        "to map a BAR; use VFIO, which it allows (vfio-bind), or switch Secure Boot off",
		        board->address, path, strerror(why), lockdown);
	if (why == EACCES || why == EPERM)
		return error_set(error, ERROR_DEVICE,
		                 "pci %s: %.256s: %s; run as root, or install " UDEV_RULE
		                 " and join the group that it names",
		                 board->address, path, strerror(why));
	if (why == EINVAL && board->kernel_driver[0] != '\0')
		return error_set(error, ERROR_DEVICE,
		                 "pci %s: %.256s: %s; the kernel driver %s may hold it: unbind that", board->address,
		                 path, strerror(why), board->kernel_driver);
	return error_set(error, ERROR_DEVICE, "pci %s: %.256s: %s", board->address, path, strerror(why));
}

/* Maps the BAR through its file in sysfs. Whoever may open it may drive the board, and nobody else can lock it. */
static int map_by_sysfs(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                        bool only_looks, int *lock, void **mapped, struct error *error)
{
	char path[PATH_MAX], file[16], name[40];
	int status = switch_memory_on(sysfs, board, error);

	if (status != 0)
		return status;
	snprintf(file, sizeof(file), "resource%u", number);
	snprintf(name, sizeof(name), "pci %s", board->address);
	path_of(path, sysfs, board, file);
	*lock = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	if (*lock < 0)
		return explain(sysfs, board, path, errno, error);
	if (!only_looks)
		status = board_lock_take(*lock, name, error);
	if (status != 0)
		return status;
	*mapped = mmap(NULL, least_octets, PROT_READ | PROT_WRITE, MAP_SHARED, *lock, 0);
	return *mapped != MAP_FAILED ? 0 : explain(sysfs, board, path, errno, error);
}

int pci_bar_open(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                 bool only_looks, struct pci_bar *bar, struct error *error)
{
	void *mapped = MAP_FAILED;
	int status = check_bar(board, number, least_octets, error);

	*bar = NOTHING_OPEN;
	if (status == 0)
		status = pci_vfio_holds(board)
		                 ? pci_vfio_map(sysfs, board, number, least_octets, &mapped, bar->fds, error)
		                 : map_by_sysfs(sysfs, board, number, least_octets, only_looks, &bar->lock, &mapped,
		                                error);
	if (status != 0) {
		pci_bar_close(bar);
		return status;
	}
	bar->words = mapped;
	bar->octets = least_octets;
	return 0;
}

void pci_bar_close(struct pci_bar *bar)
{
	if (bar->words != NULL)
		munmap((void *)(uintptr_t)bar->words, bar->octets);
	for (int i = PCI_VFIO_FDS - 1; i >= 0; i--) {
		if (bar->fds[i] >= 0)
			close(bar->fds[i]);
	}
	if (bar->lock >= 0)
		close(bar->lock);
	*bar = NOTHING_OPEN;
}
