# Packages: `cpack` in the build folder makes a Debian package and an archive that works from any folder. What they hold is
# what `cmake --install` installs; tools/package/stage.cmake does what only one of them needs.
set(CPACK_GENERATOR DEB TXZ)
set(CPACK_PACKAGE_NAME warpglass)
set(WG_PACKAGE_CONTACT "Warpglass developers <warpglass@localhost>" CACHE STRING "the maintainer that packages name")
set(CPACK_PACKAGE_CONTACT "${WG_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "run, check and profile CUDA programs on a machine with no GPU")
set(CPACK_PACKAGE_DESCRIPTION "Warpglass is a software implementation of the machine that CUDA describes.
It compiles CUDA programs with clang and runs their kernels on the CPU's
cores; finds data races, bad addresses and uninitialised reads in them; and
counts what each source line does to memory, as the hardware's profiler
does. It needs no GPU and no NVIDIA software.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME warpglass-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_THREADS 0)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/stage.cmake)
set(CPACK_WG_SOURCE ${CMAKE_SOURCE_DIR})
set(CPACK_WG_MULTIARCH ${CMAKE_C_LIBRARY_ARCHITECTURE})

# tools/packages.txt says what Warpglass needs where it runs, and what some programs need.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/packages.txt)
foreach(group run more)
  file(STRINGS ${CMAKE_SOURCE_DIR}/tools/packages.txt lines REGEX "^[a-z0-9.+-]+ +${group} ")
  list(TRANSFORM lines REPLACE " .*" "")
  list(JOIN lines ", " ${group})
endforeach()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${run}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${more}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${WG_LIB_DIR})
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
