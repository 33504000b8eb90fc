#include "dma/planned/all.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"

/* Schedules are built by recursive functions, one call for each region and each place. */
enum { MOST_LEVELS = 4000 };

/* A transfer that starts in a region for which all orders are tried. */
struct entry {
    uint32_t op; /* the operator before which it starts, or the end of the region */
    uint32_t weighted;
    uint32_t *rank; /* in start[] */
    bool early;     /* for the region behind a border */
    bool given;     /* it has its rank */
};

struct lister {
    const struct schedule_space *space;
    uint32_t *start;     /* [places] the schedule that is being put together */
    struct entry *entry; /* [places] of one region after another */
    uint64_t deadline_ns;
    struct schedule_candidates *candidates;
    struct error *error;
};

/* How long the channel carries the transfer of weighted operator number w. */
static uint64_t get_transfer(const struct schedule_space *space, uint32_t w)
{
    return space->costs->transfer_ns[space->regions->weighted_op[w]];
}

/* Whether any weights of the region itself arrive while the processor starts the next transfer, so
   that starting them later than others at one place may save time (is_worse). */
static bool hides(const struct schedule_space *space, uint32_t r)
{
    const struct span weighted = space->regions->region[r].weighted;
    for (uint32_t w = weighted.first; w < weighted.first + weighted.count; w++)
        if (get_transfer(space, w) < space->costs->hardware->dma_start_instruction_ns)
            return true;
    return false;
}

/* The number of ways in which the n-th weights of a region may start, where those before them have
   their starts: at a place, or right behind one of those. 0 where it does not fit into 64 bits. */
static uint64_t count_ways(const struct schedule_space *space, uint32_t r, uint32_t n)
{
    const uint32_t *into = space->borders->into;
    uint64_t ways = 1, own = (uint64_t)transfer_regions_weighted(space->regions, r, n) -
                             space->regions->region[r].begin + 1;
    own += hides(space, r) ? n : 0;
    if (space->early_place[r] == GRAPH_NONE)
        return own;
    for (uint32_t b = into[r]; b < into[r + 1]; b++) {
        struct schedule_choice choice = schedule_choice_at(space, r, n, b);
        uint64_t places = (uint64_t)choice.most + 1;
        places = choice.least < places ? places - choice.least : 0;
        if (!checked_multiply(ways, places, &ways))
            return 0;
    }
    return checked_add(ways, own, &ways) ? ways : 0;
}

/* Multiplies *all by the number of ways; false where there are more schedules than may be tried. */
static bool multiply(uint64_t *all, uint64_t ways)
{
    return ways && checked_multiply(*all, ways, all) && *all <= SCHEDULE_ALL_MOST;
}

