#include "harness/job/unreadable_file.h"

#include <string.h>

#include "core/file_name.h"
#include "core/memory.h"

static enum status fill(struct unreadable_file *file, const char *path, struct error *error)
{
    file->instance.name = file_name_stem(path);
    file->instance.path = memory_copy_text(path);
    if (!file->instance.name || !file->instance.path)
        return error_no_memory(error);
    return digest_bytes(path, strlen(path), file->instance.digest, error);
}

enum status unreadable_file_create(const char *path, const struct error *why,
                                   struct unreadable_file **created, struct error *error)
{
    struct unreadable_file *file;
    TRY(memory_create(&file, 1, sizeof *file, error));
    file->error = *why;
    enum status status = fill(file, path, error);
    if (status)
        unreadable_file_free(file);
    else
        *created = file;
    return status;
}

void unreadable_file_free(struct unreadable_file *file)
{
    if (!file)
        return;
    memory_free(file->instance.name);
    memory_free(file->instance.path);
    memory_free(file);
}
