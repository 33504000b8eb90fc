target_link_libraries(${target} PUBLIC ZLIB::ZLIB)
add_executable(memplan-check ${folder}/main.c)
target_link_libraries(memplan-check PRIVATE ${target})
install(TARGETS memplan-check)
