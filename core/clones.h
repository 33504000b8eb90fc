#ifndef MEMPLAN_CORE_CLONES_H
#define MEMPLAN_CORE_CLONES_H

/* The compiler makes two variants of a function, one of them for processors with wider vectors, and
   the program chooses one when it starts. Only what is inlined into the function is compiled for
   the wider vectors, too. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

#endif
