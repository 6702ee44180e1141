/* SPDX-License-Identifier: Apache-2.0 */
/* What all testers share. */
#include "host/trial/tester.h"

void tester_close(struct tester *tester)
{
	if (tester)
		tester->ops->close(tester);
}
