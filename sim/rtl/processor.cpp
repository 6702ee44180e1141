// SPDX-License-Identifier: Apache-2.0
// Checks whether this machine's processor has the features that the library was compiled for.
#include "sim/rtl/processor.h"

const char *processor_lacks(const bool *needs)
{
#if defined(__x86_64__)
#define ASK(macro, name)                                                                                               \
	if (*needs++ && !__builtin_cpu_supports(name))                                                                 \
		return name;
	PROCESSOR_FEATURES(ASK)
#undef ASK
#else
	static_cast<void>(needs);
#endif
	return nullptr;
}
