/* idealloc: Lamprakos et al., arXiv 2504.04874, after its source, cappadokes/idealloc, coreba.

   The first plan is first fit of the largest, then longest buffers. Then, as long as the peak is
   above the load: buffers are boxed (heuristics/idealloc/boxing.h), the boxes opened to an order of
   the buffers, and the buffers placed in it by first fit; a strictly better plan is kept. Buffers
   of equal size are only coloured.

   Departures:
   - Ties, there those of a hash table or heap, are by position, and opened boxes come largest
   first.
   - Times are doubled, so that a buffer of one step can be live at a critical time.
   - Groups around critical times are divided so that the jobs of each are live at one time.
   - A buffer with holes is boxed as if it had none; the placement uses its holes.
   - Fixed buffers are not boxed, but placed before all others.

   Lives: how many boxings in a row may bring no better plan. most_percent: the search stops at a
   peak of this percentage of the load.

   Searches: each boxing costs O(n log^2 n) mostly, and a placement of all buffers. */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/idealloc/boxing.h"
#include "planning/arena/occupancy.h"
#include "planning/problem/bounds.h"

static const struct planner_option options[] = {
    {"lives", "boxings in a row that may bring nothing", 1, 1, 1000000},
    {"max_frag", "percent of the load at which to stop", 100, 100, 1000},
    {0},
};
enum { LIVES, MOST_PERCENT };

struct search {
    const struct planner_task *task;
    uint64_t end_ns;       /* when the search ends, on the monotonic clock */
    uint64_t target_bytes; /* the search ends at such a peak */
    struct occupancy *occupancy;
    struct plan *plan; /* the best plan so far */
    uint64_t *offset;  /* [buffers] of the plan that is being made */
    uint32_t *sorted;  /* [buffers] */
    /* [frees] the buffers without a fixed offset; job i is buffer free_one[i] */
    uint32_t *free_one;
    uint32_t frees, jobs;
    struct boxing *boxing;
    double *loose; /* [jobs] the offsets that opened boxes give */
    struct boxing_list list, start, best_start, boxed;
    double epsilon, height, mu; /* parameters of the last boxing */
};

static bool is_over(const struct search *search)
{
    return search->plan->measures.peak_bytes <= search->target_bytes ||
           !clock_left_ns(search->end_ns);
}

/* Places the buffers in the order of search->sorted and keeps the plan if it is better than the
   best one. */
static enum status try_order(struct search *search, struct error *error)
{
    uint64_t peak;
    const struct occupancy_rule rule = {.fit = fit_find("first"),
                                        .sorted = search->sorted,
                                        .most_bytes = search->plan->measures.peak_bytes - 1,
                                        .deadline_ns =
                                            search->plan->measures.nodes ? search->end_ns : 0};
    TRY(occupancy_place_all(search->occupancy, &rule, search->offset, &peak, error));
    search->plan->measures.nodes++;
    if (peak == UINT64_MAX)
        return STATUS_OK;
    search->plan->measures.peak_bytes = peak;
    memcpy(search->plan->offset, search->offset, search->plan->buffers * sizeof(uint64_t));
    return STATUS_OK;
}

/* Places the buffers in the order of the offsets that opened boxes give. Fixed buffers may stand
   anywhere in it, since they are placed first; they come last. */
static enum status unbox_and_place(struct search *search, struct boxing_list list,
                                   struct error *error)
{
    const struct problem *problem = search->task->problem;
    struct boxing_keyed *keyed = search->boxing->keyed;
    uint32_t next = search->frees;
    TRY(boxing_unbox(search->boxing, list, search->frees, search->loose, error));
    for (uint32_t i = 0; i < search->frees; i++)
        keyed[i] = (struct boxing_keyed){search->loose[i], i, search->free_one[i]};
    boxing_sort_keyed(keyed, search->frees);
    for (uint32_t i = 0; i < search->frees; i++)
        search->sorted[i] = keyed[i].job;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            search->sorted[next++] = b;
    assert(next == problem->buffers);
    return try_order(search, error);
}

static void copy_list(struct boxing_list *to, const struct boxing_list *from)
{
    memcpy(to->job, from->job, from->count * sizeof *from->job);
    to->count = from->count;
}

/* Tries epsilons from the least towards the greatest, each time one percent of the way that is
   left. The one whose boxing leaves the smallest ratio of heights is kept; three tries in a row
   without a smaller ratio end the loop. Boxes of tries that are not the best are dropped. */
static enum status choose_epsilon(struct search *search, double least, double greatest,
                                  struct error *error)
{
    struct boxing *boxing = search->boxing;
    double least_ratio = INFINITY, epsilon = least;
    for (int tries = 3; tries > 0 && (!is_over(search));) {
        uint32_t jobs = boxing->jobs, contents = boxing->contents;
        copy_list(&search->list, &search->start);
        TRY(boxing_theorem_16(boxing, epsilon, &search->list, error));
        double ratio = boxing_examine(boxing, search->list, epsilon).ratio;
        if (ratio < least_ratio) {
            least_ratio = ratio;
            search->epsilon = epsilon;
            copy_list(&search->best_start, &search->list);
            tries = 3;
        } else {
            boxing->jobs = jobs;
            boxing->contents = contents;
            tries--;
        }
        epsilon += (greatest - epsilon) * 0.01;
    }
    return STATUS_OK;
}

/* Again and again boxes all remaining jobs by Corollary 15, in boxes higher than any job, opens the
   boxes and places the buffers; then drops all boxes and boxes the buffers again. */
