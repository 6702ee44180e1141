// SPDX-License-Identifier: Apache-2.0
// Whether this machine's processor has what the library was compiled for.
#include "sim/rtl/processor.h"

const char *processor_lacks(const ProcessorNeeds &needs)
{
#if defined(__x86_64__)
	if (needs.avx && !__builtin_cpu_supports("avx"))
		return "AVX";
	if (needs.avx2 && !__builtin_cpu_supports("avx2"))
		return "AVX2";
	if (needs.bmi2 && !__builtin_cpu_supports("bmi2"))
		return "BMI2";
	if (needs.avx512 && !__builtin_cpu_supports("avx512f"))
		return "AVX-512";
#else
	static_cast<void>(needs);
#endif
	return nullptr;
}
