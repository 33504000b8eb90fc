#include "harness/joint/moves.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"
#include "harness/catalogue/planners.h"
#include "planning/order/graph_reorder.h"

enum status moves_quick_peak(const struct job *job, const struct instance *instance,
                             uint64_t *peak_bytes, struct error *error)
{
    static const char *const names[] = {"large_first", "area_first_fit"};
    *peak_bytes = UINT64_MAX;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct job quick = *job;
        quick.instance = instance;
        quick.planner = planners_find(names[i]);
        quick.capacity_bytes = UINT64_MAX;
        quick.least_sampled_ns = 0;
        assert(quick.planner);
        SCOPED(outcome_clear) struct outcome outcome = {0};
        TRY(job_plan(&quick, &outcome, error));
        bool found = outcome_found(&outcome);
        if (found && outcome.placement->measures.peak_bytes < *peak_bytes)
            *peak_bytes = outcome.placement->measures.peak_bytes;
    }
    return STATUS_OK;
}

/* Moves of the operators of region 0, given by their numbers in the graph. */
struct moves {
    const struct moves_request *request;
    const struct graph *graph;
    struct order_view *view;
    struct graph_order *order;
    uint32_t *op;       /* [count] operators of region 0, in their order */
    uint32_t *position; /* [operators of the view] its position in op */
    uint32_t *number;   /* [operators of the graph] its number in the view */
    uint32_t count;
    uint64_t peak_bytes, load_bytes;
    struct random_state random;
    struct error *error;
};

static struct graph_order_task make_task(const struct moves *moves)
{
    const struct job *job = moves->request->job;
    return (struct graph_order_task){.graph = moves->graph,
                                     .policy = job->policy,
                                     .inplace = moves->request->job->inplace,
                                     .time_limit_ns = UINT64_MAX,
                                     .memory_limit_bytes = UINT64_MAX};
}

/* The positions that an operator may have while all others stay in their order. */
struct range {
    uint32_t first, last;
};

static struct range find_range(const struct moves *moves, uint32_t v)
{
    const struct order_view *view = moves->view;
    struct range range = {0, moves->count - 1};
    for (uint32_t i = view->predecessors.start[v]; i < view->predecessors.start[v + 1]; i++) {
        uint32_t position = moves->position[view->predecessors.item[i]];
        range.first = position + 1 > range.first ? position + 1 : range.first;
    }
    for (uint32_t i = view->successors.start[v]; i < view->successors.start[v + 1]; i++) {
        uint32_t position = moves->position[view->successors.item[i]];
        range.last = position - 1 < range.last ? position - 1 : range.last;
    }
    assert(range.first <= range.last);
    return range;
}

/* Moves an operator to another position. Those in between shift by one. */
static void move_operator(struct moves *moves, uint32_t from, uint32_t to)
{
    uint32_t *op = moves->op, moved = op[from];
    if (from < to)
        memmove(&op[from], &op[from + 1], (to - from) * sizeof *op);
    else
        memmove(&op[to + 1], &op[to], (from - to) * sizeof *op);
    op[to] = moved;
    uint32_t first = from < to ? from : to, last = from < to ? to : from;
    for (uint32_t i = first; i <= last; i++)
        moves->position[moves->number[op[i]]] = i;
}

static uint32_t draw_position(struct moves *moves, struct range range)
{
    switch (random_below(&moves->random, 4)) {
    case 0:
        return range.first;
    case 1:
        return range.last;
    default:
        return range.first +
               (uint32_t)random_below(&moves->random, (uint64_t)range.last - range.first + 1);
    }
}

/* Decides whether a move stays. Where the load is above the best peak, no placement is needed to
   refuse it. */
static enum status judge_move(struct moves *moves, bool *stays, uint32_t *tried)
{
    const struct graph_order_task task = make_task(moves);
    uint64_t load_bytes, peak_bytes;
    *stays = false;
    TRY(graph_order_load(&task, moves->order, &load_bytes, moves->error));
    if (load_bytes > moves->peak_bytes)
        return STATUS_OK;
    SCOPED(graph_release) struct graph *reordered = NULL;
    TRY(graph_reorder(moves->graph, moves->order, &reordered, moves->error));
    struct instance instance = *moves->request->job->instance;
    instance.graph = reordered;
    TRY(moves_quick_peak(moves->request->job, &instance, &peak_bytes, moves->error));
    ++*tried;
    *stays = peak_bytes < moves->peak_bytes ||
             (peak_bytes == moves->peak_bytes && load_bytes <= moves->load_bytes);
    if (*stays) {
        moves->peak_bytes = peak_bytes;
        moves->load_bytes = load_bytes;
    }
    return STATUS_OK;
}

static enum status try_move(struct moves *moves, uint32_t *tried)
{
    uint32_t v = (uint32_t)random_below(&moves->random, moves->count);
    uint32_t from = moves->position[v], to = draw_position(moves, find_range(moves, v));
    bool stays;
    if (from == to)
        return STATUS_OK;
    move_operator(moves, from, to);
    TRY(judge_move(moves, &stays, tried));
    if (!stays)
        move_operator(moves, to, from);
    return STATUS_OK;
}

static enum status run_moves(struct moves *moves, uint32_t *tried)
{
    const struct moves_request *request = moves->request;
    const struct graph_order_task task = make_task(moves);
    TRY(graph_order_load(&task, moves->order, &moves->load_bytes, moves->error));
    for (uint32_t i = 0; i < request->most && moves->peak_bytes > request->bound_bytes; i++) {
        if (!clock_left_ns(request->deadline_ns))
            break;
        TRY(try_move(moves, tried));
    }
    return STATUS_OK;
}

static enum status create_moves(struct moves *moves)
{
    const struct graph *graph = moves->graph;
    uint64_t *load;
    TRY(memory_create(&load, graph->regions, sizeof *load, moves->error));
    const struct order_scope scope = {.graph = graph, .region_load = load};
    enum status status = order_view_create(&scope, &moves->view, moves->error);
    memory_free(load);
    TRY(status);
    moves->count = moves->view->operators;
    moves->op = moves->order->op + moves->order->first[0];
    TRY(memory_create(&moves->position, moves->count, sizeof *moves->position, moves->error));
    TRY(memory_create(&moves->number, graph->operators, sizeof *moves->number, moves->error));
    for (uint32_t v = 0; v < moves->count; v++)
        moves->number[moves->view->graph_operator[v]] = v;
    for (uint32_t i = 0; i < moves->count; i++)
        moves->position[moves->number[moves->op[i]]] = i;
    return STATUS_OK;
}

enum status moves_improve(const struct moves_request *request, struct graph_order *order,
                          uint64_t *peak_bytes, uint32_t *tried, struct error *error)
{
    struct moves moves = {.request = request,
                          .graph = request->job->instance->graph,
                          .order = order,
                          .peak_bytes = *peak_bytes,
                          .random = random_seed(request->job->seed),
                          .error = error};
    *tried = 0;
    enum status status = create_moves(&moves);
    if (!status && moves.count > 1)
        status = run_moves(&moves, tried);
    if (!status)
        *peak_bytes = moves.peak_bytes;
    order_view_free(moves.view);
    memory_free(moves.position);
    memory_free(moves.number);
    return status;
}
