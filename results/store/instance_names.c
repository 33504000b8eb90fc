#include "results/store/instance_names.h"

#include <stdbool.h>
#include <string.h>

#include "core/memory.h"

/* The last `parts` names of a path. */
static const char *find_end(const char *path, uint32_t parts)
{
    const char *at = path + strlen(path);
    while (at > path) {
        if (at[-1] == '/' && --parts == 0)
            break;
        at--;
    }
    return at;
}

/* The new name of a row, as a position in a text that still grows and therefore moves. */
struct place {
    struct result_row *row;
    size_t at;
};

/* The least number of names from the ends of the paths that tells the first rows of each content
   apart. */
static uint32_t count_parts(const struct result_row *path, uint32_t paths)
{
    enum { MOST_PARTS = 64 };
    for (uint32_t parts = 1; parts < MOST_PARTS; parts++) {
        bool distinct = true;
        for (uint32_t i = 0; i < paths && distinct; i++)
            for (uint32_t k = i + 1; k < paths && distinct; k++)
                distinct = strcmp(find_end(path[i].path, parts), find_end(path[k].path, parts));
        if (distinct)
            return parts;
    }
    return MOST_PARTS;
}

enum status instance_names_distinguish(struct result_row *row, uint32_t rows, struct text *names,
                                       struct error *error)
{
    SCOPED(memory_release) struct result_row *path = NULL;
    SCOPED(memory_release) struct place *place = NULL;
    uint32_t places = 0;
    TRY(memory_create(&path, rows, sizeof *path, error));
    TRY(memory_create(&place, rows, sizeof *place, error));
    for (uint32_t first = 0, end; first < rows; first = end) {
        uint32_t paths = 0; /* the first row of each content */
        for (end = first; end < rows; end++) {
            if (strcmp(row[first].instance, row[end].instance) != 0)
                break;
            if (end == first || strcmp(row[end].digest, row[end - 1].digest) != 0)
                path[paths++] = row[end];
        }
        if (paths < 2)
            continue;
        uint32_t parts = count_parts(path, paths);
        size_t at = 0;
        for (uint32_t i = first; i < end; i++) {
            if (i == first || strcmp(row[i].digest, row[i - 1].digest) != 0) {
                const char *name = *row[i].path ? find_end(row[i].path, parts) : row[i].instance;
                at = names->length;
                text_append_bytes(names, name, strlen(name) + 1);
            }
            place[places++] = (struct place){&row[i], at};
        }
    }
    TRY(text_check(names, error));
    for (uint32_t i = 0; i < places; i++)
        place[i].row->instance = names->bytes + place[i].at;
    return STATUS_OK;
}
