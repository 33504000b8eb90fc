if(MEMPLAN_WITH_ONNX)
  target_link_libraries(${target} PUBLIC memplan_onnx_proto)
endif()
