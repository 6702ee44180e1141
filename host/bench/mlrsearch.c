/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/session.h"

int mlrsearch_run(struct session *session, struct error *error)
{
	(void)session;
	return error_set(error, ERROR_INTERNAL, "not yet");
}
