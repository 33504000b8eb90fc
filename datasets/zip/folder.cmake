target_link_libraries(${target} PRIVATE ZLIB::ZLIB)
