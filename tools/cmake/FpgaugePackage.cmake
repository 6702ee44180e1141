# SPDX-License-Identifier: Apache-2.0
# Debian packages by CPack, one per component of the installation; tools/package makes them. Included last, because CPack
# copies what the install() rules before it say.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION "${FPGAUGE_DEBIAN_VERSION}")
set(CPACK_PACKAGE_VENDOR "fpgauge")
set(FPGAUGE_PACKAGE_CONTACT "authors of fpgauge <fpgauge@fpgauge.invalid>" CACHE STRING "Maintainer of the packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${FPGAUGE_PACKAGE_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL fpgauge)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

# Depends is what dpkg-shlibdeps finds, and what is named here.
set(CPACK_DEBIAN_FPGAUGE_PACKAGE_NAME fpgauge)
set(CPACK_DEBIAN_FPGAUGE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FPGAUGE_PACKAGE_DEPENDS python3) # fpgauge-plot-search
set(CPACK_DEBIAN_FPGAUGE_PACKAGE_RECOMMENDS gnuplot-nox) # HTML reports
set(CPACK_DEBIAN_FPGAUGE_PACKAGE_SUGGESTS "fpgauge-xrt, verilator, make, g++, zlib1g-dev") # the last four: sim-build
set(CPACK_COMPONENT_FPGAUGE_DESCRIPTION "RFC benchmarks of network devices, in simulation and with FPGA cards
Measures throughput, latency, buffers, frame loss and more by RFC 2544, 2889,
8239, 9004 and 9971: on simulated 100 Gb/s ports, on a device under test in
Verilog, through external generators, and with FPGA cards.
.
Contains the program, the simulated testers, examples and the manual.")

if(FPGAUGE_XRT)
  list(APPEND CPACK_COMPONENTS_ALL xrt)
  set(CPACK_DEBIAN_XRT_PACKAGE_NAME fpgauge-xrt)
  set(CPACK_DEBIAN_XRT_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_XRT_PACKAGE_DEPENDS "fpgauge (= ${FPGAUGE_DEBIAN_VERSION})")
  set(CPACK_COMPONENT_XRT_DESCRIPTION "cards through the Xilinx Runtime, for fpgauge
The process by which fpgauge reaches Alveo cards through XRT. Everything else
that fpgauge does works without it.")
endif()

list(APPEND CPACK_COMPONENTS_ALL python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fpgauge)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), fpgauge (>= ${FPGAUGE_DEBIAN_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-pytest)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/tools/package.d/postinst ${CMAKE_SOURCE_DIR}/tools/package.d/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "runs of fpgauge from Python, with a fixture for pytest
Starts fpgauge, and gives its results as typed objects and its errors as
exceptions. Needs no package of Python's beside its standard library.")

# Files that Debian wants of a package and an installation from source has otherwise.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/tools/cmake/debian_files.cmake)
set(CPACK_FPGAUGE_PACKAGE_D ${CMAKE_SOURCE_DIR}/tools/package.d)
include(CPack)
