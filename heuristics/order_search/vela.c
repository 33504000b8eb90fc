/* Arm Vela's hill climb (ethos-u-vela, ethosu/vela/hillclimb_allocation.py), and with regor=1 the
   one of its successor (regor, hillclimb_allocator.cpp).

   The first order is by urgency, the greatest sum of live sizes in any step of the buffer's life,
   highest first. Ties: longest from first to last step, then earliest first step, then largest,
   then position. A slot is a position in the order. Each iteration exchanges two slots, places the
   buffers in the new order by first fit, and accepts a peak that is no higher. Placing stops at a
   higher peak, and the best order is restored.

   How the two slots are chosen:
   - The bottleneck is the first buffer that ends highest. Listed are the slots of the bottleneck,
   of all that conflict with it, and of what each of these rests on, down to offset 0.
   - The first slot is drawn from those listed whose buffer does not conflict with the bottleneck
   (30 times in 101, if there are any), else from all listed.
   - The second slot is drawn from all listed but the last (Regor: from all). Where both are the
   same, the last one listed takes its place.
   - When the peak has not fallen for more than 50 iterations (Regor: 25), the slots of all that
     conflict with the buffers drawn from first are listed too (Regor: of all buffers that conflicts
     connect to the bottleneck), and two more slots are exchanged (Regor: where both are the same,
   the last one takes the place of the second).

   Vela, but not Regor, continues with the plan in which a refused placing stopped: offsets, slots
   and what rests on what are those of the stopped plan for the buffers that it placed, and older
   ones for the others.

   The search ends when the peak is the greatest urgency, after 99999 iterations, or when 500
   iterations brought no lower peak (Regor: more than 5000) and the capacity of the task, if there
   is one, is met. Regor rounds sizes up to the alignment.

   Departures: where a buffer could rest on several, evaluator.h says which counts, in Vela the one
   that its scan came to last; slots are listed in the order in which conflicts are kept; buffers
   may rest on fixed buffers, which have no slot; of plans with the same peak the first is
   returned. */

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/order_search/order_search.h"
#include "planning/problem/bounds.h"

enum { REGOR, ITERATIONS, PATIENCE, STUCK };

/* A list of slots without repetitions. A slot is a position in the order. */
struct slots {
    uint32_t *slot, count;
    uint32_t *listed; /* [movables] number of the last list that holds the slot */
};

/* The state of the climb. search->order is the best order or, during an iteration, the one that is
   tried. search->offset, evaluator->predecessor and slot describe the plan that Vela looks at,
   which may be older. */
struct climb {
    struct order_search *search;
    bool regor;
    uint64_t stuck, patience;
    /* [buffers] the slot in which it was last placed, ORDER_SEARCH_FIXED if never */
    uint32_t *slot;
    struct slots all, apart;
    uint32_t number; /* number of the present list */
    /* [buffers] number of the last list for which the chain of what it rests on was followed */
    uint32_t *seen;
    uint32_t *near;      /* [buffers] number of the last list whose bottleneck it conflicts with */
    uint32_t *component; /* [buffers] only Regor: number of its connected component of conflicts */
    uint32_t *best;      /* [movables] the best order */
    /* How many of the first slots of the best order have the offsets, predecessors and slots that
       belong to it. */
    uint32_t valid;
    uint32_t changed;   /* the first slot in which the order differs from the best one */
    uint64_t *offset;   /* [buffers] only Regor: the offsets of the best order */
    uint32_t *rests_on; /* [buffers] only Regor: what each rests on under the best order */
};

static uint32_t draw(struct climb *climb, uint32_t bound)
{
    return (uint32_t)random_below(&climb->search->random, bound);
}

static void list_slot(struct climb *climb, struct slots *slots, uint32_t slot)
{
    if (slot == ORDER_SEARCH_FIXED || slots->listed[slot] == climb->number)
        return;
    assert(slot < climb->search->evaluator->movables);
    slots->listed[slot] = climb->number;
    slots->slot[slots->count++] = slot;
}

