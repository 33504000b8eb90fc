#include "dma/planned/early.h"

#include <string.h>

#include "core/memory.h"
#include "dma/planned/trials.h"
#include "dma/program/paths.h"

/* The work of measuring one schedule, as a multiple of walking over all operators of the graph. */
enum { MEASURE_WALKS = 5 };
/* The most places that are tried for each of two early operators that are placed together, every
   one twice as far back as the one before. */
enum { MOST_STEPS = 12 };
/* For weights of a region that probably follows: the most operators before the border that are
   tried as starts. */
enum { MOST_LIKELY_BACK = 16 };

/* A try to make the n-th weighted operator of a region early; in_order says that transfers must
   start in the order in which their weights are needed. */
struct opening {
    uint32_t region, n;
    bool in_order;
};

/* Where a trial notes how early the n-th weighted operator of region r starts before a
   border. */
static uint32_t *get_place(const struct trials *trials, const struct trial *trial, uint32_t r,
                           uint32_t n, uint32_t border)
{
    return &trial->start[schedule_place(trials->space, r, n, border)];
}

/* Measures the schedule in `tried`, once as it is and once with the starts of those weighted
   operators of region r searched again that are not early, and keeps the better of the two if it is
   the best so far. */
static enum status try_schedule(struct trials *trials, uint32_t r)
{
    const struct schedule_space *space = trials->space;
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    uint32_t *start = trials->tuned.start, early = 0;
    bool found = false;
    TRY(trials_run(trials, &trials->tried, &run));
    if (run.region_times) {
        trials_copy(trials, &trials->tuned, &trials->tried);
        struct schedule_region own =
            schedule_region_entered(space, r, &trials->walk, run.region_times, trials->under_way);
        own.count = schedule_own_list(space, start, r, &trials->own);
        for (uint32_t n = 0; n < space->regions->region[r].weighted.count; n++)
            early += schedule_is_early(space, start, r, n);
        if (own.count && own.early_count == early)
            TRY(trials_tune(trials, &own, r, start, &found));
    }
    schedule_run_clear(&run);
    if (found)
        TRY(trials_measure(trials, &trials->tuned));
    trials_keep(trials, &trials->tried);
    if (found)
        trials_keep(trials, &trials->tuned);
    return STATUS_OK;
}

/* The range of operators before which the n-th weighted operator of a region may start ahead of a
   border. Where transfers have to start in the order of need, that is after all own starts of the
   region before the border, and not before the preceding early operator. */
static struct schedule_choice find_choice(const struct trials *trials, const struct trial *trial,
                                          const struct opening *opening, uint32_t border)
{
    const struct transfer_regions *regions = trials->space->regions;
    uint32_t r = opening->region, n = opening->n;
    const struct span before =
        regions->region[trials->space->borders->border[border].from].weighted;
    struct schedule_choice choice = schedule_choice_at(trials->space, r, n, border);
    if (!opening->in_order)
        return choice;
    for (uint32_t w = before.first; w < before.first + before.count; w++)
        if (trial->start[w] != SCHEDULE_EARLY && trial->start[w] > choice.least)
            choice.least = trial->start[w];
    if (n && schedule_is_early(trials->space, trial->start, r, n - 1) &&
        *get_place(trials, trial, r, n - 1, border) > choice.least)
        choice.least = *get_place(trials, trial, r, n - 1, border);
    return choice;
}

/* Moves the start before one border to where it saves most time: first back by steps that double,
   then forward again by steps that halve. */
static enum status move_place(struct trials *trials, const struct opening *opening, uint32_t border)
{
    uint32_t r = opening->region, n = opening->n;
    struct schedule_choice choice = find_choice(trials, &trials->best, opening, border);
    uint32_t from = *get_place(trials, &trials->best, r, n, border), step = 1;
    for (uint32_t back = 1; from > choice.least && !schedule_goal_is_over(trials->goal);
         back += step) {
        uint32_t place = from - choice.least > back ? from - back : choice.least;
        trials_copy(trials, &trials->tried, &trials->best);
        *get_place(trials, &trials->tried, r, n, border) = place;
        TRY(try_schedule(trials, r));
        if (place == choice.least)
            break;
        step *= 2;
    }
    for (; step && !schedule_goal_is_over(trials->goal); step /= 2) {
        uint32_t best = *get_place(trials, &trials->best, r, n, border);
        if (best + step >= from || best == from)
            continue;
        trials_copy(trials, &trials->tried, &trials->best);
        *get_place(trials, &trials->tried, r, n, border) = best + step;
        TRY(try_schedule(trials, r));
    }
    return STATUS_OK;
}

/* In `tried`, makes the n-th weighted operator of region r early: before this border it starts at
   operator `op`, after all other transfers that start there. */
