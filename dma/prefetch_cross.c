#include "dma/prefetch_cross.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "dma/transfer_paths.h"

/* How much a region's other starts are searched for one place tried, in operators walked over. */
enum { TUNE_WALKED = 4000 };
/* What measuring a schedule takes, compared with walking over its operators once. */
enum { MEASURE_WALKS = 5 };

/* A schedule with what it takes. */
struct candidate {
    uint32_t *start; /* [places] */
    struct transfer_times times;
};

struct crosser {
    const struct prefetch *prefetch;
    const struct prefetch_goal *goal;
    uint64_t capacity_bytes;
    struct candidate best, tried, tuned;
    struct transfer_clock clock;
    struct region_transfer *under_way; /* [bearers] of a region that is tuned */
    struct error *error;
};

static bool is_over(const struct crosser *crosser)
{
    const struct prefetch_goal *goal = crosser->goal;
    return (goal->walked_most && !*goal->walked_most) ||
           (goal->deadline_ns != UINT64_MAX && clock_monotonic_ns() >= goal->deadline_ns);
}

static void take_walked(const struct crosser *crosser, uint64_t walked)
{
    uint64_t *left = crosser->goal->walked_most;
    if (left)
        *left -= walked < *left ? walked : *left;
}

static bool is_better(const struct transfer_times *times, const struct transfer_times *than)
{
    return times->expected_ns < than->expected_ns ||
           (times->expected_ns == than->expected_ns && times->worst_ns < than->worst_ns);
}

static void copy(const struct crosser *crosser, struct candidate *to, const struct candidate *from)
{
    memcpy(to->start, from->start, crosser->prefetch->places * sizeof *to->start);
    to->times = from->times;
}

static uint32_t *get_place(const struct crosser *crosser, const struct candidate *candidate,
                           uint32_t r, uint32_t n, uint32_t border)
{
    return &candidate->start[prefetch_place(crosser->prefetch, r, n, border)];
}

/* What is still under way when the region has begun, others in front of it having been cancelled.
 */
static uint32_t list_under_way(struct crosser *crosser, const struct region_memo *memo, uint32_t r)
{
    const struct transfer_borders *borders = crosser->prefetch->borders;
    const struct transfer_region *region = &crosser->prefetch->regions->region[r];
    const struct region_passage *passage =
        region_memo_newest(memo, borders->border[borders->into[r]].from);
    uint32_t count = 0, listed = 0;
    uint64_t saved_ns = 0;
    if (!passage)
        return 0;
    const struct region_transfer *transfer = region_memo_transfers(memo, passage->left, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct region_transfer own = transfer[i];
        uint64_t transfer_ns = crosser->prefetch->costs->transfer_ns[own.operator];
        own.left_ns -= saved_ns < own.left_ns ? saved_ns : own.left_ns;
        if (own.operator>= region->begin && own.operator<region->end)
            crosser->under_way[listed++] = own;
        else
            saved_ns += own.left_ns < transfer_ns ? own.left_ns : transfer_ns;
    }
    return listed;
}

/* The region's starts that are not early, anew; true where that gave any. */
static enum status tune(struct crosser *crosser, const struct region_memo *memo, uint32_t r,
                        struct candidate *candidate, bool *found)
{
    const struct transfer_region *region = &crosser->prefetch->regions->region[r];
    uint32_t early = prefetch_count_early(crosser->prefetch, candidate->start, r);
    uint64_t walked = TUNE_WALKED;
    const struct prefetch_goal goal = {crosser->capacity_bytes, crosser->goal->deadline_ns,
                                       &walked};
    struct prefetch_region own = prefetch_region_at(crosser->prefetch, r, &crosser->clock);
    struct prefetch_cost cost;
    *found = false;
    own.earlies = list_under_way(crosser, memo, r);
    own.early = crosser->under_way;
    if (early == region->bearers.count || own.earlies != early)
        return STATUS_OK;
    own.bearer += early;
    own.count -= early;
    enum status status = prefetch_search(
        &own, &goal, candidate->start + region->bearers.first + early, &cost, crosser->error);
    take_walked(crosser, TUNE_WALKED - walked);
    *found = status == STATUS_OK;
    return status == STATUS_NO ? STATUS_OK : status;
}

/* Times beyond any where they cannot be found. The memo, where it is wanted, is the caller's. */
static enum status measure(struct crosser *crosser, struct candidate *candidate,
                           struct transfer_program **program, struct region_memo **memo)
{
    const struct prefetch *prefetch = crosser->prefetch;
    struct error *error = crosser->error;
    uint64_t load_bytes;
    candidate->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    take_walked(crosser, (uint64_t)MEASURE_WALKS * prefetch->regions->graph->operators);
    TRY(prefetch_load(prefetch, candidate->start, &load_bytes, error));
    if (load_bytes > crosser->capacity_bytes)
        return STATUS_OK;
    TRY(prefetch_program(prefetch, candidate->start, program, error));
    TRY(region_memo_create(*program, prefetch->costs, memo, error));
    enum status status = transfer_times_compose(*memo, NULL, &candidate->times, error);
    if (status != STATUS_LIMIT)
        return status;
    candidate->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    return STATUS_OK;
}

