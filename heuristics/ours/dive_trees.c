#include "heuristics/ours/dive_trees.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/heap.h"
#include "heuristics/common/max_tree.h"
#include "heuristics/ours/section_trees.h"

struct dive_trees {
    const struct problem *problem;
    struct section_spans spans;
    uint32_t *position; /* [segments] where each is in spans.starting */
    /* For each position in spans.starting, the section where the segment's run ends if it is left
       to place. */
    struct max_tree live;
    struct height_tree height; /* the height of what is placed in each section */
    struct byte_tree left;     /* the bytes left to place in each section */
    uint64_t *lowest; /* [buffers] a lower bound of the lowest offset above what is placed */
    uint32_t *found;  /* [most_live] the buffers found in a section */
    /* Only for DIVE_LOWEST: the ranks of the buffers left to place, the one with the lowest offset
       first. */
    struct heap waiting;
    uint32_t *ranked; /* [movables] only for DIVE_LOWEST: the buffers by rank */
};

static bool is_movable(const struct dive_trees *trees, uint32_t buffer)
{
    return problem_fixed_offset(trees->problem, buffer) == PROBLEM_FREE;
}

static void add_all(struct dive_trees *trees)
{
    for (uint32_t i = 0; i < trees->problem->segments; i++) {
        uint32_t segment = trees->spans.starting[i];
        if (is_movable(trees, trees->spans.buffer[segment]))
            max_tree_set(&trees->live, i, trees->spans.run[segment].end);
    }
}

enum status dive_trees_create(const struct problem *problem, const struct section_spans *spans,
                              struct dive_trees **created, struct scratch *scratch,
                              struct error *error)
{
    struct dive_trees *trees;
    uint32_t segments = problem->segments, buffers = problem->buffers;
    TRY(scratch_take(scratch, &trees, 1, sizeof *trees, error));
    *created = trees;
    trees->problem = problem;
    trees->spans = *spans;
    TRY(scratch_take(scratch, &trees->position, segments, sizeof *trees->position, error));
    TRY(max_tree_create(&trees->live, segments, scratch, error));
    TRY(height_tree_create(&trees->height, spans->sections, scratch, error));
    TRY(byte_tree_create(&trees->left, spans->sections, scratch, error));
    TRY(scratch_take_all(scratch, buffers, error, &trees->lowest, &trees->ranked));
    TRY(scratch_take(scratch, &trees->found, (size_t)spans->most_live + 1, sizeof *trees->found,
                     error));
    TRY(heap_reserve(&trees->waiting, buffers, error));
    for (uint32_t i = 0; i < segments; i++)
        trees->position[spans->starting[i]] = i;
    add_all(trees);
    return STATUS_OK;
}

void dive_trees_free(struct dive_trees *trees)
{
    if (trees)
        heap_free(&trees->waiting);
}

uint32_t dive_trees_sections(const struct dive_trees *trees)
{
    return trees->spans.sections;
}

/* Lists the buffers of a section that are left to place, by first step, and returns their
   number. */
static uint32_t find_live(const struct dive_trees *trees, uint32_t section, uint32_t *found)
{
    const struct section_spans *spans = &trees->spans;
    uint32_t count = 0;
    for (uint32_t i = max_tree_next(&trees->live, 0, section); i != MAX_TREE_NONE;
         i = max_tree_next(&trees->live, i + 1, section)) {
        uint32_t segment = spans->starting[i];
        if (spans->run[segment].first > section)
            break;
        found[count++] = spans->buffer[segment];
    }
    assert(count <= spans->most_live);
    return count;
}

uint32_t dive_trees_members(struct dive_trees *trees, uint32_t section, uint32_t *member)
{
    uint32_t count = find_live(trees, section, member);
    if (count)
        qsort(member, count, sizeof *member, compare_number_items_32);
    return count;
}

/* Empties the arena; returns the number of movable buffers. */
static uint32_t start_dive(struct dive_trees *trees, const struct dive_task *task)
{
    const struct section_spans *spans = &trees->spans;
    const uint32_t *rank = task->rank;
    struct byte_tree *left = &trees->left;
    uint32_t movables = 0;
    height_tree_clear(&trees->height);
    for (uint32_t b = 0; b < trees->problem->buffers; b++) {
        trees->lowest[b] = 0;
        movables += is_movable(trees, b);
        if (task->rule == DIVE_LOWEST && is_movable(trees, b))
            trees->ranked[rank[b]] = b;
    }

    /* All lowest offsets are 0, so the buffers in the order of their ranks already form a heap. */
    trees->waiting.count = task->rule == DIVE_LOWEST ? movables : 0;
    for (uint32_t i = 0; i < trees->waiting.count; i++)
        trees->waiting.item[i] = (struct heap_item){0, i};

    /* For the bytes to place in each section, each size is first added where its run of sections
       begins and subtracted where it ends; then running sums are made. */
    byte_tree_clear(left, spans->sections);
    for (uint32_t s = 0; s < trees->problem->segments; s++) {
        uint32_t buffer = spans->buffer[s];
        int64_t size = is_movable(trees, buffer) ? (int64_t)trees->problem->size[buffer] : 0;
        *byte_tree_leaf(left, spans->run[s].first) += size;
        if (spans->run[s].end < spans->sections)
            *byte_tree_leaf(left, spans->run[s].end) -= size;
    }
    for (uint32_t section = 1; section < spans->sections; section++)
        *byte_tree_leaf(left, section) += *byte_tree_leaf(left, section - 1);
    byte_tree_make_ready(left);
    return movables;
}

/* The section with most bytes left, multiplied by its factor; the first of equals. Only sections
   where dives have failed have a factor above 1, so all others are covered by the fullest one. */