static void begin_at(struct trials *trials, uint32_t r, uint32_t n, uint32_t border, uint32_t op)
{
    uint32_t *place = get_place(trials, &trials->tried, r, n, border);
    trials->tried.start[trials->space->regions->region[r].weighted.first + n] = SCHEDULE_EARLY;
    place[0] = op;
    place[SCHEDULE_RANK] = ++trials->rank;
}

/* In `tried`, makes an operator early: in each region that may run before its own its transfer
   starts `back` operators before the end, or at the earliest place allowed where that is later.
   *least says that at every border the earliest place has been tried. */
static void begin_early(struct trials *trials, const struct opening *opening, uint32_t back,
                        bool *least)
{
    uint32_t r = opening->region;
    const uint32_t *into = trials->space->borders->into;
    *least = true;
    for (uint32_t b = into[r]; b < into[r + 1]; b++) {
        struct schedule_choice choice = find_choice(trials, &trials->tried, opening, b);
        bool whole = choice.most - choice.least > back;
        begin_at(trials, r, opening->n, b, whole ? choice.most - back : choice.least);
        *least = *least && !whole;
    }
}

static bool is_kept(const struct trials *trials, uint32_t r, uint32_t n)
{
    return schedule_is_kept(trials->space, trials->best.start,
                            trials->space->regions->region[r].weighted.first + n);
}

/* Tries to make the n-th weighted operator of a region early if it is not yet; if it is early then,
   tries to move each of its starts. First with transfers in the order of need, then in any order if
   the goal allows that. */
static enum status add_early(struct trials *trials, uint32_t r, uint32_t n)
{
    const struct schedule_space *space = trials->space;
    const uint32_t *into = space->borders->into, *start = trials->best.start;
    uint32_t orders = trials->goal->in_order ? 1 : 2;
    for (uint32_t i = 0; i < orders && !is_kept(trials, r, n); i++) {
        const struct opening opening = {r, n, i == 0};
        bool least = schedule_is_early(space, start, r, n);
        for (uint32_t back = 0; !least && !schedule_goal_is_over(trials->goal);
             back = back ? 2 * back : 1) {
            trials_copy(trials, &trials->tried, &trials->best);
            begin_early(trials, &opening, back, &least);
            TRY(try_schedule(trials, r));
        }
        for (uint32_t b = into[r]; b < into[r + 1]; b++)
            if (schedule_is_early(space, start, r, n))
                TRY(move_place(trials, &opening, b));
    }
    return STATUS_OK;
}

/* From the best schedule at the time of the call, makes the first weights of all regions early at
   once that are the most probable ones to follow the region before them, with ever earlier starts.
   Where the time does not suffice to try one operator after another, this gives most of the
   gain. */
static enum status try_all_likely(struct trials *trials)
{
    const struct schedule_space *space = trials->space;
    const struct transfer_regions *regions = space->regions;
    bool least;
    trials_copy(trials, &trials->other, &trials->best);
    for (uint32_t back = 0; back <= MOST_LIKELY_BACK; back = back ? 2 * back : 1) {
        trials_copy(trials, &trials->tried, &trials->other);
        for (uint32_t r = 0; r < regions->count; r++) {
            if (space->early_place[r] == GRAPH_NONE || is_kept(trials, r, 0))
                continue;
            const struct transfer_border *border = &space->borders->border[space->borders->into[r]];
            uint32_t owner = regions->region[border->from].owner;
            if (border->kind != TRANSFER_BRANCH ||
                transfer_paths_likeliest_branch(regions, owner) == regions->region[r].graph_region)
                begin_early(trials, &(struct opening){r, 0, true}, back, &least);
        }
        TRY(trials_measure(trials, &trials->tried));
        trials_keep(trials, &trials->tried);
    }
    return STATUS_OK;
}

static enum status add_all_early(struct trials *trials)
{
    const struct schedule_space *space = trials->space;
    for (uint32_t r = 0; r < space->regions->count; r++) {
        bool saved = space->early_place[r] != GRAPH_NONE;
        for (uint32_t n = 0; saved && n < space->regions->region[r].weighted.count &&
                             !schedule_goal_is_over(trials->goal);
             n++) {
            TRY(add_early(trials, r, n));
            saved = schedule_is_early(space, trials->best.start, r, n);
        }
    }
    return STATUS_OK;
}

/* Sets *op to the place number `step` of a range, counted from its end: the end itself, then 1, 2,
   4, ... operators before it, and at last the beginning. False where the beginning has been passed
   or after MOST_STEPS. */
static bool find_back(struct schedule_choice choice, uint32_t step, uint32_t *op)
{
    uint32_t back = step ? (uint32_t)1 << (step - 1) : 0, range = choice.most - choice.least;
    if (step > MOST_STEPS || (step && range <= (step > 1 ? back / 2 : 0)))
        return false;
    *op = range > back ? choice.most - back : choice.least;
    return true;
}

