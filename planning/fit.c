#include "planning/fit.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"

/* A free range in which the request fits. */
struct gap {
    uint64_t offset; /* aligned */
    uint64_t bytes;  /* of the whole range; UINT64_MAX above everything taken */
};

struct walk {
    const struct fit_request *request;
    uint32_t next;
    uint64_t free_from; /* everything below was looked at */
    bool ended;
};

static bool fits_below(const struct walk *walk, uint64_t limit, uint64_t *offset)
{
    uint64_t end;
    return checked_align(walk->free_from, walk->request->alignment, offset) &&
           checked_add(*offset, walk->request->size, &end) && end <= limit;
}

/* Gaps in rising order, the one above everything last. */
static bool find_next_gap(struct walk *walk, struct gap *gap)
{
    const struct fit_request *request = walk->request;
    while (walk->next < request->count) {
        struct interval taken = request->taken[walk->next++];
        bool found = taken.begin > walk->free_from && fits_below(walk, taken.begin, &gap->offset);
        gap->bytes = taken.begin - walk->free_from;
        if (taken.end > walk->free_from)
            walk->free_from = taken.end;
        if (found)
            return true;
    }
    if (walk->ended)
        return false;
    walk->ended = true;
    gap->bytes = UINT64_MAX;
    return fits_below(walk, UINT64_MAX, &gap->offset);
}

static bool find_first(const struct fit_request *request, uint64_t *offset)
{
    struct walk walk = {.request = request};
    struct gap gap;
    if (!find_next_gap(&walk, &gap))
        return false;
    *offset = gap.offset;
    return true;
}

static bool find_best(const struct fit_request *request, uint64_t *offset)
{
    struct walk walk = {.request = request};
    struct gap gap;
    uint64_t least_bytes = 0;
    bool found = false;
    while (find_next_gap(&walk, &gap))
        if (!found || gap.bytes < least_bytes) {
            *offset = gap.offset;
            least_bytes = gap.bytes;
            found = true;
        }
    return found;
}

static bool find_worst(const struct fit_request *request, uint64_t *offset)
{
    struct walk walk = {.request = request};
    struct gap gap;
    uint64_t most_bytes = 0;
    bool found = false;
    while (find_next_gap(&walk, &gap))
        if (!found || (gap.bytes > most_bytes && gap.bytes != UINT64_MAX)) {
            *offset = gap.offset;
            most_bytes = gap.bytes;
            found = true;
        }
    return found;
}

static bool find_top(const struct fit_request *request, uint64_t *offset)
{
    struct walk walk = {.request = request};
    struct gap gap;
    bool found = false;
    while (find_next_gap(&walk, &gap))
        if (gap.bytes == UINT64_MAX) {
            *offset = gap.offset;
            found = true;
        }
    return found;
}

/* To add a fit: a row and its function above. */
static const struct fit fits[] = {
    {"first", "lowest offset", find_first},
    {"best", "smallest gap, else on top", find_best},
    {"worst", "largest gap, else on top", find_worst},
    {"top", "above all conflicting buffers", find_top},
};

uint32_t fit_count(void)
{
    return sizeof fits / sizeof *fits;
}

const struct fit *fit_at(uint32_t index)
{
    return &fits[index];
}

const struct fit *fit_find(const char *name)
{
    for (uint32_t i = 0; i < fit_count(); i++)
        if (strcmp(fits[i].name, name) == 0)
            return &fits[i];
    return NULL;
}

static int compare_intervals(const void *left, const void *right)
{
    const struct interval *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

static uint32_t collect_taken(const struct problem *problem, const struct conflicts *conflicts,
                              uint32_t buffer, const struct plan *plan, struct interval *taken)
{
    uint32_t count = 0;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        uint64_t begin = plan->offset[other];
        if (begin != PROBLEM_FREE)
            taken[count++] = (struct interval){begin, begin + problem->size[other]};
    }
    qsort(taken, count, sizeof *taken, compare_intervals);
    return count;
}

enum status fit_place(const struct fit *fit, const struct problem *problem,
                      const struct conflicts *conflicts, uint32_t buffer, struct interval *taken,
                      struct plan *plan, struct error *error)
{
    const struct fit_request request = {.taken = taken,
                                        .count =
                                            collect_taken(problem, conflicts, buffer, plan, taken),
                                        .size = problem->size[buffer],
                                        .alignment = problem->alignment[buffer]};
    if (!fit->find(&request, &plan->offset[buffer]))
        return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                         names_get(&problem->names, buffer));
    return STATUS_OK;
}

uint64_t fit_most_taken(const struct problem *problem, const struct conflicts *conflicts)
{
    uint64_t most = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (conflicts->first[b + 1] - conflicts->first[b] > most)
            most = conflicts->first[b + 1] - conflicts->first[b];
    return most;
}
