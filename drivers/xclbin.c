// SPDX-License-Identifier: Apache-2.0
/* Manifest by libconfig, digest by nettle, and the container format of an xclbin ("axlf", xclbin.h of XRT). */
#include "drivers/xclbin.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libconfig.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xclbin.h>

#include "hw/regs/fpgauge_regs.h"

static const char MAGIC[8] = "xclbin2";

/* A file in memory. */
struct image {
	const char *path;
	const uint8_t *octets;
	size_t size;
};

/* -- the file ---------------------------------------------------------------------------------------------------- */

static int map_file(const char *path, struct image *image, struct error *error)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	int status = 0;

	*image = (struct image){.path = path};
	if (file < 0)
		return error_set(error, ERROR_DEVICE, "%.512s: %s", path, strerror(errno));
	if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
		status = error_set(error, ERROR_DEVICE, "%.512s: is not a file", path);
	else if (info.st_size < (off_t)sizeof(struct axlf))
		status = error_set(error, ERROR_DEVICE,
		                   "%.512s: is not an xclbin, or cut off: it has %lld octets, the header alone %zu",
		                   path, (long long)info.st_size, sizeof(struct axlf));
	if (status == 0) {
		void *octets = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);

		image->size = (size_t)info.st_size;
		if (octets == MAP_FAILED)
			status = error_set(error, ERROR_DEVICE, "%.512s: %s", path, strerror(errno));
		else
			image->octets = octets;
	}
	close(file);
	return status;
}

static int check_container(const struct image *image, struct axlf *head, struct error *error)
{
	memcpy(head, image->octets, sizeof(*head));
	if (memcmp(head->m_magic, MAGIC, sizeof(MAGIC)) != 0)
		return error_set(error, ERROR_DEVICE, "%.512s: is not an xclbin: it does not begin with \"xclbin2\"",
		                 image->path);
	if (head->m_header.m_length != image->size)
		return error_set(error, ERROR_DEVICE, "%.512s: is %s: it has %zu octets, its header says %" PRIu64,
		                 image->path, image->size < head->m_header.m_length ? "cut off" : "damaged",
		                 image->size, (uint64_t)head->m_header.m_length);
	return 0;
}

/* Finds the section of a kind; false if there is none, or if it does not lie within the file. */
static bool find_section(const struct image *image, const struct axlf *head, enum axlf_section_kind kind,
                         struct axlf_section_header *section)
{
	size_t at = offsetof(struct axlf, m_sections);

	for (uint32_t i = 0; i < head->m_header.m_numSections && i < XCLBIN_MAX_NUM_SECTION; i++) {
		if (at + sizeof(*section) > image->size)
			return false;
		memcpy(section, image->octets + at, sizeof(*section));
		at += sizeof(*section);
		if (section->m_sectionKind == (uint32_t)kind)
			return section->m_sectionOffset <= image->size &&
			       section->m_sectionSize <= image->size - section->m_sectionOffset;
	}
	return false;
}

/* "fpgauge:{fpgauge_0}" is "fpgauge:fpgauge_0" in the layout. */
static void layout_name(const char *ip, char *name, size_t size)
{
	size_t used = 0;

	for (; *ip != '\0' && used + 1 < size; ip++)
		if (*ip != '{' && *ip != '}')
			name[used++] = *ip;
	name[used] = '\0';
}

static int check_ip(const struct image *image, const struct axlf *head, const char *ip, struct error *error)
{
	struct axlf_section_header section;
	char wanted[XCLBIN_IP], found[256] = "";
	size_t used = 0, room;
	const uint8_t *layout;
	int32_t count;

	layout_name(ip, wanted, sizeof(wanted));
	if (!find_section(image, head, IP_LAYOUT, &section) ||
	    section.m_sectionSize < offsetof(struct ip_layout, m_ip_data))
		return error_set(error, ERROR_DEVICE, "%.512s: has no list of its IPs (IP_LAYOUT)", image->path);
	layout = image->octets + section.m_sectionOffset;
	room = (section.m_sectionSize - offsetof(struct ip_layout, m_ip_data)) / sizeof(struct ip_data);
	memcpy(&count, layout + offsetof(struct ip_layout, m_count), sizeof(count));
	for (int32_t i = 0; i < count && (size_t)i < room; i++) {
		struct ip_data entry;
		int more;

		memcpy(&entry, layout + offsetof(struct ip_layout, m_ip_data) + (size_t)i * sizeof(entry),
		       sizeof(entry));
		entry.m_name[sizeof(entry.m_name) - 1] = '\0';
		if (strcmp((const char *)entry.m_name, wanted) == 0)
			return 0;
		more = snprintf(found + used, sizeof(found) - used, "%s%s", used ? ", " : "",
		                (const char *)entry.m_name);
		used = more > 0 && used + (size_t)more < sizeof(found) ? used + (size_t)more : used;
	}
	return error_set(error, ERROR_DEVICE, "%.512s: is a different design: it has no IP %s, but %s", image->path,
	                 wanted, used ? found : "none at all");
}

static int check_digest(const struct image *image, const char *wanted, struct error *error)
{
	struct sha256_ctx context;
	uint8_t digest[SHA256_DIGEST_SIZE];
	char text[SHA256_HEX + 1];

	if (*wanted == '\0')
		return 0;
	sha256_init(&context);
	sha256_update(&context, image->size, image->octets);
	sha256_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	if (strcmp(text, wanted) == 0)
		return 0;
	return error_set(error, ERROR_DEVICE,
	                 "%.512s: is not the file of the manifest: its sha256 is %s, the manifest says %s", image->path,
	                 text, wanted);
}

