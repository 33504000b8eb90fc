#ifndef MEMPLAN_CORE_FILE_REPLACE_H
#define MEMPLAN_CORE_FILE_REPLACE_H

#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

/* Writing a file as a whole: it is written beside its place and renamed at the end, so that the
   path holds all of it or what it held before. What is no plain file (a pipe, a terminal) cannot be
   replaced and is written straight. Creates no folders. */
struct file_replace {
    FILE *file;       /* open for writing; callers may need its descriptor */
    const char *path; /* borrowed */
    char
        *beside; /* name of the file that is renamed to path; NULL where path is written straight */
};

/* STATUS_BAD_INPUT with the path where it cannot be written. The caller calls file_replace_close in
   any case. */
enum status file_replace_open(struct file_replace *replace, const char *path, struct error *error);

/* Appends the bytes. STATUS_BAD_INPUT with the path where they cannot be written. */
enum status file_replace_write(struct file_replace *replace, const void *bytes, size_t length,
                               struct error *error);

/* Where status is STATUS_OK, puts what was written in the place of path, else removes it. Returns
   status, or what went wrong here. */
enum status file_replace_close(struct file_replace *replace, enum status status,
                               struct error *error);

#endif
