#include "planning/lowering/tracks.h"

#include <assert.h>

#include "core/memory.h"
#include "core/random.h"
#include "planning/lowering/condition_sweep.h"
#include "planning/lowering/track_branches.h"

enum { MOST_COMPARED = 512 };

/* A pair of conditions under which something is live at one step, and which no track has together
   yet. */
struct pair {
    uint32_t fresh, other; /* fresh has just become active; other is active, maybe the same one */
    bool covered;          /* some track has both by now */
};

/* An entry of the list that a track has: of the pairs that may come onto it, in their order. */
struct entry {
    uint32_t pair, next; /* next entry of the track, or LIST_END */
};
#define LIST_END UINT32_MAX

struct pairs {
    struct pair *pair; /* [count] */
    uint32_t count;
    uint32_t left;                                            /* how many of them are not covered */
    uint32_t first[PATH_MOST_TRACKS], last[PATH_MOST_TRACKS]; /* [tracks] entries of each list */
    struct entry *entry;                                      /* [entries] */
    uint32_t entries;
    size_t pair_capacity, entry_capacity;
};

/* Chooses the tracks in a sweep over the steps. Conditions that become active at the current step
   are fresh: they come last among the active ones, and each pair of a fresh and any active
   condition that can hold together needs a track on which both do. */
struct chooser {
    const struct path_liveness *paths;
    struct path_tracks *tracks;
    struct path_sweep sweep;
    struct path_branches branches;
    struct pairs pairs;
    uint32_t fresh_watches; /* how many watched conditions are fresh or parents of fresh ones */
    uint32_t *branch;    /* [operators] the branch that the compared condition takes, GRAPH_NONE */
    uint32_t *agreement; /* [conditions] what agrees() found when it was last asked for it: twice
                            the value that `compared` had, plus 1 where it agreed */
    uint32_t compared;   /* fresh conditions that were compared so far */
    uint64_t *bytes;     /* [conditions] how much is ever live under each */
    uint64_t *gain; /* [conditions] how many pairs each would bring onto the track that is being
                       extended */
    uint32_t *lost; /* [lost_count] fresh conditions with a pair that no track can take any more */
    uint32_t lost_count, fresh;
    struct scratch scratch;
    struct error *error;
};

/* Finds out which conditions hold on a track that took more branches: looks at the fresh ones, and
   where this spreads to others (path_branches_take says so) at all active ones. */
static void refresh_track(struct chooser *chooser, uint32_t track, bool spreads)
{
    assert(track < chooser->tracks->tracks);
    struct path_branches *branches = &chooser->branches;
    for (uint32_t i = 0; i < chooser->sweep.active.count && spreads; i++)
        path_branches_watch(branches, chooser->sweep.active.item[i]);
    path_branches_refresh(branches, track, spreads ? branches->watches : chooser->fresh_watches);
}

static void mark_branches(struct chooser *chooser, uint32_t condition, bool mark)
{
    for (uint32_t c = condition; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent)
        chooser->branch[path_branches_owner(&chooser->branches, c)] =
            mark ? chooser->paths->condition[c].region : GRAPH_NONE;
}

/* Whether a fresh condition holds on the track or may hold yet. */
static bool may_hold(const struct chooser *chooser, uint32_t condition, uint32_t track)
{
    assert(chooser->branches.watched_in[condition] == chooser->branches.round);
    return path_set_has(&chooser->branches.open[condition], track);
}

/* Whether the condition can hold together with the one whose branches are marked. */
static bool agrees(struct chooser *chooser, uint32_t condition)
{
    const struct path_condition *asked = &chooser->paths->condition[condition];
    uint32_t *agreement = &chooser->agreement[condition];
    if (condition == PATH_ALWAYS)
        return true;
    if (*agreement / 2 == chooser->compared)
        return *agreement % 2;
    uint32_t marked = chooser->branch[path_branches_owner(&chooser->branches, condition)];
    bool agreed =
        (marked == GRAPH_NONE || marked == asked->region) && agrees(chooser, asked->parent);
    *agreement = 2 * chooser->compared + agreed;
    return agreed;
}

