# What the ONNX reader stands on:
#
#   memplan_onnx_proto   ONNX's messages in C, made by protobuf-c from the onnx.proto of libonnx-dev
#   memplan_onnx_shapes  libonnx's shape inference behind datasets/onnx/shapes/shapes.h, the one C++ file: a
#                        module that the program loads from its own folder, from the one above (of
#                        the tests) or from where it is installed
#
# Neither is compiled with our warnings: one is generated, the other's headers have some.
enable_language(CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
find_program(PROTOC_C protoc-c REQUIRED)
find_path(ONNX_PROTO_FOLDER onnx/onnx.proto REQUIRED)

set(onnx_generated ${CMAKE_BINARY_DIR}/onnx)
file(MAKE_DIRECTORY ${onnx_generated})
add_custom_command(
  OUTPUT ${onnx_generated}/onnx.pb-c.c ${onnx_generated}/onnx.pb-c.h
  COMMAND ${PROTOC_C} --proto_path=${ONNX_PROTO_FOLDER}/onnx --c_out=${onnx_generated}
          ${ONNX_PROTO_FOLDER}/onnx/onnx.proto
  DEPENDS ${ONNX_PROTO_FOLDER}/onnx/onnx.proto
  VERBATIM)
add_library(memplan_onnx_proto STATIC ${onnx_generated}/onnx.pb-c.c ${onnx_generated}/onnx.pb-c.h)
target_include_directories(memplan_onnx_proto SYSTEM PUBLIC ${onnx_generated})
target_link_libraries(memplan_onnx_proto PUBLIC PkgConfig::PROTOBUF_C)
target_compile_options(memplan_onnx_proto PRIVATE -w)

add_library(memplan_onnx_shapes MODULE ${CMAKE_SOURCE_DIR}/datasets/onnx/shapes/shapes.cc)
set_target_properties(memplan_onnx_shapes PROPERTIES
  PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(memplan_onnx_shapes PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(memplan_onnx_shapes PRIVATE onnx)
target_compile_options(memplan_onnx_shapes PRIVATE -w)
install(TARGETS memplan_onnx_shapes DESTINATION ${CMAKE_INSTALL_LIBDIR}/memplan)

# Where the program looks for the module: beside itself, above itself and where it is installed. That
# is no RPATH, in which every library of every start would be looked for, too.
set(MEMPLAN_ONNX_DEFINITIONS
  MEMPLAN_ONNX_MODULE="$<TARGET_FILE_NAME:memplan_onnx_shapes>"
  MEMPLAN_ONNX_INSTALLED="../${CMAKE_INSTALL_LIBDIR}/memplan/")
