#ifndef MEMPLAN_CORE_EMBEDDED_H
#define MEMPLAN_CORE_EMBEDDED_H

#include <stddef.h>

/* A file that was compiled into the program, see cmake/MemplanEmbed.cmake. */
struct embedded_file {
    const char *name;  /* relative to its folder */
    const char *bytes; /* [length], and a zero after them */
    size_t length;
};

/* The one of file[count] whose name is folder (with its slash), stem and extension (with its dot)
   put together; NULL if there is none. */
const struct embedded_file *embedded_find(const struct embedded_file *file, unsigned count,
                                          const char *folder, const char *stem,
                                          const char *extension);

#endif
