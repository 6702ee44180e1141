# SPDX-License-Identifier: Apache-2.0
# Run by CPack once the files of each package are in a folder of their own: adds the copyright and the changelog, compresses the
# manual pages, and takes away the licence, which Debian has already. SOURCE_DATE_EPOCH dates the changelog.
cmake_host_system_information(RESULT release QUERY DISTRIB_VERSION_CODENAME)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  set(doc ${root}/usr/share/doc/${package})
  set(folders ${root} ${root}/usr ${root}/usr/share ${root}/usr/share/doc ${doc})
  file(MAKE_DIRECTORY ${doc})
  file(CHMOD ${folders} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  file(REMOVE ${doc}/LICENSE)
  file(COPY ${CPACK_FPGAUGE_PACKAGE_D}/copyright DESTINATION ${doc}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${doc}/changelog "${package} (${CPACK_PACKAGE_VERSION}) ${release}; urgency=medium

  * Made of the source of this version; its CHANGELOG.md says what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  # Examples have the permissions of the source, which its owner's group may write.
  execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE compressed ${root}/usr/share/man/*.[1-8])
  list(APPEND compressed ${doc}/changelog)
  execute_process(COMMAND gzip -9 --no-name ${compressed} COMMAND_ERROR_IS_FATAL ANY)
  list(TRANSFORM compressed APPEND .gz)
  file(CHMOD ${compressed} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
