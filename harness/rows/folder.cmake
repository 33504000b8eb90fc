find_package(Git QUIET)
set(commit_view ${CMAKE_BINARY_DIR}/views/commit)
add_custom_target(memplan_commit
  COMMAND ${CMAKE_COMMAND} -D GIT_EXECUTABLE=${GIT_EXECUTABLE} -D SOURCES=${CMAKE_SOURCE_DIR}
          -D HEADER=${commit_view}/memplan_commit.h -P ${CMAKE_SOURCE_DIR}/cmake/MemplanCommit.cmake
  BYPRODUCTS ${commit_view}/memplan_commit.h
  COMMENT "Looking for the commit")
add_dependencies(${target} memplan_commit)
target_include_directories(${target} PRIVATE ${commit_view})
target_compile_definitions(${target}
  PRIVATE MEMPLAN_VERSION="${PROJECT_VERSION}"
          MEMPLAN_COMPILED="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}")
