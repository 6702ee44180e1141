# SPDX-License-Identifier: Apache-2.0
# Run by `cmake --install` before anything is copied: creates the folders of FPGAUGE_FOLDERS that do not exist yet, so that
# everybody may enter them. CMake alone would use the umask of whoever installs, and that of root may let nobody in. Existing
# folders stay as they are.
foreach(folder IN LISTS FPGAUGE_FOLDERS)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  cmake_path(SET folder NORMALIZE "$ENV{DESTDIR}${folder}")
  set(missing)
  while(NOT EXISTS "${folder}" AND folder MATCHES "./.")
    list(PREPEND missing "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  foreach(folder IN LISTS missing)
    file(MAKE_DIRECTORY "${folder}")
    file(CHMOD "${folder}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endforeach()
