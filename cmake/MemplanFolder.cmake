# memplan_folder(NAME SOURCES ... USES other folders ... LINKS outside libraries ...)
#
# One library per folder. A source sees its own folder's headers and those of the folders named under
# USES, and no others: each folder is offered through a directory of its own that holds one link to
# it. A wrong include therefore does not compile. USES is passed on, as the headers use each other.
function(memplan_folder name)
  cmake_parse_arguments(FOLDER "" "" "SOURCES;USES;LINKS" ${ARGN})
  set(view ${CMAKE_BINARY_DIR}/views/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${name} ${view}/${name} SYMBOLIC)
  add_library(memplan_${name} STATIC ${FOLDER_SOURCES})
  target_include_directories(memplan_${name} PUBLIC ${view})
  foreach(used ${FOLDER_USES})
    target_link_libraries(memplan_${name} PUBLIC memplan_${used})
  endforeach()
  target_link_libraries(memplan_${name} PRIVATE ${FOLDER_LINKS})
endfunction()
