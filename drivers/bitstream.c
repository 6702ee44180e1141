// SPDX-License-Identifier: Apache-2.0
#include "drivers/bitstream.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/program_folder.h"

#define PATH_VARIABLE "FPGAUGE_BITSTREAM_PATH"

static const char HEX[] = "0123456789abcdefABCDEF";
static const char UUID_FORM[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

/* -- a manifest --------------------------------------------------------------------------------------------------- */

/* False: the key is there and is no text. */
static bool text_of(const config_t *config, const char *key, const char **text)
{
	*text = "";
	return config_lookup(config, key) == NULL || config_lookup_string(config, key, text) == CONFIG_TRUE;
}

static bool is_uuid(const char *text)
{
	const char *form = UUID_FORM;

	while (*form != '\0' && *text != '\0' && (*form == 'x' ? strchr(HEX, *text) != NULL : *text == *form)) {
		form++;
		text++;
	}
	return *form == '\0' && *text == '\0';
}

static int read_uuid(const config_t *config, const char *path, char uuid[BITSTREAM_UUID], struct error *error)
{
	const char *text;

	if (!text_of(config, "uuid", &text) || (*text != '\0' && !is_uuid(text)))
		return error_set(error, ERROR_DEVICE,
		                 "%.512s: uuid = \"%.80s\": must be text such as "
		                 "\"12345678-9abc-def0-1234-56789abcdef0\", or \"\"",
		                 path, text);
	for (size_t i = 0; i < BITSTREAM_UUID - 1 && text[i] != '\0'; i++)
		uuid[i] = (char)tolower((unsigned char)text[i]);
	return 0;
}

/* It goes to terminals and into run files. */
static int read_short_text(const config_t *config, const char *path, const char *key, char to[BITSTREAM_SHORT_TEXT],
                           struct error *error)
{
	const char *text;
	bool plain = text_of(config, key, &text) && strlen(text) < BITSTREAM_SHORT_TEXT;

	for (const char *c = text; plain && *c != '\0'; c++)
		plain = (*c & 0x80) == 0 && (isalnum((unsigned char)*c) || strchr(".+~_-", *c) != NULL);
	if (!plain)
		return error_set(error, ERROR_DEVICE,
		                 "%.512s: %s: must be text of up to %d letters, digits and . + ~ _ -", path, key,
		                 BITSTREAM_SHORT_TEXT - 1);
	snprintf(to, BITSTREAM_SHORT_TEXT, "%s", text);
	return 0;
}

int bitstream_of_config(const config_t *config, const char *path, struct bitstream *bitstream, struct error *error)
{
	int status;

	*bitstream = (struct bitstream){0};
	snprintf(bitstream->manifest, sizeof(bitstream->manifest), "%s", path);
	status = read_uuid(config, path, bitstream->uuid, error);
	if (status == 0)
		status = read_short_text(config, path, "version", bitstream->version, error);
	if (status == 0)
		status = read_short_text(config, path, "git", bitstream->git, error);
	return status;
}

static int read_manifest(const char *path, struct bitstream *bitstream, struct error *error)
{
	config_t config;
	FILE *file = fopen(path, "re");
	int status = 0;

	if (file == NULL)
		return error_set(error, ERROR_DEVICE, "%.512s: %s", path, strerror(errno));
	config_init(&config);
	if (config_read(&config, file) != CONFIG_TRUE)
		status = error_set(error, ERROR_DEVICE, "%.512s:%d: %s", path, config_error_line(&config),
		                   config_error_text(&config));
	if (status == 0)
		status = bitstream_of_config(&config, path, bitstream, error);
	config_destroy(&config);
	fclose(file);
	return status;
}

/* -- the manifests that are known -----------------------------------------------------------------------------------
 */

static bool find_in(const char *folder, int length, const char *uuid, struct bitstream *found, struct error *error)
{
	char pattern[PATH_MAX];
	glob_t manifests;
	bool is_found = false;

	if (length <= 0 ||
	    snprintf(pattern, sizeof(pattern), "%.*s/*/manifest.cfg", length, folder) >= (int)sizeof(pattern) ||
	    glob(pattern, 0, NULL, &manifests) != 0)
		return false;
	for (size_t i = 0; i < manifests.gl_pathc && !is_found; i++) {
		struct bitstream bitstream;
		struct error complaint = {0};

		if (read_manifest(manifests.gl_pathv[i], &bitstream, &complaint) != 0) {
			if (error->code == ERROR_NONE)
				*error = complaint;
		} else {
			is_found = strcmp(bitstream.uuid, uuid) == 0;
			if (is_found)
				*found = bitstream;
		}
	}
	globfree(&manifests);
	return is_found;
}

static bool find_in_list(const char *folders, const char *uuid, struct bitstream *found, struct error *error)
{
	while (folders != NULL && *folders != '\0') {
		const int length = (int)strcspn(folders, ":");

		if (find_in(folders, length, uuid, found, error))
			return true;
		folders += length + (folders[length] == ':');
	}
	return false;
}

static bool find_near_program(const char *uuid, struct bitstream *found, struct error *error)
{
	static const char *const places[] = {"/bitstreams", "/../bitstreams", ("/" FPGAUGE_BITSTREAMS_FROM_BIN)};
	char program[PATH_MAX], folder[PATH_MAX + sizeof(FPGAUGE_BITSTREAMS_FROM_BIN) + 16];

	if (!program_folder(program, sizeof(program)))
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (find_in(folder, snprintf(folder, sizeof(folder), "%s%s", program, places[i]), uuid, found, error))
			return true;
	return false;
}

bool bitstream_find(const char *uuid, struct bitstream *found, struct error *error)
{
	char wanted[BITSTREAM_UUID] = "";

	for (size_t i = 0; i + 1 < sizeof(wanted) && uuid[i] != '\0'; i++)
		wanted[i] = (char)tolower((unsigned char)uuid[i]);
	return is_uuid(uuid) &&
	       (find_in_list(getenv(PATH_VARIABLE), wanted, found, error) || find_near_program(wanted, found, error));
}

/* -- texts ----------------------------------------------------------------------------------------------------------
 */

/* "u55c" of "/srv/bitstreams/u55c/manifest.cfg"; a file in no folder is its own name. */
static void name_of(const char *manifest, char name[BITSTREAM_SHORT_TEXT])
{
	const char *end = strrchr(manifest, '/'), *begin = end != NULL ? end : manifest;

	while (begin > manifest && begin[-1] != '/')
		begin--;
	snprintf(name, BITSTREAM_SHORT_TEXT, "%.*s", (int)(end != NULL ? (size_t)(end - begin) : strlen(begin)), begin);
	for (char *c = name; *c != '\0'; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
}

void bitstream_text(const struct bitstream *bitstream, char text[BITSTREAM_TEXT])
{
	char name[BITSTREAM_SHORT_TEXT];

	name_of(bitstream->manifest, name);
	snprintf(text, BITSTREAM_TEXT, "%s (fpgauge %s, git %s), UUID %s", name,
	         bitstream->version[0] ? bitstream->version : "of unknown version",
	         bitstream->git[0] ? bitstream->git : "unknown", bitstream->uuid);
}

bool bitstream_describe(const char *uuid, char text[BITSTREAM_TEXT], struct bitstream *found, struct error *error)
{
	const bool is_known = bitstream_find(uuid, found, error);

	if (is_known)
		bitstream_text(found, text);
	else
		snprintf(text, BITSTREAM_TEXT, "unknown bitstream, UUID %.*s", BITSTREAM_UUID - 1, uuid);
	return is_known;
}

void bitstream_uuid_text(const uint8_t octets[BITSTREAM_UUID_OCTETS], char text[BITSTREAM_UUID])
{
	const uint8_t *octet = octets;

	for (size_t i = 0; i + 1 < BITSTREAM_UUID; i += 2)
		if (UUID_FORM[i] == '-')
			text[i--] = '-';
		else
			snprintf(text + i, 3, "%02x", *octet++);
	text[BITSTREAM_UUID - 1] = '\0';
}
