/* Large neighbourhoods (Shaw, CP 1998): of a plan, the nodes that are live in a window of time may
   lie elsewhere, all others stay, and the solver finds the cheapest plan of these. Windows grow as
   long as they are solved in their time and shrink where they are not. */

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"
#include "heuristics/memories/place.h"
#include "planning/problem/sections.h"
#include "solvers/memories/rows.h"
#include "solvers/memories/window_problem.h"

enum { FIRST_WANTED = 40, LEAST_WANTED = 8, ROUNDS = 200, SHARE = 60 };

struct windows {
    const struct memory_task *task;
    const struct memory_model *model;
    struct sections *sections;
    struct placing placing;          /* of the plan */
    struct memory_plan *plan, *made; /* the plan, and another one of the same problem */
    struct window_problem window;
    uint32_t *node, *old_arena; /* [nodes] those of the window; where its free ones were */
    uint64_t *old_offset;       /* [nodes] */
    struct random_state random;
    uint32_t wanted; /* free nodes */
    bool is_solved;  /* the latest window is */
};

/* Adds a node to the window. */
static void add(struct windows *windows, uint32_t node)
{
    struct window_problem *window = &windows->window;
    if (window->index[node] != MEMORY_NONE || windows->model->pinned_arena[node] != MEMORY_NONE)
        return;
    window->index[node] = window->count;
    windows->node[window->count++] = node;
}

/* Adds nodes of a section, from one that is drawn on, until there are as many as are wanted. */
static void add_section(struct windows *windows, uint32_t section)
{
    const struct sections *sections = windows->sections;
    uint64_t first = sections->first[section], members = sections->first[section + 1] - first;
    uint64_t begin = random_below(&windows->random, members);
    for (uint64_t i = 0; i < members && windows->window.count < windows->wanted; i++)
        add(windows, sections->member[first + (begin + i) % members]);
}

/* Adds what stays and is in the way of a free node, or has a penalty with it, in a memory with a
   capacity: elsewhere a place is found afterwards. */
static void add_neighbour(struct windows *windows, uint32_t node)
{
    const struct memory_model *model = windows->model;
    uint32_t arena = windows->placing.arena[node];
    struct window_problem *window = &windows->window;
    if (window->index[node] != MEMORY_NONE || model->arena[arena].capacity == UINT64_MAX)
        return;
    window->index[node] = window->count;
    windows->node[window->count++] = node;
}

static void choose_window(struct windows *windows)
{
    const struct memory_model *model = windows->model;
    struct window_problem *window = &windows->window;
    uint32_t sections = windows->sections->count, below, above;
    for (uint32_t i = 0; i < window->count; i++)
        window->index[windows->node[i]] = MEMORY_NONE;
    window->count = 0;
    below = above = (uint32_t)random_below(&windows->random, sections);
    add_section(windows, below);
    while (window->count < windows->wanted && (below > 0 || above + 1 < sections)) {
        if (above + 1 < sections)
            add_section(windows, ++above);
        if (below > 0)
            add_section(windows, --below);
    }
    window->frees = window->count;
    for (uint32_t i = 0; i < window->frees; i++) {
        uint32_t n = windows->node[i];
        for (uint64_t k = model->first[n]; k < model->first[n + 1]; k++)
            add_neighbour(windows, model->other[k]);
        for (uint32_t k = model->first_edge[n]; k < model->first_edge[n + 1]; k++) {
            const struct memory_edge *edge = &model->edge[model->edge_of[k]];
            add_neighbour(windows, edge->first == n ? edge->second : edge->first);
        }
    }
}

/* Puts the free nodes where the plan of the window has them; those in a memory without a capacity,
   where not all neighbours were looked at, where they are cheapest. False, and nothing is changed,
   where the plan needs a chunk that the whole does not have. */
static bool put_back(struct windows *windows, const struct memory_model *model, uint32_t *arena,
                     const uint64_t *offset)
{
    struct placing *placing = &windows->placing;
    const struct memory_model *whole = windows->model;
    const struct window_problem *window = &windows->window;
    for (uint32_t i = 0; i < window->frees; i++) {
        const struct memory_arena *wanted = &model->arena[arena[i]];
        uint32_t a = 0;
        while (a < whole->arenas &&
               (whole->arena[a].memory != wanted->memory || whole->arena[a].base != wanted->base))
            a++;
        if (a == whole->arenas)
            return false;
        arena[i] = a;
    }
    for (uint32_t i = 0; i < window->frees; i++) {
        bool is_free = whole->arena[arena[i]].capacity == UINT64_MAX;
        placing->arena[windows->node[i]] = is_free ? MEMORY_NONE : arena[i];
        placing->offset[windows->node[i]] = offset[i];
    }
    for (uint32_t i = 0; i < window->frees; i++) {
        struct place_found found = {.arena = MEMORY_NONE};
        if (placing->arena[windows->node[i]] != MEMORY_NONE)
            continue;
        placing_find_cheapest(placing, windows->node[i], arena[i], &found);
        assert(found.arena == arena[i]);
        placing_put(placing, windows->node[i], found);
    }
    return true;
}

