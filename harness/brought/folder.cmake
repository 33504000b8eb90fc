target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
