/* SPDX-License-Identifier: Apache-2.0 */
/* Upgrades files of older schemas to the current one, version by version. */
#ifndef FPGAUGE_STORE_MIGRATE_H
#define FPGAUGE_STORE_MIGRATE_H

#include "host/store/database.h"

/* Continues with a copy of the database in memory, which is discarded with the store: the file stays as it is. */
int migrate_to_memory(struct store *store, struct error *error);

/* Brings the open database from `version` to STORE_SCHEMA_VERSION, after checking it against the layout and the
 * checksums of its version. Begins a transaction that stays open, even on failure: store_end() ends it. */
int migrate(struct store *store, int64_t version, struct error *error);

#endif
