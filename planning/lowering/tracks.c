#include "planning/lowering/tracks.h"

#include <assert.h>

#include "core/memory.h"
#include "core/random.h"
#include "planning/lowering/condition_sweep.h"
#include "planning/lowering/track_branches.h"
#include "planning/lowering/uncovered_pairs.h"

enum { MOST_COMPARED = 512 };

/* Chooses the tracks in a sweep over the steps. Conditions that become active at the current step
   are fresh: they come last among the active ones, and each pair of a fresh and any active
   condition that can hold together needs a track on which both do. */
struct chooser {
    const struct path_liveness *paths;
    struct path_tracks *tracks;
    struct path_sweep sweep;
    struct path_branches branches;
    struct path_pairs pairs;
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
    struct error *error;
};

/* Finds anew which conditions hold on a track that took more branches: looks at the fresh ones, and
   where this spreads to others (path_branches_take says so) at all active ones. */
static void refresh_track(struct chooser *chooser, uint32_t track, bool spreads)
{
    assert(track < chooser->tracks->tracks);
    struct path_branches *branches = &chooser->branches;
    for (uint32_t i = 0; i < chooser->sweep.active_count && spreads; i++)
        path_branches_watch(branches, chooser->sweep.active[i]);
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

/* Adds a pair of conditions that can hold together but do so on no track yet. If there is no track
   left that both may hold on, it is lost. */
static enum status add_pair(struct chooser *chooser, uint32_t fresh, uint32_t other)
{
    struct path_track_set common = path_branches_open(&chooser->branches, fresh);
    struct path_track_set open = path_branches_open(&chooser->branches, other);
    path_set_intersect(&common, &open);
    if (path_set_meet(&common, &common))
        return path_pairs_add(&chooser->pairs, fresh, other, &common, chooser->error);
    assert(chooser->lost_count <= chooser->fresh);
    if (!chooser->lost_count || chooser->lost[chooser->lost_count - 1] != fresh)
        chooser->lost[chooser->lost_count++] = fresh;
    return STATUS_OK;
}

static bool meets(const struct chooser *chooser, const struct path_track_set *tracks,
                  uint32_t condition)
{
    struct path_track_set held = path_branches_held(&chooser->branches, condition);
    return path_set_meet(tracks, &held);
}

/* Where very many conditions are active, comparing each pair would take long. Giving each track a
   fresh condition at random first, and track 0 the heaviest, leaves only few pairs to be
   covered. */
static void share_tracks(struct chooser *chooser)
{
    const uint32_t *fresh = chooser->sweep.active + chooser->sweep.active_count - chooser->fresh;
    assert(0 < chooser->fresh && chooser->fresh <= chooser->sweep.active_count);
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

static enum status collect_pairs_of(struct chooser *chooser, uint32_t position)
{
    const uint32_t *active = chooser->sweep.active;
    uint32_t fresh = active[position];
    struct path_track_set tracks = path_branches_held(&chooser->branches, fresh);
    enum status status = STATUS_OK;
    chooser->compared++;
    assert(position < chooser->sweep.active_count);
    mark_branches(chooser, fresh, true);
    for (uint32_t i = 0; i <= position && !status; i++)
        if (!meets(chooser, &tracks, active[i]) && agrees(chooser, active[i]))
            status = add_pair(chooser, fresh, active[i]);
    mark_branches(chooser, fresh, false);
    return status;
}

static void watch_fresh(struct chooser *chooser)
{
    const struct path_sweep *sweep = &chooser->sweep;
    path_branches_begin(&chooser->branches);
    for (uint32_t i = sweep->active_count - chooser->fresh; i < sweep->active_count; i++)
        path_branches_watch(&chooser->branches, sweep->active[i]);
    chooser->fresh_watches = chooser->branches.watches;
}

static enum status collect_pairs(struct chooser *chooser)
{
    chooser->lost_count = 0;
    path_pairs_start(&chooser->pairs, chooser->tracks->tracks);
    watch_fresh(chooser);
    if (chooser->sweep.active_count > MOST_COMPARED)
        share_tracks(chooser);
    for (uint32_t i = chooser->sweep.active_count - chooser->fresh; i < chooser->sweep.active_count;
         i++)
        TRY(collect_pairs_of(chooser, i));
    return STATUS_OK;
}

static void cover_pair(struct chooser *chooser, struct path_pair *pair, uint32_t track)
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
    assert(track < chooser->tracks->tracks);
    const struct path_pairs *pairs = &chooser->pairs;
    for (uint32_t i = chooser->sweep.active_count - chooser->fresh; i < chooser->sweep.active_count;
         i++)
        chooser->gain[chooser->sweep.active[i]] = 0;
    for (uint32_t e = pairs->first[track]; e != PATH_PAIRS_END; e = pairs->entry[e].next) {
        struct path_pair pair = pairs->pair[pairs->entry[e].pair];
        if (pair.covered)
            continue;
        if (pair.fresh == pair.other || path_branches_holds(&chooser->branches, pair.other, track))
            chooser->gain[pair.fresh]++;
        else if (path_branches_holds(&chooser->branches, pair.fresh, track))
            chooser->gain[pair.other]++;
    }
}

/* The fresh condition that is best put on the track next, GRAPH_NONE where none brings a pair. */
static uint32_t find_best(const struct chooser *chooser, uint32_t track)
{
    uint32_t best = GRAPH_NONE;
    uint64_t most = 0;
    for (uint32_t i = chooser->sweep.active_count - chooser->fresh; i < chooser->sweep.active_count;
         i++) {
        uint32_t condition = chooser->sweep.active[i];
        uint64_t worth = track == 0 ? chooser->bytes[condition] : chooser->gain[condition];
        if (chooser->gain[condition] && worth > most &&
            !path_branches_holds(&chooser->branches, condition, track) &&
            may_hold(chooser, condition, track)) {
            best = condition;
            most = worth;
        }
    }
    return best;
}

static void extend_track(struct chooser *chooser, uint32_t track)
{
    const struct path_pairs *pairs = &chooser->pairs;
    while (pairs->left) {
        count_gains(chooser, track);
        uint32_t best = find_best(chooser, track);
        if (best == GRAPH_NONE)
            return;
        assert(path_branches_may_hold(&chooser->branches, best, track));
        refresh_track(chooser, track, path_branches_take(&chooser->branches, best, track));
        for (uint32_t e = pairs->first[track]; e != PATH_PAIRS_END; e = pairs->entry[e].next)
            cover_pair(chooser, &pairs->pair[pairs->entry[e].pair], track);
    }
}

/* Puts as many of the pairs that are left on the track as can hold together there. */
static void fill_track(struct chooser *chooser, uint32_t track)
{
    assert(track < chooser->tracks->tracks);
    struct path_branches *branches = &chooser->branches;
    struct path_pairs *pairs = &chooser->pairs;
    bool taken = false, spreads = false;
    for (uint32_t p = 0; p < pairs->pairs; p++) {
        struct path_pair pair = pairs->pair[p];
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
    for (uint32_t p = 0; p < pairs->pairs; p++)
        cover_pair(chooser, &pairs->pair[p], track);
    path_pairs_compact(pairs);
}

static void give_up_pairs(struct chooser *chooser)
{
    bool *everywhere = chooser->branches.everywhere;
    chooser->tracks->is_cautious =
        chooser->tracks->is_cautious || chooser->lost_count || chooser->pairs.pairs;
    assert(chooser->pairs.left == chooser->pairs.pairs);
    for (uint32_t i = 0; i < chooser->lost_count; i++)
        everywhere[chooser->lost[i]] = true;
    for (uint32_t p = 0; p < chooser->pairs.pairs; p++)
        everywhere[chooser->pairs.pair[p].fresh] = true;
}

static enum status settle_fresh(struct chooser *chooser)
{
    struct path_pairs *pairs = &chooser->pairs;
    TRY(collect_pairs(chooser));
    for (uint32_t t = 0; t < chooser->tracks->tracks && pairs->left; t++)
        extend_track(chooser, t);
    path_pairs_compact(pairs);
    for (uint32_t t = 0; t < PATH_MOST_TRACKS && pairs->left; t++) {
        if (t == chooser->tracks->tracks)
            chooser->tracks->tracks++;
        fill_track(chooser, t);
    }
    give_up_pairs(chooser);
    assert(chooser->tracks->tracks >= 1 && chooser->tracks->tracks <= PATH_MOST_TRACKS);
    return STATUS_OK;
}

static void weigh_conditions(struct chooser *chooser)
{
    const struct graph *graph = chooser->paths->graph;
    for (uint32_t p = 0; p < chooser->paths->intervals; p++) {
        const struct path_interval *interval = &chooser->paths->interval[p];
        chooser->bytes[interval->condition] += graph->tensor[interval->tensor].bytes;
    }
}

static enum status create_chooser(struct chooser *chooser)
{
    const struct graph *graph = chooser->paths->graph;
    uint32_t conditions = chooser->paths->conditions;
    struct error *error = chooser->error;
    TRY(path_sweep_create(&chooser->sweep, chooser->paths, error));
    TRY(path_branches_create(&chooser->branches, chooser->paths, error));
    TRY(memory_create(&chooser->tracks->condition, conditions, sizeof(struct path_track_set),
                      error));
    TRY(memory_create(&chooser->branch, graph->operators, sizeof *chooser->branch, error));
    TRY(memory_create(&chooser->agreement, conditions, sizeof *chooser->agreement, error));
    TRY(memory_create(&chooser->lost, conditions, sizeof *chooser->lost, error));
    TRY(memory_create(&chooser->bytes, conditions, sizeof *chooser->bytes, error));
    TRY(memory_create(&chooser->gain, conditions, sizeof *chooser->gain, error));
    for (uint32_t o = 0; o < graph->operators; o++)
        chooser->branch[o] = GRAPH_NONE;
    weigh_conditions(chooser);
    return STATUS_OK;
}

static void free_chooser(struct chooser *chooser)
{
    path_sweep_free(&chooser->sweep);
    path_branches_free(&chooser->branches);
    path_pairs_free(&chooser->pairs);
    memory_free(chooser->branch);
    memory_free(chooser->agreement);
    memory_free(chooser->lost);
    memory_free(chooser->bytes);
    memory_free(chooser->gain);
}

static enum status choose_tracks(struct chooser *chooser)
{
    uint32_t step;
    while ((step = path_sweep_next(&chooser->sweep)) != GRAPH_NONE) {
        chooser->fresh = path_sweep_go(&chooser->sweep, step);
        if (chooser->fresh)
            TRY(settle_fresh(chooser));
    }
    assert(chooser->sweep.active_count == 0);
    path_branches_refresh_all(&chooser->branches);
    for (uint32_t c = 0; c < chooser->paths->conditions; c++)
        chooser->tracks->condition[c] = path_branches_held(&chooser->branches, c);
    return STATUS_OK;
}

enum status path_tracks_create(struct path_tracks *tracks, const struct path_liveness *paths,
                               struct error *error)
{
    struct chooser chooser = {.paths = paths, .tracks = tracks, .error = error};
    *tracks = (struct path_tracks){.tracks = 1};
    enum status status = create_chooser(&chooser);
    if (!status)
        status = choose_tracks(&chooser);
    free_chooser(&chooser);
    return status;
}

void path_tracks_free(struct path_tracks *tracks)
{
    memory_free(tracks->condition);
    *tracks = (struct path_tracks){0};
}
