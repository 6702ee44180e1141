// SPDX-License-Identifier: Apache-2.0
// Data only, compiled with the options of the Verilated code: code of this file might itself need what it asks for.
#include "sim/rtl/processor.h"

#ifdef __AVX__
#define NEEDS_AVX true
#else
#define NEEDS_AVX false
#endif
#ifdef __AVX2__
#define NEEDS_AVX2 true
#else
#define NEEDS_AVX2 false
#endif
#ifdef __BMI2__
#define NEEDS_BMI2 true
#else
#define NEEDS_BMI2 false
#endif
#ifdef __AVX512F__
#define NEEDS_AVX512 true
#else
#define NEEDS_AVX512 false
#endif

const ProcessorNeeds PROCESSOR_NEEDS = {NEEDS_AVX, NEEDS_AVX2, NEEDS_BMI2, NEEDS_AVX512};
