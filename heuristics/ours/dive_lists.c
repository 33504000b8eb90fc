#include "heuristics/ours/dive_lists.h"

#include <assert.h>

#include "core/checked.h"
#include "core/groups.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"

struct dive_lists {
    const struct problem *problem;
    struct conflicts *conflicts;
    struct sections *sections;
    struct groups of_buffer; /* the sections of each buffer, ascending */
    uint64_t *lowest;        /* [buffers] the lowest offset above what is placed */
    bool *placed;            /* [buffers] */
    /* The members of each section, as in `sections`, and behind them all movable buffers. */
    uint32_t *member;
    /* [sections + 1] how many members each list still has; some of them may be placed already */
    uint32_t *listed;
    uint64_t *bytes_left; /* [sections] bytes of each that are left to place */
    double *factor;       /* [sections] by what bytes_left is multiplied when a section is chosen */
};

static bool is_movable(const struct dive_lists *lists, uint32_t buffer)
{
    return problem_fixed_offset(lists->problem, buffer) == PROBLEM_FREE;
}

enum status dive_lists_create(const struct problem *problem, struct dive_lists **created,
                              struct scratch *scratch, struct error *error)
{
    struct dive_lists *lists;
    uint32_t buffers = problem->buffers;
    TRY(scratch_take(scratch, &lists, 1, sizeof *lists, error));
    *created = lists;
    lists->problem = problem;
    TRY(conflicts_create(problem, &lists->conflicts, error));
    TRY(sections_create(problem, &lists->sections, error));
    const struct sections *sections = lists->sections;
    uint64_t members = sections->first[sections->count];
    TRY(groups_begin(&lists->of_buffer, buffers, error));
    for (uint64_t i = 0; i < members; i++)
        groups_count(&lists->of_buffer, sections->member[i]);
    TRY(groups_end_counting(&lists->of_buffer, error));
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            groups_add(&lists->of_buffer, sections->member[i], s);
    size_t count = sections->count;
    TRY(scratch_take_all(scratch, buffers, error, &lists->lowest, &lists->placed));
    TRY(scratch_take(scratch, &lists->member, members + buffers, sizeof *lists->member, error));
    TRY(scratch_take(scratch, &lists->listed, count + 1, sizeof *lists->listed, error));
    TRY(scratch_take(scratch, &lists->bytes_left, count, sizeof *lists->bytes_left, error));
    return scratch_take(scratch, &lists->factor, count, sizeof *lists->factor, error);
}

void dive_lists_free(struct dive_lists *lists)
{
    if (!lists)
        return;
    conflicts_free(lists->conflicts);
    sections_free(lists->sections);
    groups_free(&lists->of_buffer);
}

uint64_t dive_lists_bytes(const struct section_spans *spans)
{
    return spans->members * 4 * sizeof(uint32_t) + spans->pairs * 2 * sizeof(uint32_t);
}

uint32_t dive_lists_sections(const struct dive_lists *lists)
{
    return lists->sections->count;
}

uint32_t dive_lists_members(const struct dive_lists *lists, uint32_t section, uint32_t *member)
{
    const struct sections *sections = lists->sections;
    uint32_t count = 0;
    for (uint64_t i = sections->first[section]; i < sections->first[section + 1]; i++) {
        member[count] = sections->member[i];
        count += is_movable(lists, sections->member[i]);
    }
    return count;
}

/* Empties the arena and fills the lists; returns the number of movable buffers. `failures` is NULL
   for a rule that does not use them. */
static uint32_t start_dive(struct dive_lists *lists, const struct dive_failures *failures)
{
    const struct sections *sections = lists->sections;
    uint32_t count = sections->count, movables = 0;
    uint32_t *all = &lists->member[sections->first[count]];
    for (uint32_t b = 0; b < lists->problem->buffers; b++) {
        lists->lowest[b] = 0;
        lists->placed[b] = false;
        if (is_movable(lists, b))
            all[movables++] = b;
    }
    for (uint32_t s = 0; s < count; s++) {
        uint32_t *member = &lists->member[sections->first[s]];
        lists->listed[s] = dive_lists_members(lists, s, member);
        lists->bytes_left[s] = 0;
        for (uint32_t i = 0; i < lists->listed[s]; i++)
            lists->bytes_left[s] += lists->problem->size[member[i]];
        lists->factor[s] = failures ? dive_failures_factor(failures, s) : 1;
    }
    return lists->listed[count] = movables;
}

/* Chooses the section from which the next buffer comes. The number of sections stands for the list
   of all buffers. */
static uint32_t choose_section(const struct dive_lists *lists, enum dive_rule rule)
{
    uint32_t count = lists->sections->count, chosen = 0;
    double most = -1;
    if (rule == DIVE_LOWEST)
        return count;
    for (uint32_t s = 0; s < count; s++) {
        double value = (double)lists->bytes_left[s] * lists->factor[s];
        chosen = value > most ? s : chosen;
        most = value > most ? value : most;
    }
    return chosen;
}

/* Of the buffers left in the section, those with the lowest offset come first; returns the one of
   them with the least rank. Placed buffers leave the list of a section only here, where it is read,
   not when they are placed. */
static uint32_t choose_member(struct dive_lists *lists, uint32_t section, const uint32_t *rank)
{
    uint32_t *member = &lists->member[lists->sections->first[section]];
    uint32_t listed = lists->listed[section], left = 0;
    for (uint32_t i = 0; i < listed; i++) {
        member[left] = member[i];
        left += !lists->placed[member[i]];
    }
    assert(left > 0);
    lists->listed[section] = left;
    uint32_t chosen = member[0];
    for (uint32_t i = 1; i < left; i++) {
        uint32_t other = member[i];
        if (lists->lowest[other] < lists->lowest[chosen] ||
            (lists->lowest[other] == lists->lowest[chosen] && rank[other] < rank[chosen]))
            chosen = other;
    }
    return chosen;
}

/* Sums of sizes cannot overflow, since problem_finish has checked that they are below 2^63; only
   aligning is checked here. */
uint64_t dive_lists_order(struct dive_lists *lists, const struct dive_task *task,
                          struct dive_failures *failures)
{
    uint32_t movables = start_dive(lists, task->rule == DIVE_HARDEST ? failures : NULL);
    const struct conflicts *conflicts = lists->conflicts;
    const struct groups *of_buffer = &lists->of_buffer;
    uint64_t peak_bytes = 0;
    for (uint32_t placed = 0; placed < movables; placed++) {
        if (dive_time_is_up(task, placed))
            return UINT64_MAX;
        uint32_t buffer = choose_member(lists, choose_section(lists, task->rule), task->rank);
        uint64_t size = lists->problem->size[buffer], end = lists->lowest[buffer] + size;
        lists->placed[buffer] = true;

        /* What is left in the buffer's sections conflicts with it and so lies above its end. */
        for (uint64_t i = of_buffer->first[buffer]; i < of_buffer->first[buffer + 1]; i++) {
            uint32_t s = of_buffer->item[i];
            assert(lists->bytes_left[s] >= size);
            lists->bytes_left[s] -= size;
            if (end + lists->bytes_left[s] > task->limit_bytes) {
                dive_failures_add(failures, s);
                return UINT64_MAX;
            }
        }
        for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
            uint32_t other = conflicts->other[i];
            if (lists->lowest[other] < end &&
                !checked_align(end, problem_alignment(lists->problem, other),
                               &lists->lowest[other]))
                return UINT64_MAX;
        }
        peak_bytes = end > peak_bytes ? end : peak_bytes;
        task->order[placed] = buffer;
    }
    return peak_bytes;
}