/* Lists the slots of a buffer and of all that it rests on, down to offset 0. Two buffers may have
   the same slot if they were last placed in different iterations; it is listed once. */
static void list_chain(struct climb *climb, uint32_t buffer)
{
    for (; buffer != EVALUATOR_NONE && climb->seen[buffer] != climb->number;
         buffer = climb->search->evaluator->predecessor[buffer]) {
        climb->seen[buffer] = climb->number;
        list_slot(climb, &climb->all, climb->slot[buffer]);
    }
}

/* Lists the slots of what the bottleneck and all that conflicts with it rest on, and apart those
   whose buffer does not conflict with the bottleneck. */
static void list_slots(struct climb *climb, uint32_t bottleneck)
{
    const struct conflicts *conflicts = climb->search->evaluator->conflicts;
    climb->number++;
    climb->all.count = climb->apart.count = 0;
    climb->near[bottleneck] = climb->number;
    list_chain(climb, bottleneck);
    for (uint64_t i = conflicts->first[bottleneck]; i < conflicts->first[bottleneck + 1]; i++) {
        climb->near[conflicts->other[i]] = climb->number;
        list_chain(climb, conflicts->other[i]);
    }
    if (climb->regor) { /* sorted */
        climb->all.count = 0;
        for (uint32_t t = 0; t < climb->search->evaluator->movables; t++)
            if (climb->all.listed[t] == climb->number)
                climb->all.slot[climb->all.count++] = t;
    }
    for (uint32_t i = 0; i < climb->all.count; i++)
        if (climb->near[climb->search->order[climb->all.slot[i]]] != climb->number)
            list_slot(climb, &climb->apart, climb->all.slot[i]);
}

static void list_more(struct climb *climb, uint32_t bottleneck)
{
    const struct order_search *search = climb->search;
    const struct conflicts *conflicts = search->evaluator->conflicts;
    if (climb->regor) {
        for (uint32_t t = 0; t < search->evaluator->movables; t++)
            if (climb->component[search->order[t]] == climb->component[bottleneck])
                list_slot(climb, &climb->all, t);
        return;
    }
    for (uint32_t k = 0; k < climb->apart.count; k++) {
        uint32_t buffer = search->order[climb->apart.slot[k]];
        for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
            list_slot(climb, &climb->all, climb->slot[conflicts->other[i]]);
    }
}

static void exchange(struct climb *climb, uint32_t first, uint32_t second)
{
    uint32_t lower = first < second ? first : second;
    order_search_swap(climb->search, first, second);
    if (first != second && lower < climb->changed)
        climb->changed = lower;
}

static uint32_t pick(struct climb *climb, const struct slots *slots)
{
    return slots->slot[draw(climb, slots->count)];
}

/* Chooses two slots, or four after many iterations in vain, and exchanges them. Where fewer than
   two slots are listed, because everything rests on fixed buffers, the order stays as it is. */
static void change_order(struct climb *climb, uint64_t idle)
{
    const struct evaluator *evaluator = climb->search->evaluator;
    const struct slots *all = &climb->all;
    uint32_t bottleneck = evaluator->movable[0];
    uint64_t highest = 0;
    for (uint32_t i = 0; i < evaluator->movables; i++) {
        uint32_t b = evaluator->movable[i];
        uint64_t end = climb->search->offset[b] + evaluator->size[b];
        bottleneck = end > highest ? b : bottleneck;
        highest = end > highest ? end : highest;
    }
    list_slots(climb, bottleneck);
    climb->changed = evaluator->movables;
    if (all->count < 2)
        return;

    bool apart = draw(climb, 101) < 30 && climb->apart.count;
    uint32_t first = pick(climb, apart ? &climb->apart : all);
    uint32_t second = all->slot[draw(climb, climb->regor ? all->count : all->count - 1)];
    exchange(climb, first, first == second ? all->slot[all->count - 1] : second);
    if (idle <= climb->stuck)
        return;

    list_more(climb, bottleneck);
    first = pick(climb, all);
    second = pick(climb, all);
    if (first == second && climb->regor)
        second = all->slot[all->count - 1];
    exchange(climb, first, second);
}

