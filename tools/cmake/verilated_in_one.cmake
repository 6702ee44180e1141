# SPDX-License-Identifier: Apache-2.0
# cmake -D FOLDER=... -D PREFIX=... -D FROM=... -P verilated_in_one.cmake, after Verilator, run in FROM, has written PREFIX*.cpp to
# FOLDER: writes PREFIX__ALL.cpp, which includes them, and PREFIX__ALL.d, the Verilog that it depends on, for the build tool.
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
# Verilator's own list has its many files on the left, and names on the right as they were given to it.
file(READ ${FOLDER}/${PREFIX}__ver.d sources)
string(REGEX REPLACE "^[^:]*:" "" sources "${sources}")
separate_arguments(sources UNIX_COMMAND "${sources}")
set(depends)
foreach(source IN LISTS sources)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${FROM} NORMALIZE)
  string(APPEND depends " ${source}")
endforeach()
file(WRITE ${all}.d "${all}.cpp:${depends}\n")
file(WRITE ${all}.cpp "${text}")
