#ifndef MEMPLAN_HARNESS_CACHE_FOLDER_H
#define MEMPLAN_HARNESS_CACHE_FOLDER_H

#include "harness/cache/key.h"

/* The folder of the plan cache, which is its table: a file is found by its name, which says when it
   was added and what it is of,

       SEQUENCE-ENVIRONMENT-STRUCTURE-WEIGHTS.mpa          16, 64, 64 and 64 hexadecimal digits

   and with ".damaged" behind it where it was set aside. Several processes may use it: files appear
   and go as a whole, and who changes the folder holds the lock of its file "lock", which ends with
   the process that holds it. */

struct cache_folder {
    const char *path;    /* borrowed; exists */
    uint64_t most_bytes; /* limit for all files together */
};

struct cache_entry {
    uint64_t sequence; /* rises with every file that is added */
    uint64_t bytes;
    struct cache_digests digests;
    bool damaged; /* the file was set aside */
    char file[256];
};

struct cache_entries {
    struct cache_entry *entry; /* [count] oldest first */
    uint32_t count;
    size_t capacity;
};

/* Creates the folder and those above it. */
enum status cache_folder_create(const char *path, struct error *error);

/* Lists the files in the folder, oldest first. O(files log files). */
enum status cache_folder_list(const struct cache_folder *folder, struct cache_entries *entries,
                              struct error *error);
void cache_entries_free(struct cache_entries *entries);

/* The path of a file of the folder; the caller frees the text, also after an error. */
enum status cache_folder_path(const struct cache_folder *folder, const char *file,
                              struct text *path, struct error *error);

/* Adds a file. Before that it removes what killed writers have left, and the oldest files until
   there is room. Does nothing where a file of these digests exists already or the bytes are more
   than most_bytes; *added says whether the file was added. STATUS_LIMIT where another process does
   not release the lock within 5 s. */
enum status cache_folder_add(const struct cache_folder *folder, const struct cache_digests *digests,
                             const struct text *bytes, bool *added, struct error *error);

/* Renames a file so that it is not found any more. */
enum status cache_folder_set_aside(const struct cache_folder *folder, const char *file,
                                   struct error *error);

/* Removes all files of the cache except the lock, and says how many of them were plans or set
   aside. */
enum status cache_folder_clear(const struct cache_folder *folder, uint32_t *removed,
                               struct error *error);

#endif
