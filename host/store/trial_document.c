/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of a trial. */
#include "host/store/trial_document.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "host/store/document.h"

static const char PORT[] = "port";             /* the list of ports; "ports" is how many there are */
static const char FLOW[] = "flow";             /* the list of flows, of which "flow_count" is how many there were */
static const char CONNECTION[] = "connection"; /* the list of TCP connections, if there were any */

/* Keys besides those of fields. */
static const char *const NONE[] = {NULL}, *const LISTS[] = {PORT, FLOW, CONNECTION, NULL};

/* Every double is written with 17 digits, so that it reads back as it was. Takes over the reference. */
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

/* Adds nothing to the documents of trials without connections, which most are. */
static int add_connections(json_t *document, const struct trial_result *result)
{
	json_t *rows;
	int failed = 0;

	if (result->connections == 0)
		return 0;
	rows = json_array();
	failed = json_object_set_new(document, CONNECTION, rows);
	for (unsigned i = 0; i < result->connections && i < TRIAL_MAX_CONNECTIONS && !failed; i++)
		failed = json_array_append_new(rows, document_row_of(&CONNECTION_FIELDS, &result->connection[i]));
	return failed;
}

char *trial_result_text(const struct trial_result *result)
{
	json_t *document = document_of(&RESULT_FIELDS, result), *ports = json_array(), *flows = json_array();
	int failed = json_object_set_new(document, PORT, ports);

	failed |= json_object_set_new(document, FLOW, flows);
	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS && !failed; i++)
		failed = json_array_append_new(ports, document_of(&PORT_FIELDS, &result->port[i]));
	for (unsigned i = 0; i < result->flows && i < TRIAL_MAX_FLOWS && !failed; i++)
		failed = json_array_append_new(flows, document_row_of(&FLOW_FIELDS, &result->flow[i]));
	if (!failed)
		failed = add_connections(document, result);
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
	int status = document ? document_read(&REQUEST_FIELDS, request, document, NONE, "", why, size) : -1;

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
		        document_read(&PORT_FIELDS, &result->port[i], json_array_get(ports, i), NONE, place, why, size);
	}
	return status;
}

static int read_rows(const struct fields *fields, const char *list, const json_t *rows, void *first, size_t size_of_one,
                     size_t most, unsigned *read, char *why, size_t size)
{
	const size_t count = json_array_size(rows);
	int status = 0;

	if (!json_is_array(rows) || count > most) {
		snprintf(why, size, "/%s is not a list of at most %zu %ss", list, most, list);
		return -1;
	}
	*read = (unsigned)count;
	for (size_t i = 0; i < count && status == 0; i++) {
		char place[32];

		snprintf(place, sizeof(place), "/%s/%zu", list, i);
		status = document_row_read(fields, (char *)first + i * size_of_one, json_array_get(rows, i), place, why,
		                           size);
	}
	return status;
}

static int read_flows(const json_t *flows, struct trial_result *result, char *why, size_t size)
{
	return read_rows(&FLOW_FIELDS, FLOW, flows, result->flow, sizeof(result->flow[0]), TRIAL_MAX_FLOWS,
	                 &result->flows, why, size);
}

static int read_connections(const json_t *connections, struct trial_result *result, char *why, size_t size)
{
	result->connections = 0;
	if (connections == NULL)
		return 0;
	return read_rows(&CONNECTION_FIELDS, CONNECTION, connections, result->connection, sizeof(result->connection[0]),
	                 TRIAL_MAX_CONNECTIONS, &result->connections, why, size);
}

int trial_result_read(const char *text, struct trial_result *result, char *why, size_t size)
{
	json_t *document = parse(text, why, size);
	int status = document ? document_read(&RESULT_FIELDS, result, document, LISTS, "", why, size) : -1;

	if (status == 0)
		status = read_ports(json_object_get(document, PORT), result, why, size);
	if (status == 0)
		status = read_flows(json_object_get(document, FLOW), result, why, size);
	if (status == 0)
		status = read_connections(json_object_get(document, CONNECTION), result, why, size);
	json_decref(document);
	return status;
}
