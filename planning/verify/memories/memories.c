#include "planning/verify/memories/memories.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/scratch.h"
#include "core/sort.h"

/* What the checks of one plan share. The place of a buffer is that of its whole group of colocated
   buffers, as large as the largest of them. */
struct check {
    const struct memory_problem *problem;
    const struct memory_plan *plan;
    struct memory_verdict *verdict;
    uint32_t *group;    /* [buffers] the least buffer that is colocated with it */
    uint64_t *bytes;    /* [buffers] of its group's place, at the group's least buffer */
    uint64_t *excluded; /* [exclusions] both buffers of a pair as one number, ascending */
    bool *exclusive;    /* [buffers] by a pin */
    struct scratch scratch;
};

static void free_check(struct check *check)
{
    scratch_free(&check->scratch);
}

static void __attribute__((format(printf, 2, 3)))
find_fault(const struct check *check, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(check->verdict->text, sizeof check->verdict->text, format, values);
    va_end(values);
    check->verdict->valid = false;
}

static const char *name_of(const struct check *check, uint32_t buffer)
{
    return names_get(&check->problem->problem->names, buffer);
}

static uint64_t bytes_of(const struct check *check, uint32_t buffer)
{
    assert(check->group[buffer] <= buffer);
    return check->bytes[check->group[buffer]];
}

static uint64_t pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Gives every buffer the least number of its group, by handing lesser numbers over along
   colocations until none is left to hand over. */
static enum status find_groups(struct check *check, struct error *error)
{
    const struct memory_problem *problem = check->problem;
    uint32_t buffers = problem->problem->buffers;
    TRY(scratch_take_all(&check->scratch, buffers, error, &check->group, &check->bytes,
                         &check->exclusive));
    TRY(scratch_take(&check->scratch, &check->excluded, problem->exclusions, sizeof(uint64_t),
                     error));
    for (uint32_t b = 0; b < buffers; b++)
        check->group[b] = b;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < problem->colocations; i++) {
            assert(problem->colocation[i].first < buffers &&
                   problem->colocation[i].second < buffers);
            uint32_t *a = &check->group[problem->colocation[i].first];
            uint32_t *b = &check->group[problem->colocation[i].second];
            changed |= *a != *b;
            *a = *b = check->group[*a < *b ? *a : *b];
        }
    }
    for (uint32_t b = 0; b < buffers; b++) {
        assert(check->group[check->group[b]] == check->group[b]);
        if (problem->problem->size[b] > check->bytes[check->group[b]])
            check->bytes[check->group[b]] = problem->problem->size[b];
    }
    for (uint32_t p = 0; p < problem->pins; p++)
        check->exclusive[problem->pin[p].buffer] |= problem->pin[p].exclusive;
    for (uint32_t e = 0; e < problem->exclusions; e++)
        check->excluded[e] = pair_key(problem->exclusion[e].first, problem->exclusion[e].second);
    qsort(check->excluded, problem->exclusions, sizeof(uint64_t), compare_number_items);
    return STATUS_OK;
}

/* Checks what concerns one buffer alone. */
static void check_buffer(const struct check *check, uint32_t b)
{
    const struct memory_problem *problem = check->problem;
    uint32_t m = check->plan->memory[b];
    uint64_t offset = check->plan->offset[b], bytes = bytes_of(check, b);
    assert(b < problem->problem->buffers && bytes >= problem->problem->size[b]);
    if (m >= problem->memories) {
        find_fault(check, "buffer '%s' is in no memory", name_of(check, b));
        return;
    }
    const struct memory *memory = &problem->memory[m];
    const char *name = names_get(&problem->names, m);
    assert(memory->alignment > 0);
    if (!memory_problem_allows(problem, b, m))
        find_fault(check, "buffer '%s' is in memory '%s', which it may not use", name_of(check, b),
                   name);
    else if (offset > INT64_MAX - bytes || offset + bytes > memory->capacity_bytes)
        find_fault(check, "buffer '%s' ends beyond the capacity of memory '%s'", name_of(check, b),
                   name);
    else if (offset % problem_alignment(problem->problem, b) || offset % memory->alignment)
        find_fault(check, "buffer '%s' is at %" PRIu64 " of memory '%s', which is not aligned",
                   name_of(check, b), offset, name);
    else if (memory->chunk_bytes &&
             offset / memory->chunk_bytes != (offset + bytes - 1) / memory->chunk_bytes)
        find_fault(check, "buffer '%s' is in two chunks of memory '%s'", name_of(check, b), name);
    for (uint32_t r = 0; r < problem->reserved_ranges; r++)
        if (problem->reserved[r].memory == m && offset < problem->reserved[r].upper &&
            problem->reserved[r].lower < offset + bytes)
            find_fault(check, "buffer '%s' has bytes of memory '%s' that are reserved",
                       name_of(check, b), name);
}

/* Whether two buffers have places with a byte in common. */
static bool do_share(const struct check *check, uint32_t a, uint32_t b)
{
    assert(bytes_of(check, a) > 0 && bytes_of(check, b) > 0);
    const struct memory_plan *plan = check->plan;
    return plan->memory[a] == plan->memory[b] &&
           plan->offset[a] < plan->offset[b] + bytes_of(check, b) &&
           plan->offset[b] < plan->offset[a] + bytes_of(check, a);
}

/* The first step at which both buffers are live; false where there is none, or the pair is
   excluded. */
