/* For realpath. */
#define _XOPEN_SOURCE 700

#include "core/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"

enum status folder_create(const char *path, struct error *error)
{
    char part[4096];
    if (strlen(path) >= sizeof part)
        return error_set(error, STATUS_USAGE, "folder name is longer than %zu bytes", sizeof part);
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return error_set_at(error, STATUS_BAD_INPUT, part, 0, "cannot create folder: %s",
                                strerror(errno));
    }
    return STATUS_OK;
}

enum status folder_find_absolute(const char *path, char **absolute, struct error *error)
{
    char *found = realpath(path, NULL);
    if (!found)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    *absolute = memory_copy_text(found);
    free(found);
    return *absolute ? STATUS_OK : error_no_memory(error);
}
