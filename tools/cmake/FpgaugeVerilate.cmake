# SPDX-License-Identifier: Apache-2.0
# fpgauge_verilate(TARGET ...): verilate() for programs that are run once, by a test. Takes the arguments of verilate().
#   - Verilator's own runtime is compiled once for all of them, instead of once per target.
#   - Code that runs only at construction (OPT_SLOW) is not optimised.
find_program(VERILATOR verilator REQUIRED)
find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
find_package(Threads REQUIRED)

set(fpgauge_verilator_runtime_sources ${VERILATOR_ROOT}/include/verilated.cpp ${VERILATOR_ROOT}/include/verilated_threads.cpp)
if(NOT TARGET fpgauge_verilator_runtime)
  add_library(fpgauge_verilator_runtime STATIC EXCLUDE_FROM_ALL ${fpgauge_verilator_runtime_sources})
  target_include_directories(fpgauge_verilator_runtime PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  # As verilate() defines them for a target without traces.
  target_compile_definitions(fpgauge_verilator_runtime PRIVATE VM_COVERAGE=$<STREQUAL:${FPGAUGE_COVERAGE},RTL> VM_SC=0 VM_TRACE=0 VM_TRACE_VCD=0 VM_TRACE_FST=0)
  target_link_libraries(fpgauge_verilator_runtime PUBLIC Threads::Threads)
endif()

function(fpgauge_verilate target)
  verilate(${target} OPT_SLOW -O0 ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${fpgauge_verilator_runtime_sources})
  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
  target_link_libraries(${target} PRIVATE fpgauge_verilator_runtime)
endfunction()
