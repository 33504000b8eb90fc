#ifndef MEMPLAN_TESTS_HARNESS_CACHE_CACHE_FOLDERS_H
#define MEMPLAN_TESTS_HARNESS_CACHE_CACHE_FOLDERS_H

#include "harness/cache/folder.h"

/* A new folder for a cache. Its path is the caller's, of at least 64 bytes. */
struct cache_folder cache_folders_create(char *path, uint64_t most_bytes);

/* Removes it and all that is in it. */
void cache_folders_remove(const struct cache_folder *folder);

/* How many files of the folder end so, "" for all. */
unsigned cache_folders_count(const struct cache_folder *folder, const char *end);

/* Digests that are three times the number's. */
struct cache_digests cache_folders_digests(unsigned environment, unsigned structure,
                                           unsigned weights);

#endif
