#include "dma/planned/early.h"

#include <string.h>

#include "dma/planned/candidates.h"
#include "dma/program/paths.h"

/* Places before a border for the region's n-th bearer: after the starts of the region before and of
   the bearers before it. Where a region follows itself its buffer has to be free. */
struct choice {
    uint32_t least, most;
};

static struct choice find_choice(const struct prefetch_trials *trials,
                                 const struct prefetch_candidate *candidate, uint32_t r, uint32_t n,
                                 uint32_t border)
{
    const struct transfer_regions *regions = trials->prefetch->regions;
    uint32_t from = trials->prefetch->borders->border[border].from;
    const struct transfer_region *before = &regions->region[from];
    uint32_t last = before->bearers.first + before->bearers.count - 1;
    struct choice choice = {before->begin,
                            before->end > before->begin ? before->end - 1 : before->begin};
    if (before->bearers.count && candidate->start[last] != PREFETCH_EARLY)
        choice.least = candidate->start[last];
    if (from == r && choice.least <= regions->bearer[regions->region[r].bearers.first + n])
        choice.least = regions->bearer[regions->region[r].bearers.first + n] + 1;
    if (n && *prefetch_trials_place(trials, candidate, r, n - 1, border) > choice.least)
        choice.least = *prefetch_trials_place(trials, candidate, r, n - 1, border);
    return choice;
}

/* One border's place to where it saves most: ever longer steps back, then half of each. */
static enum status move_place(struct prefetch_trials *trials, uint32_t r, uint32_t n,
                              uint32_t border)
{
    struct choice choice = find_choice(trials, &trials->best, r, n, border);
    uint32_t from = *prefetch_trials_place(trials, &trials->best, r, n, border), step = 1;
    for (uint32_t back = 1; from > choice.least && !prefetch_trials_over(trials); back += step) {
        uint32_t place = from - choice.least > back ? from - back : choice.least;
        prefetch_trials_copy(trials, &trials->tried, &trials->best);
        *prefetch_trials_place(trials, &trials->tried, r, n, border) = place;
        TRY(prefetch_trials_try(trials, r));
        if (place == choice.least)
            break;
        step *= 2;
    }
    for (; step && !prefetch_trials_over(trials); step /= 2) {
        uint32_t best = *prefetch_trials_place(trials, &trials->best, r, n, border);
        if (best + step >= from || best == from)
            continue;
        prefetch_trials_copy(trials, &trials->tried, &trials->best);
        *prefetch_trials_place(trials, &trials->tried, r, n, border) = best + step;
        TRY(prefetch_trials_try(trials, r));
    }
    return STATUS_OK;
}

/* Makes the region's n-th bearer early in `tried`, so many operators before each border, or as many
   as can be; *least says that it cannot be earlier. False where it cannot be early. */
static bool begin_early(struct prefetch_trials *trials, uint32_t r, uint32_t n, uint32_t back,
                        bool *least)
{
    const uint32_t *into = trials->prefetch->borders->into;
    *least = true;
    for (uint32_t b = into[r]; b < into[r + 1]; b++) {
        struct choice choice = find_choice(trials, &trials->tried, r, n, b);
        if (choice.least > choice.most)
            return false;
        bool whole = choice.most - choice.least > back;
        *prefetch_trials_place(trials, &trials->tried, r, n, b) =
            whole ? choice.most - back : choice.least;
        *least = *least && !whole;
    }
    trials->tried.start[trials->prefetch->regions->region[r].bearers.first + n] = PREFETCH_EARLY;
    return true;
}

static enum status try_early(struct prefetch_trials *trials, uint32_t r, uint32_t n)
{
    bool least = false;
    for (uint32_t back = 0; !least && !prefetch_trials_over(trials); back = 2 * back + 1) {
        prefetch_trials_copy(trials, &trials->tried, &trials->best);
        if (!begin_early(trials, r, n, back, &least))
            return STATUS_OK;
        TRY(prefetch_trials_try(trials, r));
    }
    return STATUS_OK;
}

/* *saved where the n-th bearer stays early, or is already. */
static enum status add_early(struct prefetch_trials *trials, uint32_t r, uint32_t n, bool *saved)
{
    const uint32_t *into = trials->prefetch->borders->into;
    uint32_t bearer = trials->prefetch->regions->region[r].bearers.first + n;
    if (trials->best.start[bearer] != PREFETCH_EARLY)
        TRY(try_early(trials, r, n));
    *saved = trials->best.start[bearer] == PREFETCH_EARLY;
    for (uint32_t b = into[r]; *saved && b < into[r + 1]; b++)
        TRY(move_place(trials, r, n, b));
    return STATUS_OK;
}

/* Nothing else is as likely to follow. */
static bool is_likely(const struct prefetch_trials *trials, uint32_t r)
{
    const struct transfer_regions *regions = trials->prefetch->regions;
    const struct transfer_borders *borders = trials->prefetch->borders;
    const struct transfer_border *border = &borders->border[borders->into[r]];
    uint32_t g = regions->region[r].graph_region;
    return border->kind != TRANSFER_BRANCH ||
           transfer_paths_likeliest_branch(regions, regions->region[border->from].owner) == g;
}

/* The first weights of every region that is likely to follow, at once: where there is no time to
   try one after another this is most of what there is to save. */
static enum status try_likely(struct prefetch_trials *trials)
{
    bool least;
    prefetch_trials_copy(trials, &trials->tried, &trials->best);
    for (uint32_t r = 0; r < trials->prefetch->regions->count; r++)
        if (trials->prefetch->early[r] != GRAPH_NONE && is_likely(trials, r))
            begin_early(trials, r, 0, 0, &least);
    TRY(prefetch_trials_measure(trials, &trials->tried));
    prefetch_trials_keep(trials, &trials->tried);
    return STATUS_OK;
}

static enum status cross_all(struct prefetch_trials *trials)
{
    const struct transfer_regions *regions = trials->prefetch->regions;
    for (uint32_t r = 0; r < regions->count; r++) {
        bool saved = trials->prefetch->early[r] != GRAPH_NONE;
        for (uint32_t n = 0;
             saved && n < regions->region[r].bearers.count && !prefetch_trials_over(trials); n++)
            TRY(add_early(trials, r, n, &saved));
    }
    return STATUS_OK;
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
    struct prefetch_trials trials = {.prefetch = prefetch, .goal = goal, .error = error};
    enum status status;
    *early = false;
    if (prefetch->places == prefetch->regions->bearers)
        return STATUS_OK;
    TRY_OR_DONE(status, prefetch_trials_begin(&trials, start));
    TRY_OR_DONE(status, try_likely(&trials));
    TRY_OR_DONE(status, cross_all(&trials));
    memcpy(start, trials.best.start, prefetch->places * sizeof *start);
    *early = has_early(prefetch, start);
done:
    prefetch_trials_clear(&trials);
    return status;
}
