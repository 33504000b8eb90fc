#include "core/file_name.h"

#include <string.h>

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
