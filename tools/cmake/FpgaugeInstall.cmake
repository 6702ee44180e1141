# SPDX-License-Identifier: Apache-2.0
# Where an installation puts files, and its files that are not built; described in docs/install.md. Programs and libraries
# are installed next to their targets' definitions, into the folders named here.
# Components are for packages (FpgaugePackage.cmake); `cmake --install` installs all.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME fpgauge)
set(FPGAUGE_SIM_DESTINATION ${CMAKE_INSTALL_LIBDIR}/fpgauge/sim)
set(FPGAUGE_LIBEXEC_DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/fpgauge)
# The folder is below the prefix, so that --prefix and a user's own installation keep everything there. udev looks in /usr/lib
# and /usr/local/lib; from any other prefix the file has to be copied.
set(FPGAUGE_UDEV_RULES_DIR lib/udev/rules.d CACHE STRING "Folder of the udev rule; relative: below the prefix")

# The program looks for its parts relative to its own folder, so that an installation can be moved as a whole.
file(RELATIVE_PATH FPGAUGE_SIM_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/fpgauge/sim)
file(RELATIVE_PATH FPGAUGE_LIBEXEC_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBEXECDIR}/fpgauge)
file(RELATIVE_PATH FPGAUGE_BITSTREAMS_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/fpgauge/bitstreams)

# Debug information names files relative to the top of the source tree, not by their path on this machine. A Debug build is
# for a debugger on this machine.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-fdebug-prefix-map=${CMAKE_SOURCE_DIR}/=>
  $<$<NOT:$<CONFIG:Debug>>:-fdebug-prefix-map=${CMAKE_BINARY_DIR}=build>)

set(FPGAUGE_FOLDERS ${CMAKE_INSTALL_BINDIR} ${FPGAUGE_SIM_DESTINATION} ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_MANDIR}/man5
  ${CMAKE_INSTALL_DOCDIR}/images
  ${CMAKE_INSTALL_DOCDIR}/examples ${CMAKE_INSTALL_DOCDIR}/examples/ci ${CMAKE_INSTALL_DOCDIR}/examples/dut
  ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(FPGAUGE_PCI)
  list(APPEND FPGAUGE_FOLDERS ${FPGAUGE_UDEV_RULES_DIR} ${CMAKE_INSTALL_SBINDIR} ${CMAKE_INSTALL_MANDIR}/man8)
endif()
install(CODE "set(FPGAUGE_FOLDERS \"${FPGAUGE_FOLDERS}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/make_folders.cmake)
if(FPGAUGE_XRT)
  install(CODE "set(FPGAUGE_FOLDERS \"${FPGAUGE_LIBEXEC_DESTINATION}\")" COMPONENT xrt)
  install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/make_folders.cmake COMPONENT xrt)
endif()

file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md)
file(GLOB images CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/images/*.png)
file(GLOB examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/examples/*.cfg ${CMAKE_SOURCE_DIR}/docs/examples/*.c
  ${CMAKE_SOURCE_DIR}/docs/examples/*.py)
foreach(page fpgauge.1 fpgauge-plot-search.1 fpgauge-vfio-bind.8)
  configure_file(${CMAKE_SOURCE_DIR}/docs/${page} ${CMAKE_BINARY_DIR}/${page} @ONLY) # the version
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/fpgauge.1 ${CMAKE_BINARY_DIR}/fpgauge-plot-search.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages} ${CMAKE_SOURCE_DIR}/docs/results.schema.json ${CMAKE_SOURCE_DIR}/docs/junit.xsd ${CMAKE_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${images} DESTINATION ${CMAKE_INSTALL_DOCDIR}/images)
install(FILES ${examples} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/examples/dut DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN "*.v" PATTERN "*.cfg" PATTERN "*.yml" PATTERN "*.sh" PATTERN "*.so.build" EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/examples/ci DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN "*.cfg" PATTERN "*.py" PATTERN "*.sh" PATTERN "*.yml" PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/host/cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME fpgauge)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/plot-search DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME fpgauge-plot-search)
if(FPGAUGE_PCI)
  install(FILES ${CMAKE_SOURCE_DIR}/drivers/70-fpgauge.rules DESTINATION ${FPGAUGE_UDEV_RULES_DIR})
  install(PROGRAMS ${CMAKE_SOURCE_DIR}/drivers/vfio-bind DESTINATION ${CMAKE_INSTALL_SBINDIR} RENAME fpgauge-vfio-bind)
  install(FILES ${CMAKE_BINARY_DIR}/fpgauge-vfio-bind.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8)
endif()

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -D MANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt -P ${CMAKE_SOURCE_DIR}/tools/cmake/uninstall.cmake
  COMMENT "Removing what install_manifest.txt names" VERBATIM)

# The Python package, where Debian's Python looks if the prefix is /usr; the second folder is what tells pytest of its plugin.
set(FPGAUGE_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Folder of the Python package; relative: below the prefix")
install(CODE "set(FPGAUGE_FOLDERS \"${FPGAUGE_PYTHON_DIR}/fpgauge;${FPGAUGE_PYTHON_DIR}/fpgauge-${FPGAUGE_PYTHON_VERSION}.dist-info\")"
  COMPONENT python)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/make_folders.cmake COMPONENT python)
file(GLOB modules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/python/fpgauge/*.py)
install(FILES ${modules} ${CMAKE_SOURCE_DIR}/tools/python/fpgauge/py.typed DESTINATION ${FPGAUGE_PYTHON_DIR}/fpgauge COMPONENT python)
file(WRITE ${CMAKE_BINARY_DIR}/dist-info/METADATA "Metadata-Version: 2.1\nName: fpgauge\nVersion: ${FPGAUGE_PYTHON_VERSION}\n")
file(WRITE ${CMAKE_BINARY_DIR}/dist-info/entry_points.txt "[pytest11]\nfpgauge = fpgauge.pytest_plugin\n")
install(FILES ${CMAKE_BINARY_DIR}/dist-info/METADATA ${CMAKE_BINARY_DIR}/dist-info/entry_points.txt
  DESTINATION ${FPGAUGE_PYTHON_DIR}/fpgauge-${FPGAUGE_PYTHON_VERSION}.dist-info COMPONENT python)
