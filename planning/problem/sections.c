#include "planning/problem/sections.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "planning/problem/timeline.h"

struct builder {
    const struct problem *problem;
    struct timeline timeline;
    struct sections *sections;
    uint32_t *live; /* [live_count] segments at the current step, rising, as their buffers do */
    uint32_t live_count;
    size_t step_capacity, load_capacity, first_capacity, member_capacity, segment_capacity;
    struct error *error;
};

static void free_builder(struct builder *builder)
{
    memory_free(builder->live);
    timeline_free(&builder->timeline);
    sections_free(builder->sections);
}

static enum status add_section(struct builder *builder, uint32_t step)
{
    struct sections *sections = builder->sections;
    const struct problem *problem = builder->problem;
    struct error *error = builder->error;
    size_t needed = (size_t)sections->count + 1;
    uint64_t next = sections->count ? sections->first[sections->count] : 0, load = 0;
    uint64_t members = next + builder->live_count;
    assert(builder->live_count > 0);
    TRY(memory_reserve(&sections->step, &builder->step_capacity, needed, sizeof(uint32_t), error));
    TRY(memory_reserve(&sections->load, &builder->load_capacity, needed, sizeof(uint64_t), error));
    TRY(memory_reserve(&sections->first, &builder->first_capacity, needed + 1, sizeof(uint64_t),
                       error));
    TRY(memory_reserve(&sections->member, &builder->member_capacity, members, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&sections->segment, &builder->segment_capacity, members, sizeof(uint32_t),
                       error));
    sections->first[sections->count] = next;
    for (uint32_t i = 0; i < builder->live_count; i++) {
        uint32_t segment = builder->live[i], buffer = builder->timeline.buffer[segment];
        assert(i == 0 || buffer > sections->member[next - 1]);
        sections->member[next] = buffer;
        sections->segment[next++] = segment;
        load += problem_window_upper(problem, segment) - problem_window_lower(problem, segment);
    }
    assert(load > 0 && next == members);
    sections->step[sections->count] = step;
    sections->load[sections->count++] = load;
    sections->first[sections->count] = next;
    return STATUS_OK;
}

/* A live set is maximal exactly when a segment has started since the last end and one ends now. */
static enum status sweep_steps(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    const uint32_t *starting = builder->timeline.by_lower, *ending = builder->timeline.by_upper;
    uint32_t started = 0, *live = builder->live, *count = &builder->live_count;
    for (uint32_t ended = 0; ended < problem->segments; ended++) {
        uint32_t over = ending[ended], had_started = started;
        assert(*count == started - ended);
        while (started < problem->segments &&
               problem->lower[starting[started]] < problem->upper[over]) {
            uint32_t added = starting[started++];
            assert(problem->upper[added] >= problem->upper[over]);
            uint32_t place = BINARY_SEARCH(at, 0, *count, live[at] >= added);
            assert(place == *count || live[place] != added);
            memmove(live + place + 1, live + place, (*count - place) * sizeof *live);
            live[place] = added;
            ++*count;
        }
        if (started > had_started)
            TRY(add_section(builder, problem->lower[starting[started - 1]]));
        uint32_t place = BINARY_SEARCH(at, 0, *count, live[at] >= over);
        assert(place < *count && live[place] == over);
        --*count;
        memmove(live + place, live + place + 1, (*count - place) * sizeof *live);
    }
    assert(*count == 0 && started == problem->segments);
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
        assert(wide < problem->segments && narrow < problem->segments);
        if (problem_window_lower(problem, wide) > problem_window_lower(problem, narrow) ||
            problem_window_upper(problem, wide) < problem_window_upper(problem, narrow))
            return false;
    }
    return true;
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
        uint64_t begin = sections->first[s], count = sections->first[s + 1] - begin;
        uint64_t target = kept ? sections->first[kept] : 0;
        assert(kept <= s && target <= begin);
        memmove(sections->member + target, sections->member + begin, count * sizeof(uint32_t));
        memmove(sections->segment + target, sections->segment + begin, count * sizeof(uint32_t));
        sections->step[kept] = sections->step[s];
        sections->load[kept++] = sections->load[s];
        sections->first[kept] = target + count;
    }
    assert(kept > 0 || sections->count == 0);
    sections->count = kept;
}

enum status sections_create(const struct problem *problem, struct sections **created,
                            struct error *error)
{
    SCOPED(free_builder) struct builder builder = {.problem = problem, .error = error};
    TRY(memory_create(&builder.sections, 1, sizeof *builder.sections, error));
    TRY(timeline_create(problem, &builder.timeline, error));
    TRY(memory_create(&builder.live, problem->segments, sizeof *builder.live, error));
    TRY(sweep_steps(&builder));
    drop_contained(problem, builder.sections);
    HAND_OVER(builder.sections, created);
}

void sections_free(struct sections *sections)
{
    if (!sections)
        return;
    memory_free_all(sections->step, sections->load, sections->first, sections->member,
                    sections->segment, sections);
}
