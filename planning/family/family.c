#include "planning/family/family.h"

#include <assert.h>

static enum status refuse(const struct problem *problem, uint32_t buffer, const char *what,
                          struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT,
                     "found %s of buffer '%s', expected none where sizes depend on parameters",
                     what, names_get(&problem->names, buffer));
}

static enum status check_problem(const struct problem *problem, struct error *error)
{
    assert(problem->sizes->count == problem->buffers);
    if (problem->clocks)
        return refuse(problem, 0, "the clock", error);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            return refuse(problem, b, "the fixed offset", error);
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem_window_lower(problem, s) ||
                problem_window_upper(problem, s) != problem->size[b])
                return refuse(problem, b, "a window", error);
    }
    return STATUS_OK;
}

/* Finds of each buffer the first one with the same steps: networks have few different sizes. */
static enum status find_same(struct family *family, struct scratch *scratch, struct error *error)
{
    const struct symbolic_sizes *sizes = family->sizes;
    uint32_t slots = 16, *slot;
    while (slots < 2 * sizes->count)
        slots *= 2;
    assert(slots > sizes->count);
    TRY(scratch_take(scratch, &slot, slots, sizeof *slot, error));
    for (uint32_t b = 0; b < sizes->count; b++) {
        uint64_t hash = 0;
        for (size_t s = sizes->first[b]; s < sizes->first[b + 1]; s++)
            hash = (hash ^ sizes->step[s].kind ^ sizes->step[s].number * 16) *
                   UINT64_C(0x9e3779b97f4a7c15);
        uint32_t place = (uint32_t)(hash >> 32) & (slots - 1);
        while (slot[place] && !sizes_are_same(sizes, slot[place] - 1, b))
            place = (place + 1) & (slots - 1);
        if (!slot[place])
            slot[place] = b + 1;
        family->same[b] = slot[place] - 1;
        assert(family->same[family->same[b]] == family->same[b]);
    }
    return STATUS_OK;
}

enum status family_create(const struct problem *problem, struct family *family, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(family_free)
    struct family made = {
        .problem = problem, .sizes = problem->sizes, .parameters = problem->sizes->parameter.count};
    TRY(check_problem(problem, error));
    TRY(timeline_create(problem, &made.timeline, error));
    TRY(scratch_take_all(&made.scratch, problem->buffers, error, &made.same, &made.offset));
    TRY(find_same(&made, &scratch, error));
    *family = made;
    made = (struct family){0};
    return STATUS_OK;
}

void family_free(struct family *family)
{
    timeline_free(&family->timeline);
    scratch_free(&family->scratch);
}

bool family_sizes(const struct family *family, const uint64_t *point, uint64_t *size)
{
    for (uint32_t b = 0; b < family->problem->buffers; b++) {
        assert(family->same[b] <= b);
        if (family->same[b] < b)
            size[b] = size[family->same[b]];
        else if (!sizes_value(family->sizes, b, point, &size[b]) || !size[b])
            return false;
    }
    return true;
}

uint64_t family_load(const struct family *family, const uint64_t *size)
{
    uint32_t step;
    return family_load_at(family, size, &step);
}

uint64_t family_load_at(const struct family *family, const uint64_t *size, uint32_t *step)
{
    const struct problem *problem = family->problem;
    const struct timeline *timeline = &family->timeline;
    uint64_t live = 0, load = 0;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++)
            live -= size[timeline->buffer[timeline->by_upper[ended]]];
        assert(ended <= i);
        live += size[timeline->buffer[segment]];
        *step = live > load ? problem->lower[segment] : *step;
        load = live > load ? live : load;
    }
    assert(load > 0 && load <= INT64_MAX);
    return load;
}

uint64_t family_peak(struct family *family, const struct orientation *orientation,
                     const uint64_t *size)
{
    assert(orientation->buffers == family->problem->buffers);
    uint64_t peak_bytes = 0;
    bool fits = orientation_place(orientation, family->problem, size, family->offset, &peak_bytes);
    assert(fits);
    (void)fits;
    return peak_bytes;
}

int family_ratio_compare(struct family_ratio a, struct family_ratio b)
{
    __extension__ typedef unsigned __int128 wide;
    assert(a.load_bytes && b.load_bytes);
    wide left = (wide)a.peak_bytes * b.load_bytes, right = (wide)b.peak_bytes * a.load_bytes;
    return (left > right) - (left < right);
}