static enum status search_boxings(struct search *search, uint64_t live_count, struct error *error)
{
    struct boxing *boxing = search->boxing;
    const struct boxing_target target = {
        .height = search->height, .epsilon = search->mu, .boxed = &search->boxed};
    for (uint64_t left = live_count;;) {
        uint64_t before = search->plan->measures.peak_bytes;
        copy_list(&search->list, &search->start);
        search->boxed.count = 0;
        if (is_over(search))
            return STATUS_OK;
        TRY(boxing_corollary_15(boxing, search->list, target, error));
        if (is_over(search))
            return STATUS_OK;
        TRY(unbox_and_place(search, search->boxed, error));
        left = search->plan->measures.peak_bytes < before ? live_count : left - 1;
        if (!left || is_over(search))
            return STATUS_OK;
        boxing->jobs = search->start.count = search->jobs;
        boxing->contents = 0;
        for (uint32_t i = 0; i < search->jobs; i++)
            search->start.job[i] = i;
        TRY(boxing_theorem_16(boxing, search->epsilon, &search->start, error));
    }
}

static enum status prepare_and_search(struct search *search, uint64_t live_count,
                                      struct error *error)
{
    struct boxing *boxing = search->boxing;
    struct boxing_list *start = &search->start;
    double least, greatest, highest = 0, lowest = INFINITY;
    for (uint32_t i = 0; i < start->count; i++) {
        highest = boxing->job[i].height > highest ? boxing->job[i].height : highest;
        lowest = boxing->job[i].height < lowest ? boxing->job[i].height : lowest;
    }
    if (highest == lowest)
        return unbox_and_place(search, *start, error);

    /* Where the heights differ too little for any epsilon, adds a job that is live throughout and
       high enough to make them differ. It is boxed with the others and left out when boxes are
       opened. */
    boxing_epsilon_range(highest / lowest, &least, &greatest);
    if (!(least < greatest)) {
        uint64_t last = 2 * (uint64_t)problem_steps(search->task->problem);
        highest = ceil(2216.54 * lowest);
        start->job[start->count++] = search->jobs++;
        TRY(boxing_add_buffer(boxing, 0, last, highest, error));
        boxing_epsilon_range(highest / lowest, &least, &greatest);
    }
    TRY(choose_epsilon(search, least, greatest, error));
    if (is_over(search))
        return STATUS_OK;
    copy_list(start, &search->best_start);
    search->mu = boxing_examine(boxing, *start, search->epsilon).mu;
    if (!(search->mu <= boxing_mu_limit()))
        search->mu = 0.99 * boxing_mu_limit();
    search->height = highest / search->mu;
    return search_boxings(search, live_count, error);
}

static enum status improve(struct search *search, uint64_t live_count, struct error *error)
{
    const struct problem *problem = search->task->problem;
    size_t most = (size_t)search->frees + 1;
    struct scratch *scratch = search->task->scratch;
    uint32_t **lists[] = {&search->list.job, &search->start.job, &search->best_start.job,
                          &search->boxed.job};
    TRY(boxing_create((uint32_t)most, search->task->seed, &search->boxing, scratch, error));
    search->boxing->end_ns = search->end_ns;
    TRY(scratch_take(scratch, &search->loose, most, sizeof *search->loose, error));
    for (int i = 0; i < 4; i++)
        TRY(scratch_take(scratch, lists[i], most, sizeof **lists[i], error));
    search->start.count = search->jobs = search->frees;
    for (uint32_t i = 0; i < search->frees; i++) {
        uint32_t b = search->free_one[i];
        search->start.job[i] = i;
        TRY(boxing_add_buffer(search->boxing, 2 * (uint64_t)problem_lower(problem, b),
                              2 * (uint64_t)problem_upper(problem, b), (double)problem->size[b],
                              error));
    }
    return prepare_and_search(search, live_count, error);
}

static void free_search(struct search *search)
{
    occupancy_free(search->occupancy);
    boxing_free(search->boxing);
}

static enum status plan_idealloc(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    SCOPED(free_search)
    struct search search = {
        .task = task, .plan = plan, .end_ns = clock_deadline_ns(task->time_limit_ns)};
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    uint32_t buffers = problem->buffers;
    uint64_t load;
    TRY(problem_load(problem, &load, NULL, error));
    double target = floor((double)load * (double)planner_option_value(planner, MOST_PERCENT) / 100);
    search.target_bytes = target > (double)load ? (uint64_t)target : load;
    TRY(occupancy_create(problem, &search.occupancy, error));
    TRY(scratch_take_all(scratch, buffers, error, &search.offset, &search.sorted,
                         &search.free_one));
    TRY(order_sort(order_find("size_duration"), problem, 0, search.sorted, error));
    plan->measures.peak_bytes = UINT64_MAX;
    TRY(try_order(&search, error));
    for (uint32_t b = 0; b < buffers; b++)
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE)
            search.free_one[search.frees++] = b;
    if (!is_over(&search) && search.frees > 1)
        TRY(improve(&search, planner_option_value(planner, LIVES), error));
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "idealloc",
     .family = "idealloc",
     .title = "buffers boxed into ever larger boxes, then lowest offset in the boxes' order",
     .source = "Lamprakos et al., arXiv 2504.04874; Buchsbaum et al., SIAM J. Comput. 33(3), 2004",
     .flags = PLANNER_NO_WINDOWS | PLANNER_RANDOMISED | PLANNER_SEARCHES,
     .options = options,
     .plan = plan_idealloc},
};

HEURISTICS_ROWS(idealloc, rows);