static void remember_best(struct climb *climb, uint64_t peak)
{
    struct order_search *search = climb->search;
    uint32_t buffers = search->plan->buffers, movables = search->evaluator->movables;
    assert(peak <= search->peak_bytes);
    search->peak_bytes = peak;
    order_search_keep(search, peak, search->offset);
    memcpy(climb->best, search->order, movables * sizeof *climb->best);
    memcpy(climb->offset, search->offset, buffers * sizeof *climb->offset);
    memcpy(climb->rests_on, search->evaluator->predecessor, buffers * sizeof *climb->rests_on);
    climb->valid = movables;
}

/* Tries the order and returns to the best one where its peak is higher. True where the peak is
   lower than before. */
static bool try_order(struct climb *climb)
{
    struct order_search *search = climb->search;
    struct evaluator *evaluator = search->evaluator;
    uint32_t buffers = search->plan->buffers, movables = evaluator->movables;
    uint32_t kept = climb->valid < climb->changed ? climb->valid : climb->changed;
    uint64_t before = search->peak_bytes;
    uint64_t peak = order_search_evaluate(search, search->order, kept, before, search->offset);
    for (uint32_t t = 0; t < evaluator->placed; t++)
        climb->slot[search->order[t]] = t;
    if (peak != EVALUATOR_ABOVE) {
        remember_best(climb, peak);
        return peak < before;
    }

    memcpy(search->order, climb->best, movables * sizeof *climb->best);
    for (uint32_t t = 0; t < movables; t++)
        search->position[search->order[t]] = t;
    if (climb->regor) {
        memcpy(search->offset, climb->offset, buffers * sizeof *climb->offset);
        memcpy(evaluator->predecessor, climb->rests_on, buffers * sizeof *climb->rests_on);
        memcpy(climb->slot, search->position, buffers * sizeof *climb->slot);
    } else {
        climb->valid = climb->changed < evaluator->placed ? climb->changed : evaluator->placed;
    }
    return false;
}

static bool goes_on(const struct climb *climb, uint64_t iteration, uint64_t idle)
{
    const struct order_search *search = climb->search;
    bool left = iteration < planner_option_value(search->planner, ITERATIONS);
    bool fits = search->peak_bytes <= search->task->capacity_bytes;
    if (order_search_is_over(search))
        return false;
    if (climb->regor)
        return left && (!fits || idle <= climb->patience + 1);
    return (left && !fits) || idle < climb->patience;
}

/* Numbers the connected components of conflicts. The lists of slots are still empty, so their
   memory serves as the stack. */
static void mark_components(struct climb *climb)
{
    const struct conflicts *conflicts = climb->search->evaluator->conflicts;
    uint32_t *component = climb->component, *stack = climb->all.slot;
    for (uint32_t b = 0, number = 0; b < climb->search->plan->buffers; b++) {
        if (component[b])
            continue;
        uint32_t depth = 0;
        stack[depth++] = b;
        component[b] = ++number;
        while (depth) {
            uint32_t buffer = stack[--depth];
            for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
                if (!component[conflicts->other[i]]) {
                    component[conflicts->other[i]] = number;
                    stack[depth++] = conflicts->other[i];
                }
        }
    }
}

static enum status create_arrays(struct climb *climb, struct error *error)
{
    struct scratch *scratch = climb->search->task->scratch;
    uint32_t buffers = climb->search->plan->buffers;
    uint32_t **arrays[] = {&climb->slot,         &climb->all.slot, &climb->all.listed,
                           &climb->apart.slot,   &climb->seen,     &climb->near,
                           &climb->apart.listed, &climb->best,     &climb->component,
                           &climb->rests_on};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        TRY(scratch_take(scratch, arrays[i], buffers, sizeof **arrays[i], error));
    TRY(scratch_take(scratch, &climb->offset, buffers, sizeof *climb->offset, error));
    return evaluator_want_predecessors(climb->search->evaluator, scratch, error);
}