/* XRT will tell this of what is loaded. */
static int take_uuid(const struct axlf *head, struct xclbin *xclbin, struct error *error)
{
	const char *wanted = xclbin->bitstream.uuid;
	uint8_t octets[BITSTREAM_UUID_OCTETS];

	memcpy(octets, &head->m_header.uuid, sizeof(octets));
	bitstream_uuid_text(octets, xclbin->uuid);
	if (*wanted == '\0' || strcmp(xclbin->uuid, wanted) == 0)
		return 0;
	return error_set(error, ERROR_DEVICE,
	                 "%.512s: is not the file of the manifest: its UUID is %s, the manifest says %s", xclbin->path,
	                 xclbin->uuid, wanted);
}

int xclbin_check(struct xclbin *xclbin, struct error *error)
{
	struct image image;
	struct axlf head;
	int status = map_file(xclbin->path, &image, error);

	if (status == 0)
		status = check_container(&image, &head, error);
	if (status == 0)
		status = check_digest(&image, xclbin->sha256, error);
	if (status == 0)
		status = check_ip(&image, &head, xclbin->ip, error);
	if (status == 0)
		status = take_uuid(&head, xclbin, error);
	if (image.octets != NULL)
		munmap((void *)(uintptr_t)image.octets, image.size);
	return status;
}

/* -- the manifest ------------------------------------------------------------------------------------------------- */

/* A required text; NULL with *error set if it is missing. */
static const char *text_of(const config_t *config, const char *path, const char *key, struct error *error)
{
	const char *text = NULL;

	if (config_lookup_string(config, key, &text) == CONFIG_TRUE && *text != '\0')
		return text;
	error_set(error, ERROR_DEVICE, "%.512s: %s must be given, as text", path, key);
	return NULL;
}

static int check_map(const config_t *config, const char *path, struct error *error)
{
	const char *text = text_of(config, path, "map_hash", error);
	unsigned long hash;
	int version;
	char *end;

	if (text == NULL)
		return ERROR_DEVICE;
	hash = strtoul(text, &end, 16);
	if (*end != '\0')
		return error_set(error, ERROR_DEVICE,
		                 "%.512s: map_hash = \"%.64s\": must be text such as \"0x%08" PRIx32 "\"", path, text,
		                 FPGAUGE_MAP_HASH);
	if (config_lookup_int(config, "map_version", &version) != CONFIG_TRUE)
		return error_set(error, ERROR_DEVICE, "%.512s: map_version must be given, as a whole number", path);
	if ((uint32_t)version == FPGAUGE_MAP_VERSION && hash == FPGAUGE_MAP_HASH)
		return 0;
	return error_set(error, ERROR_DEVICE,
	                 "%.512s: its register map is version %d, hash 0x%08lx; this program needs version %" PRIu32
	                 ", hash 0x%08" PRIx32,
	                 path, version, hash, FPGAUGE_MAP_VERSION, FPGAUGE_MAP_HASH);
}

static int read_digest(const config_t *config, const char *path, struct xclbin *xclbin, struct error *error)
{
	const char *text;

	if (config_lookup_string(config, "sha256", &text) != CONFIG_TRUE || *text == '\0')
		return 0; /* a file that nobody has built yet has no digest */
	if (strlen(text) != SHA256_HEX || strspn(text, "0123456789abcdefABCDEF") != SHA256_HEX)
		return error_set(error, ERROR_DEVICE, "%.512s: sha256 = \"%.80s\": must be 64 hexadecimal digits", path,
		                 text);
	for (size_t i = 0; i < SHA256_HEX; i++)
		xclbin->sha256[i] = (char)tolower((unsigned char)text[i]);
	return 0;
}

static int read_file(const config_t *config, const char *path, struct xclbin *xclbin, struct error *error)
{
	const char *file = text_of(config, path, "file", error), *ip = text_of(config, path, "ip", error);
	const char *slash = strrchr(path, '/');
	int built = 0, folder = slash != NULL && file != NULL && *file != '/' ? (int)(slash - path) + 1 : 0;

	if (file == NULL || ip == NULL)
		return ERROR_DEVICE;
	if (snprintf(xclbin->ip, sizeof(xclbin->ip), "%s", ip) >= (int)sizeof(xclbin->ip) ||
	    snprintf(xclbin->path, sizeof(xclbin->path), "%.*s%s", folder, path, file) >= (int)sizeof(xclbin->path))
		return error_set(error, ERROR_DEVICE, "%.512s: file or ip is too long", path);
	if (config_lookup_bool(config, "built", &built) == CONFIG_TRUE && !built && access(xclbin->path, F_OK) != 0)
		return error_set(error, ERROR_DEVICE,
		                 "%.512s: built = false, and there is no %.300s: this bitstream has to be built first "
		                 "(docs/xrt.md)",
		                 path, xclbin->path);
	return 0;
}

int xclbin_read_manifest(const char *path, struct xclbin *xclbin, struct error *error)
{
	config_t config;
	int status = 0;

	memset(xclbin, 0, sizeof(*xclbin));
	if (access(path, R_OK) != 0)
		return error_set(error, ERROR_DEVICE, "%.512s: %s", path, strerror(errno));
	config_init(&config);
	if (config_read_file(&config, path) != CONFIG_TRUE)
		status = error_set(error, ERROR_DEVICE, "%.512s:%d: %s", path, config_error_line(&config),
		                   config_error_text(&config));
	if (status == 0)
		status = check_map(&config, path, error);
	if (status == 0)
		status = read_file(&config, path, xclbin, error);
	if (status == 0)
		status = read_digest(&config, path, xclbin, error);
	if (status == 0)
		status = bitstream_of_config(&config, path, &xclbin->bitstream, error);
	config_destroy(&config);
	return status;
}
