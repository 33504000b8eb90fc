#ifndef MEMPLAN_HARNESS_JOB_UNREADABLE_FILE_H
#define MEMPLAN_HARNESS_JOB_UNREADABLE_FILE_H

#include "datasets/instance.h"

/* A file among those to plan that is no instance. Its jobs fail, with why it could not be read, so
   that the others need not wait for it. */
struct unreadable_file {
    struct instance instance; /* name, path and digest alone; the digest is that of the path */
    struct error error;       /* why */
};

/* The caller frees it. */
enum status unreadable_file_create(const char *path, const struct error *why,
                                   struct unreadable_file **created, struct error *error);
void unreadable_file_free(struct unreadable_file *file); /* NULL is fine */

#endif
