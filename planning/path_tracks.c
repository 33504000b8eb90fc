#include "planning/path_tracks.h"

#include "core/memory.h"
#include "core/random.h"

enum { WORDS = PATH_MOST_TRACKS / 64, MOST_COMPARED = 512 };

/* Two conditions under which something is live together, on no track yet. */
struct pair {
    uint32_t fresh, other; /* fresh has just become active; other too, or earlier, or the same */
};

struct chooser {
    const struct graph *graph;
    const struct path_liveness *paths;
    struct path_tracks *tracks;
    struct path_sweep sweep;
    struct path_track_set *taken;   /* [regions] tracks that take the branch */
    struct path_track_set *decided; /* [operators] tracks that take any of its branches */
    uint32_t *branch;               /* [operators] of the condition at hand, GRAPH_NONE */
    uint32_t *seen;                 /* [regions] round in which a condition first had it, or 0 */
    uint64_t *bytes;                /* [conditions] of what is live under them */
    uint64_t *gain;                 /* [conditions] scratch */
    bool *everywhere;               /* [conditions] taken to hold on all tracks */
    struct pair *pair;
    uint32_t pairs, fresh, round;
    size_t pair_capacity;
    struct error *error;
};

static struct path_track_set get_all_tracks(void)
{
    struct path_track_set all;
    for (int w = 0; w < WORDS; w++)
        all.word[w] = UINT64_MAX;
    return all;
}

static uint32_t get_owner(const struct chooser *chooser, uint32_t condition)
{
    return chooser->graph->region[chooser->paths->condition[condition].region].owner;
}

static void refresh_condition(struct chooser *chooser, uint32_t condition)
{
    struct path_track_set *set = &chooser->tracks->condition[condition];
    *set = get_all_tracks();
    if (chooser->everywhere[condition])
        return;
    for (uint32_t c = condition; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent)
        path_set_intersect(set, &chooser->taken[chooser->paths->condition[c].region]);
}

static bool holds(const struct chooser *chooser, uint32_t condition, uint32_t track)
{
    return path_set_has(&chooser->tracks->condition[condition], track);
}

static bool may_hold(const struct chooser *chooser, uint32_t condition, uint32_t track)
{
    for (uint32_t c = condition; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent)
        if (path_set_has(&chooser->decided[get_owner(chooser, c)], track) &&
            !path_set_has(&chooser->taken[chooser->paths->condition[c].region], track))
            return false;
    return true;
}

/* Lets the track take all branches of the condition; true where conditions that became active
   earlier may hold on it now. */
static bool take_branches(struct chooser *chooser, uint32_t condition, uint32_t track)
{
    bool spreads = false;
    for (uint32_t c = condition; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent) {
        uint32_t region = chooser->paths->condition[c].region;
        spreads = spreads || (chooser->seen[region] < chooser->round &&
                              !path_set_has(&chooser->taken[region], track));
        path_set_add(&chooser->taken[region], track);
        path_set_add(&chooser->decided[get_owner(chooser, c)], track);
    }
    return spreads;
}

static void refresh_active(struct chooser *chooser, bool all)
{
    uint32_t last = chooser->sweep.actives;
    for (uint32_t i = all ? 0 : last - chooser->fresh; i < last; i++)
        refresh_condition(chooser, chooser->sweep.active[i]);
}

static void mark_branches(struct chooser *chooser, uint32_t condition, bool mark)
{
    for (uint32_t c = condition; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent)
        chooser->branch[get_owner(chooser, c)] =
            mark ? chooser->paths->condition[c].region : GRAPH_NONE;
}

/* Whether both can hold, where the branches of the other one are marked. */
static bool agrees(const struct chooser *chooser, uint32_t condition)
{
    for (uint32_t c = condition; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent) {
        uint32_t marked = chooser->branch[get_owner(chooser, c)];
        if (marked != GRAPH_NONE && marked != chooser->paths->condition[c].region)
            return false;
    }
    return true;
}

static enum status add_pair(struct chooser *chooser, uint32_t fresh, uint32_t other)
{
    TRY(memory_reserve(&chooser->pair, &chooser->pair_capacity, (size_t)chooser->pairs + 1,
                       sizeof *chooser->pair, chooser->error));
    chooser->pair[chooser->pairs++] = (struct pair){fresh, other};
    return STATUS_OK;
}

