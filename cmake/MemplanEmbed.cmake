# memplan_embed(TARGET SYMBOL files...) compiles files into the target as one table:
#
#   extern const struct embedded_file SYMBOL[]; extern const unsigned SYMBOL_count;
#
# with struct embedded_file of core/embedded.h. Names are relative to ${folder}.
function(memplan_embed target symbol)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
  set(depends "")
  foreach(file ${ARGN})
    list(APPEND depends ${folder}/${file})
  endforeach()
  string(REPLACE ";" "," names "${ARGN}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSYMBOL=${symbol} -DNAMES=${names} -DFOLDER=${folder}
            -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${depends} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