static uint32_t choose_section(const struct dive_trees *trees, const struct dive_failures *failures)
{
    uint32_t chosen = byte_tree_fullest(&trees->left);
    double most = (double)byte_tree_at(&trees->left, chosen);
    for (uint32_t i = 0; failures && i < failures->failed; i++) {
        uint32_t section = failures->section[i];
        double value =
            (double)byte_tree_at(&trees->left, section) * dive_failures_factor(failures, section);
        if (value > most || (value == most && section < chosen)) {
            chosen = section;
            most = value;
        }
    }
    return chosen;
}

/* Computes the exact lowest offset of a buffer; false where it is beyond 2^64. */
static bool raise_lowest(struct dive_trees *trees, uint32_t buffer)
{
    const struct problem *problem = trees->problem;
    uint64_t most = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++) {
        uint64_t height = height_tree_most(&trees->height, trees->spans.run[s]);
        most = height > most ? height : most;
    }
    return checked_align(most, problem_alignment(problem, buffer), &trees->lowest[buffer]);
}

/* Whether buffer a comes before buffer b by the lowest offsets that are known, of equals by
   rank. */
static bool is_lower(const struct dive_trees *trees, const uint32_t *rank, uint32_t a, uint32_t b)
{
    uint64_t of_a = trees->lowest[a], of_b = trees->lowest[b];
    return of_a < of_b || (of_a == of_b && rank[a] < rank[b]);
}

/* Lists the buffers of the section that are left to place and raises their known lowest offsets to
   the height of the section. Picks the first of them by these offsets. */
static uint32_t pick_member(struct dive_trees *trees, uint32_t section, const uint32_t *rank,
                            uint32_t *count)
{
    uint64_t floor = height_tree_most(&trees->height, (struct section_run){section, section + 1});
    *count = find_live(trees, section, trees->found);
    assert(*count > 0);
    uint32_t picked = trees->found[0];
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t buffer = trees->found[i];
        if (trees->lowest[buffer] < floor)
            trees->lowest[buffer] = floor;
        if (is_lower(trees, rank, buffer, picked))
            picked = buffer;
    }
    return picked;
}

/* Of the buffers left in the section, finds those with the lowest offset, and of these the one of
   least rank. The known offsets are lower bounds, since offsets only rise; so only those buffers
   are computed exactly that still come before the chosen one. */
static bool choose_member(struct dive_trees *trees, uint32_t section, const uint32_t *rank,
                          uint32_t *chosen)
{
    uint32_t count;
    *chosen = pick_member(trees, section, rank, &count);
    if (!raise_lowest(trees, *chosen))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t buffer = trees->found[i];
        if (!is_lower(trees, rank, buffer, *chosen))
            continue;
        if (!raise_lowest(trees, buffer))
            return false;
        if (is_lower(trees, rank, buffer, *chosen))
            *chosen = buffer;
    }
    return true;
}

/* The same among all buffers that are left. An item whose offset was out of date goes back into the
   heap, which has room for it. */
static bool choose_waiting(struct dive_trees *trees, uint32_t *chosen)
{
    for (;;) {
        struct heap_item item = heap_pop(&trees->waiting);
        *chosen = trees->ranked[item.value];
        if (!raise_lowest(trees, *chosen))
            return false;
        if (trees->lowest[*chosen] == item.key)
            return true;
        heap_push(&trees->waiting, trees->lowest[*chosen], item.value, NULL);
    }
}

#define NO_SECTION UINT32_MAX

/* Takes a placed buffer, which ends at `end`, out of its sections. What is left in these sections
   conflicts with the buffer and so lies above its end. Returns the first section whose rest then no
   longer fits below the limit, or NO_SECTION. */
static uint32_t take_from_sections(struct dive_trees *trees, uint32_t buffer, uint64_t end,
                                   uint64_t limit_bytes)
{
    const struct problem *problem = trees->problem;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++) {
        struct section_run run = trees->spans.run[s];
        uint32_t section = run.first;
        byte_tree_take(&trees->left, run, problem->size[buffer]);
        if (end > limit_bytes)
            return section;
        if (byte_tree_most(&trees->left, run) > limit_bytes - end) {
            while (byte_tree_at(&trees->left, section) <= limit_bytes - end)
                section++;
            assert(section < run.end);
            return section;
        }
        height_tree_raise(&trees->height, run, end);
        max_tree_set(&trees->live, trees->position[s], INT64_MIN);
    }
    return NO_SECTION;
}

static uint64_t place_all(struct dive_trees *trees, const struct dive_task *task,
                          struct dive_failures *failures)
{
    const struct dive_failures *hard = task->rule == DIVE_HARDEST ? failures : NULL;
    uint32_t movables = start_dive(trees, task), buffer;
    uint64_t peak_bytes = 0;
    for (uint32_t i = 0; i < movables; i++) {
        if (dive_time_is_up(task, i))
            return UINT64_MAX;
        bool found = task->rule == DIVE_LOWEST
                         ? choose_waiting(trees, &buffer)
                         : choose_member(trees, choose_section(trees, hard), task->rank, &buffer);
        if (!found)
            return UINT64_MAX;
        uint64_t end = trees->lowest[buffer] + trees->problem->size[buffer];
        uint32_t failed = take_from_sections(trees, buffer, end, task->limit_bytes);
        if (failed != NO_SECTION) {
            dive_failures_add(failures, failed);
            return UINT64_MAX;
        }
        peak_bytes = end > peak_bytes ? end : peak_bytes;
        task->order[i] = buffer;
    }
    return peak_bytes;
}

uint64_t dive_trees_order(struct dive_trees *trees, const struct dive_task *task,
                          struct dive_failures *failures)
{
    uint64_t peak_bytes = place_all(trees, task, failures);
    add_all(trees);
    return peak_bytes;
}
