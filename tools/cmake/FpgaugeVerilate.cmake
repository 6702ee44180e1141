# SPDX-License-Identifier: Apache-2.0
# fpgauge_verilate(TARGET TOP_MODULE m PREFIX p SOURCES m.v... [VERILATOR_ARGS ...] [DEPENDS generated.v...] [RUNTIME x.cpp...]
#                  [NO_RUNTIME]):
# adds the Verilated code of a module to a target. What CMake's own verilate() does, but
#   - All of a model is one C++ file, PREFIX__ALL.cpp, so that the build knows its files before Verilator has run. Verilator writes
#     a dozen, whose number and names change with the Verilog. verilate() has CMake read the list again whenever it changes, which
#     needs two runs of make, and goes wrong with Ninja if the target waits for another one: Ninja then links that one, with the
#     old list, before it has read the new one.
#   - A dozen small files would each read the same headers, which takes longer than the few functions in them.
#   - Verilator runs during the build, on all processors and only where a source has changed; verilate() runs it in CMake,
#     one model after the other.
#   - Verilator's own runtime is compiled once for all targets; with RUNTIME, these files of it are compiled as part of this one;
#     with NO_RUNTIME the target has it already, from another model.
# Verilator runs in the folder of the CMakeLists.txt. FPGAUGE_VERILATED is set to the one C++ file.
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
  cmake_parse_arguments(MODEL "NO_RUNTIME" "TOP_MODULE;PREFIX" "SOURCES;VERILATOR_ARGS;DEPENDS;RUNTIME" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${MODEL_PREFIX}.dir)
  set(all ${folder}/${MODEL_PREFIX}__ALL.cpp)
  string(TOLOWER ${CMAKE_CXX_COMPILER_ID} compiler)
  if(NOT compiler STREQUAL "clang")
    set(compiler gcc)
  endif()
  set(sources)
  foreach(source IN LISTS MODEL_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    list(APPEND sources ${source})
  endforeach()
  # The folder is emptied, because all files in it become part of the model. The header is named for those who include it: their
  # objects are older than the new one.
  add_custom_command(OUTPUT ${all} BYPRODUCTS ${folder}/${MODEL_PREFIX}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${VERILATOR_BIN} --cc --compiler ${compiler} --top ${MODEL_TOP_MODULE} --prefix ${MODEL_PREFIX} --Mdir ${folder}
      ${MODEL_VERILATOR_ARGS} ${MODEL_SOURCES}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D PREFIX=${MODEL_PREFIX} -D FROM=${CMAKE_CURRENT_SOURCE_DIR} -P ${fpgauge_verilated_in_one}
    DEPENDS ${VERILATOR_BIN} ${sources} ${MODEL_DEPENDS} ${fpgauge_verilated_in_one}
    DEPFILE ${folder}/${MODEL_PREFIX}__ALL.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Verilating ${target}" VERBATIM)
  target_sources(${target} PRIVATE ${all})
  target_include_directories(${target} PRIVATE ${folder})
  if(MODEL_RUNTIME)
    list(TRANSFORM MODEL_RUNTIME PREPEND ${VERILATOR_ROOT}/include/)
    target_sources(${target} PRIVATE ${MODEL_RUNTIME})
    target_include_directories(${target} SYSTEM PRIVATE ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
    target_link_libraries(${target} PRIVATE Threads::Threads)
  elseif(NOT MODEL_NO_RUNTIME)
    target_link_libraries(${target} PRIVATE fpgauge_verilator_runtime)
  endif()
  set(FPGAUGE_VERILATED ${all} PARENT_SCOPE)
endfunction()
