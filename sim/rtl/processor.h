// SPDX-License-Identifier: Apache-2.0
// Whether this machine's processor has what the library was compiled for.
#ifndef FPGAUGE_SIM_RTL_PROCESSOR_H
#define FPGAUGE_SIM_RTL_PROCESSOR_H

// What the Verilated code may use, as the compiler said.
struct ProcessorNeeds {
	bool avx;
	bool avx2;
	bool bmi2;
	bool avx512;
};

extern const ProcessorNeeds PROCESSOR_NEEDS;

// nullptr, or the name of what is missing here.
const char *processor_lacks(const ProcessorNeeds &needs);

#endif
