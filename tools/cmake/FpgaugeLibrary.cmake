# SPDX-License-Identifier: Apache-2.0
# One library per folder: fpgauge_library(NAME name SOURCES a.c ... DEPENDS other-targets ...).
# Every C target of the project gets the same warnings and the same include root (the top of the source tree).

add_library(fpgauge_flags INTERFACE)
target_include_directories(fpgauge_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(fpgauge_flags INTERFACE _GNU_SOURCE FPGAUGE_VERSION="${FPGAUGE_VERSION}")
target_compile_options(fpgauge_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes>
  $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${FPGAUGE_WERROR}>>:-Werror>)
if(FPGAUGE_SANITIZE)
  target_compile_options(fpgauge_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(fpgauge_flags INTERFACE -fsanitize=address,undefined)
endif()
if(FPGAUGE_SANITIZE_THREADS)
  target_compile_options(fpgauge_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=thread -fno-omit-frame-pointer -g1>)
  target_link_options(fpgauge_flags INTERFACE -fsanitize=thread)
endif()
# The instrumentation for libFuzzer, and every sanitizer that finds more than noise. Line numbers only, to keep the programs
# small.
if(FPGAUGE_FUZZ)
  target_compile_options(fpgauge_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow
    -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only>)
  target_link_options(fpgauge_flags INTERFACE -fsanitize=address,undefined)
endif()
if(FPGAUGE_COVERAGE STREQUAL "C")
  # Hardly optimised, so that lines stay lines. The tests' own loops are not counted: they would run for ten times as long.
  target_compile_options(fpgauge_flags INTERFACE --coverage -fprofile-abs-path -fprofile-exclude-files=${CMAKE_SOURCE_DIR}/tests/.* -O1)
  target_link_options(fpgauge_flags INTERFACE --coverage)
endif()

# The C code of a folder, and of those in it, has frames of at most 16 KB: with them 128 KB of stack are enough
# (tests/system/test_small_stack.py). Frames are larger with sanitizers, and without optimisation.
function(fpgauge_small_frames)
  if(NOT (FPGAUGE_SANITIZE OR FPGAUGE_SANITIZE_THREADS OR FPGAUGE_FUZZ))
    add_compile_options("$<$<AND:$<COMPILE_LANG_AND_ID:C,GNU>,$<NOT:$<CONFIG:Debug>>>:-Wstack-usage=16384>")
  endif()
endfunction()

function(fpgauge_library)
  cmake_parse_arguments(LIB "" "NAME" "SOURCES;DEPENDS" ${ARGN})
  add_library(${LIB_NAME} STATIC ${LIB_SOURCES})
  target_link_libraries(${LIB_NAME} PUBLIC fpgauge_flags ${LIB_DEPENDS})
endfunction()