/* Vela's starting order. It is not the order "urgency" of the table, which counts only live steps,
   so that holes matter there. */
static const struct order first_order = {
    .name = "vela",
    .title = "most bytes live at any of its steps, then first to last step, first step, bytes",
    .key = {{ORDER_BY_BREADTH, true},
            {ORDER_BY_SPAN, true},
            {ORDER_BY_FIRST_STEP, false},
            {ORDER_BY_SIZE, true}}};

/* Makes a view of the problem as the evaluator sees it: with the evaluator's sizes and without
   windows. */
static enum status view_whole(const struct order_search *search, struct problem *whole,
                              struct error *error)
{
    *whole = *search->task->problem;
    whole->size = search->evaluator->size;
    whole->any_window_lower = whole->any_window_upper = NULL;
    if (whole->segments == whole->buffers)
        return STATUS_OK;
    struct scratch *scratch = search->task->scratch;
    TRY(scratch_take_all(scratch, whole->segments, error, &whole->any_window_lower,
                         &whole->any_window_upper));
    for (uint32_t b = 0; b < whole->buffers; b++)
        for (uint32_t s = whole->first[b]; s < whole->first[b + 1]; s++)
            whole->any_window_upper[s] = whole->size[b];
    return STATUS_OK;
}

static uint64_t get_option(const struct order_search *search, uint32_t index, uint64_t source)
{
    uint64_t value = planner_option_value(search->planner, index);
    return value ? value : source;
}

static enum status run_climb(struct order_search *search, struct error *error)
{
    const struct evaluator *evaluator = search->evaluator;
    bool regor = planner_option_value(search->planner, REGOR) != 0;
    struct climb climb = {.search = search,
                          .regor = regor,
                          .stuck = get_option(search, STUCK, regor ? 25 : 50),
                          .patience = get_option(search, PATIENCE, regor ? 5000 : 500)};
    TRY(create_arrays(&climb, error));
    mark_components(&climb);
    for (uint32_t i = 0; regor && i < evaluator->movables; i++) {
        uint32_t b = evaluator->movable[i];
        evaluator->size[b] =
            align_up(evaluator->size[b], problem_alignment(search->task->problem, b));
    }

    /* The load is the greatest urgency, and no plan that places whole buffers has a lower peak. */
    struct problem whole;
    uint64_t load_bytes;
    TRY(view_whole(search, &whole, error));
    TRY(problem_load(&whole, &load_bytes, NULL, error));
    TRY(order_search_sort_by(search, &first_order, &whole, search->order, error));
    if (load_bytes > search->bound_bytes)
        search->bound_bytes = load_bytes;
    order_search_start(search);
    memcpy(climb.slot, search->position, search->plan->buffers * sizeof *climb.slot);
    remember_best(&climb, search->peak_bytes);

    uint64_t improved = 0;
    for (uint64_t i = 0; evaluator->movables > 1 && goes_on(&climb, i, i - improved); i++) {
        change_order(&climb, i - improved);
        if (try_order(&climb))
            improved = i;
    }
    return STATUS_OK;
}

static const struct planner_option options[] = {
    {"regor", "1: as Regor does it", 0, 0, 1},
    {"iterations", "orders tried at most", 99999, 0, 1000000000},
    {"patience", "iterations without a lower peak; 0: 500, Regor 5000", 0, 0, 1000000000},
    {"stuck", "iterations until more change places; 0: 50, Regor 25", 0, 0, 1000000000},
    {0}};

static const struct planner rows[] = {
    ORDER_SEARCH("vela_hill_climb", run_climb, options, PLANNER_RANDOMISED,
                 "hill climb on what the highest buffer rests on",
                 "Arm ethos-u-vela hillclimb_allocation.py, regor hillclimb_allocator.cpp"),
};

HEURISTICS_ROWS(vela, rows);
