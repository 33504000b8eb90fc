target_link_libraries(${target} PUBLIC SQLite::SQLite3)
