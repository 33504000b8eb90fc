#include "planning/problem/sections.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "planning/problem/timeline.h"

/* The segments that are live at the current step of a sweep, in rising order, which is also that of
   their buffers. */
struct ordered_set {
    uint32_t *segment;
    uint32_t count;
};

struct builder {
    const struct problem *problem;
    const struct timeline *timeline;
    struct ordered_set live;
    struct sections *sections;
    size_t step_capacity, load_capacity, first_capacity, member_capacity, segment_capacity;
    struct error *error;
};

static uint32_t find_place(const struct ordered_set *live, uint32_t segment)
{
    return BINARY_SEARCH(at, 0, live->count, live->segment[at] >= segment);
}

static void insert_live(struct ordered_set *live, uint32_t segment)
{
    uint32_t place = find_place(live, segment);
    memmove(live->segment + place + 1, live->segment + place,
            (live->count - place) * sizeof *live->segment);
    assert(place == live->count || live->segment[place] != segment);
    live->segment[place] = segment;
    live->count++;
}

static void remove_live(struct ordered_set *live, uint32_t segment)
{
    uint32_t place = find_place(live, segment);
    assert(place < live->count && live->segment[place] == segment);
    live->count--;
    memmove(live->segment + place, live->segment + place + 1,
            (live->count - place) * sizeof *live->segment);
}

static enum status reserve_section(struct builder *builder, uint64_t members)
{
    struct sections *sections = builder->sections;
    size_t needed = (size_t)sections->count + 1;
    TRY(memory_reserve(&sections->step, &builder->step_capacity, needed, sizeof *sections->step,
                       builder->error));
    TRY(memory_reserve(&sections->load, &builder->load_capacity, needed, sizeof *sections->load,
                       builder->error));
    TRY(memory_reserve(&sections->first, &builder->first_capacity, needed + 1,
                       sizeof *sections->first, builder->error));
    TRY(memory_reserve(&sections->member, &builder->member_capacity, members,
                       sizeof *sections->member, builder->error));
    return memory_reserve(&sections->segment, &builder->segment_capacity, members,
                          sizeof *sections->segment, builder->error);
}

static enum status add_section(struct builder *builder, uint32_t step)
{
    struct sections *sections = builder->sections;
    const struct problem *problem = builder->problem;
    uint64_t next = sections->count ? sections->first[sections->count] : 0;
    assert(builder->live.count > 0);
    TRY(reserve_section(builder, next + builder->live.count));
    uint64_t load = 0;
    sections->first[sections->count] = next;
    for (uint32_t i = 0; i < builder->live.count; i++) {
        uint32_t segment = builder->live.segment[i];
        assert(i == 0 || builder->timeline->buffer[segment] > sections->member[next - 1]);
        sections->member[next] = builder->timeline->buffer[segment];
        sections->segment[next++] = segment;
        load += problem_window_upper(problem, segment) - problem_window_lower(problem, segment);
    }
    assert(load > 0);
    sections->step[sections->count] = step;
    sections->load[sections->count++] = load;
    sections->first[sections->count] = next;
    return STATUS_OK;
}

/* A live set is maximal exactly when a segment has started since the last end and one ends now. */
static enum status sweep_steps(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    const uint32_t *starting = builder->timeline->by_lower, *ending = builder->timeline->by_upper;
    uint32_t started = 0;
    bool grown = false;
    for (uint32_t ended = 0; ended < problem->segments; ended++) {
        uint32_t end_step = problem->upper[ending[ended]];
        assert(builder->live.count == started - ended);
        while (started < problem->segments && problem->lower[starting[started]] < end_step) {
            insert_live(&builder->live, starting[started++]);
            grown = true;
        }
        if (grown)
            TRY(add_section(builder, problem->lower[starting[started - 1]]));
        grown = false;
        remove_live(&builder->live, ending[ended]);
    }
    assert(builder->live.count == 0 && started == problem->segments);
    return STATUS_OK;
}

/* Whether the outer section has every buffer of the inner one, with the same or a wider window.
   Compares buffers, not segments, since a buffer may end one segment and start the next at the same
   step. */
static bool section_is_within(const struct problem *problem, const struct sections *sections,
                              uint32_t inner, uint32_t outer)
{
    assert(inner < sections->count && outer < sections->count);
    uint64_t at = sections->first[outer], end = sections->first[outer + 1];
    for (uint64_t i = sections->first[inner]; i < sections->first[inner + 1]; i++) {
        while (at < end && sections->member[at] < sections->member[i])
            at++;
        if (at == end || sections->member[at] != sections->member[i])
            return false;
        uint32_t wide = sections->segment[at], narrow = sections->segment[i];
        if (problem_window_lower(problem, wide) > problem_window_lower(problem, narrow) ||
            problem_window_upper(problem, wide) < problem_window_upper(problem, narrow))
            return false;
    }
    return true;
}

static void keep_section(struct sections *sections, uint32_t from, uint32_t to)
{
    uint64_t begin = sections->first[from], count = sections->first[from + 1] - begin;
    uint64_t target = to ? sections->first[to] : 0;
    assert(to <= from && target <= begin);
    memmove(sections->member + target, sections->member + begin, count * sizeof(uint32_t));
    memmove(sections->segment + target, sections->segment + begin, count * sizeof(uint32_t));
    sections->step[to] = sections->step[from];
    sections->load[to] = sections->load[from];
    sections->first[to + 1] = target + count;
}

/* Drops each section that a neighbour contains. Then other sections become neighbours, and these
   may contain each other in turn. */
static void drop_contained(const struct problem *problem, struct sections *sections)
{
    uint32_t kept = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        if (kept && section_is_within(problem, sections, s, kept - 1))
            continue;
        while (kept && section_is_within(problem, sections, kept - 1, s))
            kept--;
        keep_section(sections, s, kept++);
    }
    assert(kept > 0 || sections->count == 0);
    sections->count = kept;
}

enum status sections_create(const struct problem *problem, struct sections **created,
                            struct error *error)
{
    struct timeline timeline = {0};
    struct builder builder = {.problem = problem, .timeline = &timeline, .error = error};
    enum status status;
    TRY(memory_create(&builder.sections, 1, sizeof *builder.sections, error));
    TRY_OR_DONE(status, timeline_create(problem, &timeline, error));
    TRY_OR_DONE(status, memory_create(&builder.live.segment, problem->segments,
                                      sizeof *builder.live.segment, error));
    TRY_OR_DONE(status, sweep_steps(&builder));
    drop_contained(problem, builder.sections);
    *created = builder.sections;
done:
    memory_free(builder.live.segment);
    timeline_free(&timeline);
    if (status)
        sections_free(builder.sections);
    return status;
}

void sections_free(struct sections *sections)
{
    if (!sections)
        return;
    memory_free(sections->step);
    memory_free(sections->load);
    memory_free(sections->first);
    memory_free(sections->member);
    memory_free(sections->segment);
    memory_free(sections);
}
