#ifndef MEMPLAN_CORE_BINARY_SEARCH_H
#define MEMPLAN_CORE_BINARY_SEARCH_H

/* The first index in [from, to) for which `holds` is true, else `to` (or `from` where that is
   greater). `holds` is an expression of the index, which it calls `at`: false up to some index and
   true from there on. The index has the type of `to`. O(log(to - from)) evaluations of `holds`.

   The first chunk that begins at an address or above it, of chunks that ascend:
       uint32_t first = BINARY_SEARCH(at, 0, chunks, chunk[at].begin >= address); */
#define BINARY_SEARCH(at, from, to, holds)                                                         \
    __extension__({                                                                                \
        __typeof__((to) + 0) binary_search_low = (from), binary_search_high = (to);                \
        while (binary_search_low < binary_search_high) {                                           \
            __typeof__((to) + 0) at =                                                              \
                binary_search_low + (binary_search_high - binary_search_low) / 2;                  \
            if (holds)                                                                             \
                binary_search_high = at;                                                           \
            else                                                                                   \
                binary_search_low = at + 1;                                                        \
        }                                                                                          \
        binary_search_low;                                                                         \
    })

#endif
