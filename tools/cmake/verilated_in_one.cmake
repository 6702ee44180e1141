# SPDX-License-Identifier: Apache-2.0
# cmake -D FOLDER=... -D PREFIX=... -P verilated_in_one.cmake, after Verilator has written PREFIX*.cpp to FOLDER: writes
# PREFIX__ALL.cpp, which includes them, and PREFIX__ALL.d, the Verilog that it depends on, for the build tool.
set(all ${FOLDER}/${PREFIX}__ALL)
file(GLOB parts RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}*.cpp)
if(NOT parts)
  message(FATAL_ERROR "${FOLDER}: has no ${PREFIX}*.cpp")
endif()
list(SORT parts)
set(text)
foreach(part IN LISTS parts)
  string(APPEND text "#include \"${part}\"\n")
endforeach()
# Verilator's own list has its many files on the left.
file(READ ${FOLDER}/${PREFIX}__ver.d depends)
string(REGEX REPLACE "^[^:]*:" "${all}.cpp:" depends "${depends}")
file(WRITE ${all}.d "${depends}")
file(WRITE ${all}.cpp "${text}")
