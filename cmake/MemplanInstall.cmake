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

# Pages for man, which the program writes from its own tables, and completion scripts, which ask the
# program.
set(man ${CMAKE_BINARY_DIR}/man)
add_custom_command(OUTPUT ${man}/memplan.1
  COMMAND memplan manual -o ${man}
  DEPENDS memplan
  VERBATIM)
add_custom_target(memplan_man ALL DEPENDS ${man}/memplan.1)
install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
set(shells ${CMAKE_SOURCE_DIR}/cli/names/shells)
install(FILES ${shells}/memplan.bash RENAME memplan
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# zsh reads the first folder below /usr/local, Debian's zsh the second below /usr.
foreach(folder site-functions vendor-completions)
  install(FILES ${shells}/memplan.zsh RENAME _memplan
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder})
endforeach()
install(FILES ${shells}/memplan.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE TYPE DOC)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/copyright TYPE DOC)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples TYPE DOC
        PATTERN docs/standings/page EXCLUDE) # a link to
install(DIRECTORY ${CMAKE_SOURCE_DIR}/plots/report/page DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/standings)

# The package. Its libraries are looked up by dpkg-shlibdeps, where that is installed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "memplan developers <memplan@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, libglpk40")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS coinor-libcbc3)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
