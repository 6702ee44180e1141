/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that ask the run to end. */
#include "host/console/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* Atomic, as the handler may run on any thread: those of a simulation library do not block these signals. */
static _Atomic int asked;

static void on_signal(int number)
{
	(void)number;
	asked = 1;
}

void interrupt_ask(void)
{
	asked = 1;
}

const _Atomic int *interrupt_watch(void)
{
	static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(SIGNALS) / sizeof(SIGNALS[0]); i++) {
		struct sigaction before;

		/* nohup ignores SIGHUP, which is to stay so. */
		if (sigaction(SIGNALS[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(SIGNALS[i], &action, NULL);
	}
	return &asked;
}
