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

/* The first row of each content among rows of one name. */
static uint32_t gather_contents(const struct result_row *row, uint32_t rows,
                                struct result_row *path)
{
    uint32_t paths = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (!i || strcmp(row[i].digest, row[i - 1].digest) != 0)
            path[paths++] = row[i];
    return paths;
}

static uint32_t count_parts(const struct result_row *path, uint32_t paths)
{
    enum { MOST_PARTS = 64 };
    uint32_t parts = 1;
    while (parts < MOST_PARTS && !are_distinct(path, paths, parts))
        parts++;
    return parts;
}

/* Names that are places in the text while it still grows. */
struct place {
    uint32_t row;
    size_t at;
};

static void rename_rows(const struct result_row *row, uint32_t first, uint32_t end, uint32_t parts,
                        struct text *names, struct place *place, uint32_t *places)
{
    size_t at = 0;
    for (uint32_t i = first; i < end; i++) {
        if (i == first || strcmp(row[i].digest, row[i - 1].digest) != 0) {
            const char *name = *row[i].path ? find_end(row[i].path, parts) : row[i].instance;
            at = names->length;
            text_append_bytes(names, name, strlen(name) + 1);
        }
        place[(*places)++] = (struct place){i, at};
    }
}

enum status instance_names_distinguish(struct result_row *row, uint32_t rows, struct text *names,
                                       struct error *error)
{
    struct result_row *path = NULL;
    struct place *place = NULL;
    uint32_t places = 0;
    enum status status;
    TRY_OR_DONE(status, memory_create(&path, rows, sizeof *path, error));
    TRY_OR_DONE(status, memory_create(&place, rows, sizeof *place, error));
    for (uint32_t first = 0, end; first < rows; first = end) {
        for (end = first + 1; end < rows; end++)
            if (strcmp(row[first].instance, row[end].instance) != 0)
                break;
        uint32_t paths = gather_contents(&row[first], end - first, path);
        if (paths > 1)
            rename_rows(row, first, end, count_parts(path, paths), names, place, &places);
    }
    TRY_OR_DONE(status, text_check(names, error));
    for (uint32_t i = 0; i < places; i++)
        row[place[i].row].instance = names->bytes + place[i].at;
done:
    memory_free(path);
    memory_free(place);
    return status;
}
