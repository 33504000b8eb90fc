target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(${target} PRIVATE MEMPLAN_VERSION="${PROJECT_VERSION}")

# libmemplan.so, of the objects that the program has, too. Two files are compiled again for it, and
# stand in for those in the archives, since a linker takes objects first: one that counts no
# allocations, and one without GLPK.
add_library(memplan_library SHARED $<TARGET_OBJECTS:${target}> ${CMAKE_SOURCE_DIR}/core/memory.c)
target_compile_definitions(memplan_library PRIVATE MEMPLAN_COUNTS_NO_MEMORY)
if(MEMPLAN_WITH_GLPK AND NOT MEMPLAN_LIBRARY_WITH_GLPK)
  target_sources(memplan_library PRIVATE ${CMAKE_SOURCE_DIR}/solvers/mip/backends/glpk.c)
endif()
target_link_libraries(memplan_library PRIVATE ${target})
target_include_directories(memplan_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(memplan_library PRIVATE
  -Wl,--as-needed -Wl,--version-script=${folder}/memplan.map)
set_target_properties(memplan_library PROPERTIES
  OUTPUT_NAME memplan EXPORT_NAME memplan
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
  LINK_DEPENDS ${folder}/memplan.map
  INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH OFF)
