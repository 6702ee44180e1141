// SPDX-License-Identifier: Apache-2.0
// Only data, compiled with the options of the Verilated code: code in this file might itself need the features that it
// lists.
#include "sim/rtl/processor.h"

// A macro that is defined expands to 1; otherwise its own name remains.
#define TEXT(macro) #macro
#define NEEDED(macro, name) TEXT(macro)[0] == '1',

const bool PROCESSOR_NEEDS[] = {PROCESSOR_FEATURES(NEEDED)};
