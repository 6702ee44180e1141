/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch: the controller (RFC 9971 4.9.2). */
#include "host/search/mlrsearch.h"

#include "host/search/stepper.h"

struct search *mlrsearch_create(const struct search_config *config, struct error *error)
{
	(void)config;
	error_set(error, ERROR_PLAN, "search: MLRsearch is not built yet");
	return NULL;
}
