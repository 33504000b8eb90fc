#include "dma/planned/all.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"

struct lister {
    const struct schedule_space *space;
    uint32_t *start; /* [places] the schedule that is being put together */
    /* [places] for each early operator behind one region, the index in start[] of its rank */
    uint32_t *early;
    uint64_t deadline_ns;
    struct schedule_candidates *candidates;
    struct error *error;
};

static uint64_t count_choice(struct schedule_choice choice)
{
    return choice.least <= choice.most ? (uint64_t)choice.most - choice.least + 1 : 0;
}

/* The number of ways in which the n-th weights of a region may start; 0 where it does not fit into
   64 bits. */
static uint64_t count_ways(const struct schedule_space *space, uint32_t r, uint32_t n)
{
    const uint32_t *into = space->borders->into;
    uint64_t ways = 1, own = (uint64_t)transfer_regions_weighted(space->regions, r, n) -
                             space->regions->region[r].begin + 1;
    if (space->early_place[r] == GRAPH_NONE)
        return own;
    for (uint32_t b = into[r]; b < into[r + 1]; b++)
        if (!checked_multiply(ways, count_choice(schedule_choice_at(space, r, n, b)), &ways))
            return 0;
    return checked_add(ways, own, &ways) ? ways : 0;
}

/* How many weights may start early out of a region. */
static uint32_t count_early(const struct schedule_space *space, uint32_t r)
{
    const struct transfer_borders *borders = space->borders;
    uint32_t count = 0;
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t to = borders->border[borders->leaving[l]].to;
        if (space->early_place[to] != GRAPH_NONE)
            count += space->regions->region[to].weighted.count;
    }
    return count;
}

/* Multiplies *all by the number of ways; false where there are more schedules than may be tried. */
static bool multiply(uint64_t *all, uint64_t ways)
{
    return ways && checked_multiply(*all, ways, all) && *all <= SCHEDULE_ALL_MOST;
}

bool schedule_all_are_few(const struct schedule_space *space)
{
    uint64_t all = 1;
    for (uint32_t r = 0; r < space->regions->count; r++) {
        for (uint32_t n = 0; n < space->regions->region[r].weighted.count; n++)
            if (!multiply(&all, count_ways(space, r, n)))
                return false;
        for (uint32_t k = count_early(space, r); k > 1; k--)
            if (!multiply(&all, k))
                return false;
    }
    return true;
}

static bool is_beaten(const struct schedule_candidate *candidate,
                      const struct schedule_candidate *by)
{
    if (by->times.expected_ns == candidate->times.expected_ns &&
        by->load_bytes == candidate->load_bytes)
        return by->times.worst_ns <= candidate->times.worst_ns;
    return by->times.expected_ns <= candidate->times.expected_ns &&
           by->load_bytes <= candidate->load_bytes;
}

static void drop_beaten(struct schedule_candidates *candidates,
                        const struct schedule_candidate *added)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (is_beaten(&candidates->candidate[i], added))
            memory_free(candidates->candidate[i].start);
        else
            candidates->candidate[kept++] = candidates->candidate[i];
    candidates->count = kept;
}

/* Adds the schedule at hand if no other candidate beats it, drops those that it beats, and keeps
   the candidates sorted by expected time. */
static enum status add_candidate(struct lister *lister, struct schedule_candidate added)
{
    struct schedule_candidates *candidates = lister->candidates;
    uint32_t places = lister->space->places, place = 0;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (is_beaten(&added, &candidates->candidate[i]))
            return STATUS_OK;
    drop_beaten(candidates, &added);
    TRY(memory_reserve(&candidates->candidate, &candidates->capacity, (size_t)candidates->count + 1,
                       sizeof *candidates->candidate, lister->error));
    TRY(memory_create(&added.start, places, sizeof *added.start, lister->error));
    memcpy(added.start, lister->start, places * sizeof *added.start);
    while (place < candidates->count &&
           candidates->candidate[place].times.expected_ns < added.times.expected_ns)
        place++;
    memmove(candidates->candidate + place + 1, candidates->candidate + place,
            (candidates->count - place) * sizeof *candidates->candidate);
    candidates->candidate[place] = added;
    candidates->count++;
    return STATUS_OK;
}

static enum status try_schedule(struct lister *lister)
{
    struct schedule_candidate candidate = {0};
    struct schedule_run run;
    struct error failed = ERROR_NONE;
    if (!clock_left_ns(lister->deadline_ns)) {
        lister->candidates->complete = false;
        return STATUS_OK;
    }
    enum status status =
        schedule_run_fill(lister->space, lister->start, &run, &candidate.times, &failed);
    schedule_run_clear(&run);
    if (status == STATUS_LIMIT) {
        lister->candidates->complete = false;
        return STATUS_OK;
    }
    if (status) {
        *lister->error = failed;
        return status;
    }
    TRY(schedule_load(lister->space, lister->start, &candidate.load_bytes, lister->error));
    return add_candidate(lister, candidate);
}

