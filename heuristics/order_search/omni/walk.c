/* OmniMalloc (Peddinghaus, 2025, src/cpp/allocators/local_search.cpp, simulated_annealing.cpp and
   tabu_search.cpp): walks over orders that begin with largest first.

   A move exchanges a random buffer that ends at the peak with a random one that conflicts with it
   and stands before it in the order, or, where there is none, with any that stands before it. Where
   the first buffer of the order is drawn, there is no move in this iteration.

   Annealing accepts a peak that is no higher, and one that is p percent higher with the probability
   exp(-p / temperature). The temperature is multiplied by the cooling after each iteration. Hill
   climbing is annealing at temperature 0.

   Tabu search draws a number of moves in each iteration and makes the one with the lowest peak (the
   first of equals), even where that is above the present one. An exchanged pair is tabu for the
   next tenure - 1 iterations: it is exchanged again only where that gives the lowest peak ever,
   which does not make the tenure longer.

   Departures: the random number for the acceptance is drawn before the order is tried, so that
   placing can stop at the highest peak that would be accepted; the temperature and the cooling are
   whole thousandths and millionths. */

#include <assert.h>
#include <math.h>

#include "heuristics/common/rows.h"
#include "heuristics/order_search/order_search.h"

struct move {
    uint32_t first, second; /* positions, first < second */
};

/* Draws a move; false where this iteration has none. */
static bool propose(struct order_search *search, struct move *move)
{
    uint32_t buffer = order_search_pick_peak(search), first;
    if (buffer == EVALUATOR_NONE || search->position[buffer] == 0)
        return false;
    uint32_t earlier = order_search_count_earlier(search, buffer),
             second = search->position[buffer];
    if (earlier) {
        uint32_t index = (uint32_t)random_below(&search->random, earlier);
        first = search->position[order_search_earlier(search, buffer, index)];
    } else {
        first = (uint32_t)random_below(&search->random, second);
    }
    assert(first < second);
    *move = (struct move){first, second};
    return true;
}

static void make_move(struct order_search *search, struct move move)
{
    order_search_swap(search, move.first, move.second);
}

/* Draws the highest peak that this iteration of annealing accepts. */
static uint64_t draw_limit(struct order_search *search, double temperature_percent)
{
    if (temperature_percent <= 0)
        return search->peak_bytes;
    double drawn = (double)((random_next(&search->random) >> 11) + 1) * 0x1p-53;
    double higher = -log(drawn) * temperature_percent / 100 * (double)search->peak_bytes;
    return higher < 0x1p62 ? search->peak_bytes + (uint64_t)higher : UINT64_MAX;
}

enum { ITERATIONS, TEMPERATURE, COOLING }; /* options of annealing; hill climbing has the first */

static enum status anneal(struct order_search *search, double temperature_percent, double cooling,
                          struct error *error)
{
    uint64_t iterations = planner_option_value(search->planner, ITERATIONS);
    TRY(order_search_sort(search, "size", search->order, error));
    order_search_start(search);
    for (; iterations && !order_search_is_over(search);
         iterations--, temperature_percent *= cooling) {
        struct move move;
        if (!propose(search, &move))
            continue;
        uint64_t limit = draw_limit(search, temperature_percent);
        make_move(search, move);
        uint64_t peak = order_search_try_swapped(search, move.first, move.second, limit);
        if (peak == EVALUATOR_ABOVE)
            make_move(search, move);
        else
            order_search_accept(search, peak);
    }
    return STATUS_OK;
}

static enum status run_annealing(struct order_search *search, struct error *error)
{
    return anneal(search, (double)planner_option_value(search->planner, TEMPERATURE) / 1e3,
                  (double)planner_option_value(search->planner, COOLING) / 1e6, error);
}

static enum status run_hill_climb(struct order_search *search, struct error *error)
{
    return anneal(search, 0, 0, error);
}

/* A pair of buffers that was exchanged, and the first iteration in which the same exchange is
   allowed again. */
struct tabu {
    uint32_t first, second;
    uint64_t until;
};

struct tabu_search {
    struct order_search *search;
    struct tabu *tabu; /* [tenure] the latest pairs, in a ring buffer */
    uint64_t tenure, iteration, samples;
};

