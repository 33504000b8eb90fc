/* Cypress's allocator as dsa-solver has it (a8d1257, docs/dsa_rp_algorithms.md): at first no two
   nodes of an arena share bytes, and one pair after another may, in the order of their numbers,
   until all fit. What reuse costs is not looked at. Each node goes to the arena with the least
   traffic. */

#include "core/checked.h"
#include "core/clock.h"
#include "heuristics/memories/rows.h"

struct relaxation {
    const struct memory_task *task;
    const struct memory_model *model;
    uint32_t *arena;     /* [nodes] */
    uint64_t *offset;    /* [nodes] */
    bool *apart;         /* [nodes * nodes] pairs that may not share bytes */
    uint32_t *neighbour; /* [nodes] how many each has */
    uint32_t *left;      /* [nodes] scratch: those whose place is not final */
};

/* The lowest aligned offset from `least` on at which the node has no reserved byte. */
static uint64_t rise(const struct relaxation *relaxation, uint32_t node, uint64_t least)
{
    const struct memory_model *model = relaxation->model;
    uint32_t a = relaxation->arena[node];
    uint64_t alignment = memory_model_alignment(model, node, a), bytes = model->nodes->size[node];
    for (bool moved = true; moved;) {
        moved = false;
        least = align_up(least, alignment);
        for (uint32_t r = model->first_reserved[a]; r < model->first_reserved[a + 1]; r++)
            if (least < model->reserved[r].upper && model->reserved[r].lower < least + bytes) {
                least = model->reserved[r].upper;
                moved = true;
            }
    }
    return least;
}

static bool comes_before(const struct relaxation *relaxation, uint32_t a, uint32_t b)
{
    const uint64_t *size = relaxation->model->nodes->size;
    if (relaxation->offset[a] != relaxation->offset[b])
        return relaxation->offset[a] < relaxation->offset[b];
    if (relaxation->neighbour[a] != relaxation->neighbour[b])
        return relaxation->neighbour[a] > relaxation->neighbour[b];
    return size[a] != size[b] ? size[a] > size[b] : a < b;
}

static bool fits_at(const struct relaxation *relaxation, uint32_t node)
{
    const struct memory_model *model = relaxation->model;
    uint64_t capacity = model->arena[relaxation->arena[node]].capacity;
    return relaxation->offset[node] <= capacity &&
           model->nodes->size[node] <= capacity - relaxation->offset[node];
}

/* Pushes those of left[count] that may not share bytes with the node and do above it; false where
   one no longer fits. */
static bool push(struct relaxation *relaxation, uint32_t node, uint32_t count)
{
    const bool *apart = relaxation->apart + (size_t)node * relaxation->model->classes.count;
    const uint64_t *size = relaxation->model->nodes->size;
    uint64_t *offset = relaxation->offset, lower = offset[node], top = lower + size[node];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = relaxation->left[i];
        if (!apart[n] || offset[n] >= top || lower >= offset[n] + size[n])
            continue;
        offset[n] = rise(relaxation, n, top);
        if (!fits_at(relaxation, n))
            return false;
    }
    return true;
}

/* Packs all nodes; true where all fit, else it stops, since none ever goes down. */
static bool pack(struct relaxation *relaxation)
{
    uint32_t nodes = relaxation->model->classes.count, *left = relaxation->left;
    for (uint32_t n = 0; n < nodes; n++) {
        relaxation->offset[n] = rise(relaxation, n, 0);
        left[n] = n;
        if (!fits_at(relaxation, n))
            return false;
    }
    for (uint32_t count = nodes; count > 0; count--) {
        uint32_t next = 0, node;
        for (uint32_t i = 1; i < count; i++)
            if (comes_before(relaxation, left[i], left[next]))
                next = i;
        node = left[next];
        left[next] = left[count - 1];
        if (!push(relaxation, node, count - 1))
            return false;
    }
    return true;
}

static void set_apart(struct relaxation *relaxation, uint32_t a, uint32_t b, bool apart)
{
    uint32_t nodes = relaxation->model->classes.count, change = apart ? 1 : UINT32_MAX;
    relaxation->apart[(size_t)a * nodes + b] = relaxation->apart[(size_t)b * nodes + a] = apart;
    relaxation->neighbour[a] += change;
    relaxation->neighbour[b] += change;
}

/* Whether some arena is too small for its nodes from `first` on, of which no two may share bytes
   yet: then no packing fits. */
static bool must_overflow(const struct relaxation *relaxation, uint32_t first)
{
    const struct memory_model *model = relaxation->model;
    for (uint32_t a = 0; a < model->arenas; a++) {
        uint64_t left = model->arena[a].capacity;
        for (uint32_t n = first; n < model->classes.count; n++) {
            if (relaxation->arena[n] != a)
                continue;
            if (model->nodes->size[n] > left)
                return true;
            left -= model->nodes->size[n];
        }
    }
    return false;
}

static void relax(struct relaxation *relaxation, struct memory_plan *plan)
{
    const struct memory_model *model = relaxation->model;
    uint32_t nodes = model->classes.count, a = 0, b = 0;
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t j = 0; j < i; j++)
            if (relaxation->arena[i] == relaxation->arena[j])
                set_apart(relaxation, i, j, true);
    while (clock_left_ns(relaxation->task->deadline_ns)) {
        if (!must_overflow(relaxation, a + 1) && pack(relaxation)) {
            memory_model_fill(model, relaxation->arena, relaxation->offset, plan);
            plan->status = PLAN_FEASIBLE;
            return;
        }
        do {
            a += b + 1 < nodes ? 0 : 1;
            b = b + 1 < nodes ? b + 1 : a + 1;
        } while (a + 1 < nodes &&
                 (!relaxation->apart[(size_t)a * nodes + b] || memory_model_conflict(model, a, b)));
        if (a + 1 >= nodes)
            return;
        set_apart(relaxation, a, b, false);
    }
}

static enum status plan_cypress(const struct memory_task *task, struct memory_plan *plan,
                                struct error *error)
{
    enum { MOST_NODES = 2000 };
    const struct memory_model *model = task->model;
    struct relaxation relaxation = {.task = task, .model = model};
    size_t nodes = model->classes.count;
    if (nodes > MOST_NODES || model->problem->pins) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    TRY(scratch_take_all(task->scratch, nodes, error, &relaxation.arena, &relaxation.offset,
                         &relaxation.neighbour, &relaxation.left));
    TRY(scratch_take(task->scratch, &relaxation.apart, nodes * nodes, sizeof(bool), error));
    for (uint32_t n = 0; n < nodes; n++)
        while (memory_model_traffic(model, n, relaxation.arena[n]) !=
               memory_model_least_traffic(model, n))
            relaxation.arena[n]++;
    relax(&relaxation, plan);
    return STATUS_OK;
}

const struct memory_planner memory_planner_cypress_relaxation = {
    .name = "cypress_relaxation",
    .title = "no reuse at first, then pairs may share bytes one by one until all fit; no pins",
    .source = "dsa-solver a8d1257, cypress_relaxation, after Cypress",
    .plan = plan_cypress};