/* Where very many conditions are active, any way to share the tracks out leaves few pairs. */
static void share_tracks(struct chooser *chooser)
{
    const uint32_t *fresh = chooser->sweep.active + chooser->sweep.actives - chooser->fresh;
    struct random_state random = random_seed(chooser->round);
    uint32_t heaviest = fresh[0];
    for (uint32_t i = 1; i < chooser->fresh; i++)
        if (chooser->bytes[fresh[i]] > chooser->bytes[heaviest])
            heaviest = fresh[i];
    for (uint32_t t = 0; t < chooser->tracks->tracks; t++) {
        uint32_t condition = t ? fresh[random_below(&random, chooser->fresh)] : heaviest;
        if (may_hold(chooser, condition, t))
            take_branches(chooser, condition, t);
    }
    refresh_active(chooser, false);
}

static enum status collect_pairs_of(struct chooser *chooser, uint32_t position)
{
    const uint32_t *active = chooser->sweep.active;
    const struct path_track_set *set = chooser->tracks->condition;
    uint32_t fresh = active[position];
    enum status status = STATUS_OK;
    mark_branches(chooser, fresh, true);
    for (uint32_t i = 0; i <= position && !status; i++)
        if (!path_set_meet(&set[fresh], &set[active[i]]) && agrees(chooser, active[i]))
            status = add_pair(chooser, fresh, active[i]);
    mark_branches(chooser, fresh, false);
    return status;
}

static enum status collect_pairs(struct chooser *chooser)
{
    uint32_t first = chooser->sweep.actives - chooser->fresh;
    chooser->pairs = 0;
    chooser->round++;
    for (uint32_t i = first; i < chooser->sweep.actives; i++) {
        uint32_t fresh = chooser->sweep.active[i];
        for (uint32_t c = fresh; c != PATH_ALWAYS; c = chooser->paths->condition[c].parent) {
            uint32_t region = chooser->paths->condition[c].region;
            if (!chooser->seen[region])
                chooser->seen[region] = chooser->round;
        }
        refresh_condition(chooser, fresh);
    }
    if (chooser->sweep.actives > MOST_COMPARED)
        share_tracks(chooser);
    for (uint32_t i = first; i < chooser->sweep.actives; i++)
        TRY(collect_pairs_of(chooser, i));
    return STATUS_OK;
}

static void drop_covered(struct chooser *chooser, uint32_t track)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < chooser->pairs; p++)
        if (!holds(chooser, chooser->pair[p].fresh, track) ||
            !holds(chooser, chooser->pair[p].other, track))
            chooser->pair[kept++] = chooser->pair[p];
    chooser->pairs = kept;
}

/* How many pairs each new condition would bring onto the track. */
static void count_gains(struct chooser *chooser, uint32_t track)
{
    for (uint32_t i = chooser->sweep.actives - chooser->fresh; i < chooser->sweep.actives; i++)
        chooser->gain[chooser->sweep.active[i]] = 0;
    for (uint32_t p = 0; p < chooser->pairs; p++) {
        struct pair pair = chooser->pair[p];
        if (pair.fresh == pair.other || holds(chooser, pair.other, track))
            chooser->gain[pair.fresh]++;
        else if (holds(chooser, pair.fresh, track))
            chooser->gain[pair.other]++;
    }
}

/* GRAPH_NONE where none brings anything. */
static uint32_t find_best(const struct chooser *chooser, uint32_t track)
{
    uint32_t best = GRAPH_NONE;
    uint64_t most = 0;
    for (uint32_t i = chooser->sweep.actives - chooser->fresh; i < chooser->sweep.actives; i++) {
        uint32_t condition = chooser->sweep.active[i];
        uint64_t worth = track == 0 ? chooser->bytes[condition] : chooser->gain[condition];
        if (chooser->gain[condition] && worth > most && !holds(chooser, condition, track) &&
            may_hold(chooser, condition, track)) {
            best = condition;
            most = worth;
        }
    }
    return best;
}

static void extend_track(struct chooser *chooser, uint32_t track)
{
    while (chooser->pairs) {
        count_gains(chooser, track);
        uint32_t best = find_best(chooser, track);
        if (best == GRAPH_NONE)
            return;
        refresh_active(chooser, take_branches(chooser, best, track));
        drop_covered(chooser, track);
    }
}

static bool may_hold_both(struct chooser *chooser, struct pair pair, uint32_t track)
{
    if (!may_hold(chooser, pair.fresh, track) || !may_hold(chooser, pair.other, track))
        return false;
    mark_branches(chooser, pair.fresh, true);
    bool agreed = agrees(chooser, pair.other);
    mark_branches(chooser, pair.fresh, false);
    return agreed;
}

