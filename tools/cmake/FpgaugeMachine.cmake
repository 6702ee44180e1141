# SPDX-License-Identifier: Apache-2.0
# Refuses machines for which fpgauge cannot be built: 128-bit integers of C need 64 bits, and registers of cards and of simulations are
# read as little-endian numbers.
if(NOT "${CMAKE_SIZEOF_VOID_P}" EQUAL 8 OR NOT "${CMAKE_C_BYTE_ORDER}" STREQUAL "LITTLE_ENDIAN")
  math(EXPR bits "${CMAKE_SIZEOF_VOID_P} * 8")
  message(FATAL_ERROR "fpgauge needs a 64-bit little-endian machine, such as x86-64 or arm64; "
    "the compiler makes programs for one of ${bits} bits, ${CMAKE_C_BYTE_ORDER}")
endif()
