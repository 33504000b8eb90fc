/* For mkdtemp. */
#define _XOPEN_SOURCE 700

#include "cache_folders.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cache_folder cache_folders_create(char *path, uint64_t most_bytes)
{
    strcpy(path, "/tmp/memplan-cache.XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
    return (struct cache_folder){path, most_bytes};
}

static bool is_of_folder(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

void cache_folders_remove(const struct cache_folder *folder)
{
    DIR *handle = opendir(folder->path);
    struct dirent *found;
    CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
    while ((found = readdir(handle))) {
        struct text path = {0};
        struct error error;
        if (is_of_folder(found->d_name) && !cache_folder_path(folder, found->d_name, &path, &error))
            unlink(path.bytes);
        text_free(&path);
    }
    closedir(handle);
    rmdir(folder->path);
}

unsigned cache_folders_count(const struct cache_folder *folder, const char *end)
{
    DIR *handle = opendir(folder->path);
    struct dirent *found;
    unsigned count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
    while ((found = readdir(handle))) {
        size_t length = strlen(found->d_name);
        count += is_of_folder(found->d_name) && length >= strlen(end) &&
                 strcmp(found->d_name + length - strlen(end), end) == 0;
    }
    closedir(handle);
    return count;
}

struct cache_digests cache_folders_digests(unsigned environment, unsigned structure,
                                           unsigned weights)
{
    struct cache_digests digests;
    const unsigned number[CACHE_PARTS] = {environment, structure, weights};
    for (int i = 0; i < CACHE_PARTS; i++)
        snprintf(digests.of[i], sizeof digests.of[i], "%064x", number[i]);
    return digests;
}