/* Puts as many pairs on the track as go together. */
static void fill_track(struct chooser *chooser, uint32_t track)
{
    bool taken = false, spreads = false;
    for (uint32_t p = 0; p < chooser->pairs; p++) {
        if (!may_hold_both(chooser, chooser->pair[p], track))
            continue;
        taken = true;
        spreads = take_branches(chooser, chooser->pair[p].fresh, track) || spreads;
        spreads = take_branches(chooser, chooser->pair[p].other, track) || spreads;
    }
    if (!taken)
        return;
    refresh_active(chooser, spreads);
    drop_covered(chooser, track);
}

static void give_up_pairs(struct chooser *chooser)
{
    for (uint32_t p = 0; p < chooser->pairs; p++) {
        chooser->everywhere[chooser->pair[p].fresh] = true;
        refresh_condition(chooser, chooser->pair[p].fresh);
    }
    chooser->pairs = 0;
}

static enum status settle_fresh(struct chooser *chooser)
{
    TRY(collect_pairs(chooser));
    for (uint32_t t = 0; t < chooser->tracks->tracks && chooser->pairs; t++)
        extend_track(chooser, t);
    for (uint32_t t = 0; t < PATH_MOST_TRACKS && chooser->pairs; t++) {
        if (t == chooser->tracks->tracks)
            chooser->tracks->tracks++;
        fill_track(chooser, t);
    }
    give_up_pairs(chooser);
    return STATUS_OK;
}

static void weigh_conditions(struct chooser *chooser)
{
    for (uint32_t p = 0; p < chooser->paths->pieces; p++) {
        const struct path_piece *piece = &chooser->paths->piece[p];
        chooser->bytes[piece->condition] += chooser->graph->tensor[piece->tensor].bytes;
    }
}

static enum status create_chooser(struct chooser *chooser)
{
    const struct graph *graph = chooser->graph;
    uint32_t conditions = chooser->paths->conditions;
    struct error *error = chooser->error;
    TRY(path_sweep_create(&chooser->sweep, chooser->paths, error));
    TRY(memory_create(&chooser->tracks->condition, conditions, sizeof(struct path_track_set),
                      error));
    TRY(memory_create(&chooser->taken, graph->regions, sizeof *chooser->taken, error));
    TRY(memory_create(&chooser->decided, graph->operators, sizeof *chooser->decided, error));
    TRY(memory_create(&chooser->branch, graph->operators, sizeof *chooser->branch, error));
    TRY(memory_create(&chooser->seen, graph->regions, sizeof *chooser->seen, error));
    TRY(memory_create(&chooser->bytes, conditions, sizeof *chooser->bytes, error));
    TRY(memory_create(&chooser->gain, conditions, sizeof *chooser->gain, error));
    return memory_create(&chooser->everywhere, conditions, sizeof *chooser->everywhere, error);
}

static void free_chooser(struct chooser *chooser)
{
    path_sweep_free(&chooser->sweep);
    memory_free(chooser->taken);
    memory_free(chooser->decided);
    memory_free(chooser->branch);
    memory_free(chooser->seen);
    memory_free(chooser->bytes);
    memory_free(chooser->gain);
    memory_free(chooser->everywhere);
    memory_free(chooser->pair);
}

static enum status choose_tracks(struct chooser *chooser)
{
    uint32_t step;
    TRY(create_chooser(chooser));
    weigh_conditions(chooser);
    for (uint32_t o = 0; o < chooser->graph->operators; o++)
        chooser->branch[o] = GRAPH_NONE;
    while ((step = path_sweep_next(&chooser->sweep)) != GRAPH_NONE) {
        chooser->fresh = path_sweep_go(&chooser->sweep, step);
        if (chooser->fresh)
            TRY(settle_fresh(chooser));
    }
    for (uint32_t c = 0; c < chooser->paths->conditions; c++)
        refresh_condition(chooser, c);
    return STATUS_OK;
}

enum status path_tracks_create(struct path_tracks *tracks, const struct graph *graph,
                               const struct path_liveness *paths, struct error *error)
{
    struct chooser chooser = {.graph = graph, .paths = paths, .tracks = tracks, .error = error};
    *tracks = (struct path_tracks){.tracks = 1};
    enum status status = choose_tracks(&chooser);
    free_chooser(&chooser);
    return status;
}

void path_tracks_free(struct path_tracks *tracks)
{
    memory_free(tracks->condition);
    *tracks = (struct path_tracks){0};
}