/* The early operators that start in one region, some of which have a rank already; ranks are handed
   out one after another. */
struct ranking {
    uint32_t region;
    uint32_t count, set;
    uint32_t taken; /* bit mask of the ranks that are given to an operator */
};

static enum status order_region(struct lister *lister, uint32_t r);

/* Lists the early operators that start in region r; *tied says whether any two of them start at the
   same place, so that their order matters. */
static uint32_t list_early(struct lister *lister, uint32_t r, bool *tied)
{
    const struct schedule_space *space = lister->space;
    const struct transfer_borders *borders = space->borders;
    uint32_t count = 0;
    *tied = false;
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t border = borders->leaving[l], to = borders->border[border].to;
        for (uint32_t n = 0; n < space->regions->region[to].weighted.count; n++) {
            if (!schedule_is_early(space, lister->start, to, n))
                continue;
            uint32_t place = schedule_place(space, to, n, border);
            for (uint32_t i = 0; i < count; i++)
                *tied |= lister->start[lister->early[i] - SCHEDULE_RANK] == lister->start[place];
            lister->early[count++] = place + SCHEDULE_RANK;
        }
    }
    return count;
}

/* Tries every order of the early operators that start in one region, then the regions after it. */
static enum status permute(struct lister *lister, struct ranking ranking)
{
    bool tied;
    if (ranking.set == ranking.count) {
        TRY(order_region(lister, ranking.region + 1));
        list_early(lister, ranking.region, &tied);
        return STATUS_OK;
    }
    for (uint32_t rank = 0; rank < ranking.count; rank++) {
        if (ranking.taken >> rank & 1)
            continue;
        struct ranking next = ranking;
        next.taken |= (uint32_t)1 << rank;
        lister->start[lister->early[next.set++]] = rank;
        TRY(permute(lister, next));
    }
    return STATUS_OK;
}

/* Tries the orders of early transfers from region r on. Only where two of them start at the same
   place is there more than one order. */
static enum status order_region(struct lister *lister, uint32_t r)
{
    bool tied;
    if (r == lister->space->regions->count)
        return try_schedule(lister);
    uint32_t count = list_early(lister, r, &tied);
    for (uint32_t i = 0; i < count; i++)
        lister->start[lister->early[i]] = 0;
    return tied ? permute(lister, (struct ranking){.region = r, .count = count})
                : order_region(lister, r + 1);
}

static enum status place_next(struct lister *lister, uint32_t r, uint32_t n);

static enum status place_early(struct lister *lister, uint32_t r, uint32_t n, uint32_t border)
{
    const struct schedule_space *space = lister->space;
    if (border == space->borders->into[r + 1])
        return place_next(lister, r, n + 1);
    struct schedule_choice choice = schedule_choice_at(space, r, n, border);
    for (uint32_t o = choice.most + 1; o-- > choice.least;) {
        lister->start[schedule_place(space, r, n, border)] = o;
        TRY(place_early(lister, r, n, border + 1));
    }
    return STATUS_OK;
}

/* Tries every start of the n-th weights of a region, each with every start of all later weights. */
static enum status place_next(struct lister *lister, uint32_t r, uint32_t n)
{
    const struct transfer_regions *regions = lister->space->regions;
    if (r == regions->count)
        return order_region(lister, 0);
    if (n == regions->region[r].weighted.count)
        return place_next(lister, r + 1, 0);
    uint32_t *start = &lister->start[regions->region[r].weighted.first + n];
    for (uint32_t o = transfer_regions_weighted(regions, r, n) + 1;
         o-- > regions->region[r].begin;) {
        *start = o;
        TRY(place_next(lister, r, n + 1));
    }
    if (lister->space->early_place[r] == GRAPH_NONE)
        return STATUS_OK;
    *start = SCHEDULE_EARLY;
    return place_early(lister, r, n, lister->space->borders->into[r]);
}

enum status schedule_all_try(const struct schedule_space *space, uint64_t deadline_ns,
                             struct schedule_candidates *candidates, struct error *error)
{
    *candidates = (struct schedule_candidates){.complete = true};
    struct lister lister = {
        .space = space, .deadline_ns = deadline_ns, .candidates = candidates, .error = error};
    enum status status;
    assert(schedule_all_are_few(space));
    TRY_OR_DONE(status, memory_create(&lister.start, space->places, sizeof *lister.start, error));
    TRY_OR_DONE(status, memory_create(&lister.early, space->places, sizeof *lister.early, error));
    TRY_OR_DONE(status, place_next(&lister, 0, 0));
done:
    memory_free(lister.start);
    memory_free(lister.early);
    return status;
}

void schedule_candidates_clear(struct schedule_candidates *candidates)
{
    for (uint32_t i = 0; i < candidates->count; i++)
        memory_free(candidates->candidate[i].start);
    memory_free(candidates->candidate);
    *candidates = (struct schedule_candidates){0};
}
