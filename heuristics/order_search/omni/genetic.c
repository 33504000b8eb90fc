/* OmniMalloc's genetic search (Peddinghaus, 2025, src/python/omnimalloc/allocators/genetic.py, on
   DEAP's eaSimple) over a population of orders: the first six are those of OmniMalloc's rules
   (heuristics/order_search/omni/orders.h without the input order), the others are random.

   Each generation has as many members as the one before. Each member is the one with the lowest
   peak of a few that are drawn at random. Neighbours are crossed in pairs, and each member is
   mutated, both with a probability. Those that changed are evaluated. The best order ever seen is
   the result.

   Ordered crossover: two random positions bound a slice. A child takes the slice of one parent, and
   the other buffers in the sequence of the other parent, read and written from behind the slice and
   around the end. Mutation: each position is exchanged with a random other one with a probability.

   Departures: probabilities are whole percents; populations that would take more than 2^28
   positions are unsupported. */

#include <assert.h>
#include <string.h>

#include "core/random.h"
#include "heuristics/common/rows.h"
#include "heuristics/order_search/omni/orders.h"
#include "heuristics/order_search/order_search.h"

enum { POPULATION, GENERATIONS, CROSSOVER, MUTATION, EXCHANGE, TOURNAMENT };

#define MOST_POSITIONS ((uint64_t)1 << 28)

struct population {
    uint32_t *order; /* [members * length] */
    uint64_t *peak;  /* [members] the peak of each order, 0 while it is not known */
};

struct genetic {
    struct order_search *search;
    uint32_t length;  /* number of buffers in an order */
    uint32_t members; /* number of orders in a population */
    struct population now, next;
    uint32_t *child; /* [length] */
    uint32_t *slice; /* [buffers] number of the last slice that held the buffer */
    uint32_t slices;
};

static uint64_t get_option(const struct genetic *genetic, uint32_t index)
{
    return planner_option_value(genetic->search->planner, index);
}

static uint32_t draw(struct genetic *genetic, uint32_t bound)
{
    return (uint32_t)random_below(&genetic->search->random, bound);
}

static bool draw_percent(struct genetic *genetic, uint32_t option)
{
    return draw(genetic, 100) < get_option(genetic, option);
}

static uint32_t *get_order(const struct genetic *genetic, const struct population *population,
                           uint32_t member)
{
    return population->order + (size_t)member * genetic->length;
}

static enum status create_population(const struct genetic *genetic, struct population *population,
                                     struct error *error)
{
    struct scratch *scratch = genetic->search->task->scratch;
    TRY(scratch_take(scratch, &population->order, (size_t)genetic->members * genetic->length,
                     sizeof *population->order, error));
    return scratch_take(scratch, &population->peak, genetic->members, sizeof *population->peak,
                        error);
}

/* Evaluates all orders of a population whose peak is not known; false where the time ran out before
   that was done. */
static bool evaluate_changed(struct genetic *genetic, struct population *population)
{
    struct order_search *search = genetic->search;
    for (uint32_t m = 0; m < genetic->members; m++) {
        const uint32_t *order = get_order(genetic, population, m);
        if (population->peak[m])
            continue;
        if (order_search_is_over(search))
            return false;
        population->peak[m] =
            order_search_evaluate(search, order, 0, UINT64_MAX, search->candidate);
        order_search_keep(search, population->peak[m], search->candidate);
    }
    return true;
}

/* Draws the members of the next population, each the best of a few. */
static void select_members(struct genetic *genetic)
{
    const struct population *now = &genetic->now;
    for (uint32_t m = 0; m < genetic->members; m++) {
        uint32_t picked = draw(genetic, genetic->members);
        for (uint64_t i = 1; i < get_option(genetic, TOURNAMENT); i++) {
            uint32_t other = draw(genetic, genetic->members);
            picked = now->peak[other] < now->peak[picked] ? other : picked;
        }
        memcpy(get_order(genetic, &genetic->next, m), get_order(genetic, now, picked),
               genetic->length * sizeof(uint32_t));
        genetic->next.peak[m] = now->peak[picked];
    }
}

/* A crossover of two parents: the child takes the positions [begin, end] from slice_parent and the
   other buffers from rest_parent. */
struct cross {
    const uint32_t *slice_parent, *rest_parent;
    uint32_t begin, end;
};