/* Adds a pair of conditions that can hold together but do so on no track yet, to the lists of those
   tracks that both may hold on. If there is no such track left, it is lost. */
static enum status add_pair(struct chooser *chooser, uint32_t fresh, uint32_t other)
{
    struct pairs *pairs = &chooser->pairs;
    struct path_track_set common = path_branches_open(&chooser->branches, fresh);
    struct path_track_set open = path_branches_open(&chooser->branches, other);
    path_set_intersect(&common, &open);
    if (!path_set_meet(&common, &common)) {
        assert(chooser->lost_count <= chooser->fresh);
        if (!chooser->lost_count || chooser->lost[chooser->lost_count - 1] != fresh)
            chooser->lost[chooser->lost_count++] = fresh;
        return STATUS_OK;
    }
    TRY(memory_reserve(&pairs->pair, &pairs->pair_capacity, (size_t)pairs->count + 1,
                       sizeof *pairs->pair, chooser->error));
    for (uint32_t t = path_set_next(&common, 0); t < chooser->tracks->tracks;
         t = path_set_next(&common, t + 1)) {
        uint32_t added = pairs->entries++;
        TRY(memory_reserve(&pairs->entry, &pairs->entry_capacity, pairs->entries,
                           sizeof *pairs->entry, chooser->error));
        pairs->entry[added] = (struct entry){pairs->count, LIST_END};
        if (pairs->first[t] == LIST_END)
            pairs->first[t] = added;
        else
            pairs->entry[pairs->last[t]].next = added;
        pairs->last[t] = added;
    }
    pairs->pair[pairs->count++] = (struct pair){fresh, other, false};
    pairs->left++;
    assert(pairs->left <= pairs->count);
    return STATUS_OK;
}

/* Removes the covered pairs; the lists of the tracks are no longer valid then. */
static void drop_covered_pairs(struct pairs *pairs)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < pairs->count; p++)
        if (!pairs->pair[p].covered)
            pairs->pair[kept++] = pairs->pair[p];
    assert(kept == pairs->left);
    pairs->count = kept;
}

static const uint32_t *get_fresh(const struct chooser *chooser)
{
    assert(chooser->fresh <= chooser->sweep.active.count);
    return chooser->sweep.active.item + chooser->sweep.active.count - chooser->fresh;
}

/* Where very many conditions are active, comparing each pair would take long. Giving each track a
   fresh condition at random first, and track 0 the heaviest, leaves only few pairs to be
   covered. */
static void share_tracks(struct chooser *chooser)
{
    const uint32_t *fresh = get_fresh(chooser);
    assert(chooser->fresh > 0);
    struct random_state random = random_seed(chooser->branches.round);
    uint32_t heaviest = fresh[0];
    for (uint32_t i = 1; i < chooser->fresh; i++)
        if (chooser->bytes[fresh[i]] > chooser->bytes[heaviest])
            heaviest = fresh[i];
    for (uint32_t t = 0; t < chooser->tracks->tracks; t++) {
        uint32_t condition = t ? fresh[random_below(&random, chooser->fresh)] : heaviest;
        if (!may_hold(chooser, condition, t))
            continue;
        path_branches_take(&chooser->branches, condition, t);
        refresh_track(chooser, t, false);
    }
}

