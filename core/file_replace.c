#include "core/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

static enum status report_fault(const char *path, const char *what, struct error *error)
{
    return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot %s: %s", what, strerror(errno));
}

enum status file_replace_open(struct file_replace *replace, const char *path, struct error *error)
{
    size_t bytes = strlen(path) + 32;
    struct stat found;
    *replace = (struct file_replace){.path = path};
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode)) {
        TRY(memory_create(&replace->beside, bytes, 1, error));
        snprintf(replace->beside, bytes, "%s.%ld.part", path, (long)getpid());
    }
    replace->file = fopen(replace->beside ? replace->beside : path, "wb");
    if (!replace->file)
        return report_fault(path, "create", error);
    fcntl(fileno(replace->file), F_SETFD, FD_CLOEXEC);
    return STATUS_OK;
}

enum status file_replace_write(struct file_replace *replace, const void *bytes, size_t length,
                               struct error *error)
{
    if (length && fwrite(bytes, 1, length, replace->file) != length)
        return report_fault(replace->path, "write", error);
    return STATUS_OK;
}

enum status file_replace_close(struct file_replace *replace, enum status status,
                               struct error *error)
{
    const char *path = replace->path, *beside = replace->beside;
    if (replace->file) {
        if (fclose(replace->file) != 0 && !status)
            status = report_fault(path, "write", error);
        if (!status && beside && rename(beside, path) != 0)
            status = report_fault(path, "create", error);
        if (status && beside)
            unlink(beside);
    }
    memory_free(replace->beside);
    *replace = (struct file_replace){0};
    return status;
}
