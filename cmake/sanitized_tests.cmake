# Read by ctest: a trap of UBSan ends a test with the functions and lines that led to it. Of an allocation
# ASan remembers the function and who called it, which makes each of thousands of starts cheaper; without
# the function, of size 1, no leak would be found. ASAN_OPTIONS=malloc_context_size=30 shows more.
set(ENV{ASAN_OPTIONS} "handle_sigill=1:malloc_context_size=3:$ENV{ASAN_OPTIONS}")
