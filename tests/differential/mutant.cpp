// SPDX-License-Identifier: Apache-2.0
// Which mutant of the RTL is alive: FPGAUGE_MUTANT in the environment, when a device is made; 0 is none.
#include <cstdlib>

extern "C" int fpgauge_mutant(void)
{
	const char *number = getenv("FPGAUGE_MUTANT");

	return number != nullptr ? atoi(number) : 0;
}