/* Solves a window, and takes its plan over where the whole then costs no more. */
static enum status solve_window(struct windows *windows, uint64_t limit_ns, struct error *error)
{
    SCOPED(memory_problem_release) struct memory_problem *problem = NULL;
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    SCOPED(memory_plan_release) struct memory_plan *start = NULL, *plan = NULL;
    SCOPED(memory_release) uint32_t *arena = NULL;
    SCOPED(memory_release) uint64_t *offset = NULL;
    struct window_problem *window = &windows->window;
    struct placing *placing = &windows->placing;
    TRY(window_problem_create(window, &problem, error));
    TRY(memory_model_create(problem, &model, error));
    TRY(memory_plan_create(problem, &start, error));
    TRY(memory_plan_create(problem, &plan, error));
    TRY(memory_create(&arena, window->count, sizeof *arena, error));
    TRY(memory_create(&offset, window->count, sizeof *offset, error));
    for (uint32_t i = 0; i < window->count; i++) {
        uint32_t n = windows->node[i];
        const struct memory_arena *at = &windows->model->arena[placing->arena[n]];
        start->memory[i] = at->memory;
        start->offset[i] = at->base + placing->offset[n];
        windows->old_arena[i] = placing->arena[n];
        windows->old_offset[i] = placing->offset[n];
    }
    start->status = PLAN_FEASIBLE;
    memory_model_read(model, start, arena, offset);
    memory_model_fill(model, arena, offset, start);
    struct memory_task task = *windows->task;
    uint64_t deadline_ns = clock_deadline_ns(limit_ns);
    task.deadline_ns = deadline_ns < task.deadline_ns ? deadline_ns : task.deadline_ns;
    task.model = model;
    task.start = start;
    TRY(memory_planner_hitting_set.plan(&memory_planner_hitting_set, &task, plan, error));
    windows->is_solved = plan->status == PLAN_OPTIMAL;
    windows->plan->questions += plan->questions;
    if (!memory_plan_found(plan) || plan->cost >= start->cost)
        return STATUS_OK;
    memory_model_read(model, plan, arena, offset);
    if (!put_back(windows, model, arena, offset))
        return STATUS_OK;
    memory_model_fill(windows->model, placing->arena, placing->offset, windows->made);
    if (windows->made->cost <= windows->plan->cost) {
        memory_plan_take(windows->plan, windows->made);
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < window->frees; i++) {
        placing->arena[windows->node[i]] = windows->old_arena[i];
        placing->offset[windows->node[i]] = windows->old_offset[i];
    }
    return STATUS_OK;
}

static enum status begin(struct windows *windows, struct scratch *scratch, struct error *error)
{
    const struct memory_model *model = windows->model;
    size_t nodes = model->classes.count;
    TRY(placing_create(model, scratch, &windows->placing, error));
    TRY(sections_create(model->nodes, &windows->sections, error));
    TRY(scratch_take(scratch, &windows->node, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &windows->old_arena, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &windows->old_offset, nodes, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &windows->window.index, nodes, sizeof(uint32_t), error));
    for (size_t n = 0; n < nodes; n++)
        windows->window.index[n] = MEMORY_NONE;
    windows->window.model = model;
    windows->window.node = windows->node;
    windows->window.arena = windows->placing.arena;
    windows->window.offset = windows->placing.offset;
    memory_model_read(model, windows->plan, windows->placing.arena, windows->placing.offset);
    return memory_plan_create(model->problem, &windows->made, error);
}

static enum status search(struct windows *windows, struct scratch *scratch, struct error *error)
{
    const struct memory_task *task = windows->task;
    assert(windows->wanted >= LEAST_WANTED);
    uint64_t left_ns = clock_left_ns(task->deadline_ns);
    uint64_t limit_ns = left_ns == UINT64_MAX ? 200000000 : left_ns / SHARE;
    uint64_t rounds = task->rounds || left_ns < UINT64_MAX ? task->rounds : ROUNDS;
    TRY(begin(windows, scratch, error));
    for (uint64_t round = 0;
         windows->sections->count && (!rounds || round < rounds) &&
         clock_left_ns(task->deadline_ns) > 0 && windows->plan->cost > windows->plan->cost_bound;
         round++) {
        choose_window(windows);
        uint64_t began_ns = clock_monotonic_ns();
        TRY(solve_window(windows, limit_ns, error));
        if (windows->is_solved && windows->window.frees < windows->wanted)
            break; /* that was all of the problem */
        if (!windows->is_solved && windows->wanted > LEAST_WANTED)
            windows->wanted -= windows->wanted / 8;
        else if (windows->is_solved && clock_monotonic_ns() - began_ns < limit_ns / 4)
            windows->wanted += 1 + windows->wanted / 16;
    }
    return STATUS_OK;
}

static enum status plan_windows(const struct memory_planner *planner,
                                const struct memory_task *task, struct memory_plan *plan,
                                struct error *error)
{
    struct scratch scratch = {0};
    struct windows windows = {.task = task,
                              .model = task->model,
                              .plan = plan,
                              .random = random_seed(task->seed),
                              .wanted = FIRST_WANTED};
    (void)planner;
    plan->status = PLAN_GAVE_UP;
    if (task->model->by_pairs)
        return STATUS_OK;
    struct memory_task quick = *task;
    uint64_t left_ns = clock_left_ns(task->deadline_ns);
    if (left_ns < UINT64_MAX)
        quick.deadline_ns = clock_deadline_ns(left_ns / 4);
    if (task->start && memory_plan_found(task->start)) {
        memory_plan_take(plan, task->start);
        plan->cost_bound = task->start->cost_bound;
    } else {
        TRY(memory_planner_choose_and_pack.plan(&memory_planner_choose_and_pack, &quick, plan,
                                                error));
    }
    if (!memory_plan_found(plan))
        return STATUS_OK;
    enum status status = search(&windows, &scratch, error);
    plan->status = plan->cost <= plan->cost_bound ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    sections_free(windows.sections);
    memory_plan_free(windows.made);
    scratch_free(&scratch);
    return status;
}

const struct memory_planner memory_planner_windows = {
    .name = "windows",
    .title = "the cheapest plan of what is live in a window of time, all else kept, over and over",
    .source = "ours, after Shaw, CP 1998",
    .flags = MEMORY_PLANNER_EXACT | MEMORY_PLANNER_SEARCHES | MEMORY_PLANNER_WANTS_START,
    .plan = plan_windows};
