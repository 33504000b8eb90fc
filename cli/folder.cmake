add_executable(memplan ${folder}/main.c)
target_link_libraries(memplan PRIVATE ${target})
target_link_options(memplan PRIVATE -no-pie) # 10 000 addresses fewer to relocate at each start
target_compile_definitions(memplan PRIVATE MEMPLAN_VERSION="${PROJECT_VERSION}")
install(TARGETS memplan)
