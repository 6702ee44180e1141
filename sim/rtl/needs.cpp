// SPDX-License-Identifier: Apache-2.0
// Data only, compiled with the options of the Verilated code: code of this file might itself need what it asks for.
#include "sim/rtl/processor.h"

// A macro that is defined is 1, and else remains its own name.
#define TEXT(macro) #macro
#define NEEDED(macro, name) TEXT(macro)[0] == '1',

const bool PROCESSOR_NEEDS[] = {PROCESSOR_FEATURES(NEEDED)};
