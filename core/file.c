/* For realpath and madvise. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

static const char *find_last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *file_name_extension(const char *path)
{
    const char *base = find_last_component(path);
    const char *dot = strrchr(base, '.');
    return dot && dot > base ? dot + 1 : "";
}

bool file_name_has_extension(const char *path, const char *extension)
{
    size_t length = strlen(path), suffix = strlen(extension);
    return length > suffix && strcmp(path + length - suffix, extension) == 0;
}

char *file_name_stem(const char *path)
{
    char *stem = memory_copy_text(find_last_component(path));
    const char *extension = file_name_extension(path);
    if (stem && *extension)
        stem[strlen(stem) - strlen(extension) - 1] = '\0';
    return stem;
}

bool file_map(const char *path, const char **bytes, size_t *length)
{
    struct stat found;
    int descriptor = open(path, O_RDONLY);
    void *mapped = MAP_FAILED;
    if (descriptor < 0)
        return false;
    if (fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0)
        mapped = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (mapped == MAP_FAILED)
        return false;
    *bytes = mapped;
    *length = (size_t)found.st_size;
    return true;
}

void file_unmap(const char *bytes, size_t length)
{
    munmap((void *)bytes, length);
}

void file_forget(const char *bytes, size_t length)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)bytes & ~(page - 1);
    madvise((void *)begin, length + ((uintptr_t)bytes - begin), MADV_DONTNEED);
}

enum status file_create_folder(const char *path, struct error *error)
{
    char part[4096];
    if (strlen(path) >= sizeof part)
        return error_set(error, STATUS_USAGE, "folder name is longer than %zu bytes", sizeof part);
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return error_set_at(error, STATUS_BAD_INPUT, part, 0, "cannot create folder: %s",
                                strerror(errno));
    }
    return STATUS_OK;
}

enum status file_find_absolute(const char *path, char **absolute, struct error *error)
{
    char *found = realpath(path, NULL);
    if (!found)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    *absolute = memory_copy_text(found);
    free(found);
    return *absolute ? STATUS_OK : error_no_memory(error);
}

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
