#include "harness/job/unreadable_file.h"

#include <string.h>

#include "core/file.h"
#include "core/memory.h"

static void release_file(struct unreadable_file **held)
{
    unreadable_file_free(*held);
}

enum status unreadable_file_create(const char *path, const struct error *why,
                                   struct unreadable_file **created, struct error *error)
{
    SCOPED(release_file) struct unreadable_file *file = NULL;
    TRY(memory_create(&file, 1, sizeof *file, error));
    file->error = *why;
    file->instance.name = file_name_stem(path);
    file->instance.path = memory_copy_text(path);
    if (!file->instance.name || !file->instance.path)
        return error_no_memory(error);
    digest_bytes(path, strlen(path), file->instance.digest);
    HAND_OVER(file, created);
}

void unreadable_file_free(struct unreadable_file *file)
{
    if (!file)
        return;
    memory_free_all(file->instance.name, file->instance.path, file);
}
