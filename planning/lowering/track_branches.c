#include "planning/lowering/track_branches.h"

#include <assert.h>

enum status path_branches_create(struct path_branches *branches, const struct path_liveness *paths,
                                 struct scratch *scratch, struct error *error)
{
    const struct graph *graph = paths->graph;
    const size_t conditions = paths->conditions, set = sizeof(struct path_track_set);
    *branches = (struct path_branches){.paths = paths};
    TRY(scratch_take(scratch, &branches->taken, graph->regions, set, error));
    TRY(scratch_take(scratch, &branches->decided, graph->operators, set, error));
    TRY(scratch_take(scratch, &branches->held, conditions, set, error));
    TRY(scratch_take(scratch, &branches->open, conditions, set, error));
    TRY(scratch_take_all(scratch, conditions, error, &branches->everywhere, &branches->watched,
                         &branches->watched_in));
    TRY(scratch_take(scratch, &branches->seen, graph->regions, sizeof(uint32_t), error));
    branches->held[PATH_ALWAYS] = branches->open[PATH_ALWAYS] = path_set_all();
    return STATUS_OK;
}

void path_branches_begin(struct path_branches *branches)
{
    branches->watches = 0;
    branches->round++;
}

/* Finds on which tracks the condition holds and on which it may hold, of the tracks in one word of
   the sets. Those of its parent have been found before. */
static void find_tracks(struct path_branches *branches, uint32_t condition, uint32_t word)
{
    const struct path_condition *found = &branches->paths->condition[condition];
    uint64_t taken = branches->taken[found->region].word[word];
    uint64_t decided = branches->decided[path_branches_owner(branches, condition)].word[word];
    struct path_track_set *held = branches->held, *open = branches->open;
    assert(condition != PATH_ALWAYS && word < PATH_TRACK_WORDS);
    assert(found->parent < condition && !(taken & ~decided));
    held[condition].word[word] = held[found->parent].word[word] & taken;
    open[condition].word[word] = open[found->parent].word[word] & (taken | ~decided);
}

/* A condition is listed behind its parents, as its sets are made from theirs. */
void path_branches_watch(struct path_branches *branches, uint32_t condition)
{
    const struct path_condition *conditions = branches->paths->condition;
    uint32_t first = branches->watches, end = first;
    assert(condition < branches->paths->conditions);
    for (uint32_t c = condition; c != PATH_ALWAYS && branches->watched_in[c] != branches->round;
         c = conditions[c].parent) {
        branches->watched_in[c] = branches->round;
        end++;
    }
    assert(end < branches->paths->conditions);
    branches->watches = end;
    for (uint32_t c = condition; end > first; c = conditions[c].parent) {
        branches->watched[--end] = c;
        if (!branches->seen[conditions[c].region])
            branches->seen[conditions[c].region] = branches->round;
    }
    for (uint32_t i = first; i < branches->watches; i++)
        for (uint32_t word = 0; word < PATH_TRACK_WORDS; word++)
            find_tracks(branches, branches->watched[i], word);
}

bool path_branches_take(struct path_branches *branches, uint32_t condition, uint32_t track)
{
    bool spreads = false;
    assert(track < PATH_MOST_TRACKS && condition < branches->paths->conditions);
    for (uint32_t c = condition; c != PATH_ALWAYS; c = branches->paths->condition[c].parent) {
        uint32_t region = branches->paths->condition[c].region;
        spreads = spreads || (branches->seen[region] < branches->round &&
                              !path_set_has(&branches->taken[region], track));
        path_set_add(&branches->taken[region], track);
        path_set_add(&branches->decided[path_branches_owner(branches, c)], track);
    }
    return spreads;
}

void path_branches_refresh(struct path_branches *branches, uint32_t track, uint32_t watches)
{
    assert(watches <= branches->watches);
    for (uint32_t i = 0; i < watches; i++)
        find_tracks(branches, branches->watched[i], track / 64);
}

void path_branches_refresh_all(struct path_branches *branches)
{
    for (uint32_t c = PATH_ALWAYS + 1; c < branches->paths->conditions; c++)
        for (uint32_t word = 0; word < PATH_TRACK_WORDS; word++)
            find_tracks(branches, c, word);
}

bool path_branches_may_hold(const struct path_branches *branches, uint32_t condition,
                            uint32_t track)
{
    if (!path_set_has(&branches->open[condition], track))
        return false;
    for (uint32_t c = condition; c != PATH_ALWAYS; c = branches->paths->condition[c].parent)
        if (path_set_has(&branches->decided[path_branches_owner(branches, c)], track) &&
            !path_set_has(&branches->taken[branches->paths->condition[c].region], track))
            return false;
    return true;
}