static enum status measure_only(struct crosser *crosser, struct candidate *candidate)
{
    struct transfer_program *program = NULL;
    struct region_memo *memo = NULL;
    enum status status = measure(crosser, candidate, &program, &memo);
    region_memo_free(memo);
    transfer_program_free(program);
    return status;
}

static void keep_best(struct crosser *crosser, const struct candidate *candidate)
{
    if (is_better(&candidate->times, &crosser->best.times))
        copy(crosser, &crosser->best, candidate);
}

/* The schedule in `tried`, as it is and with the region's other starts anew. */
static enum status try_candidate(struct crosser *crosser, uint32_t r)
{
    struct transfer_program *program = NULL;
    struct region_memo *memo = NULL;
    bool found = false;
    enum status status = measure(crosser, &crosser->tried, &program, &memo);
    if (!status && memo) {
        copy(crosser, &crosser->tuned, &crosser->tried);
        status = tune(crosser, memo, r, &crosser->tuned, &found);
    }
    region_memo_free(memo);
    transfer_program_free(program);
    TRY(status);
    if (found)
        TRY(measure_only(crosser, &crosser->tuned));
    keep_best(crosser, &crosser->tried);
    if (found)
        keep_best(crosser, &crosser->tuned);
    return STATUS_OK;
}

/* Places before a border for the region's n-th bearer: after the starts of the region before and of
   the bearers before it. Where a region follows itself its buffer has to be free. */
struct choice {
    uint32_t least, most;
};

static struct choice find_choice(const struct crosser *crosser, const struct candidate *candidate,
                                 uint32_t r, uint32_t n, uint32_t border)
{
    const struct transfer_regions *regions = crosser->prefetch->regions;
    uint32_t from = crosser->prefetch->borders->border[border].from;
    const struct transfer_region *before = &regions->region[from];
    uint32_t last = before->bearers.first + before->bearers.count - 1;
    struct choice choice = {before->begin,
                            before->end > before->begin ? before->end - 1 : before->begin};
    if (before->bearers.count && candidate->start[last] != PREFETCH_EARLY)
        choice.least = candidate->start[last];
    if (from == r && choice.least <= regions->bearer[regions->region[r].bearers.first + n])
        choice.least = regions->bearer[regions->region[r].bearers.first + n] + 1;
    if (n && *get_place(crosser, candidate, r, n - 1, border) > choice.least)
        choice.least = *get_place(crosser, candidate, r, n - 1, border);
    return choice;
}

/* One border's place to where it saves most: ever longer steps back, then half of each. */
static enum status move_place(struct crosser *crosser, uint32_t r, uint32_t n, uint32_t border)
{
    struct choice choice = find_choice(crosser, &crosser->best, r, n, border);
    uint32_t from = *get_place(crosser, &crosser->best, r, n, border), step = 1;
    for (uint32_t back = 1; from > choice.least && !is_over(crosser); back += step) {
        uint32_t place = from - choice.least > back ? from - back : choice.least;
        copy(crosser, &crosser->tried, &crosser->best);
        *get_place(crosser, &crosser->tried, r, n, border) = place;
        TRY(try_candidate(crosser, r));
        if (place == choice.least)
            break;
        step *= 2;
    }
    for (; step && !is_over(crosser); step /= 2) {
        uint32_t best = *get_place(crosser, &crosser->best, r, n, border);
        if (best + step >= from || best == from)
            continue;
        copy(crosser, &crosser->tried, &crosser->best);
        *get_place(crosser, &crosser->tried, r, n, border) = best + step;
        TRY(try_candidate(crosser, r));
    }
    return STATUS_OK;
}

/* Makes the region's n-th bearer early in `tried`, so many operators before each border, or as many
   as can be; *least says that it cannot be earlier. False where it cannot be early. */
static bool begin_early(struct crosser *crosser, uint32_t r, uint32_t n, uint32_t back, bool *least)
{
    const uint32_t *into = crosser->prefetch->borders->into;
    *least = true;
    for (uint32_t b = into[r]; b < into[r + 1]; b++) {
        struct choice choice = find_choice(crosser, &crosser->tried, r, n, b);
        if (choice.least > choice.most)
            return false;
        bool whole = choice.most - choice.least > back;
        *get_place(crosser, &crosser->tried, r, n, b) = whole ? choice.most - back : choice.least;
        *least = *least && !whole;
    }
    crosser->tried.start[crosser->prefetch->regions->region[r].bearers.first + n] = PREFETCH_EARLY;
    return true;
}

