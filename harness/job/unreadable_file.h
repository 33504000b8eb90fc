#ifndef MEMPLAN_HARNESS_JOB_UNREADABLE_FILE_H
#define MEMPLAN_HARNESS_JOB_UNREADABLE_FILE_H

#include "datasets/instance.h"

/* A file in the list of files to plan that is no instance. Its jobs fail with the reason why it
   could not be read, so that the other files are planned nevertheless. */
struct unreadable_file {
    struct instance instance; /* has only name, path and digest; the digest is that of the path */
    struct error error;       /* why it could not be read */
};

/* The caller frees it. */
enum status unreadable_file_create(const char *path, const struct error *why,
                                   struct unreadable_file **created, struct error *error);
void unreadable_file_free(struct unreadable_file *file); /* NULL is fine */

#endif
