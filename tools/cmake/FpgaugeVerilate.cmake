# SPDX-License-Identifier: Apache-2.0
# fpgauge_verilate(TARGET TOP_MODULE m PREFIX p SOURCES m.v... [VERILATOR_ARGS ...] [DEPENDS generated.v...]): Verilated code
# of what only tests run, where compiling it costs more than running it. Three things make that cheap:
#   - All of a model is one C++ file, PREFIX__ALL.cpp: Verilator writes a dozen, and each would read the same headers, which
#     takes longer than the few functions in it.
#   - Verilator runs during the build, on all processors and only where a source has changed; verilate() runs it in CMake,
#     one model after the other, and once more whenever a list of files changes.
#   - Verilator's own runtime is compiled once for all of them.
# The simulation libraries (sim/rtl) are made for speed, and by verilate().
find_program(VERILATOR verilator REQUIRED)
find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
find_package(Threads REQUIRED)
set(fpgauge_verilated_in_one ${CMAKE_CURRENT_LIST_DIR}/verilated_in_one.cmake)

if(NOT TARGET fpgauge_verilator_runtime)
  set(sources verilated.cpp verilated_threads.cpp)
  if(FPGAUGE_COVERAGE STREQUAL "RTL")
    list(APPEND sources verilated_cov.cpp)
  endif()
  list(TRANSFORM sources PREPEND ${VERILATOR_ROOT}/include/)
  add_library(fpgauge_verilator_runtime STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(fpgauge_verilator_runtime SYSTEM PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_compile_definitions(fpgauge_verilator_runtime PUBLIC
    VM_COVERAGE=$<STREQUAL:${FPGAUGE_COVERAGE},RTL> VM_SC=0 VM_TRACE=0 VM_TRACE_VCD=0 VM_TRACE_FST=0)
  target_link_libraries(fpgauge_verilator_runtime PUBLIC Threads::Threads)
endif()

function(fpgauge_verilate target)
  cmake_parse_arguments(MODEL "" "TOP_MODULE;PREFIX" "SOURCES;VERILATOR_ARGS;DEPENDS" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${MODEL_PREFIX}.dir)
  set(all ${folder}/${MODEL_PREFIX}__ALL.cpp)
  string(TOLOWER ${CMAKE_CXX_COMPILER_ID} compiler)
  if(NOT compiler STREQUAL "clang")
    set(compiler gcc)
  endif()
  # The folder is emptied, because all files in it become part of the model.
  add_custom_command(OUTPUT ${all}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${VERILATOR_BIN} --cc --compiler ${compiler} --top ${MODEL_TOP_MODULE} --prefix ${MODEL_PREFIX} --Mdir ${folder}
      ${MODEL_VERILATOR_ARGS} ${MODEL_SOURCES}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D PREFIX=${MODEL_PREFIX} -P ${fpgauge_verilated_in_one}
    DEPENDS ${VERILATOR_BIN} ${MODEL_SOURCES} ${MODEL_DEPENDS} ${fpgauge_verilated_in_one}
    DEPFILE ${folder}/${MODEL_PREFIX}__ALL.d
    COMMENT "Verilating ${target}" VERBATIM)
  target_sources(${target} PRIVATE ${all})
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PRIVATE fpgauge_verilator_runtime)
endfunction()
