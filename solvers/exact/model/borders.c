#include "solvers/exact/model/borders.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

static enum status create_lists(const struct exact_rectangles *rectangles,
                                struct exact_borders *borders, struct error *error)
{
    size_t ends = (size_t)rectangles->sections + 3;
    TRY(memory_create(&borders->first_end, ends, sizeof(uint32_t), error));
    TRY(memory_create(&borders->first_begin, ends, sizeof(uint32_t), error));
    TRY(memory_create(&borders->ending, rectangles->count, sizeof(uint32_t), error));
    return memory_create(&borders->beginning, rectangles->count, sizeof(uint32_t), error);
}

/* Turns counts, that of border s in first[s + 2], into the places where the next buffer of each
   border goes, in first[s + 1]. Once all are in their places, first[s] is where those of s begin.
 */
static void add_up(uint32_t *first, uint32_t sections)
{
    for (uint32_t s = 2; s <= sections + 1; s++)
        first[s] += first[s - 1];
}

/* sorted [rectangles->count] the widest first. There is a border before each section but the first
   one. */
static void fill_lists(const struct exact_rectangles *rectangles, const uint32_t *sorted,
                       struct exact_borders *borders)
{
    const uint32_t *begin = rectangles->begin, *end = rectangles->end;
    uint32_t sections = rectangles->sections;
    for (uint32_t r = 0; r < rectangles->count; r++) {
        assert(begin[r] < end[r] && end[r] <= sections);
        borders->first_end[end[r] + 2] += end[r] < sections;
        borders->first_begin[begin[r] + 2] += begin[r] > 0;
    }
    add_up(borders->first_end, sections);
    add_up(borders->first_begin, sections);
    for (uint32_t i = 0; i < rectangles->count; i++) {
        uint32_t r = sorted[i];
        if (end[r] < sections)
            borders->ending[borders->first_end[end[r] + 1]++] = rectangles->buffer[r];
        if (begin[r])
            borders->beginning[borders->first_begin[begin[r] + 1]++] = rectangles->buffer[r];
    }
}

enum status exact_borders_fill(const struct exact_rectangles *rectangles,
                               struct exact_borders *borders, struct error *error)
{
    uint64_t *key = NULL;
    uint32_t *sorted = NULL;
    enum status status;
    TRY(create_lists(rectangles, borders, error));
    TRY_OR_DONE(status, memory_create(&key, rectangles->count, sizeof *key, error));
    TRY_OR_DONE(status, memory_create(&sorted, rectangles->count, sizeof *sorted, error));
    for (uint32_t r = 0; r < rectangles->count; r++) {
        key[r] = UINT64_MAX - rectangles->width[r];
        sorted[r] = r;
    }
    TRY_OR_DONE(status, sort_items(key, sorted, rectangles->count, error));
    fill_lists(rectangles, sorted, borders);
done:
    memory_free(key);
    memory_free(sorted);
    return status;
}

void exact_borders_clear(struct exact_borders *borders)
{
    memory_free(borders->first_end);
    memory_free(borders->first_begin);
    memory_free(borders->ending);
    memory_free(borders->beginning);
    *borders = (struct exact_borders){0};
}
