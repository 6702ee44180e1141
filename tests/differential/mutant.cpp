// SPDX-License-Identifier: Apache-2.0
// Says which mutant of the RTL is alive: FPGAUGE_MUTANT in the environment, when a device is made; 0 is none.
#include <cstdlib>

int fpgauge_mutant_number; // a copy for models in C++, which would call fpgauge_mutant() in every clock

// Verilog calls this when a model is made.
extern "C" int fpgauge_mutant(void)
{
	const char *number = getenv("FPGAUGE_MUTANT");

	fpgauge_mutant_number = number != nullptr ? atoi(number) : 0;
	return fpgauge_mutant_number;
}
