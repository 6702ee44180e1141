/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of inputs, files in memory, findings. */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_FILE = 100 };

/* Most of the time would otherwise go into recording where memory came from, and into fresh pages. ASAN_OPTIONS
 * overrides this: malloc_context_size=30 gives the full stack of a finding. */
const char *__asan_default_options(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void);

const char *__asan_default_options(void)
{
	return "malloc_context_size=3:quarantine_size_mb=16";
}

/* libconfig's reader leaks what it has read of an invalid text. */
const char *__lsan_default_suppressions(void)
{
	return "leak:strbuf_append\nleak:libconfig_yylex\n";
}

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}

void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s:%d: does not hold: %s: ", file, line, condition);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}

/* Octets of the character at text, 0 where there is none: Unicode 15, table 3-7. */
static size_t character(const unsigned char *text, size_t left)
{
	size_t length = text[0] < 0x80                       ? 1
	                : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
	                : (text[0] & 0xf0) == 0xe0           ? 3
	                : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
	                                                     : 0;

	if (length == 0 || length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return length;
}

void fuzz_expect_text(const char *text, size_t length, const char *allowed, const char *what)
{
	const unsigned char *octets = (const unsigned char *)text;

	for (size_t i = 0, step; i < length; i += step) {
		step = character(octets + i, length - i);
		FUZZ_EXPECT(step > 0, "%s: no UTF-8 at octet %zu: 0x%02x", what, i, octets[i]);
		FUZZ_EXPECT((octets[i] >= 0x20 && octets[i] != 0x7f) || (octets[i] && strchr(allowed, octets[i])),
		            "%s: a control character at octet %zu: 0x%02x", what, i, octets[i]);
	}
}

void fuzz_expect_complaint(int status, const struct error *error)
{
	if (getenv("FPGAUGE_FUZZ_VERBOSE"))
		fprintf(stderr, "refused: %s\n", error->text);
	FUZZ_EXPECT(status < 0 && error->code == status, "status %d, code %d", status, error->code);
	FUZZ_EXPECT(error->text[0] != '\0', "a complaint without words, code %d", status);
	FUZZ_EXPECT(status != ERROR_INTERNAL, "%s", error->text);
	fuzz_expect_text(error->text, strlen(error->text), "", "a complaint");
}

size_t fuzz_split(const uint8_t *data, size_t size, struct fuzz_piece *pieces, size_t most)
{
	static const char MARK[] = "%%\n";
	size_t count = 1;

	pieces[0] = (struct fuzz_piece){data, size};
	while (count < most) {
		struct fuzz_piece *last = &pieces[count - 1];
		const uint8_t *at = last->size ? memmem(last->octets, last->size, MARK, strlen(MARK)) : NULL;

		if (!at)
			break;
		pieces[count].octets = at + strlen(MARK);
		pieces[count].size = last->size - (size_t)(at - last->octets) - strlen(MARK);
		last->size = (size_t)(at - last->octets);
		count++;
	}
	for (size_t i = count; i < most; i++)
		pieces[i] = (struct fuzz_piece){data, 0};
	return count;
}

char *fuzz_text(const struct fuzz_piece *piece)
{
	char *text = malloc(piece->size + 1);

	FUZZ_EXPECT(text, "out of memory");
	if (piece->size)
		memcpy(text, piece->octets, piece->size);
	text[piece->size] = '\0';
	return text;
}

char *fuzz_replace(const struct fuzz_piece *piece, const struct fuzz_name *names, size_t count, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	FUZZ_EXPECT(out, "out of memory");
	for (size_t i = 0, step; i < piece->size; i += step) {
		step = 0;
		for (size_t j = 0; j < count && !step; j++) {
			size_t length = strlen(names[j].name);

			if (length <= piece->size - i && !memcmp(piece->octets + i, names[j].name, length)) {
				fputs(names[j].value, out);
				step = length;
			}
		}
		if (!step) {
			fputc(piece->octets[i], out);
			step = 1;
		}
	}
	fclose(out);
	return text;
}

const char *fuzz_file(unsigned number, const void *octets, size_t size)
{
	static char names[FUZZ_FILES][32];
	int file = FIRST_FILE + (int)number;

	FUZZ_EXPECT(number < FUZZ_FILES, "file %u", number);
	if (!names[number][0]) {
		int made = memfd_create("fpgauge-fuzz", MFD_CLOEXEC);

		FUZZ_EXPECT(made >= 0 && dup3(made, file, O_CLOEXEC) == file, "no file in memory");
		close(made);
		snprintf(names[number], sizeof(names[number]), "/proc/self/fd/%d", file);
	}
	FUZZ_EXPECT(ftruncate(file, 0) == 0 && pwrite(file, octets, size, 0) == (ssize_t)size, "%zu octets", size);
	return names[number];
}

static char folder[64];

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_folder(void)
{
	nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_path(const char *name)
{
	static char paths[FUZZ_PATHS][sizeof(folder) + 300];
	static unsigned next;
	char *path = paths[next++ % FUZZ_PATHS];
	const char *above = getenv("TMPDIR");

	if (!folder[0]) {
		snprintf(folder, sizeof(folder), "%.40s/fpgauge-fuzz-XXXXXX", above ? above : "/dev/shm");
		FUZZ_EXPECT(mkdtemp(folder), "%s", folder);
		atexit(remove_folder);
	}
	snprintf(path, sizeof(paths[0]), "%s/%.280s", folder, name);
	return path;
}

char *fuzz_read(const char *path, size_t *size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *text;

	FUZZ_EXPECT(file >= 0 && fstat(file, &status) == 0, "%s", path);
	*size = (size_t)status.st_size;
	text = malloc(*size + 1);
	FUZZ_EXPECT(text && read(file, text, *size) == (ssize_t)*size, "%s", path);
	text[*size] = '\0';
	close(file);
	return text;
}

void fuzz_silence(void)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* Standard input too: an input may name it. */
	FUZZ_EXPECT(nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0, "/dev/null");
	close(nowhere);
}
