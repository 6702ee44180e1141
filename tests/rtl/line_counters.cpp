// SPDX-License-Identifier: Apache-2.0
// Part of every testbench of a coverage build: writes Verilator's counters at the end of the program. They are inside of the
// models, and a testbench makes and deletes several; so what holds them is not given back (-fsized-deallocation says what it is).
#include "Vdut__Syms.h"
#include "verilated.h"
#include "verilated_cov.h"
#include <cstdlib>
#include <new>

// Verilator aligns it to a line of the cache. Memory of the C++ library's aligned new is aligned_alloc()'s.
static_assert(alignof(Vdut__Syms) > __STDCPP_DEFAULT_NEW_ALIGNMENT__, "it is deleted by the aligned form");
void operator delete(void *memory, std::size_t size, std::align_val_t) noexcept {
  if (size != sizeof(Vdut__Syms))
    std::free(memory);
}

namespace {

void write_counters() { Verilated::threadContextp()->coveragep()->write(TB_COVERAGE); }

// The context is made first, so that it outlives this.
const int registered = (Verilated::threadContextp()->coveragep(), std::atexit(write_counters));

} // namespace
