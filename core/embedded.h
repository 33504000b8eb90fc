#ifndef MEMPLAN_CORE_EMBEDDED_H
#define MEMPLAN_CORE_EMBEDDED_H

#include <stddef.h>

/* A file that was compiled into the program, see cmake/MemplanEmbed.cmake. */
struct embedded_file {
    const char *name;  /* relative to its folder */
    const char *bytes; /* [length], and a zero after them */
    size_t length;
};

#endif
