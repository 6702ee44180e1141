/* SPDX-License-Identifier: Apache-2.0 */
/* Files of older schemas become files of today's, version by version. */
#ifndef FPGAUGE_STORE_MIGRATE_H
#define FPGAUGE_STORE_MIGRATE_H

#include "host/store/database.h"

/* Goes on with a copy of the database in memory, which is given up with the store: the file stays as it is. */
int migrate_to_memory(struct store *store, struct error *error);

/* Brings the open database from `version` to STORE_SCHEMA_VERSION, after a look at the layout and the checksums that
 * its version had. Begins a transaction, which stays open, also on failure: store_end() ends it. */
int migrate(struct store *store, int64_t version, struct error *error);

#endif