static void make_child(struct genetic *genetic, struct cross cross, uint32_t *child)
{
    uint32_t length = genetic->length, written = (cross.end + 1) % length;
    assert(cross.begin <= cross.end && cross.end < length);
    genetic->slices++;
    for (uint32_t i = cross.begin; i <= cross.end; i++) {
        child[i] = cross.slice_parent[i];
        genetic->slice[child[i]] = genetic->slices;
    }
    for (uint32_t i = 1; i <= length; i++) {
        uint32_t buffer = cross.rest_parent[(cross.end + i) % length];
        if (genetic->slice[buffer] == genetic->slices)
            continue;
        child[written] = buffer;
        written = (written + 1) % length;
    }
}

static void cross_pair(struct genetic *genetic, uint32_t member)
{
    uint32_t *a = get_order(genetic, &genetic->next, member);
    uint32_t *b = get_order(genetic, &genetic->next, member + 1);
    uint32_t first = draw(genetic, genetic->length), second = draw(genetic, genetic->length - 1);
    second += second >= first;
    uint32_t begin = first < second ? first : second, end = first < second ? second : first;
    make_child(genetic, (struct cross){b, a, begin, end}, genetic->child);
    make_child(genetic, (struct cross){a, b, begin, end}, genetic->child + genetic->length);
    memcpy(a, genetic->child, genetic->length * sizeof *a);
    memcpy(b, genetic->child + genetic->length, genetic->length * sizeof *b);
    genetic->next.peak[member] = genetic->next.peak[member + 1] = 0;
}

static void vary_members(struct genetic *genetic)
{
    for (uint32_t m = 0; m + 1 < genetic->members; m += 2)
        if (draw_percent(genetic, CROSSOVER))
            cross_pair(genetic, m);
    for (uint32_t m = 0; m < genetic->members; m++) {
        if (!draw_percent(genetic, MUTATION))
            continue;
        uint32_t *order = get_order(genetic, &genetic->next, m);
        for (uint32_t i = 0; i < genetic->length; i++) {
            if (!draw_percent(genetic, EXCHANGE))
                continue;
            uint32_t j = draw(genetic, genetic->length - 1), moved = order[i];
            j += j >= i;
            order[i] = order[j];
            order[j] = moved;
        }
        genetic->next.peak[m] = 0;
    }
}

static enum status run_genetic(struct order_search *search, struct error *error)
{
    struct scratch *scratch = search->task->scratch;
    uint32_t length = search->evaluator->movables;
    struct genetic genetic = {.search = search, .length = length};
    genetic.members = (uint32_t)get_option(&genetic, POPULATION);
    if ((uint64_t)genetic.members * length > MOST_POSITIONS)
        return STATUS_OK;
    TRY(create_population(&genetic, &genetic.now, error));
    TRY(create_population(&genetic, &genetic.next, error));
    TRY(scratch_take(scratch, &genetic.child, (size_t)length * 2, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &genetic.slice, search->plan->buffers, sizeof(uint32_t), error));
    for (uint32_t m = 0; m < genetic.members; m++) {
        uint32_t *order = get_order(&genetic, &genetic.now, m);
        if (m + 1 < OMNI_ORDERS) {
            TRY(order_search_sort(search, omni_order[m + 1], order, error));
        } else {
            memcpy(order, search->evaluator->movable, length * sizeof *order);
            random_shuffle(&search->random, order, length);
        }
    }

    uint64_t left = length < 2 ? 0 : get_option(&genetic, GENERATIONS);
    if (!evaluate_changed(&genetic, &genetic.now))
        return STATUS_OK;
    for (; left && !order_search_is_over(search); left--) {
        select_members(&genetic);
        vary_members(&genetic);
        if (!evaluate_changed(&genetic, &genetic.next))
            return STATUS_OK;
        struct population older = genetic.now;
        genetic.now = genetic.next;
        genetic.next = older;
    }
    return STATUS_OK;
}

static const struct planner_option options[] = {
    {"population", "orders in a generation", 100, 2, 10000},
    {"generations", "after the first", 50, 0, 1000000},
    {"crossover", "percent of neighbours that are crossed", 70, 0, 100},
    {"mutation", "percent of members that are mutated", 20, 0, 100},
    {"exchange", "percent of positions that a mutation exchanges", 5, 0, 100},
    {"tournament", "members of which the best is drawn", 3, 1, 100},
    {0}};

static const struct planner rows[] = {
    ORDER_SEARCH("omni_genetic", run_genetic, options, PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "genetic search over orders", "OmniMalloc (Peddinghaus, 2025) genetic.py"),
};

HEURISTICS_ROWS(omni_genetic, rows);
