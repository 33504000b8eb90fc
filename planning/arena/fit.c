#include "planning/arena/fit.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/rows.h"

static bool is_smaller(const struct gap *candidate, const struct gap *best)
{
    return candidate->end - candidate->begin < best->end - best->begin;
}

static bool is_larger(const struct gap *candidate, const struct gap *best)
{
    return candidate->end - candidate->begin > best->end - best->begin;
}

static bool has_fewer_usable(const struct gap *candidate, const struct gap *best)
{
    return candidate->end - candidate->offset < best->end - best->offset;
}

/* Whether the candidate has fewer bytes from its aligned offset on than the whole best gap, with
   what its alignment leaves unused. */
static bool leaves_less(const struct gap *candidate, const struct gap *best)
{
    return candidate->end - candidate->offset < best->end - best->begin;
}

static const struct fit fits[] = {
#define FIT(fit, ...) {.name = #fit, __VA_ARGS__},
#include "planning/arena/fits.def"
#undef FIT
};

static const char *get_name(uint32_t index)
{
    return fits[index].name;
}

const struct fit *fit_find(const char *name)
{
    const uint32_t count = sizeof fits / sizeof *fits;
    uint32_t index = rows_find(name, count, get_name);
    return index < count ? &fits[index] : NULL;
}

bool fit_choose(const struct fit *fit, struct gap_walk *walk, uint64_t *offset)
{
    struct gap best, candidate;
    assert(walk->begin == 0 && (fit->first || fit->top || fit->better));
    bool found = fit->top ? gap_walk_top(walk, &best) : gap_walk_next(walk, &best);
    if (found && fit->not_lowest && best.begin == 0 && best.end != UINT64_MAX)
        found = gap_walk_next(walk, &best);
    if (!found || fit->first || fit->top) {
        assert(!found || best.offset >= best.begin);
        *offset = best.offset;
        return found;
    }
    do {
        if (fit->smallest)
            walk->bytes_below = best.end - best.begin + walk->alignment - 1;
        if (fit->largest)
            walk->bytes_above = best.end - best.begin;
        found = gap_walk_next(walk, &candidate) && candidate.end != UINT64_MAX;
        assert(!found || candidate.begin >= best.end);
        assert(!found || candidate.end - candidate.offset >= walk->size);
        if (found && fit->better(&candidate, &best))
            best = candidate;
    } while (found);
    *offset = best.offset;
    return true;
}

COMPARE_MEMBERS(compare_intervals, struct interval, begin, end)

enum status fit_place(const struct fit *fit, const struct fit_neighbours *neighbours,
                      uint32_t buffer, struct plan *plan, struct error *error)
{
    const struct problem *problem = neighbours->problem;
    const struct conflicts *conflicts = neighbours->conflicts;
    uint32_t count = 0;
    assert(buffer < problem->buffers && plan->offset[buffer] == PROBLEM_FREE);
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        uint64_t begin = plan->offset[other];
        assert(other < problem->buffers && other != buffer);
        if (begin != PROBLEM_FREE)
            neighbours->taken[count++] = (struct interval){begin, begin + problem->size[other]};
    }
    qsort(neighbours->taken, count, sizeof *neighbours->taken, compare_intervals);
    assert(count <= fit_most_taken(problem, conflicts));
    struct gap_source source = {neighbours->taken, neighbours->taken + count, false};
    struct gap_walk walk = {.source = &source,
                            .sources = count > 0,
                            .size = problem->size[buffer],
                            .alignment = problem_alignment(problem, buffer)};
    if (!fit_choose(fit, &walk, &plan->offset[buffer]))
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
