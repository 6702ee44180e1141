// SPDX-License-Identifier: Apache-2.0
/* A library to preload: puts the BAR of a simulated card in place of a file. When the program maps the file that
 * FPGAUGE_TRAPBAR_FILE names, as it would a board's resource0, it gets inaccessible memory; every access faults, is
 * decoded, and becomes one packet to the card at the socket that FPGAUGE_TRAPBAR_SOCKET names (front_bar.c). The
 * program is the real one, unchanged, and so is every move instruction that accesses the BAR.
 *
 * As on PCI Express, a card that does not answer in time (FPGAUGE_TRAPBAR_TIMEOUT_S, or 60), or not at all, reads as
 * all ones. FPGAUGE_TRAPBAR_LOCKDOWN=1 refuses the mapping as kernel lockdown does. One mapping, used by one thread. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>

#include "sim/cards/bar_protocol.h"
#include "sim/cards/trapbar_move.h"

/* A card of hardware answers in microseconds. The process that plays one may have no processor for seconds on a busy
 * machine, and is not gone for that. */
enum { COMPLETION_TIMEOUT_S = 60 };

#define EXPORT __attribute__((visibility("default")))

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset);

static struct {
	uintptr_t begin, end; /* bounds of the mapping */
	int socket;
	bool gone;
	struct sigaction before; /* the previous action of SIGSEGV */
} bar;

/* -- the card, in a signal handler: system calls only -------------------------------------------------------------- */

static void send_request(uint32_t operation, uint32_t offset, uint32_t value)
{
	const struct bar_request request = {operation, offset, value};
	ssize_t length;

	do
		length = send(bar.socket, &request, sizeof(request), MSG_NOSIGNAL);
	while (length < 0 && errno == EINTR);
	if (length != (ssize_t)sizeof(request))
		bar.gone = true;
}

static uint32_t read_card(uint32_t offset)
{
	uint32_t value;
	ssize_t length;

	if (!bar.gone)
		send_request(BAR_READ32, offset, 0);
	if (bar.gone)
		return UINT32_MAX;
	do
		length = recv(bar.socket, &value, sizeof(value), 0);
	while (length < 0 && errno == EINTR);
	if (length == (ssize_t)sizeof(value))
		return value;
	bar.gone = true;
	return UINT32_MAX;
}

/* Prints the instruction and ends the program: to go on would drop an access. */
static void refuse(const uint8_t *code)
{
	char text[] = "trapbar: an access to the BAR that is not a 32-bit register move: .. .. .. .. .. .. .. ..\n";
	char *at = strchr(text, '.');
	ssize_t ignored;

	for (int i = 0; i < 8; i++, at += 3) {
		at[0] = "0123456789abcdef"[code[i] >> 4];
		at[1] = "0123456789abcdef"[code[i] & 15];
	}
	ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)ignored;
	abort();
}

static void trapped(int number, siginfo_t *info, void *opaque)
{
	static const int places[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
	greg_t *registers = ((ucontext_t *)opaque)->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)registers[REG_RIP];
	uintptr_t address = (uintptr_t)info->si_addr;
	int saved = errno;
	struct trapbar_move move;
	uint32_t offset;

	(void)number;
	if (address < bar.begin || address >= bar.end) { /* a fault of the program itself: let it happen */
		sigaction(SIGSEGV, &bar.before, NULL);
		return;
	}
	if (!trapbar_decode(code, &move))
		refuse(code);
	offset = (uint32_t)(address - bar.begin);
	if (!move.store)
		registers[places[move.reg]] = (greg_t)read_card(offset); /* a 32-bit move clears the upper half */
	else if (!bar.gone)
		send_request(BAR_WRITE32, offset, move.immediate ? move.value : (uint32_t)registers[places[move.reg]]);
	registers[REG_RIP] += (greg_t)move.length;
	errno = saved;
}

/* -- the mapping ----------------------------------------------------------------------------------------------------
 */

static bool is_the_file(int fd)
{
	const char *path = getenv("FPGAUGE_TRAPBAR_FILE");
	struct stat wanted, given;

	return path != NULL && fd >= 0 && fstat(fd, &given) == 0 && stat(path, &wanted) == 0 &&
	       given.st_ino == wanted.st_ino && given.st_dev == wanted.st_dev;
}

static bool reach_card(void)
{
	const char *path = getenv("FPGAUGE_TRAPBAR_SOCKET");
	const char *timeout_s = getenv("FPGAUGE_TRAPBAR_TIMEOUT_S");
	const struct timeval timeout = {.tv_sec = timeout_s != NULL ? atoi(timeout_s) : COMPLETION_TIMEOUT_S};
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (path == NULL || strlen(path) >= sizeof(address.sun_path))
		return false;
	if (bar.end != 0) /* an earlier mapping goes: only one is supported */
		close(bar.socket);
	bar.gone = false;
	strcpy(address.sun_path, path);
	bar.socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return bar.socket >= 0 && setsockopt(bar.socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) == 0 &&
	       setsockopt(bar.socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) == 0 &&
	       connect(bar.socket, (const struct sockaddr *)&address, sizeof(address)) == 0;
}

static void *real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "mmap");
	return real(address, length, protection, flags, fd, offset);
}

static void *map_bar(size_t length)
{
	struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
	void *made;

	if (getenv("FPGAUGE_TRAPBAR_LOCKDOWN") != NULL) {
		errno = EPERM;
		return MAP_FAILED;
	}
	if (!reach_card())
		return MAP_FAILED;
	made = real_mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return made;
	bar.begin = (uintptr_t)made;
	bar.end = bar.begin + length;
	sigaction(SIGSEGV, &action, &bar.before);
	return made;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return is_the_file(fd) ? map_bar(length) : real_mmap(address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return mmap(address, length, protection, flags, fd, offset);
}
