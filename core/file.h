#ifndef MEMPLAN_CORE_FILE_H
#define MEMPLAN_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

/* The part after the last dot of the last component, "" without one; borrowed. A name that begins
   with its only dot has no extension. */
const char *file_name_extension(const char *path);

/* True if path ends in extension (with its dot) and is more than that. */
bool file_name_has_extension(const char *path, const char *extension);

/* The last component without its extension; NULL when there is no memory. The caller frees it with
   memory_free. */
char *file_name_stem(const char *path);

/* Maps a file into memory, so that only what is looked at is read; nothing stands behind its bytes.
   False where the file is not a plain one, is empty or cannot be opened. The file must not be
   shortened before file_unmap. */
bool file_map(const char *path, const char **bytes, size_t *length);
void file_unmap(const char *bytes, size_t length);
/* Lets go of the memory that holds bytes of a mapped file, until they are looked at again. */
void file_forget(const char *bytes, size_t length);

/* Creates the folder and its parents. A folder that is there already is no error. */
enum status file_create_folder(const char *path, struct error *error);

/* The absolute path, without links, of a folder or file that exists; the caller frees it with
   memory_free. */
enum status file_find_absolute(const char *path, char **absolute, struct error *error);

/* Writing a file as a whole: it is written beside its place and renamed at the end, so that the
   path holds all of it or what it held before. What is no plain file (a pipe, a terminal) cannot be
   replaced and is written straight. Creates no folders. */
struct file_replace {
    FILE *file;       /* open for writing; callers may need its descriptor */
    const char *path; /* borrowed */
    char *beside;     /* the file that is renamed to path; NULL where path is written straight */
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
