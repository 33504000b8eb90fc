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

static bool are_distinct(const struct result_row *row, uint32_t rows, uint32_t parts)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = i + 1; k < rows; k++)
            if (strcmp(find_end(row[i].path, parts), find_end(row[k].path, parts)) == 0)
                return false;
    return true;
}

static uint32_t count_parts(const struct result_row *path, uint32_t paths)
{
    enum { MOST_PARTS = 64 };
    uint32_t parts = 1;
    while (parts < MOST_PARTS && !are_distinct(path, paths, parts))
        parts++;
    return parts;
}

/* The new name of a row, as a position in a text that still grows and therefore moves. */
struct place {
    struct result_row *row;
    size_t at;
};

struct renaming {
    struct text *names;
    struct place *place; /* [places] */
    uint32_t places;
};

/* Renames rows that have one name. */
static void rename_rows(struct result_row *row, uint32_t rows, uint32_t parts,
                        struct renaming *renaming)
{
    size_t at = 0;
    for (uint32_t i = 0; i < rows; i++) {
        if (i == 0 || strcmp(row[i].digest, row[i - 1].digest) != 0) {
            const char *name = *row[i].path ? find_end(row[i].path, parts) : row[i].instance;
            at = renaming->names->length;
            text_append_bytes(renaming->names, name, strlen(name) + 1);
        }
        renaming->place[renaming->places++] = (struct place){&row[i], at};
    }
}

enum status instance_names_distinguish(struct result_row *row, uint32_t rows, struct text *names,
                                       struct error *error)
{
    struct result_row *path = NULL;
    struct renaming renaming = {.names = names};
    enum status status;
    TRY_OR_DONE(status, memory_create(&path, rows, sizeof *path, error));
    TRY_OR_DONE(status, memory_create(&renaming.place, rows, sizeof *renaming.place, error));
    for (uint32_t first = 0, end; first < rows; first = end) {
        for (end = first + 1; end < rows; end++)
            if (strcmp(row[first].instance, row[end].instance) != 0)
                break;
        /* The first row of each content. */
        uint32_t paths = 0;
        for (uint32_t i = first; i < end; i++)
            if (i == first || strcmp(row[i].digest, row[i - 1].digest) != 0)
                path[paths++] = row[i];
        if (paths > 1)
            rename_rows(&row[first], end - first, count_parts(path, paths), &renaming);
    }
    TRY_OR_DONE(status, text_check(names, error));
    for (uint32_t i = 0; i < renaming.places; i++)
        renaming.place[i].row->instance = names->bytes + renaming.place[i].at;
done:
    memory_free(path);
    memory_free(renaming.place);
    return status;
}
