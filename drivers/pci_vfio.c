// SPDX-License-Identifier: Apache-2.0
/* Container, group, device, region (Documentation/driver-api/vfio.rst of Linux). None of our memory is mapped for the
 * board: it is read and written, but never accesses memory itself. */
#include "drivers/pci_vfio.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drivers/board_lock.h"

enum {
	CONTAINER,
	GROUP,
	DEVICE,
	COMMAND_OFFSET = 4, /* offset in configuration space, PCI 3.0 section 6.2.2 */
	COMMAND_MEMORY = 0x2,
};

#define DEV_VFIO "/dev/vfio/"

bool pci_vfio_holds(const struct pci_board *board)
{
	return strcmp(board->kernel_driver, "vfio-pci") == 0;
}

static int fail(const struct pci_board *board, const char *what, struct error *error)
{
	return error_set(error, ERROR_DEVICE, "pci %s: VFIO: %s: %s%s", board->address, what, strerror(errno),
	                 errno == EACCES || errno == EPERM ? "; vfio-bind --user gives a user the group's file" : "");
}

/* Opens the group of the board: "/dev/vfio/12"; without an IOMMU, if the administrator allowed that,
 * "/dev/vfio/noiommu-12". The kernel lets only one process at a time open it, even just to observe; the lock is there
 * to name the other process. */
static int open_group(const char *sysfs, const struct pci_board *board, bool *iommu, int *fd, struct error *error)
{
	char path[PATH_MAX], link[PATH_MAX], file[64], name[40];
	const char *number;
	ssize_t length;

	snprintf(path, sizeof(path), "%s/devices/%s/iommu_group", sysfs, board->address);
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return fail(board, "no iommu_group: is the IOMMU on (intel_iommu=on)?", error);
	link[length] = '\0';
	number = strrchr(link, '/') != NULL ? strrchr(link, '/') + 1 : link;
	*iommu = true;
	snprintf(file, sizeof(file), DEV_VFIO "%.16s", number);
	*fd = open(file, O_RDWR | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT) {
		*iommu = false;
		snprintf(file, sizeof(file), DEV_VFIO "noiommu-%.16s", number);
		*fd = open(file, O_RDWR | O_CLOEXEC);
	}
	snprintf(name, sizeof(name), "pci %s", board->address);
	if (*fd < 0 && errno == EBUSY)
		return board_lock_refuse(file, name, error);
	return *fd >= 0 ? board_lock_take(*fd, name, error) : fail(board, file, error);
}

/* A group is usable if every device in it is bound to vfio-pci or to no driver. */
static int join(const struct pci_board *board, int container, int group, bool iommu, struct error *error)
{
	struct vfio_group_status status = {.argsz = sizeof(status)};

	if (ioctl(container, VFIO_GET_API_VERSION) != VFIO_API_VERSION)
		return error_set(error, ERROR_DEVICE, "pci %s: VFIO: the kernel's API is not version %d",
		                 board->address, VFIO_API_VERSION);
	if (ioctl(group, VFIO_GROUP_GET_STATUS, &status) != 0)
		return fail(board, "group status", error);
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE))
		return error_set(error, ERROR_DEVICE,
		                 "pci %s: VFIO: another device of its IOMMU group has a kernel driver: unbind that too",
		                 board->address);
	if (ioctl(group, VFIO_GROUP_SET_CONTAINER, &container) != 0)
		return fail(board, "group to container", error);
	if (ioctl(container, VFIO_SET_IOMMU, iommu ? VFIO_TYPE1v2_IOMMU : VFIO_NOIOMMU_IOMMU) != 0)
		return fail(board, "set IOMMU", error);
	return 0;
}

/* The kernel leaves it to the user of a device to enable its memory space. */
static int switch_memory_on(const struct pci_board *board, int device, struct error *error)
{
	struct vfio_region_info config = {.argsz = sizeof(config), .index = VFIO_PCI_CONFIG_REGION_INDEX};
	uint16_t command;
	off_t place;

	if (ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &config) != 0)
		return fail(board, "configuration space", error);
	place = (off_t)config.offset + COMMAND_OFFSET;
	if (pread(device, &command, sizeof(command), place) != (ssize_t)sizeof(command))
		return fail(board, "command register", error);
	command = htole16(le16toh(command) | COMMAND_MEMORY);
	if (pwrite(device, &command, sizeof(command), place) != (ssize_t)sizeof(command))
		return fail(board, "command register", error);
	return 0;
}

static int map_region(const struct pci_board *board, int device, unsigned number, uint32_t least_octets, void **mapped,
                      struct error *error)
{
	struct vfio_region_info bar = {.argsz = sizeof(bar), .index = VFIO_PCI_BAR0_REGION_INDEX + number};

	if (ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &bar) != 0)
		return fail(board, "region of the BAR", error);
	if (bar.size < least_octets || !(bar.flags & VFIO_REGION_INFO_FLAG_MMAP))
		return error_set(error, ERROR_DEVICE, "pci %s: VFIO: BAR %u: %llu octets, %s: must be %u and mappable",
		                 board->address, number, (unsigned long long)bar.size,
		                 bar.flags & VFIO_REGION_INFO_FLAG_MMAP ? "mappable" : "not mappable", least_octets);
	*mapped = mmap(NULL, least_octets, PROT_READ | PROT_WRITE, MAP_SHARED, device, (off_t)bar.offset);
	return *mapped != MAP_FAILED ? 0 : fail(board, "mmap", error);
}

int pci_vfio_map(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                 void **mapped, int fds[PCI_VFIO_FDS], struct error *error)
{
	bool iommu;
	int status;

	fds[CONTAINER] = open(DEV_VFIO "vfio", O_RDWR | O_CLOEXEC);
	if (fds[CONTAINER] < 0)
		return fail(board, DEV_VFIO "vfio", error);
	status = open_group(sysfs, board, &iommu, &fds[GROUP], error);
	if (status == 0)
		status = join(board, fds[CONTAINER], fds[GROUP], iommu, error);
	if (status != 0)
		return status;
	fds[DEVICE] = ioctl(fds[GROUP], VFIO_GROUP_GET_DEVICE_FD, board->address);
	if (fds[DEVICE] < 0)
		return fail(board, "device of the group", error);
	status = switch_memory_on(board, fds[DEVICE], error);
	return status != 0 ? status : map_region(board, fds[DEVICE], number, least_octets, mapped, error);
}
