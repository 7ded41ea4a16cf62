# SPDX-License-Identifier: Apache-2.0
#
# A Debian package of what `cmake --install` puts under /usr: `cpack --config
# build/release/CPackConfig.cmake -B FOLDER` makes lockstack_VERSION_ARCH.deb. It depends on the
# packages that packages.txt lists, since `check` builds devices where it runs; blocks whose objects
# are built already come with it. Packages of this release alone: the package is for the one that it
# was built on.
set(release "")
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release id REGEX "^ID=")
  file(STRINGS /etc/os-release version REGEX "^VERSION_ID=")
  string(REGEX REPLACE "ID=|VERSION_|\"" "" release "${id}-${version}")
endif()
file(STRINGS "${CMAKE_SOURCE_DIR}/packages.txt" lines REGEX "^[a-z0-9][^:]*$")
set(needed)
foreach(line IN LISTS lines)
  if(line MATCHES "^[^ ]+$" OR " ${line} " MATCHES " ${release} ")
    string(REGEX MATCH "^[^ ]+" name "${line}")
    list(APPEND needed ${name})
  endif()
endforeach()
list(JOIN needed ", " needed)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/packages.txt")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstack)
set(CPACK_PACKAGE_CONTACT "The authors of Lockstack <lockstack@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${needed}")
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)           # xz takes a minute for the objects
set(CPACK_STRIP_FILES ON)
include(CPack)
