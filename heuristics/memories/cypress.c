/* Cypress's allocator as dsa-solver has it (a8d1257, docs/dsa_rp_algorithms.md): at first no two
   nodes of an arena share bytes, and one pair after another may, in the order of their numbers,
   until all fit. What reuse costs is not looked at. Each node goes to the arena with the least
   traffic. */

#include "core/checked.h"
#include "core/clock.h"
#include "core/scratch.h"
#include "heuristics/memories/rows.h"

struct relaxation {
    const struct memory_task *task;
    const struct memory_model *model;
    uint32_t *arena;     /* [nodes] */
    uint64_t *offset;    /* [nodes] */
    bool *apart;         /* [nodes * nodes] pairs that may not share bytes */
    uint32_t *neighbour; /* [nodes] how many each has */
    bool *finished;      /* [nodes] */
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

/* Packs all nodes; true where all fit. */
static bool pack(struct relaxation *relaxation)
{
    const struct memory_model *model = relaxation->model;
    uint32_t nodes = model->classes.count;
    uint64_t *offset = relaxation->offset;
    bool fits = true;
    for (uint32_t n = 0; n < nodes; n++) {
        offset[n] = rise(relaxation, n, 0);
        relaxation->finished[n] = model->pinned_arena[n] != MEMORY_NONE;
        if (relaxation->finished[n])
            offset[n] = model->pinned_offset[n];
    }
    for (uint32_t left = nodes; left > 0; left--) {
        uint32_t next = MEMORY_NONE;
        for (uint32_t n = 0; n < nodes; n++)
            if (!relaxation->finished[n] &&
                (next == MEMORY_NONE || comes_before(relaxation, n, next)))
                next = n;
        if (next == MEMORY_NONE)
            break;
        relaxation->finished[next] = true;
        uint64_t top = offset[next] + model->nodes->size[next];
        fits &= top <= model->arena[relaxation->arena[next]].capacity;
        for (uint32_t n = 0; n < nodes; n++)
            if (!relaxation->finished[n] && relaxation->apart[(size_t)next * nodes + n] &&
                offset[n] < top && offset[next] < offset[n] + model->nodes->size[n])
                offset[n] = rise(relaxation, n, top);
    }
    return fits;
}

static void set_apart(struct relaxation *relaxation, uint32_t a, uint32_t b, bool apart)
{
    uint32_t nodes = relaxation->model->classes.count, change = apart ? 1 : UINT32_MAX;
    relaxation->apart[(size_t)a * nodes + b] = relaxation->apart[(size_t)b * nodes + a] = apart;
    relaxation->neighbour[a] += change;
    relaxation->neighbour[b] += change;
}

static enum status relax(struct relaxation *relaxation, struct memory_plan *plan)
{
    const struct memory_model *model = relaxation->model;
    uint32_t nodes = model->classes.count, a = 0, b = 0;
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t j = 0; j < i; j++)
            if (relaxation->arena[i] == relaxation->arena[j])
                set_apart(relaxation, i, j, true);
    plan->status = PLAN_GAVE_UP;
    while (clock_left_ns(relaxation->task->deadline_ns)) {
        if (pack(relaxation)) {
            memory_model_fill(model, relaxation->arena, relaxation->offset, plan);
            plan->status = PLAN_FEASIBLE;
            return STATUS_OK;
        }
        do {
            a += b + 1 < nodes ? 0 : 1;
            b = b + 1 < nodes ? b + 1 : a + 1;
        } while (a + 1 < nodes &&
                 (!relaxation->apart[(size_t)a * nodes + b] || memory_model_conflict(model, a, b)));
        if (a + 1 >= nodes)
            break;
        set_apart(relaxation, a, b, false);
    }
    return STATUS_OK;
}

static enum status start(struct relaxation *relaxation, struct memory_plan *plan,
                         struct scratch *scratch, struct error *error)
{
    enum { MOST_NODES = 2000 };
    const struct memory_model *model = relaxation->model;
    size_t nodes = model->classes.count;
    for (uint32_t n = 0; n < nodes && nodes <= MOST_NODES; n++)
        if (model->pinned_arena[n] != MEMORY_NONE)
            nodes = MOST_NODES + 1;
    if (nodes > MOST_NODES) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    TRY(scratch_take(scratch, &relaxation->arena, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &relaxation->offset, nodes, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &relaxation->apart, nodes * nodes, sizeof(bool), error));
    TRY(scratch_take(scratch, &relaxation->neighbour, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &relaxation->finished, nodes, sizeof(bool), error));
    for (uint32_t n = 0; n < nodes; n++) {
        uint64_t least = UINT64_MAX;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (memory_model_traffic(model, n, a) < least) {
                least = memory_model_traffic(model, n, a);
                relaxation->arena[n] = a;
            }
    }
    return relax(relaxation, plan);
}

static enum status plan_cypress(const struct memory_planner *planner,
                                const struct memory_task *task, struct memory_plan *plan,
                                struct error *error)
{
    struct scratch scratch = {0};
    struct relaxation relaxation = {.task = task, .model = task->model};
    (void)planner;
    enum status status = start(&relaxation, plan, &scratch, error);
    scratch_free(&scratch);
    return status;
}

const struct memory_planner memory_planner_cypress_relaxation = {
    .name = "cypress_relaxation",
    .title = "no reuse at first, then pairs may share bytes one by one until all fit; no pins",
    .source = "dsa-solver a8d1257, cypress_relaxation, after Cypress",
    .plan = plan_cypress};
