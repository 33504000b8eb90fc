# Read by ctest: a trap of UBSan ends a test with the functions and lines that led to it.
set(ENV{ASAN_OPTIONS} "handle_sigill=1:$ENV{ASAN_OPTIONS}")
