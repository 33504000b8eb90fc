#ifndef MEMPLAN_CORE_FOLDER_H
#define MEMPLAN_CORE_FOLDER_H

#include "core/error.h"

/* Creates the folder and its parents. A folder that is there already is no error. */
enum status folder_create(const char *path, struct error *error);

/* The absolute path, without links, of a folder or file that exists; the caller frees it with
   memory_free. */
enum status folder_find_absolute(const char *path, char **absolute, struct error *error);

#endif
