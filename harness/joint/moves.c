#include "harness/joint/moves.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "planning/order/find_order.h"

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
    struct graph_order_task task; /* of measuring a load */
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

/* Finds the positions that an operator may have while all others stay in their order. */
static void find_range(const struct moves *moves, uint32_t v, uint32_t *first, uint32_t *last)
{
    const struct order_view *view = moves->view;
    *first = 0;
    *last = moves->count - 1;
    for (uint32_t i = view->predecessors.start[v]; i < view->predecessors.start[v + 1]; i++) {
        uint32_t position = moves->position[view->predecessors.item[i]];
        *first = position + 1 > *first ? position + 1 : *first;
    }
    for (uint32_t i = view->successors.start[v]; i < view->successors.start[v + 1]; i++) {
        uint32_t position = moves->position[view->successors.item[i]];
        *last = position - 1 < *last ? position - 1 : *last;
    }
    assert(*first <= *last);
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

/* Places the order as it is after a move, and decides whether the move stays. Where the load is
   above the best peak, no placement is needed to refuse it. */
static enum status judge_move(struct moves *moves, bool *stays, uint32_t *tried)
{
    const struct job *job = moves->request->job;
    SCOPED(graph_release) struct graph *reordered = NULL;
    uint64_t load_bytes, peak_bytes;
    *stays = false;
    TRY(graph_order_load(&moves->task, moves->order, &load_bytes, moves->error));
    if (load_bytes > moves->peak_bytes)
        return STATUS_OK;
    TRY(graph_reorder(moves->graph, moves->order, &reordered, moves->error));
    struct instance instance = *job->instance;
    instance.graph = reordered;
    TRY(moves_quick_peak(job, &instance, &peak_bytes, moves->error));
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
    uint32_t v = (uint32_t)random_below(&moves->random, moves->count), first, last, to;
    uint32_t from = moves->position[v];
    bool stays;
    find_range(moves, v, &first, &last);
    switch (random_below(&moves->random, 4)) {
    case 0:
        to = first;
        break;
    case 1:
        to = last;
        break;
    default:
        to = first + (uint32_t)random_below(&moves->random, (uint64_t)last - first + 1);
    }
    if (from == to)
        return STATUS_OK;
    move_operator(moves, from, to);
    TRY(judge_move(moves, &stays, tried));
    if (!stays)
        move_operator(moves, to, from);
    return STATUS_OK;
}

static void clear_moves(struct moves *moves)
{
    order_view_free(moves->view);
    memory_free_all(moves->position, moves->number);
}

enum status moves_improve(const struct moves_request *request, struct graph_order *order,
                          uint64_t *peak_bytes, uint32_t *tried, struct error *error)
{
    const struct job *job = request->job;
    const struct graph *graph = job->instance->graph;
    SCOPED(clear_moves)
    struct moves moves = {.request = request,
                          .task = {.graph = graph,
                                   .policy = job->policy,
                                   .inplace = job->inplace,
                                   .time_limit_ns = UINT64_MAX,
                                   .memory_limit_bytes = UINT64_MAX},
                          .graph = graph,
                          .order = order,
                          .op = order->op + order->first[0],
                          .peak_bytes = *peak_bytes,
                          .random = random_seed(job->seed),
                          .error = error};
    SCOPED(memory_release) uint64_t *load = NULL;
    *tried = 0;
    TRY(memory_create(&load, graph->regions, sizeof *load, error));
    const struct order_scope scope = {.graph = graph, .region_load = load};
    TRY(order_view_create(&scope, &moves.view, error));
    moves.count = moves.view->operators;
    TRY(memory_create(&moves.position, moves.count, sizeof *moves.position, error));
    TRY(memory_create(&moves.number, graph->operators, sizeof *moves.number, error));
    for (uint32_t v = 0; v < moves.count; v++)
        moves.number[moves.view->graph_operator[v]] = v;
    for (uint32_t i = 0; i < moves.count; i++)
        moves.position[moves.number[moves.op[i]]] = i;
    if (moves.count > 1)
        TRY(graph_order_load(&moves.task, order, &moves.load_bytes, error));
    for (uint32_t i = 0; moves.count > 1 && i < request->most; i++) {
        if (moves.peak_bytes <= request->bound_bytes || !clock_left_ns(request->deadline_ns))
            break;
        TRY(try_move(&moves, tried));
    }
    *peak_bytes = moves.peak_bytes;
    return STATUS_OK;
}
