#include "planning/lowering/track_branches.h"

#include <assert.h>

#include "core/memory.h"

enum status path_branches_create(struct path_branches *branches, const struct path_liveness *paths,
                                 struct error *error)
{
    const struct graph *graph = paths->graph;
    uint32_t conditions = paths->conditions;
    *branches = (struct path_branches){.paths = paths};
    const struct {
        struct path_track_set **sets;
        uint32_t count;
    } row[] = {{&branches->taken, graph->regions},
               {&branches->decided, graph->operators},
               {&branches->held, conditions},
               {&branches->open, conditions}};
    for (int i = 0; i < 4; i++)
        TRY(memory_create(row[i].sets, row[i].count, sizeof(struct path_track_set), error));
    TRY(memory_create(&branches->everywhere, conditions, sizeof *branches->everywhere, error));
    TRY(memory_create(&branches->watched, conditions, sizeof *branches->watched, error));
    TRY(memory_create(&branches->watched_in, conditions, sizeof *branches->watched_in, error));
    TRY(memory_create(&branches->seen, graph->regions, sizeof *branches->seen, error));
    branches->held[PATH_ALWAYS] = branches->open[PATH_ALWAYS] = path_set_all();
    return STATUS_OK;
}

void path_branches_free(struct path_branches *branches)
{
    memory_free(branches->taken);
    memory_free(branches->decided);
    memory_free(branches->held);
    memory_free(branches->open);
    memory_free(branches->everywhere);
    memory_free(branches->watched);
    memory_free(branches->watched_in);
    memory_free(branches->seen);
    *branches = (struct path_branches){0};
}

void path_branches_begin(struct path_branches *branches)
{
    branches->watches = 0;
    branches->round++;
}

/* Finds on which tracks the condition holds, and on which it may, of the tracks in one word of the
   sets. Those of its parent have been found before. */
static void find_tracks(struct path_branches *branches, uint32_t condition, uint32_t word)
{
    const struct path_condition *found = &branches->paths->condition[condition];
    uint64_t taken = branches->taken[found->region].word[word];
    uint64_t decided = branches->decided[path_branches_owner(branches, condition)].word[word];
    struct path_track_set *held = branches->held, *open = branches->open;
    assert(found->parent < condition && !(taken & ~decided));
    held[condition].word[word] = held[found->parent].word[word] & taken;
    open[condition].word[word] = open[found->parent].word[word] & (taken | ~decided);
}

static void add_watched(struct path_branches *branches, uint32_t condition)
{
    uint32_t *seen = &branches->seen[branches->paths->condition[condition].region];
    assert(branches->watched_in[condition] != branches->round);
    branches->watched_in[condition] = branches->round;
    assert(branches->watches < branches->paths->conditions);
    branches->watched[branches->watches++] = condition;
    if (!*seen)
        *seen = branches->round;
}

static void reverse(uint32_t *item, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t kept = item[i];
        item[i] = item[count - 1 - i];
        item[count - 1 - i] = kept;
    }
}

void path_branches_watch(struct path_branches *branches, uint32_t condition)
{
    uint32_t first = branches->watches;
    assert(condition < branches->paths->conditions);
    for (uint32_t c = condition; c != PATH_ALWAYS && branches->watched_in[c] != branches->round;
         c = branches->paths->condition[c].parent)
        add_watched(branches, c);
    reverse(branches->watched + first, branches->watches - first);
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
