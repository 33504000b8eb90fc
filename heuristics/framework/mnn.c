/* The BufferAllocator of alibaba/MNN, source/core/BufferAllocator.cpp, 2018 to 2022, as it is
   called while a model is resized: an allocation takes the smallest free node that is large enough,
   of equal ones the one freed first, and splits off the bytes that it does not need; else a new
   node of its size is made. A node that was split is whole again when both parts are free.

   Departures: groups for threads are left out, and the calls of one step are made in the order of
   events.h, by last use and then by position, where MNN goes through an operator's outputs and then
   its inputs.

   New nodes lie end to end in the order in which they are made, and above all fixed buffers.
   Buffers are kept from their first step to their last (events.h).

   alignment: to which splits are rounded up; a common multiple of it and of all buffers' alignments
   is used. MNN's is 64.

   O(n log n) and the number of free nodes for each event. */

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/memory.h"
#include "heuristics/common/events.h"
#include "heuristics/common/rows.h"

static const struct planner_option options[] = {
    {"alignment", "bytes to a multiple of which nodes are split", 1, 1, 1 << 20},
    {0},
};

#define NO_NODE UINT32_MAX

struct node {
    uint64_t begin, size;
    uint64_t freed; /* number of the free by which it became free last */
    /* The node that was split into this one; NO_NODE for a node that was allocated again. */
    uint32_t parent;
    uint32_t rest; /* of a split node, its second part; the first part has the number before */
    uint32_t used; /* of a split node, how many of its two parts are in use */
};

struct allocator {
    const struct problem *problem;
    uint64_t alignment, end, frees;
    struct node *node;
    uint32_t nodes;
    uint32_t *free_node; /* [free_nodes] by size, then in the order in which they were freed */
    uint32_t free_nodes;
    size_t node_capacity, free_capacity;
    uint32_t *taken; /* [buffers] the node that holds the buffer */
};

/* The number of free nodes that are smaller, or equally large and freed earlier. */
static uint32_t count_before(const struct allocator *allocator, uint64_t size, uint64_t freed)
{
    const struct node *node = allocator->node;
    const uint32_t *listed = allocator->free_node;
    return BINARY_SEARCH(at, 0, allocator->free_nodes,
                         node[listed[at]].size > size ||
                             (node[listed[at]].size == size && node[listed[at]].freed >= freed));
}

static enum status insert_free(struct allocator *allocator, uint32_t index, struct error *error)
{
    struct node *node = &allocator->node[index];
    TRY(memory_reserve(&allocator->free_node, &allocator->free_capacity,
                       (size_t)allocator->free_nodes + 1, sizeof(uint32_t), error));
    node->freed = ++allocator->frees;
    uint32_t at = count_before(allocator, node->size, node->freed);
    memmove(allocator->free_node + at + 1, allocator->free_node + at,
            (allocator->free_nodes - at) * sizeof(uint32_t));
    allocator->free_node[at] = index;
    allocator->free_nodes++;
    return STATUS_OK;
}

static void remove_free(struct allocator *allocator, uint32_t index)
{
    const struct node *node = &allocator->node[index];
    uint32_t at = count_before(allocator, node->size, node->freed);
    allocator->free_nodes--;
    memmove(allocator->free_node + at, allocator->free_node + at + 1,
            (allocator->free_nodes - at) * sizeof(uint32_t));
}

static enum status add_node(struct allocator *allocator, struct node node, struct error *error)
{
    TRY(memory_reserve(&allocator->node, &allocator->node_capacity, (size_t)allocator->nodes + 1,
                       sizeof *allocator->node, error));
    allocator->node[allocator->nodes++] = node;
    return STATUS_OK;
}

static enum status allocate(struct allocator *allocator, uint32_t buffer, struct error *error)
{
    uint64_t size = allocator->problem->size[buffer], rounded;
    uint32_t at = count_before(allocator, size, 0);
    if (at == allocator->free_nodes) {
        struct node node = {.size = size, .parent = NO_NODE};
        if (!checked_align(allocator->end, allocator->alignment, &node.begin) ||
            !checked_add(node.begin, size, &allocator->end) || allocator->end == PROBLEM_FREE)
            return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                             names_get(&allocator->problem->names, buffer));
        allocator->taken[buffer] = allocator->nodes;
        return add_node(allocator, node, error);
    }

    uint32_t index = allocator->free_node[at];
    struct node whole = allocator->node[index];
    remove_free(allocator, index);
    if (whole.parent != NO_NODE)
        allocator->node[whole.parent].used++;
    allocator->taken[buffer] = index;
    if (!checked_align(size, allocator->alignment, &rounded) || rounded >= whole.size)
        return STATUS_OK;

    /* What is left over becomes a free node. */
    struct node first = {.begin = whole.begin, .size = rounded, .parent = index};
    struct node second = {
        .begin = whole.begin + rounded, .size = whole.size - rounded, .parent = index};
    uint32_t part = allocator->taken[buffer] = allocator->nodes;
    TRY(add_node(allocator, first, error));
    TRY(add_node(allocator, second, error));
    allocator->node[index].rest = part + 1;
    allocator->node[index].used = 1;
    return insert_free(allocator, part + 1, error);
}

/* Frees the node of a buffer. Where both parts of a split node are free, they are replaced by the
   whole node. */
static enum status release(struct allocator *allocator, uint32_t buffer, struct error *error)
{
    uint32_t index = allocator->taken[buffer], parent;
    assert(index < allocator->nodes);
    TRY(insert_free(allocator, index, error));
    while ((parent = allocator->node[index].parent) != NO_NODE &&
           --allocator->node[parent].used == 0) {
        remove_free(allocator, allocator->node[parent].rest);
        remove_free(allocator, allocator->node[parent].rest - 1);
        TRY(insert_free(allocator, parent, error));
        index = parent;
    }
    return STATUS_OK;
}

static void free_allocator(struct allocator *allocator)
{
    memory_free_all(allocator->node, allocator->free_node);
}

static enum status plan_mnn(const struct planner *planner, const struct planner_task *task,
                            struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    SCOPED(free_allocator)
    struct allocator allocator = {.problem = problem,
                                  .alignment = planner_option_value(planner, 0),
                                  .end = problem_fixed_end(problem)};
    uint32_t buffers = problem->buffers;
    struct event *events;
    plan->status = PLAN_UNSUPPORTED;
    for (uint32_t b = 0; b < buffers; b++)
        if (!checked_common_multiple(allocator.alignment, problem_alignment(problem, b),
                                     &allocator.alignment))
            return STATUS_OK;
    if (allocator.alignment > UINT32_MAX)
        return STATUS_OK;
    TRY(events_create(problem, &events, task->scratch, error));
    TRY(scratch_take(task->scratch, &allocator.taken, buffers, sizeof(uint32_t), error));
    for (uint32_t i = 0; i < 2 * buffers; i++) {
        uint32_t b = events[i].buffer;
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE) {
            plan->offset[b] = problem_fixed_offset(problem, b);
        } else if (events[i].frees) {
            TRY(release(&allocator, b, error));
        } else {
            TRY(allocate(&allocator, b, error));
            plan->offset[b] = allocator.node[allocator.taken[b]].begin;
        }
    }
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "mnn",
     .family = "framework",
     .title = "as an allocator, smallest free node, split and joined again",
     .source = "MNN source/core/BufferAllocator.cpp, 2018 to 2022",
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES,
     .options = options,
     .plan = plan_mnn},
};

HEURISTICS_ROWS(mnn, rows);
