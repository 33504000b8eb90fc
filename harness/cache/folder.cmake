target_link_libraries(${target} PRIVATE PkgConfig::ZSTD SQLite::SQLite3)
target_compile_definitions(${target} PRIVATE MEMPLAN_VERSION="${PROJECT_VERSION}")
