#ifndef MEMPLAN_CORE_FILE_REPLACE_H
#define MEMPLAN_CORE_FILE_REPLACE_H

#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

/* Writing a file as a whole: it is written beside its place and renamed at the end, so that the
   path holds all of it or what it held before. What is no plain file (a pipe, a terminal) cannot be
   replaced and is written straight. Creates no folders. */
struct file_replace {
    FILE *file;       /* for those who need its descriptor */
    const char *path; /* borrowed */
    char *beside;     /* what is renamed to path; NULL where that is written straight */
};

/* Errors are of the path: STATUS_BAD_INPUT where it cannot be written. Close it in any case. */
enum status file_replace_open(struct file_replace *replace, const char *path, struct error *error);

enum status file_replace_write(struct file_replace *replace, const void *bytes, size_t length,
                               struct error *error);

/* Takes the place of path when status is STATUS_OK, else what was written is removed. Returns
   status or what went wrong. */
enum status file_replace_close(struct file_replace *replace, enum status status,
                               struct error *error);

#endif
