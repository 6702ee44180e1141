// SPDX-License-Identifier: Apache-2.0
// Checks whether this machine's processor has the features that the library was compiled for.
#ifndef FPGAUGE_SIM_RTL_PROCESSOR_H
#define FPGAUGE_SIM_RTL_PROCESSOR_H

// Features that compilers use with -march=native and that can be queried at run time: FEATURE(the macro that is defined
// if the feature may be used, the compiler's name for it). Features of baseline x86-64 need not be queried.
#define PROCESSOR_FEATURES(FEATURE)                                                                                    \
	FEATURE(__SSE3__, "sse3")                                                                                      \
	FEATURE(__SSSE3__, "ssse3")                                                                                    \
	FEATURE(__SSE4_1__, "sse4.1")                                                                                  \
	FEATURE(__SSE4_2__, "sse4.2")                                                                                  \
	FEATURE(__POPCNT__, "popcnt")                                                                                  \
	FEATURE(__AVX__, "avx")                                                                                        \
	FEATURE(__AVX2__, "avx2")                                                                                      \
	FEATURE(__BMI__, "bmi")                                                                                        \
	FEATURE(__BMI2__, "bmi2")                                                                                      \
	FEATURE(__FMA__, "fma")                                                                                        \
	FEATURE(__AVX512F__, "avx512f")                                                                                \
	FEATURE(__AVX512VL__, "avx512vl")                                                                              \
	FEATURE(__AVX512BW__, "avx512bw")                                                                              \
	FEATURE(__AVX512DQ__, "avx512dq")                                                                              \
	FEATURE(__AVX512CD__, "avx512cd")                                                                              \
	FEATURE(__AVX512IFMA__, "avx512ifma")                                                                          \
	FEATURE(__AVX512VBMI__, "avx512vbmi")                                                                          \
	FEATURE(__AVX512VBMI2__, "avx512vbmi2")                                                                        \
	FEATURE(__AVX512VNNI__, "avx512vnni")                                                                          \
	FEATURE(__AVX512BITALG__, "avx512bitalg")                                                                      \
	FEATURE(__AVX512VPOPCNTDQ__, "avx512vpopcntdq")                                                                \
	FEATURE(__GFNI__, "gfni")                                                                                      \
	FEATURE(__VPCLMULQDQ__, "vpclmulqdq")

// Every feature in order, and whether the Verilated code may use it.
extern const bool PROCESSOR_NEEDS[];

// nullptr, or the name of the feature that is missing here.
const char *processor_lacks(const bool *needs);

#endif
