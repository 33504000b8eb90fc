#include "dma/planned/candidates.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"

/* How much a region's other starts are searched for one place tried, in operators walked over. */
enum { TUNE_WALKED = 4000 };
/* What measuring a schedule takes, compared with walking over its operators once. */
enum { MEASURE_WALKS = 5 };

bool prefetch_trials_over(const struct prefetch_trials *trials)
{
    const struct prefetch_goal *goal = trials->goal;
    return (goal->walked_most && !*goal->walked_most) ||
           (goal->deadline_ns != UINT64_MAX && clock_monotonic_ns() >= goal->deadline_ns);
}

static void take_walked(const struct prefetch_trials *trials, uint64_t walked)
{
    uint64_t *left = trials->goal->walked_most;
    if (left)
        *left -= walked < *left ? walked : *left;
}

static bool is_better(const struct transfer_times *times, const struct transfer_times *than)
{
    return times->expected_ns < than->expected_ns ||
           (times->expected_ns == than->expected_ns && times->worst_ns < than->worst_ns);
}

void prefetch_trials_copy(const struct prefetch_trials *trials, struct prefetch_candidate *to,
                          const struct prefetch_candidate *from)
{
    memcpy(to->start, from->start, trials->prefetch->places * sizeof *to->start);
    to->times = from->times;
}

uint32_t *prefetch_trials_place(const struct prefetch_trials *trials,
                                const struct prefetch_candidate *candidate, uint32_t r, uint32_t n,
                                uint32_t border)
{
    return &candidate->start[prefetch_place(trials->prefetch, r, n, border)];
}

/* What is still under way when the region has begun, others in front of it having been cancelled.
 */
static uint32_t list_under_way(struct prefetch_trials *trials, const struct region_memo *memo,
                               uint32_t r)
{
    const struct transfer_borders *borders = trials->prefetch->borders;
    const struct transfer_region *region = &trials->prefetch->regions->region[r];
    const struct region_passage *passage =
        region_memo_newest(memo, borders->border[borders->into[r]].from);
    uint32_t count = 0, listed = 0;
    uint64_t saved_ns = 0;
    if (!passage)
        return 0;
    const struct region_transfer *transfer = region_memo_transfers(memo, passage->left, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct region_transfer own = transfer[i];
        uint64_t transfer_ns = trials->prefetch->costs->transfer_ns[own.op];
        own.left_ns -= saved_ns < own.left_ns ? saved_ns : own.left_ns;
        if (own.op >= region->begin && own.op < region->end)
            trials->under_way[listed++] = own;
        else
            saved_ns += own.left_ns < transfer_ns ? own.left_ns : transfer_ns;
    }
    return listed;
}

/* The region's starts that are not early, anew; true where that gave any. */
static enum status tune(struct prefetch_trials *trials, const struct region_memo *memo, uint32_t r,
                        struct prefetch_candidate *candidate, bool *found)
{
    const struct transfer_region *region = &trials->prefetch->regions->region[r];
    uint32_t early = prefetch_count_early(trials->prefetch, candidate->start, r);
    uint64_t walked = TUNE_WALKED;
    const struct prefetch_goal goal = {trials->capacity_bytes, trials->goal->deadline_ns, &walked};
    struct prefetch_region own = prefetch_region_at(trials->prefetch, r, &trials->clock);
    struct prefetch_cost cost;
    *found = false;
    own.early_count = list_under_way(trials, memo, r);
    own.early = trials->under_way;
    if (early == region->bearers.count || own.early_count != early)
        return STATUS_OK;
    own.bearer += early;
    own.count -= early;
    enum status status = prefetch_search(
        &own, &goal, candidate->start + region->bearers.first + early, &cost, trials->error);
    take_walked(trials, TUNE_WALKED - walked);
    *found = status == STATUS_OK;
    return status == STATUS_NO ? STATUS_OK : status;
}