/* Forgets the pairs of the conditions before, and lists those of the fresh ones. */
static enum status collect_pairs(struct chooser *chooser)
{
    struct pairs *pairs = &chooser->pairs;
    const uint32_t *active = chooser->sweep.active.item;
    uint32_t count = chooser->sweep.active.count;
    chooser->lost_count = pairs->count = pairs->left = pairs->entries = 0;
    for (uint32_t t = 0; t < chooser->tracks->tracks; t++)
        pairs->first[t] = LIST_END;
    path_branches_begin(&chooser->branches);
    for (uint32_t i = 0; i < chooser->fresh; i++)
        path_branches_watch(&chooser->branches, get_fresh(chooser)[i]);
    chooser->fresh_watches = chooser->branches.watches;
    if (count > MOST_COMPARED)
        share_tracks(chooser);
    for (uint32_t f = count - chooser->fresh; f < count; f++) {
        struct path_track_set tracks = path_branches_held(&chooser->branches, active[f]);
        chooser->compared++;
        mark_branches(chooser, active[f], true);
        for (uint32_t i = 0; i <= f; i++) {
            struct path_track_set held = path_branches_held(&chooser->branches, active[i]);
            if (!path_set_meet(&tracks, &held) && agrees(chooser, active[i]))
                TRY(add_pair(chooser, active[f], active[i]));
        }
        mark_branches(chooser, active[f], false);
    }
    return STATUS_OK;
}

static void cover_pair(struct chooser *chooser, struct pair *pair, uint32_t track)
{
    if (pair->covered || !path_branches_holds(&chooser->branches, pair->fresh, track) ||
        !path_branches_holds(&chooser->branches, pair->other, track))
        return;
    assert(chooser->pairs.left > 0);
    pair->covered = true;
    chooser->pairs.left--;
}

/* Counts how many pairs each fresh condition would bring onto the track. */
static void count_gains(struct chooser *chooser, uint32_t track)
{
    const struct path_branches *branches = &chooser->branches;
    const struct pairs *pairs = &chooser->pairs;
    assert(track < chooser->tracks->tracks);
    for (uint32_t i = 0; i < chooser->fresh; i++)
        chooser->gain[get_fresh(chooser)[i]] = 0;
    for (uint32_t e = pairs->first[track]; e != LIST_END; e = pairs->entry[e].next) {
        struct pair pair = pairs->pair[pairs->entry[e].pair];
        if (pair.covered)
            continue;
        if (pair.fresh == pair.other || path_branches_holds(branches, pair.other, track))
            chooser->gain[pair.fresh]++;
        else if (path_branches_holds(branches, pair.fresh, track))
            chooser->gain[pair.other]++;
    }
}

/* Puts one fresh condition after the other on the track: each time the one that brings the most
   pairs, or the heaviest of those that bring any where the track is the line, until none brings
   any. */
static void extend_track(struct chooser *chooser, uint32_t track)
{
    const struct pairs *pairs = &chooser->pairs;
    while (pairs->left) {
        uint32_t best = GRAPH_NONE;
        uint64_t most = 0;
        count_gains(chooser, track);
        for (uint32_t i = 0; i < chooser->fresh; i++) {
            uint32_t condition = get_fresh(chooser)[i];
            uint64_t worth = track == 0 ? chooser->bytes[condition] : chooser->gain[condition];
            if (chooser->gain[condition] && worth > most &&
                !path_branches_holds(&chooser->branches, condition, track) &&
                may_hold(chooser, condition, track)) {
                best = condition;
                most = worth;
            }
        }
        if (best == GRAPH_NONE)
            return;
        assert(path_branches_may_hold(&chooser->branches, best, track));
        refresh_track(chooser, track, path_branches_take(&chooser->branches, best, track));
        for (uint32_t e = pairs->first[track]; e != LIST_END; e = pairs->entry[e].next)
            cover_pair(chooser, &pairs->pair[pairs->entry[e].pair], track);
    }
}

