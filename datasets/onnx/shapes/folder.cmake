if(MEMPLAN_WITH_ONNX)
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(${target} memplan_onnx_shapes)
  target_compile_definitions(${target} PRIVATE
                             MEMPLAN_ONNX_MODULE="$<TARGET_FILE_NAME:memplan_onnx_shapes>")
endif()