/* Times beyond any where they cannot be found. The memo, where it is wanted, is the caller's. */
static enum status measure(struct prefetch_trials *trials, struct prefetch_candidate *candidate,
                           struct transfer_program **program, struct region_memo **memo)
{
    const struct prefetch *prefetch = trials->prefetch;
    struct error *error = trials->error;
    uint64_t load_bytes;
    candidate->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    take_walked(trials, (uint64_t)MEASURE_WALKS * prefetch->regions->graph->operators);
    TRY(prefetch_load(prefetch, candidate->start, &load_bytes, error));
    if (load_bytes > trials->capacity_bytes)
        return STATUS_OK;
    TRY(prefetch_program(prefetch, candidate->start, program, error));
    TRY(region_memo_create(*program, prefetch->costs, memo, error));
    enum status status = transfer_times_compose(*memo, NULL, &candidate->times, error);
    if (status != STATUS_LIMIT)
        return status;
    candidate->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    return STATUS_OK;
}

enum status prefetch_trials_measure(struct prefetch_trials *trials,
                                    struct prefetch_candidate *candidate)
{
    struct transfer_program *program = NULL;
    struct region_memo *memo = NULL;
    enum status status = measure(trials, candidate, &program, &memo);
    region_memo_free(memo);
    transfer_program_free(program);
    return status;
}

void prefetch_trials_keep(struct prefetch_trials *trials,
                          const struct prefetch_candidate *candidate)
{
    if (is_better(&candidate->times, &trials->best.times))
        prefetch_trials_copy(trials, &trials->best, candidate);
}

/* The schedule in `tried`, as it is and with the region's other starts anew. */
enum status prefetch_trials_try(struct prefetch_trials *trials, uint32_t r)
{
    struct transfer_program *program = NULL;
    struct region_memo *memo = NULL;
    bool found = false;
    enum status status = measure(trials, &trials->tried, &program, &memo);
    if (!status && memo) {
        prefetch_trials_copy(trials, &trials->tuned, &trials->tried);
        status = tune(trials, memo, r, &trials->tuned, &found);
    }
    region_memo_free(memo);
    transfer_program_free(program);
    TRY(status);
    if (found)
        TRY(prefetch_trials_measure(trials, &trials->tuned));
    prefetch_trials_keep(trials, &trials->tried);
    if (found)
        prefetch_trials_keep(trials, &trials->tuned);
    return STATUS_OK;
}

static enum status create_candidate(const struct prefetch_trials *trials,
                                    struct prefetch_candidate *candidate)
{
    return memory_create(&candidate->start, trials->prefetch->places, sizeof *candidate->start,
                         trials->error);
}

enum status prefetch_trials_begin(struct prefetch_trials *trials, const uint32_t *start)
{
    const struct prefetch *prefetch = trials->prefetch;
    uint64_t load_bytes;
    TRY(create_candidate(trials, &trials->best));
    TRY(create_candidate(trials, &trials->tried));
    TRY(create_candidate(trials, &trials->tuned));
    TRY(memory_create(&trials->under_way, prefetch->regions->bearers, sizeof *trials->under_way,
                      trials->error));
    TRY(transfer_clock_create(prefetch->costs, prefetch->regions->graph->operators, &trials->clock,
                              trials->error));
    memcpy(trials->best.start, start, prefetch->regions->bearers * sizeof *start);
    TRY(prefetch_load(prefetch, start, &load_bytes, trials->error));
    trials->capacity_bytes = trials->goal->capacity_bytes;
    if (trials->capacity_bytes < load_bytes)
        trials->capacity_bytes = load_bytes;
    return prefetch_trials_measure(trials, &trials->best);
}

void prefetch_trials_clear(struct prefetch_trials *trials)
{
    memory_free(trials->best.start);
    memory_free(trials->tried.start);
    memory_free(trials->tuned.start);
    memory_free(trials->under_way);
    transfer_clock_clear(&trials->clock);
}