/* Puts as many of the pairs that are left on the track as can hold together there. */
static void fill_track(struct chooser *chooser, uint32_t track)
{
    struct path_branches *branches = &chooser->branches;
    struct pairs *pairs = &chooser->pairs;
    bool taken = false, spreads = false;
    assert(track < chooser->tracks->tracks);
    for (uint32_t p = 0; p < pairs->count; p++) {
        struct pair pair = pairs->pair[p];
        if (!path_branches_may_hold(branches, pair.fresh, track) ||
            !path_branches_may_hold(branches, pair.other, track))
            continue;
        taken = true;
        spreads = path_branches_take(branches, pair.fresh, track) || spreads;
        spreads = path_branches_take(branches, pair.other, track) || spreads;
    }
    if (!taken)
        return;
    refresh_track(chooser, track, spreads);
    for (uint32_t p = 0; p < pairs->count; p++)
        cover_pair(chooser, &pairs->pair[p], track);
    drop_covered_pairs(pairs);
}

static enum status settle_fresh(struct chooser *chooser)
{
    struct path_tracks *tracks = chooser->tracks;
    struct pairs *pairs = &chooser->pairs;
    bool *everywhere = chooser->branches.everywhere;
    TRY(collect_pairs(chooser));
    for (uint32_t t = 0; t < tracks->tracks && pairs->left; t++)
        extend_track(chooser, t);
    drop_covered_pairs(pairs);
    for (uint32_t t = 0; t < PATH_MOST_TRACKS && pairs->left; t++) {
        if (t == tracks->tracks)
            tracks->tracks++;
        fill_track(chooser, t);
    }
    assert(tracks->tracks >= 1 && tracks->tracks <= PATH_MOST_TRACKS);

    /* Conditions whose pairs are left over are taken to hold on all tracks. */
    assert(pairs->left == pairs->count);
    if (chooser->lost_count || pairs->count)
        tracks->is_cautious = true;
    for (uint32_t i = 0; i < chooser->lost_count; i++)
        everywhere[chooser->lost[i]] = true;
    for (uint32_t p = 0; p < pairs->count; p++)
        everywhere[pairs->pair[p].fresh] = true;
    return STATUS_OK;
}

static enum status choose_tracks(struct chooser *chooser)
{
    const struct path_liveness *paths = chooser->paths;
    const struct graph *graph = paths->graph;
    struct scratch *scratch = &chooser->scratch;
    struct error *error = chooser->error;
    uint32_t conditions = paths->conditions, step;
    TRY(path_sweep_create(&chooser->sweep, paths, scratch, error));
    TRY(path_branches_create(&chooser->branches, paths, scratch, error));
    TRY(scratch_take(scratch, &chooser->branch, graph->operators, sizeof(uint32_t), error));
    TRY(scratch_take_all(scratch, conditions, error, &chooser->agreement, &chooser->lost,
                         &chooser->bytes, &chooser->gain));
    for (uint32_t o = 0; o < graph->operators; o++)
        chooser->branch[o] = GRAPH_NONE;
    for (uint32_t p = 0; p < paths->intervals; p++)
        chooser->bytes[paths->interval[p].condition] +=
            graph->tensor[paths->interval[p].tensor].bytes;

    while ((step = path_sweep_next(&chooser->sweep)) != GRAPH_NONE) {
        chooser->fresh = path_sweep_go(&chooser->sweep, step);
        if (chooser->fresh)
            TRY(settle_fresh(chooser));
    }
    assert(chooser->sweep.active.count == 0);
    path_branches_refresh_all(&chooser->branches);
    for (uint32_t c = 0; c < conditions; c++)
        chooser->tracks->condition[c] = path_branches_held(&chooser->branches, c);
    return STATUS_OK;
}

enum status path_tracks_create(struct path_tracks *tracks, const struct path_liveness *paths,
                               struct scratch *scratch, struct error *error)
{
    struct chooser chooser = {.paths = paths, .tracks = tracks, .error = error};
    *tracks = (struct path_tracks){.tracks = 1};
    TRY(scratch_take(scratch, &tracks->condition, paths->conditions, sizeof *tracks->condition,
                     error));
    enum status status = choose_tracks(&chooser);
    memory_free_all(chooser.pairs.pair, chooser.pairs.entry);
    scratch_free(&chooser.scratch);
    return status;
}
