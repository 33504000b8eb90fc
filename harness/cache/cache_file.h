#ifndef MEMPLAN_HARNESS_CACHE_CACHE_FILE_H
#define MEMPLAN_HARNESS_CACHE_CACHE_FILE_H

#include "core/text.h"
#include "harness/cache/key.h"

/* The file of a cache: archives (archive.h) that are found by their digests, in an SQLite database
   that several processes may use at once. Finding and adding cost O(log entries); the oldest
   entries go first. A file that SQLite finds damaged is renamed to PATH.damaged, which the error
   says; the next process begins a new one. */
struct cache_file;

struct cache_entry {
    uint64_t sequence; /* in which it was added, from 1 */
    uint64_t bytes;    /* of the archive */
    struct cache_digests digests;
    bool set_aside;
    struct text archive;
};

/* Opens the file plans.db in a folder, and makes both where they are missing. Its archives take at
   most `most_bytes` together. The caller closes it. */
enum status cache_file_open(const char *folder, uint64_t most_bytes, struct cache_file **opened,
                            struct error *error);
void cache_file_close(struct cache_file *file); /* NULL is fine */
SCOPED_POINTER(struct cache_file, cache_file_release, cache_file_close);
const char *cache_file_path(const struct cache_file *file);
uint64_t cache_file_most_bytes(const struct cache_file *file);

/* Finds the newest entry with the environment and structure of the digests that is not set aside;
   one that also has the same weights comes first, and *whole says whether it has. Without one
   *found is false. The caller frees the entry's archive, also after an error. */
enum status cache_file_find(struct cache_file *file, const struct cache_digests *digests,
                            struct cache_entry *entry, bool *found, bool *whole,
                            struct error *error);

/* Adds an archive, or replaces the one with these digests, and removes the oldest entries until it
   fits. An archive that is larger than the whole cache may be is not kept. */
enum status cache_file_add(struct cache_file *file, const struct cache_digests *digests,
                           const struct text *archive, struct error *error);

/* An entry that is set aside is not found again; it stays until there is no room for it. */
enum status cache_file_set_aside(struct cache_file *file, uint64_t sequence, struct error *error);

/* Calls `visit` for each entry, oldest first, until it fails. It may not change the file. */
typedef enum status cache_file_visit(const struct cache_entry *entry, void *context,
                                     struct error *error);
enum status cache_file_walk(struct cache_file *file, cache_file_visit *visit, void *context,
                            struct error *error);

/* Removes all entries and says how many there were. */
enum status cache_file_clear(struct cache_file *file, uint32_t *removed, struct error *error);

#endif
