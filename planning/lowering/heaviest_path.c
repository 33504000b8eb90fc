#include "planning/lowering/heaviest_path.h"

#include <assert.h>
#include <string.h>

#include "planning/lowering/condition_sweep.h"

enum { MOST_LIVE = 512, MOST_TRIES = 4096 };

struct searcher {
    const struct path_liveness *paths;
    const struct path_tracks *tracks;
    const uint64_t *bytes;
    struct path_sweep sweep;
    uint64_t *always;     /* [steps] bytes live under no condition */
    uint64_t *weight;     /* [conditions] bytes that are live under each now */
    struct live_set live; /* intervals live under conditions now */
    uint32_t *counted;    /* [tensors] under how many of the chosen conditions it is live */
    uint32_t *branch;     /* [operators] the branch that the chosen conditions take, if any */
    uint32_t *taken_by;   /* [operators] how many chosen conditions take that branch */
    uint32_t candidate[PATH_MOST_CONDITIONS]; /* active conditions, the heaviest first */
    uint64_t rest[PATH_MOST_CONDITIONS + 1];  /* weights of a candidate and all behind it, summed */
    uint32_t chosen[PATH_MOST_CONDITIONS];
    uint32_t candidates, choices, tries, step;
    uint64_t most_bytes;
    struct path_heaviest *heaviest;
};

/* Counts the tensors that are live under the condition, and returns the bytes of those that were
   not counted before: a tensor that several branches pass on may be live under several of the
   chosen conditions. */
static uint64_t count_live(struct searcher *searcher, uint32_t condition)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < searcher->live.count; i++) {
        const struct path_interval *interval = &searcher->paths->interval[searcher->live.item[i]];
        if (interval->condition == condition && searcher->counted[interval->tensor]++ == 0)
            bytes += searcher->bytes[interval->tensor];
    }
    return bytes;
}

static void discount_live(struct searcher *searcher, uint32_t condition)
{
    for (uint32_t i = 0; i < searcher->live.count; i++) {
        const struct path_interval *interval = &searcher->paths->interval[searcher->live.item[i]];
        if (interval->condition != condition)
            continue;
        assert(searcher->counted[interval->tensor] > 0);
        searcher->counted[interval->tensor]--;
    }
}

/* Chooses the condition unless one of its branches excludes a branch that is taken already. */
static bool take(struct searcher *searcher, uint32_t condition)
{
    const struct path_condition *conditions = searcher->paths->condition;
    for (uint32_t c = condition; c != PATH_ALWAYS; c = conditions[c].parent) {
        uint32_t o = searcher->paths->graph->region[conditions[c].region].owner;
        if (searcher->taken_by[o] && searcher->branch[o] != conditions[c].region)
            return false;
    }
    for (uint32_t c = condition; c != PATH_ALWAYS; c = conditions[c].parent) {
        uint32_t o = searcher->paths->graph->region[conditions[c].region].owner;
        searcher->taken_by[o]++;
        searcher->branch[o] = conditions[c].region;
    }
    assert(searcher->choices < PATH_MOST_CONDITIONS);
    searcher->chosen[searcher->choices++] = condition;
    assert(condition != PATH_ALWAYS);
    return true;
}

/* Tries the candidates from `next` on, with and without each. `bytes` are live with what was chosen
   among those before it. */
static void search(struct searcher *searcher, uint32_t next, uint64_t bytes)
{
    const struct path_condition *conditions = searcher->paths->condition;
    struct path_heaviest *heaviest = searcher->heaviest;
    assert(next <= searcher->candidates && searcher->choices <= next);
    if (bytes > searcher->most_bytes) {
        searcher->most_bytes = bytes;
        heaviest->step = searcher->step;
        heaviest->conditions = searcher->choices;
        memcpy(heaviest->condition, searcher->chosen, searcher->choices * sizeof(uint32_t));
    }
    if (bytes + searcher->rest[next] <= searcher->most_bytes || searcher->tries == 0)
        return;
    assert(next < searcher->candidates);
    searcher->tries--;
    if (take(searcher, searcher->candidate[next])) {
        uint64_t more = count_live(searcher, searcher->candidate[next]);
        search(searcher, next + 1, bytes + more);
        discount_live(searcher, searcher->candidate[next]);
        assert(searcher->chosen[searcher->choices - 1] == searcher->candidate[next]);
        searcher->choices--;
        for (uint32_t c = searcher->candidate[next]; c != PATH_ALWAYS; c = conditions[c].parent)
            searcher->taken_by[searcher->paths->graph->region[conditions[c].region].owner]--;
    }
    search(searcher, next + 1, bytes);
}

/* Counts what is live on the line at the step: a choice of conditions has to have more, as only
   then the problem needs another conflict step. */
static void see_line(struct searcher *searcher)
{
    const struct path_track_set *on = searcher->tracks->condition;
    const struct path_sweep *sweep = &searcher->sweep;
    assert(searcher->step < searcher->paths->steps);
    uint64_t bytes = searcher->always[searcher->step];
    for (uint32_t i = 0; i < sweep->active.count; i++)
        if (path_set_has(&on[sweep->active.item[i]], 0))
            bytes += count_live(searcher, sweep->active.item[i]);
    for (uint32_t i = 0; i < sweep->active.count; i++)
        if (path_set_has(&on[sweep->active.item[i]], 0))
            discount_live(searcher, sweep->active.item[i]);
    if (searcher->most_bytes < bytes) {
        searcher->most_bytes = bytes;
        searcher->heaviest->step = GRAPH_NONE;
    }
}

