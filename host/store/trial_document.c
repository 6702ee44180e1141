/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of a trial. */
#include "host/store/trial_document.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "host/store/document.h"

static const char PORT[] = "port"; /* the list of ports; "ports" is how many there are */

/* With 17 digits, every double reads back as it was. Takes over the reference. */
static char *text_of(json_t *document)
{
	char *text = document ? json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) : NULL;

	json_decref(document);
	return text;
}

char *trial_request_text(const struct trial_request *request)
{
	return text_of(document_of(&REQUEST_FIELDS, request));
}

char *trial_result_text(const struct trial_result *result)
{
	json_t *document = document_of(&RESULT_FIELDS, result), *ports = json_array();
	int failed = json_object_set_new(document, PORT, ports);

	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS && !failed; i++)
		failed = json_array_append_new(ports, document_of(&PORT_FIELDS, &result->port[i]));
	if (!failed)
		return text_of(document);
	json_decref(document);
	return NULL;
}

uint32_t trial_checksum(const char *request, const char *result)
{
	uLong checksum = crc32(0, (const unsigned char *)request, (uInt)strlen(request));

	return (uint32_t)crc32(checksum, (const unsigned char *)result, (uInt)strlen(result));
}

static json_t *parse(const char *text, char *why, size_t size)
{
	json_error_t where;
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &where);

	if (!document)
		snprintf(why, size, " is not JSON: %s", where.text);
	return document;
}

int trial_request_read(const char *text, struct trial_request *request, char *why, size_t size)
{
	json_t *document = parse(text, why, size);
	int status = document ? document_read(&REQUEST_FIELDS, request, document, NULL, "", why, size) : -1;

	json_decref(document);
	return status;
}

static int read_ports(const json_t *ports, struct trial_result *result, char *why, size_t size)
{
	size_t count = json_array_size(ports);
	int status = 0;

	if (!json_is_array(ports) || count != result->ports || count > TRIAL_MAX_PORTS) {
		snprintf(why, size, "/%s is not a list of %u ports, of which there can be %d", PORT, result->ports,
		         TRIAL_MAX_PORTS);
		return -1;
	}
	for (size_t i = 0; i < count && status == 0; i++) {
		char place[32];

		snprintf(place, sizeof(place), "/%s/%zu", PORT, i);
		status =
		        document_read(&PORT_FIELDS, &result->port[i], json_array_get(ports, i), NULL, place, why, size);
	}
	return status;
}

int trial_result_read(const char *text, struct trial_result *result, char *why, size_t size)
{
	json_t *document = parse(text, why, size);
	int status = document ? document_read(&RESULT_FIELDS, result, document, PORT, "", why, size) : -1;

	if (status == 0)
		status = read_ports(json_object_get(document, PORT), result, why, size);
	json_decref(document);
	return status;
}

/* Checks nothing: whoever reads the new text does. All traffic was plain before. */
char *trial_request_from_4(const char *text, char *why, size_t size)
{
	static const char *const NEW[] = {"pattern", "frame", "vlan", "sizes", "seed"};
	const struct trial_request plain = {.shape = traffic_shape_plain(0)};
	json_t *document = parse(text, why, size), *new = document_of(&REQUEST_FIELDS, &plain);
	char *made;

	for (size_t key = 0; document && key < sizeof(NEW) / sizeof(NEW[0]); key++) {
		if (!json_object_get(document, NEW[key]))
			json_object_set(document, NEW[key], json_object_get(new, NEW[key]));
	}
	json_decref(new);
	if (!document)
		return NULL;
	made = text_of(document);
	if (!made)
		snprintf(why, size, " cannot be written: out of memory");
	return made;
}

/* Checks nothing: whoever reads the new text does. */
char *trial_result_from_3(const char *text, char *why, size_t size)
{
	static const char *const NEW[] = {"bad_payload_frames", "latency_octaves"};
	json_t *document = parse(text, why, size), *port;
	char *made;
	size_t i;

	if (!document)
		return NULL;
	json_array_foreach(json_object_get(document, PORT), i, port)
	{
		for (size_t key = 0; key < sizeof(NEW) / sizeof(NEW[0]); key++) {
			if (!json_object_get(port, NEW[key]))
				json_object_set_new(port, NEW[key], json_null());
		}
	}
	made = text_of(document);
	if (!made)
		snprintf(why, size, " cannot be written: out of memory");
	return made;
}
