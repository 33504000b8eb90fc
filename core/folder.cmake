target_link_libraries(${target} PUBLIC m PRIVATE OpenSSL::Crypto ZLIB::ZLIB Threads::Threads)
