// SPDX-License-Identifier: Apache-2.0
// Part of every testbench in a coverage build: writes Verilator's counters at the end of the program. They are inside
// the models, of which a testbench creates and deletes several; so their memory is not freed (-fsized-deallocation
// tells which it is).
#include "Vdut__Syms.h"
#include "verilated.h"
#include "verilated_cov.h"
#include <cstdlib>
#include <new>

// Verilator aligns it to a cache line. The C++ library's aligned new gets its memory from aligned_alloc().
static_assert(alignof(Vdut__Syms) > __STDCPP_DEFAULT_NEW_ALIGNMENT__, "it is deleted by the aligned form");
void operator delete(void *memory, std::size_t size, std::align_val_t) noexcept {
  if (size != sizeof(Vdut__Syms))
    std::free(memory);
}

namespace {

void write_counters() { Verilated::threadContextp()->coveragep()->write(TB_COVERAGE); }

// The context is created first, so that it outlives this.
const int registered = (Verilated::threadContextp()->coveragep(), std::atexit(write_counters));

} // namespace
