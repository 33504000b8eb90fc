# The pages of docs/ that the report shows, as HTML.
find_program(CMARK cmark-gfm REQUIRED)
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/reproduced/*.md)
list(APPEND pages ${CMAKE_SOURCE_DIR}/docs/exact.md)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${folder})
set(made "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME_WE)
  add_custom_command(
    OUTPUT ${folder}/${name}.html
    COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/page.sh ${CMARK} ${page} ${folder}/${name}.html
    DEPENDS ${page} ${CMAKE_SOURCE_DIR}/cmake/page.sh
    VERBATIM)
  list(APPEND made ${name}.html)
endforeach()
memplan_embed(${target} source_pages ${made})
