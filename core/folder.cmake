target_link_libraries(${target} PUBLIC m PRIVATE PkgConfig::NETTLE ZLIB::ZLIB Threads::Threads)
