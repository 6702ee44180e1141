# SPDX-License-Identifier: Apache-2.0
# Run by `cmake --install` before anything is copied: makes the folders of FPGAUGE_FOLDERS that are not there yet, for
# everybody to enter. CMake alone would leave that to the umask of whoever installs; a root's may let nobody in. Folders that
# are there stay as they are.
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