/* Looks for the heaviest choice of conditions at the steps [lower, upper), at which the same
   conditions are active: at the step of these with the most bytes that are always live. */
static void see_steps(struct searcher *searcher, uint32_t lower, uint32_t upper)
{
    const uint64_t *weight = searcher->weight;
    uint32_t *candidate = searcher->candidate, count = searcher->sweep.active.count;
    if (!searcher->live.count || count > PATH_MOST_CONDITIONS || searcher->live.count > MOST_LIVE)
        return;
    assert(lower < upper && upper <= searcher->paths->steps);
    searcher->step = lower;
    for (uint32_t s = lower + 1; s < upper; s++)
        if (searcher->always[s] > searcher->always[searcher->step])
            searcher->step = s;
    searcher->candidates = count;
    assert(count > 0 && searcher->choices == 0);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t added = searcher->sweep.active.item[i], place = i;
        for (; place > 0 && weight[candidate[place - 1]] < weight[added]; place--)
            candidate[place] = candidate[place - 1];
        candidate[place] = added;
    }
    searcher->rest[count] = 0;
    for (uint32_t i = count; i-- > 0;)
        searcher->rest[i] = searcher->rest[i + 1] + weight[candidate[i]];
    if (searcher->always[searcher->step] + searcher->rest[0] <= searcher->most_bytes)
        return;
    see_line(searcher);
    searcher->tries = MOST_TRIES;
    search(searcher, 0, searcher->always[searcher->step]);
    assert(searcher->choices == 0);
}

static void sweep_steps(struct searcher *searcher)
{
    const struct path_liveness *paths = searcher->paths;
    const struct path_interval *interval = paths->interval;
    struct path_sweep *sweep = &searcher->sweep;
    uint64_t *always = searcher->always;
    searcher->heaviest->step = GRAPH_NONE;
    /* Under no condition is live what was so at the step before, with what starts at this step and
       without what ends at it. */
    for (uint32_t p = 0; p < paths->intervals; p++) {
        if (interval[p].condition != PATH_ALWAYS)
            continue;
        assert(interval[p].lower < interval[p].upper && interval[p].upper <= paths->steps);
        always[interval[p].lower] += searcher->bytes[interval[p].tensor];
        always[interval[p].upper] -= searcher->bytes[interval[p].tensor];
    }
    for (uint32_t s = 0; s < paths->steps; s++) {
        always[s] += s ? always[s - 1] : 0;
        if (searcher->most_bytes < always[s])
            searcher->most_bytes = always[s];
    }
    assert(always[paths->steps - 1] + always[paths->steps] == 0);

    for (uint32_t step = path_sweep_next(sweep), next; step != GRAPH_NONE; step = next) {
        uint32_t started = sweep->started, ended = sweep->ended;
        path_sweep_go(sweep, step);
        for (; started < sweep->started; started++) {
            uint32_t p = sweep->by_lower[started];
            assert(interval[p].lower == step && interval[p].condition != PATH_ALWAYS);
            searcher->weight[interval[p].condition] += searcher->bytes[interval[p].tensor];
            live_set_insert(&searcher->live, p);
        }
        for (; ended < sweep->ended; ended++) {
            uint32_t p = sweep->by_upper[ended];
            assert(searcher->weight[interval[p].condition] >= searcher->bytes[interval[p].tensor]);
            searcher->weight[interval[p].condition] -= searcher->bytes[interval[p].tensor];
            live_set_remove(&searcher->live, p);
        }
        assert(searcher->live.count == sweep->started - sweep->ended);
        next = path_sweep_next(sweep);
        assert(next > step);
        see_steps(searcher, step, next == GRAPH_NONE ? paths->steps : next);
    }
    assert(searcher->live.count == 0);
}

enum status path_heaviest_find(struct path_heaviest *heaviest, const struct path_liveness *paths,
                               const struct path_tracks *tracks, const uint64_t *bytes,
                               struct error *error)
{
    struct searcher searcher = {
        .paths = paths, .tracks = tracks, .bytes = bytes, .heaviest = heaviest};
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct graph *graph = paths->graph;
    size_t steps = (size_t)paths->steps + 1;
    TRY(path_sweep_create(&searcher.sweep, paths, &scratch, error));
    TRY(live_set_create(&searcher.live, paths->intervals, &scratch, error));
    TRY(scratch_take(&scratch, &searcher.always, steps, sizeof(uint64_t), error));
    TRY(scratch_take(&scratch, &searcher.weight, paths->conditions, sizeof(uint64_t), error));
    TRY(scratch_take(&scratch, &searcher.counted, graph->tensors, sizeof(uint32_t), error));
    TRY(scratch_take_all(&scratch, graph->operators, error, &searcher.branch, &searcher.taken_by));
    sweep_steps(&searcher);
    return STATUS_OK;
}