static enum status try_early(struct crosser *crosser, uint32_t r, uint32_t n)
{
    bool least = false;
    for (uint32_t back = 0; !least && !is_over(crosser); back = 2 * back + 1) {
        copy(crosser, &crosser->tried, &crosser->best);
        if (!begin_early(crosser, r, n, back, &least))
            return STATUS_OK;
        TRY(try_candidate(crosser, r));
    }
    return STATUS_OK;
}

/* *saved where the n-th bearer stays early, or is already. */
static enum status add_early(struct crosser *crosser, uint32_t r, uint32_t n, bool *saved)
{
    const uint32_t *into = crosser->prefetch->borders->into;
    uint32_t bearer = crosser->prefetch->regions->region[r].bearers.first + n;
    if (crosser->best.start[bearer] != PREFETCH_EARLY)
        TRY(try_early(crosser, r, n));
    *saved = crosser->best.start[bearer] == PREFETCH_EARLY;
    for (uint32_t b = into[r]; *saved && b < into[r + 1]; b++)
        TRY(move_place(crosser, r, n, b));
    return STATUS_OK;
}

/* Nothing else is as likely to follow. */
static bool is_likely(const struct crosser *crosser, uint32_t r)
{
    const struct transfer_regions *regions = crosser->prefetch->regions;
    const struct transfer_borders *borders = crosser->prefetch->borders;
    const struct transfer_border *border = &borders->border[borders->into[r]];
    uint32_t g = regions->region[r].graph_region;
    return border->kind != TRANSFER_BRANCH ||
           transfer_paths_likeliest_branch(regions, regions->region[border->from].owner) == g;
}

/* The first weights of every region that is likely to follow, at once: where there is no time to
   try one after another this is most of what there is to save. */
static enum status try_likely(struct crosser *crosser)
{
    bool least;
    copy(crosser, &crosser->tried, &crosser->best);
    for (uint32_t r = 0; r < crosser->prefetch->regions->count; r++)
        if (crosser->prefetch->early[r] != GRAPH_NONE && is_likely(crosser, r))
            begin_early(crosser, r, 0, 0, &least);
    TRY(measure_only(crosser, &crosser->tried));
    keep_best(crosser, &crosser->tried);
    return STATUS_OK;
}

static enum status cross_all(struct crosser *crosser)
{
    const struct transfer_regions *regions = crosser->prefetch->regions;
    for (uint32_t r = 0; r < regions->count; r++) {
        bool saved = crosser->prefetch->early[r] != GRAPH_NONE;
        for (uint32_t n = 0; saved && n < regions->region[r].bearers.count && !is_over(crosser);
             n++)
            TRY(add_early(crosser, r, n, &saved));
    }
    return STATUS_OK;
}

static enum status create_candidate(const struct crosser *crosser, struct candidate *candidate)
{
    return memory_create(&candidate->start, crosser->prefetch->places, sizeof *candidate->start,
                         crosser->error);
}

static enum status begin(struct crosser *crosser, const uint32_t *start)
{
    const struct prefetch *prefetch = crosser->prefetch;
    uint64_t load_bytes;
    TRY(create_candidate(crosser, &crosser->best));
    TRY(create_candidate(crosser, &crosser->tried));
    TRY(create_candidate(crosser, &crosser->tuned));
    TRY(memory_create(&crosser->under_way, prefetch->regions->bearers, sizeof *crosser->under_way,
                      crosser->error));
    TRY(transfer_clock_create(prefetch->costs, prefetch->regions->graph->operators, &crosser->clock,
                              crosser->error));
    memcpy(crosser->best.start, start, prefetch->regions->bearers * sizeof *start);
    TRY(prefetch_load(prefetch, start, &load_bytes, crosser->error));
    crosser->capacity_bytes = crosser->goal->capacity_bytes;
    if (crosser->capacity_bytes < load_bytes)
        crosser->capacity_bytes = load_bytes;
    return measure_only(crosser, &crosser->best);
}

static bool has_early(const struct prefetch *prefetch, const uint32_t *start)
{
    bool early = false;
    for (uint32_t b = 0; b < prefetch->regions->bearers; b++)
        early |= start[b] == PREFETCH_EARLY;
    return early;
}

enum status prefetch_cross(const struct prefetch *prefetch, const struct prefetch_goal *goal,
                           uint32_t *start, bool *early, struct error *error)
{
    struct crosser crosser = {.prefetch = prefetch, .goal = goal, .error = error};
    enum status status;
    *early = false;
    if (prefetch->places == prefetch->regions->bearers)
        return STATUS_OK;
    TRY_OR_DONE(status, begin(&crosser, start));
    TRY_OR_DONE(status, try_likely(&crosser));
    TRY_OR_DONE(status, cross_all(&crosser));
    memcpy(start, crosser.best.start, prefetch->places * sizeof *start);
    *early = has_early(prefetch, start);
done:
    memory_free(crosser.best.start);
    memory_free(crosser.tried.start);
    memory_free(crosser.tuned.start);
    memory_free(crosser.under_way);
    transfer_clock_clear(&crosser.clock);
    return status;
}