/* Tries all pairs of early places for the first weights behind two borders that leave the same
   region. Where both start at the same place, those of the border `first` start first. */
static enum status try_pair(struct trials *trials, uint32_t first, uint32_t second)
{
    const struct transfer_border *border = trials->space->borders->border;
    uint32_t r = border[first].to, s = border[second].to, a, b;
    struct schedule_choice before = schedule_choice_at(trials->space, r, 0, first);
    struct schedule_choice behind = schedule_choice_at(trials->space, s, 0, second);
    for (uint32_t i = 0; find_back(before, i, &a); i++)
        for (uint32_t k = 0; find_back(behind, k, &b) && !schedule_goal_is_over(trials->goal);
             k++) {
            trials_copy(trials, &trials->tried, &trials->best);
            begin_at(trials, r, 0, first, a);
            begin_at(trials, s, 0, second, b);
            TRY(try_schedule(trials, r));
        }
    return STATUS_OK;
}

/* Whether the border is the only one into its region, and the region's first weights may be early
   and are not kept. */
static bool leads_alone(const struct trials *trials, uint32_t border)
{
    const struct schedule_space *space = trials->space;
    uint32_t to = space->borders->border[border].to;
    return space->borders->into[to + 1] - space->borders->into[to] == 1 &&
           space->early_place[to] != GRAPH_NONE && !is_kept(trials, to, 0);
}

/* Tries to make the first weights of two branches early together: tried one after the other, each
   may seem to gain nothing because it delays the other. */
static enum status add_pairs(struct trials *trials)
{
    const struct schedule_space *space = trials->space;
    const struct transfer_borders *borders = space->borders;
    for (uint32_t r = 0; r < space->regions->count; r++)
        for (uint32_t i = borders->out_of[r]; i < borders->out_of[r + 1]; i++)
            for (uint32_t k = borders->out_of[r]; k < borders->out_of[r + 1]; k++)
                if (i != k && leads_alone(trials, borders->leaving[i]) &&
                    leads_alone(trials, borders->leaving[k]))
                    TRY(try_pair(trials, borders->leaving[i], borders->leaving[k]));
    return STATUS_OK;
}

/* Improves the best schedule in rounds until a round saves no more time or the goal's limit is
   reached. */
static enum status improve(struct trials *trials)
{
    struct transfer_times before;
    do {
        before = trials->best.times;
        TRY(add_all_early(trials));
        TRY(add_pairs(trials));
    } while (trials_is_better(&trials->best.times, &before) &&
             !schedule_goal_is_over(trials->goal));
    return STATUS_OK;
}

/* Searches from the space's guess too: from the guess itself, and from its early operators combined
   with the starts in start[] of all others. The best schedule of both searches stays. */
static enum status improve_guess(struct trials *trials, const uint32_t *start)
{
    const struct schedule_space *space = trials->space;
    const uint32_t *guess = space->guess;
    if (!guess || schedule_goal_is_over(trials->goal))
        return STATUS_OK;
    trials_copy(trials, &trials->other, &trials->best);
    memcpy(trials->best.start, guess, space->places * sizeof *guess);
    TRY(trials_measure(trials, &trials->best));
    memcpy(trials->tried.start, guess, space->places * sizeof *guess);
    for (uint32_t w = 0; w < space->regions->weighted_count; w++)
        if (guess[w] != SCHEDULE_EARLY)
            trials->tried.start[w] = start[w];
    TRY(trials_measure(trials, &trials->tried));
    trials_keep(trials, &trials->tried);
    if (trials->best.times.expected_ns != UINT64_MAX)
        TRY(improve(trials));
    trials_keep(trials, &trials->other);
    return STATUS_OK;
}

enum status schedule_start_early(const struct schedule_space *space,
                                 const struct schedule_goal *goal, uint32_t *start, bool *early,
                                 struct error *error)
{
    SCOPED(trials_clear)
    struct trials trials = {
        .space = space, .goal = goal, .measure_walks = MEASURE_WALKS, .error = error};
    uint32_t weighted = space->regions->weighted_count;
    *early = false;
    if (space->places == 2 * weighted)
        return STATUS_OK;
    TRY(trials_begin(&trials, start));
    TRY(memory_create(&trials.under_way, weighted, sizeof *trials.under_way, error));
    TRY(try_all_likely(&trials));
    TRY(improve(&trials));
    TRY(improve_guess(&trials, start));
    memcpy(start, trials.best.start, space->places * sizeof *start);
    for (uint32_t w = 0; w < weighted; w++)
        *early |= start[w] == SCHEDULE_EARLY;
    return STATUS_OK;
}