static bool is_tabu(const struct tabu_search *walk, struct move move)
{
    uint32_t a = walk->search->order[move.first], b = walk->search->order[move.second];
    for (uint64_t i = 0; i < walk->tenure; i++) {
        const struct tabu *tabu = &walk->tabu[i];
        if (tabu->until > walk->iteration &&
            ((tabu->first == a && tabu->second == b) || (tabu->first == b && tabu->second == a)))
            return true;
    }
    return false;
}

/* Finds the sampled move with the lowest peak; a forbidden one has to be below the best peak
   ever. */
static bool find_best_move(struct tabu_search *walk, struct move *best)
{
    struct order_search *search = walk->search;
    uint64_t least = EVALUATOR_ABOVE;
    for (uint64_t i = 0; i < walk->samples && !order_search_is_over(search); i++) {
        struct move move;
        if (!propose(search, &move))
            continue;
        bool below_best = is_tabu(walk, move) && search->best_bytes < least;
        uint64_t limit = (below_best ? search->best_bytes : least) - 1;
        make_move(search, move);
        uint64_t peak = order_search_try_swapped(search, move.first, move.second, limit);
        make_move(search, move);
        if (peak != EVALUATOR_ABOVE) {
            least = peak;
            *best = move;
        }
    }
    return least != EVALUATOR_ABOVE;
}

enum { SAMPLES = 1, TENURE }; /* after ITERATIONS */

static enum status run_tabu(struct order_search *search, struct error *error)
{
    struct tabu_search walk = {.search = search,
                               .tenure = planner_option_value(search->planner, TENURE),
                               .samples = planner_option_value(search->planner, SAMPLES)};
    uint64_t iterations = planner_option_value(search->planner, ITERATIONS);
    TRY(order_search_sort(search, "size", search->order, error));
    order_search_start(search);
    TRY(scratch_take(search->task->scratch, &walk.tabu, walk.tenure, sizeof *walk.tabu, error));
    for (; walk.iteration < iterations && !order_search_is_over(search); walk.iteration++) {
        struct move move;
        if (!find_best_move(&walk, &move))
            continue;
        if (walk.tenure && !is_tabu(&walk, move))
            walk.tabu[walk.iteration % walk.tenure] =
                (struct tabu){search->order[move.first], search->order[move.second],
                              walk.iteration + walk.tenure};
        make_move(search, move);
        uint64_t peak = order_search_try_swapped(search, move.first, move.second, UINT64_MAX);
        if (peak != EVALUATOR_ABOVE)
            order_search_accept(search, peak);
    }
    return STATUS_OK;
}

#define MOST_ITERATIONS 1000000000

static const struct planner_option annealing_options[] = {
    {"iterations", "orders tried", 3000, 0, MOST_ITERATIONS},
    {"temperature", "at the start, thousandths of a percent of the peak", 3000, 0, 1000000},
    {"cooling", "millionths of the temperature left after each", 998000, 0, 1000000},
    {0}};

static const struct planner_option hill_climb_options[] = {
    {"iterations", "orders tried", 3000, 0, MOST_ITERATIONS}, {0}};

static const struct planner_option tabu_options[] = {
    {"iterations", "moves made", 500, 0, MOST_ITERATIONS},
    {"samples", "moves tried for each one made", 20, 1, 100000},
    {"tenure", "iterations in which a move is not undone", 15, 0, 10000},
    {0}};

static const struct planner rows[] = {
    ORDER_SEARCH("omni_hill_climb", run_hill_climb, hill_climb_options,
                 PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "exchanges below the peak, never to a higher one",
                 "OmniMalloc (Peddinghaus, 2025) hillclimb.py"),
    ORDER_SEARCH("omni_annealing", run_annealing, annealing_options,
                 PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "exchanges below the peak, simulated annealing",
                 "OmniMalloc (Peddinghaus, 2025) simulated_annealing.cpp"),
    ORDER_SEARCH("omni_tabu", run_tabu, tabu_options, PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "exchanges below the peak, tabu search",
                 "OmniMalloc (Peddinghaus, 2025) tabu_search.cpp"),
};

HEURISTICS_ROWS(omni_walk, rows);
