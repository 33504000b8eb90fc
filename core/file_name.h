#ifndef MEMPLAN_CORE_FILE_NAME_H
#define MEMPLAN_CORE_FILE_NAME_H

#include <stdbool.h>

/* The part after the last dot of the last component, "" without one; borrowed. A name that begins
   with its only dot has no extension. */
const char *file_name_extension(const char *path);

/* True if path ends in extension (with its dot) and is more than that. */
bool file_name_has_extension(const char *path, const char *extension);

/* The last component without its extension; NULL when there is no memory. The caller frees it with
   memory_free. */
char *file_name_stem(const char *path);

#endif
