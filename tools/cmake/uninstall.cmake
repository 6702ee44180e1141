# SPDX-License-Identifier: Apache-2.0
# cmake -D MANIFEST=build/install_manifest.txt -P uninstall.cmake: removes what the last `cmake --install` installed,
# and our folders that are empty then. With DESTDIR in the environment, below that.
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "${MANIFEST}: does not exist: nothing was installed from this build directory")
endif()
file(STRINGS "${MANIFEST}" installed)
set(folders)
foreach(file IN LISTS installed)
  file(REMOVE "$ENV{DESTDIR}${file}")
  if(EXISTS "$ENV{DESTDIR}${file}")
    message(FATAL_ERROR "$ENV{DESTDIR}${file}: cannot be removed")
  endif()
  # A folder is ours if it is below one with our name.
  get_filename_component(folder "${file}" DIRECTORY)
  while(folder MATCHES "/fpgauge(-[0-9.]+[.]dist-info)?(/|$)")
    list(APPEND folders "${folder}")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # a folder comes after its contents
foreach(folder IN LISTS folders)
  execute_process(COMMAND rmdir -- "$ENV{DESTDIR}${folder}" ERROR_QUIET) # refuses a folder that is not empty
endforeach()
list(LENGTH installed count)
message(STATUS "${count} files removed")
