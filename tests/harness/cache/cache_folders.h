#ifndef MEMPLAN_TESTS_HARNESS_CACHE_CACHE_FOLDERS_H
#define MEMPLAN_TESTS_HARNESS_CACHE_CACHE_FOLDERS_H

#include "harness/cache/cache_file.h"

/* Makes a new folder for a cache; path has at least 64 bytes. */
void cache_folders_create(char *path);

/* Removes it and all that is in it. */
void cache_folders_remove(const char *path);

/* The number of entries in the file. */
unsigned cache_folders_count(struct cache_file *file);

/* Runs SQL on the database in the folder, as somebody else would. */
void cache_folders_run(const char *path, const char *sql);

/* Flips a bit of the newest archive: of its byte `at`, counted from the end where that is
   negative. */
void cache_folders_damage(const char *path, int at);

#endif