static bool are_live_at_once(const struct check *check, uint32_t a, uint32_t b, uint32_t *step)
{
    assert(a != b);
    const struct problem *plain = check->problem->problem;
    uint32_t i = plain->first[a], j = plain->first[b];
    uint64_t key = pair_key(a, b);
    while (i < plain->first[a + 1] && j < plain->first[b + 1]) {
        uint32_t lower = plain->lower[i] > plain->lower[j] ? plain->lower[i] : plain->lower[j];
        uint32_t upper = plain->upper[i] < plain->upper[j] ? plain->upper[i] : plain->upper[j];
        if (lower < upper) {
            *step = lower;
            return !bsearch(&key, check->excluded, check->problem->exclusions, sizeof key,
                            compare_number_items);
        }
        if (plain->upper[i] < plain->upper[j])
            i++;
        else
            j++;
    }
    return false;
}

static void check_pair(const struct check *check, uint32_t a, uint32_t b)
{
    assert(a != b);
    uint32_t step;
    if (check->group[a] == check->group[b] || !do_share(check, a, b))
        return;
    if (check->exclusive[a] || check->exclusive[b])
        find_fault(check, "buffers '%s' and '%s' share bytes, and one has its bytes for itself",
                   name_of(check, a), name_of(check, b));
    else if (are_live_at_once(check, a, b, &step))
        find_fault(check, "buffers '%s' and '%s' share bytes and are live at step %" PRIu32,
                   name_of(check, a), name_of(check, b), step);
}

/* Looks at all pairs of buffers that are live at once, by rising step, and at those of a buffer
   that has its bytes for itself. */
static enum status check_sharing(struct check *check, struct error *error)
{
    const struct problem *plain = check->problem->problem;
    uint32_t buffers = plain->buffers, segments = plain->first[buffers], *owner, *sorted, *open;
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_ARRAY(plain->lower)}};
    uint32_t opened = 0;
    TRY(scratch_take_all(&check->scratch, segments, error, &owner, &sorted, &open));
    TRY(sort_by_keys(keys, NULL, segments, sorted, error));
    for (uint32_t b = 0; b < buffers; b++) {
        for (uint32_t s = plain->first[b]; s < plain->first[b + 1]; s++)
            owner[s] = b;
        for (uint32_t other = 0; other < buffers && check->exclusive[b]; other++)
            if (other != b)
                check_pair(check, b, other);
    }
    for (uint32_t i = 0; i < segments && check->verdict->valid; i++) {
        uint32_t kept = 0;
        assert(!i || plain->lower[sorted[i - 1]] <= plain->lower[sorted[i]]);
        assert(opened <= i);
        for (uint32_t k = 0; k < opened; k++) {
            if (plain->upper[open[k]] <= plain->lower[sorted[i]])
                continue;
            check_pair(check, owner[open[k]], owner[sorted[i]]);
            open[kept++] = open[k];
        }
        open[kept++] = sorted[i];
        opened = kept;
    }
    return STATUS_OK;
}

static void check_lists(const struct check *check)
{
    assert(check->verdict->valid);
    const struct memory_problem *problem = check->problem;
    const struct memory_plan *plan = check->plan;
    for (uint32_t i = 0; i < problem->colocations; i++) {
        struct problem_pair pair = problem->colocation[i];
        if (plan->memory[pair.first] != plan->memory[pair.second] ||
            plan->offset[pair.first] != plan->offset[pair.second])
            find_fault(check, "buffers '%s' and '%s' are not in the same place",
                       name_of(check, pair.first), name_of(check, pair.second));
    }
    for (uint32_t i = 0; i < problem->separations; i++) {
        struct problem_pair pair = problem->separation[i];
        if (do_share(check, pair.first, pair.second))
            find_fault(check, "buffers '%s' and '%s' share bytes and have to be separate",
                       name_of(check, pair.first), name_of(check, pair.second));
    }
    for (uint32_t p = 0; p < problem->pins; p++) {
        const struct memory_pin *pin = &problem->pin[p];
        assert(pin->buffer < problem->problem->buffers);
        if (plan->memory[pin->buffer] != pin->memory || plan->offset[pin->buffer] != pin->offset)
            find_fault(check, "buffer '%s' is not where it is pinned", name_of(check, pin->buffer));
    }
}

static void add_costs(const struct check *check)
{
    const struct memory_problem *problem = check->problem;
    uint64_t cost = 0;
    for (uint32_t b = 0; b < problem->problem->buffers; b++) {
        assert(check->plan->memory[b] < problem->memories);
        const struct memory *memory = &problem->memory[check->plan->memory[b]];
        cost += problem->read_bytes[b] * memory->read_cost +
                problem->write_bytes[b] * memory->write_cost;
    }
    for (uint32_t p = 0; p < problem->penalties; p++) {
        uint32_t a = problem->penalty[p].first, b = problem->penalty[p].second;
        if (check->group[a] != check->group[b] && do_share(check, a, b))
            cost += problem->penalty[p].cost;
    }
    assert(cost <= INT64_MAX); /* as memory_problem_finish has checked */
    check->verdict->cost = cost;
}

enum status verify_memories(const struct memory_problem *problem, const struct memory_plan *plan,
                            struct memory_verdict *verdict, struct error *error)
{
    SCOPED(free_check) struct check check = {problem, plan, verdict, .group = NULL};
    *verdict = (struct memory_verdict){.valid = true, .text = "valid"};
    TRY(find_groups(&check, error));
    for (uint32_t b = 0; b < problem->problem->buffers && verdict->valid; b++)
        check_buffer(&check, b);
    if (verdict->valid)
        check_lists(&check);
    if (verdict->valid)
        TRY(check_sharing(&check, error));
    if (verdict->valid)
        add_costs(&check);
    return STATUS_OK;
}
