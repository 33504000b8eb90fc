#ifndef MEMPLAN_CORE_EMBEDDED_H
#define MEMPLAN_CORE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

/* A file that was compiled into the program, see cmake/MemplanEmbed.cmake. */
struct embedded_file {
    const char *name;  /* relative to its folder */
    const char *bytes; /* [length], and a zero after them */
    size_t length;
};

/* The file among file[count] whose name is folder (with its slash), stem and extension (with its
   dot) put together; NULL if there is none. */
static inline const struct embedded_file *embedded_find(const struct embedded_file *file,
                                                        unsigned count, const char *folder,
                                                        const char *stem, const char *extension)
{
    size_t folder_bytes = strlen(folder), stem_bytes = strlen(stem);
    for (unsigned i = 0; i < count; i++) {
        const char *name = file[i].name;
        if (strncmp(name, folder, folder_bytes) == 0 &&
            strncmp(name + folder_bytes, stem, stem_bytes) == 0 &&
            strcmp(name + folder_bytes + stem_bytes, extension) == 0)
            return &file[i];
    }
    return NULL;
}

#endif
