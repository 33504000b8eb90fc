# What `cmake --install` copies beside the program and its ONNX module, and the .deb of all of it that
# `cmake --build build --target package` makes.

# The library: for pkg-config and for find_package(memplan), wherever the prefix is.
install(TARGETS memplan_library EXPORT memplan)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/memplan TYPE INCLUDE)
file(RELATIVE_PATH MEMPLAN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_SOURCE_DIR}/cmake/memplan.pc.in ${CMAKE_BINARY_DIR}/memplan.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/memplan.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/memplanConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT memplan FILE memplanConfig.cmake NAMESPACE memplan::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/memplan)
install(FILES ${CMAKE_BINARY_DIR}/memplanConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/memplan)

install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE TYPE DOC)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples TYPE DOC)