bool schedule_all_are_few(const struct schedule_space *space)
{
    const struct transfer_borders *borders = space->borders;
    uint64_t all = 1;
    if ((uint64_t)space->regions->count + space->places > MOST_LEVELS)
        return false;
    for (uint32_t r = 0; r < space->regions->count; r++) {
        for (uint32_t n = 0; n < space->regions->region[r].weighted.count; n++)
            if (!multiply(&all, count_ways(space, r, n)))
                return false;

        /* Those that may start early out of the region may come in any order, also among those of
           the region that hide. */
        uint64_t ways = hides(space, r) ? space->regions->region[r].weighted.count : 0;
        for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
            uint32_t to = borders->border[borders->leaving[l]].to;
            uint32_t early = space->regions->region[to].weighted.count;
            for (uint32_t k = 0; space->early_place[to] != GRAPH_NONE && k < early; k++)
                if (!multiply(&all, ++ways))
                    return false;
        }
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

/* Adds the schedule at hand if no other candidate beats it, drops those that it beats, and keeps
   the candidates sorted by expected time. */
static enum status add_candidate(struct lister *lister, struct schedule_candidate added)
{
    struct schedule_candidates *candidates = lister->candidates;
    uint32_t places = lister->space->places, place = 0, kept = 0;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (is_beaten(&added, &candidates->candidate[i]))
            return STATUS_OK;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (is_beaten(&candidates->candidate[i], &added))
            memory_free(candidates->candidate[i].start);
        else
            candidates->candidate[kept++] = candidates->candidate[i];
    candidates->count = kept;
    TRY(memory_reserve(&candidates->candidate, &candidates->capacity, (size_t)kept + 1,
                       sizeof *candidates->candidate, lister->error));
    TRY(memory_create(&added.start, places, sizeof *added.start, lister->error));
    memcpy(added.start, lister->start, places * sizeof *added.start);
    while (place < kept && candidates->candidate[place].times.expected_ns < added.times.expected_ns)
        place++;
    memmove(candidates->candidate + place + 1, candidates->candidate + place,
            (kept - place) * sizeof *candidates->candidate);
    candidates->candidate[place] = added;
    candidates->count++;
    return STATUS_OK;
}

static enum status try_schedule(struct lister *lister)
{
    struct schedule_candidate candidate = {0};
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    struct error failed = ERROR_NONE;
    enum status status = STATUS_LIMIT;
    if (clock_left_ns(lister->deadline_ns))
        status = schedule_run_fill(lister->space, lister->start, &run, &candidate.times, &failed);
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

/* Whether a transfer starts before another one at the same place where their ranks are equal. */
static bool precedes(const struct entry *a, const struct entry *b)
{
    return a->early != b->early ? b->early : a->weighted < b->weighted;
}

/* Whether no schedule in which `next` starts directly after `last` at the same place is faster than
   the one in which they change places. That is so where the region itself needs `next`, and before
   it needs `last`, if the channel is not done with `next` before the processor has started `last`
   too, or has no more to carry for `last`: docs/dma.md proves it. */
static bool is_worse(const struct schedule_space *space, const struct entry *last,
                     const struct entry *next)
{
    uint64_t next_ns = get_transfer(space, next->weighted);
    return !next->early && precedes(next, last) &&
           (next_ns >= space->costs->hardware->dma_start_instruction_ns ||
            next_ns >= get_transfer(space, last->weighted));
}

/* Lists the transfers that start in region r from entry number `first` on, and returns the number
   of the entry after them. */
static uint32_t list_entries(const struct lister *lister, uint32_t r, uint32_t first)
{
    const struct schedule_space *space = lister->space;
    const struct transfer_borders *borders = space->borders;
    const struct span own = space->regions->region[r].weighted;
    uint32_t *start = lister->start, end = first;
    for (uint32_t w = own.first; w < own.first + own.count; w++)
        if (start[w] != SCHEDULE_EARLY)
            lister->entry[end++] = (struct entry){
                .op = start[w], .weighted = w, .rank = &start[schedule_own_rank(space, w)]};
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t border = borders->leaving[l], to = borders->border[border].to;
        const struct span weighted = space->regions->region[to].weighted;
        for (uint32_t n = 0; n < weighted.count; n++) {
            if (!schedule_is_early(space, start, to, n))
                continue;
            uint32_t *place = &start[schedule_place(space, to, n, border)];
            lister->entry[end++] = (struct entry){.op = place[0],
                                                  .weighted = weighted.first + n,
                                                  .rank = &place[SCHEDULE_RANK],
                                                  .early = true};
        }
    }
    assert(end <= space->places);
    return end;
}

static enum status order_region(struct lister *lister, uint32_t r, uint32_t first);

/* Tries every order of the entries [first, end) of region r that have no rank yet, after `last`
   (NULL for none), then the regions after it. */
static enum status permute(struct lister *lister, uint32_t r, uint32_t first, uint32_t end,
                           const struct entry *last)
{
    uint32_t op = GRAPH_NONE;
    for (uint32_t i = first; i < end; i++)
        if (!lister->entry[i].given && lister->entry[i].op < op)
            op = lister->entry[i].op;
    if (op == GRAPH_NONE)
        return order_region(lister, r + 1, end);
    for (uint32_t i = first; i < end; i++) {
        struct entry *next = &lister->entry[i];
        const struct entry *before = last && last->op == op ? last : NULL;
        if (next->given || next->op != op || (before && is_worse(lister->space, before, next)))
            continue;
        *next->rank = before ? *before->rank + !precedes(before, next) : 0;
        next->given = true;
        TRY(permute(lister, r, first, end, next));
        next->given = false;
    }
    return STATUS_OK;
}

/* Tries the orders of the transfers that start at one place, from region r on. */
static enum status order_region(struct lister *lister, uint32_t r, uint32_t first)
{
    if (r == lister->space->regions->count)
        return try_schedule(lister);
    return permute(lister, r, first, list_entries(lister, r, first), NULL);
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
        return order_region(lister, 0, 0);
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
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct lister lister = {
        .space = space, .deadline_ns = deadline_ns, .candidates = candidates, .error = error};
    assert(schedule_all_are_few(space));
    TRY(scratch_take_all(&scratch, space->places, error, &lister.start, &lister.entry));
    return place_next(&lister, 0, 0);
}

void schedule_candidates_clear(struct schedule_candidates *candidates)
{
    for (uint32_t i = 0; i < candidates->count; i++)
        memory_free(candidates->candidate[i].start);
    memory_free(candidates->candidate);
    *candidates = (struct schedule_candidates){0};
}
