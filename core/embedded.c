#include "core/embedded.h"

#include <stdbool.h>
#include <string.h>

/* Whether the text at *at begins with the part; then *at moves behind it. */
static bool pass_part(const char **at, const char *part)
{
    size_t length = strlen(part);
    bool begins = strncmp(*at, part, length) == 0;
    *at += begins ? length : 0;
    return begins;
}

const struct embedded_file *embedded_find(const struct embedded_file *file, unsigned count,
                                          const char *folder, const char *stem,
                                          const char *extension)
{
    for (unsigned i = 0; i < count; i++) {
        const char *at = file[i].name;
        if (pass_part(&at, folder) && pass_part(&at, stem) && strcmp(at, extension) == 0)
            return &file[i];
    }
    return NULL;
}
