# Read by ctest: a trap of UBSan ends a test with the functions and lines that led to it. Of an allocation
# ASan remembers the function and who called it, which makes each of thousands of starts cheaper; without
# the function, of size 1, no leak would be found. ASAN_OPTIONS=malloc_context_size=30 shows more. What was
# freed is kept out of use up to 16 MiB, not 256, since pages that were never touched are dear.
set(ENV{ASAN_OPTIONS} "handle_sigill=1:malloc_context_size=3:quarantine_size_mb=16:$ENV{ASAN_OPTIONS}")
