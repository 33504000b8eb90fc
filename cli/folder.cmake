add_executable(memplan ${folder}/main.c)
target_link_libraries(memplan PRIVATE ${target})
target_compile_definitions(memplan PRIVATE MEMPLAN_VERSION="${PROJECT_VERSION}")
install(TARGETS memplan)
