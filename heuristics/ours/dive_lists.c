#include "heuristics/ours/dive_lists.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"

struct dive_lists {
    const struct problem *problem;
    struct conflicts *conflicts;
    struct sections *sections;
    uint64_t *first;   /* [buffers + 1] where each buffer's part of `section` begins */
    uint32_t *section; /* the sections of each buffer, ascending */
    uint64_t *lowest;  /* [buffers] the lowest offset above what is placed */
    bool *placed;      /* [buffers] */
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

static enum status list_sections(struct dive_lists *lists, struct scratch *scratch,
                                 struct error *error)
{
    const struct sections *sections = lists->sections;
    uint32_t buffers = lists->problem->buffers;
    uint64_t members = sections->first[sections->count];
    TRY(scratch_take(scratch, &lists->first, (size_t)buffers + 1, sizeof *lists->first, error));
    TRY(scratch_take(scratch, &lists->section, members, sizeof *lists->section, error));
    for (uint64_t i = 0; i < members; i++)
        lists->first[sections->member[i] + 1]++;
    for (uint32_t b = 0; b < buffers; b++)
        lists->first[b + 1] += lists->first[b];
    for (uint32_t s = sections->count; s-- > 0;)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            lists->section[--lists->first[sections->member[i] + 1]] = s;
    memmove(lists->first, lists->first + 1, buffers * sizeof *lists->first);
    lists->first[buffers] = members;
    return STATUS_OK;
}

static enum status create_state(struct dive_lists *lists, struct scratch *scratch,
                                struct error *error)
{
    uint32_t count = lists->sections->count, buffers = lists->problem->buffers;
    TRY(scratch_take(scratch, &lists->lowest, buffers, sizeof *lists->lowest, error));
    TRY(scratch_take(scratch, &lists->member, lists->sections->first[count] + buffers,
                     sizeof *lists->member, error));
    TRY(scratch_take(scratch, &lists->placed, buffers, sizeof *lists->placed, error));
    TRY(scratch_take(scratch, &lists->listed, (size_t)count + 1, sizeof *lists->listed, error));
    TRY(scratch_take(scratch, &lists->bytes_left, count, sizeof *lists->bytes_left, error));
    return scratch_take(scratch, &lists->factor, count, sizeof *lists->factor, error);
}

enum status dive_lists_create(const struct problem *problem, struct dive_lists **created,
                              struct scratch *scratch, struct error *error)
{
    struct dive_lists *lists;
    TRY(scratch_take(scratch, &lists, 1, sizeof *lists, error));
    *created = lists;
    lists->problem = problem;
    TRY(conflicts_create(problem, &lists->conflicts, error));
    TRY(sections_create(problem, &lists->sections, error));
    TRY(list_sections(lists, scratch, error));
    return create_state(lists, scratch, error);
}

void dive_lists_free(struct dive_lists *lists)
{
    if (!lists)
        return;
    conflicts_free(lists->conflicts);
    sections_free(lists->sections);
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

static void list_members(struct dive_lists *lists, uint32_t section)
{
    const struct sections *sections = lists->sections;
    uint32_t *member = &lists->member[sections->first[section]], listed = 0;
    uint64_t bytes = 0;
    for (uint64_t i = sections->first[section]; i < sections->first[section + 1]; i++) {
        uint32_t buffer = sections->member[i];
        if (!is_movable(lists, buffer))
            continue;
        member[listed++] = buffer;
        bytes += lists->problem->size[buffer];
    }
    lists->listed[section] = listed;
    lists->bytes_left[section] = bytes;
}

/* Empties the arena and fills the lists; returns the number of movable buffers. `failures` is NULL
   for a rule that does not use them. */
static uint32_t start_dive(struct dive_lists *lists, const struct dive_failures *failures)
{
    uint32_t count = lists->sections->count, movables = 0;
    uint32_t *all = &lists->member[lists->sections->first[count]];
    for (uint32_t b = 0; b < lists->problem->buffers; b++) {
        lists->lowest[b] = 0;
        lists->placed[b] = false;
        if (is_movable(lists, b))
            all[movables++] = b;
    }
    for (uint32_t s = 0; s < count; s++) {
        list_members(lists, s);
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

/* Removes placed buffers from the list of a section and returns how many are left. That is done
   only when the list is read, not when they are placed. */
static uint32_t drop_placed(struct dive_lists *lists, uint32_t section)
{
    uint32_t *member = &lists->member[lists->sections->first[section]];
    uint32_t listed = lists->listed[section], left = 0;
    for (uint32_t i = 0; i < listed; i++) {
        member[left] = member[i];
        left += !lists->placed[member[i]];
    }
    return lists->listed[section] = left;
}

/* Of the buffers left in the section, those with the lowest offset come first; returns the one of
   them with the least rank. */
static uint32_t choose_member(struct dive_lists *lists, uint32_t section, const uint32_t *rank)
{
    const uint32_t *member = &lists->member[lists->sections->first[section]];
    uint32_t left = drop_placed(lists, section), chosen = member[0];
    assert(left > 0);
    for (uint32_t i = 1; i < left; i++) {
        uint32_t other = member[i];
        if (lists->lowest[other] < lists->lowest[chosen] ||
            (lists->lowest[other] == lists->lowest[chosen] && rank[other] < rank[chosen]))
            chosen = other;
    }
    return chosen;
}

enum { NO_SECTION = UINT32_MAX };

/* Takes a placed buffer, which ends at `end`, out of its sections. What is left in these sections
   conflicts with the buffer and so lies above its end. Returns the first section whose rest then no
   longer fits below the limit, or NO_SECTION. */
static uint32_t take_from_sections(struct dive_lists *lists, uint32_t buffer, uint64_t end,
                                   uint64_t limit_bytes)
{
    lists->placed[buffer] = true;
    for (uint64_t i = lists->first[buffer]; i < lists->first[buffer + 1]; i++) {
        uint32_t s = lists->section[i];
        assert(lists->bytes_left[s] >= lists->problem->size[buffer]);
        lists->bytes_left[s] -= lists->problem->size[buffer];
        if (end + lists->bytes_left[s] > limit_bytes)
            return s;
    }
    return NO_SECTION;
}

/* Raises the lowest offsets of all buffers that conflict with this one to its end. False where an
   aligned offset would be beyond 2^64. */
static bool raise_conflicting(struct dive_lists *lists, uint32_t buffer, uint64_t end)
{
    const struct conflicts *conflicts = lists->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (lists->lowest[other] >= end)
            continue;
        if (problem_alignment(lists->problem, other) == 1)
            lists->lowest[other] = end;
        else if (!checked_align(end, problem_alignment(lists->problem, other),
                                &lists->lowest[other]))
            return false;
    }
    return true;
}

/* Sums of sizes cannot overflow, since problem_finish has checked that they are below 2^63; only
   aligning is checked here. */
uint64_t dive_lists_order(struct dive_lists *lists, const struct dive_task *task,
                          struct dive_failures *failures)
{
    uint32_t movables = start_dive(lists, task->rule == DIVE_HARDEST ? failures : NULL);
    uint64_t peak_bytes = 0;
    for (uint32_t i = 0; i < movables; i++) {
        if (dive_time_is_up(task, i))
            return UINT64_MAX;
        uint32_t buffer = choose_member(lists, choose_section(lists, task->rule), task->rank);
        uint64_t end = lists->lowest[buffer] + lists->problem->size[buffer];
        uint32_t failed = take_from_sections(lists, buffer, end, task->limit_bytes);
        if (failed != NO_SECTION) {
            dive_failures_add(failures, failed);
            return UINT64_MAX;
        }
        if (!raise_conflicting(lists, buffer, end))
            return UINT64_MAX;
        peak_bytes = end > peak_bytes ? end : peak_bytes;
        task->order[i] = buffer;
    }
    return peak_bytes;
}
