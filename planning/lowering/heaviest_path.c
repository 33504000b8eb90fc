#include "planning/lowering/heaviest_path.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/lowering/condition_sweep.h"

enum { MOST_CONDITIONS = 64, MOST_LIVE = 512, MOST_TRIES = 4096 };

struct searcher {
    const struct path_liveness *paths;
    const struct path_tracks *tracks;
    const uint64_t *bytes;
    struct path_sweep sweep;
    uint64_t *always;   /* [steps] bytes live under no condition */
    uint64_t *weight;   /* [conditions] bytes that are live under each now */
    uint32_t *live;     /* [live_count] intervals live under conditions now */
    uint32_t *position; /* [intervals] where each stands in live */
    uint32_t *counted;  /* [tensors] under how many of the chosen conditions it is live */
    uint32_t live_count;
    uint32_t *branch;   /* [operators] the branch that the chosen conditions take, if any */
    uint32_t *taken_by; /* [operators] how many chosen conditions take that branch */
    uint32_t candidate[MOST_CONDITIONS]; /* active conditions, the heaviest first */
    uint64_t rest[MOST_CONDITIONS + 1];  /* weights of a candidate and all behind it, summed */
    uint32_t chosen[MOST_CONDITIONS];
    uint32_t candidates, choices, tries, step;
    uint64_t most_bytes;
    struct path_heaviest *heaviest;
};

/* Finds how many bytes are live at each step under no condition: those of the step before, with
   what starts there and without what ends there. */
static void sum_always(struct searcher *searcher)
{
    uint64_t *always = searcher->always;
    for (uint32_t p = 0; p < searcher->paths->intervals; p++) {
        const struct path_interval *interval = &searcher->paths->interval[p];
        if (interval->condition != PATH_ALWAYS)
            continue;
        assert(interval->lower < interval->upper && interval->upper <= searcher->paths->steps);
        always[interval->lower] += searcher->bytes[interval->tensor];
        always[interval->upper] -= searcher->bytes[interval->tensor];
    }
    for (uint32_t s = 1; s < searcher->paths->steps; s++)
        always[s] += always[s - 1];
    assert(always[searcher->paths->steps - 1] + always[searcher->paths->steps] == 0);
}

/* Counts the tensors that are live under the condition, and returns the bytes of those that were
   not counted before: a tensor that several branches pass on may be live under several of the
   chosen conditions. */
static uint64_t count_live(struct searcher *searcher, uint32_t condition)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < searcher->live_count; i++) {
        const struct path_interval *interval = &searcher->paths->interval[searcher->live[i]];
        if (interval->condition == condition && searcher->counted[interval->tensor]++ == 0)
            bytes += searcher->bytes[interval->tensor];
    }
    return bytes;
}

static void discount_live(struct searcher *searcher, uint32_t condition)
{
    for (uint32_t i = 0; i < searcher->live_count; i++) {
        const struct path_interval *interval = &searcher->paths->interval[searcher->live[i]];
        if (interval->condition == condition)
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
    assert(searcher->choices < MOST_CONDITIONS);
    searcher->chosen[searcher->choices++] = condition;
    return true;
}

static void give_back(struct searcher *searcher)
{
    const struct path_condition *conditions = searcher->paths->condition;
    assert(searcher->choices > 0);
    uint32_t condition = searcher->chosen[--searcher->choices];
    for (uint32_t c = condition; c != PATH_ALWAYS; c = conditions[c].parent)
        searcher->taken_by[searcher->paths->graph->region[conditions[c].region].owner]--;
}

static void keep_best(struct searcher *searcher, uint64_t bytes)
{
    struct path_heaviest *heaviest = searcher->heaviest;
    assert(bytes > searcher->most_bytes && searcher->choices <= searcher->candidates);
    searcher->most_bytes = bytes;
    heaviest->step = searcher->step;
    heaviest->conditions = searcher->choices;
    memcpy(heaviest->condition, searcher->chosen, searcher->choices * sizeof *searcher->chosen);
}

/* Tries the candidates from `next` on, with and without each. `bytes` are live with what was chosen
   among those before it. */
static void search(struct searcher *searcher, uint32_t next, uint64_t bytes)
{
    assert(next <= searcher->candidates && searcher->choices <= next);
    if (bytes > searcher->most_bytes)
        keep_best(searcher, bytes);
    if (bytes + searcher->rest[next] <= searcher->most_bytes || searcher->tries == 0)
        return;
    assert(next < searcher->candidates);
    searcher->tries--;
    if (take(searcher, searcher->candidate[next])) {
        uint64_t more = count_live(searcher, searcher->candidate[next]);
        search(searcher, next + 1, bytes + more);
        discount_live(searcher, searcher->candidate[next]);
        give_back(searcher);
    }
    search(searcher, next + 1, bytes);
}

static void list_candidates(struct searcher *searcher)
{
    const uint64_t *weight = searcher->weight;
    uint32_t *candidate = searcher->candidate;
    searcher->candidates = searcher->sweep.active_count;
    assert(searcher->candidates <= MOST_CONDITIONS);
    for (uint32_t i = 0; i < searcher->candidates; i++) {
        uint32_t added = searcher->sweep.active[i], place = i;
        for (; place > 0 && weight[candidate[place - 1]] < weight[added]; place--)
            candidate[place] = candidate[place - 1];
        candidate[place] = added;
    }
    searcher->rest[searcher->candidates] = 0;
    for (uint32_t i = searcher->candidates; i-- > 0;)
        searcher->rest[i] = searcher->rest[i + 1] + weight[candidate[i]];
}

/* Counts what is live on the line at the step: a choice of conditions has to have more, as only
   then the problem needs another conflict step. */
static void see_line(struct searcher *searcher)
{
    const struct path_track_set *on = searcher->tracks->condition;
    const struct path_sweep *sweep = &searcher->sweep;
    assert(searcher->step < searcher->paths->steps);
    uint64_t bytes = searcher->always[searcher->step];
    for (uint32_t i = 0; i < sweep->active_count; i++)
        if (path_set_has(&on[sweep->active[i]], 0))
            bytes += count_live(searcher, sweep->active[i]);
    for (uint32_t i = 0; i < sweep->active_count; i++)
        if (path_set_has(&on[sweep->active[i]], 0))
            discount_live(searcher, sweep->active[i]);
    if (searcher->most_bytes < bytes) {
        searcher->most_bytes = bytes;
        searcher->heaviest->step = GRAPH_NONE;
    }
}

/* Looks for the heaviest choice of conditions at the steps [lower, upper), at which the same
   conditions are active: at the step of these with the most bytes that are always live. */
static void see_steps(struct searcher *searcher, uint32_t lower, uint32_t upper)
{
    if (!searcher->live_count || searcher->sweep.active_count > MOST_CONDITIONS ||
        searcher->live_count > MOST_LIVE)
        return;
    assert(lower < upper && upper <= searcher->paths->steps);
    searcher->step = lower;
    for (uint32_t s = lower + 1; s < upper; s++)
        if (searcher->always[s] > searcher->always[searcher->step])
            searcher->step = s;
    list_candidates(searcher);
    if (searcher->always[searcher->step] + searcher->rest[0] <= searcher->most_bytes)
        return;
    see_line(searcher);
    searcher->tries = MOST_TRIES;
    search(searcher, 0, searcher->always[searcher->step]);
}

static void start_interval(struct searcher *searcher, uint32_t p)
{
    const struct path_interval *interval = &searcher->paths->interval[p];
    searcher->weight[interval->condition] += searcher->bytes[interval->tensor];
    searcher->position[p] = searcher->live_count;
    assert(searcher->live_count < searcher->paths->intervals);
    searcher->live[searcher->live_count++] = p;
}

static void end_interval(struct searcher *searcher, uint32_t p)
{
    const struct path_interval *interval = &searcher->paths->interval[p];
    assert(searcher->live_count > 0 && searcher->live[searcher->position[p]] == p);
    uint32_t moved = searcher->live[--searcher->live_count];
    assert(searcher->weight[interval->condition] >= searcher->bytes[interval->tensor]);
    searcher->weight[interval->condition] -= searcher->bytes[interval->tensor];
    searcher->live[searcher->position[p]] = moved;
    searcher->position[moved] = searcher->position[p];
}

static void go_on(struct searcher *searcher, uint32_t step)
{
    struct path_sweep *sweep = &searcher->sweep;
    uint32_t started = sweep->started, ended = sweep->ended;
    path_sweep_go(sweep, step);
    for (; started < sweep->started; started++)
        start_interval(searcher, sweep->by_lower[started]);
    for (; ended < sweep->ended; ended++)
        end_interval(searcher, sweep->by_upper[ended]);
    assert(searcher->live_count == sweep->started - sweep->ended);
}

static void sweep_steps(struct searcher *searcher)
{
    uint32_t steps = searcher->paths->steps;
    uint32_t step, next;
    searcher->heaviest->step = GRAPH_NONE;
    for (uint32_t s = 0; s < steps; s++)
        if (searcher->most_bytes < searcher->always[s])
            searcher->most_bytes = searcher->always[s];
    for (step = path_sweep_next(&searcher->sweep); step != GRAPH_NONE; step = next) {
        go_on(searcher, step);
        next = path_sweep_next(&searcher->sweep);
        see_steps(searcher, step, next == GRAPH_NONE ? steps : next);
    }
    assert(searcher->live_count == 0);
}

static enum status create_searcher(struct searcher *searcher, struct error *error)
{
    uint32_t operators = searcher->paths->graph->operators,
             conditions = searcher->paths->conditions;
    TRY(path_sweep_create(&searcher->sweep, searcher->paths, error));
    TRY(memory_create(&searcher->always, (size_t)searcher->paths->steps + 1, sizeof(uint64_t),
                      error));
    TRY(memory_create(&searcher->weight, conditions, sizeof(uint64_t), error));
    TRY(memory_create(&searcher->live, searcher->paths->intervals, sizeof(uint32_t), error));
    TRY(memory_create(&searcher->position, searcher->paths->intervals, sizeof(uint32_t), error));
    TRY(memory_create(&searcher->counted, searcher->paths->graph->tensors, sizeof(uint32_t),
                      error));
    TRY(memory_create(&searcher->branch, operators, sizeof(uint32_t), error));
    TRY(memory_create(&searcher->taken_by, operators, sizeof(uint32_t), error));
    return memory_create(&searcher->heaviest->condition, MOST_CONDITIONS, sizeof(uint32_t), error);
}

static void free_searcher(struct searcher *searcher)
{
    path_sweep_free(&searcher->sweep);
    memory_free(searcher->always);
    memory_free(searcher->weight);
    memory_free(searcher->live);
    memory_free(searcher->position);
    memory_free(searcher->counted);
    memory_free(searcher->branch);
    memory_free(searcher->taken_by);
}

enum status path_heaviest_create(struct path_heaviest *heaviest, const struct path_liveness *paths,
                                 const struct path_tracks *tracks, const uint64_t *bytes,
                                 struct error *error)
{
    struct searcher searcher = {
        .paths = paths, .tracks = tracks, .bytes = bytes, .heaviest = heaviest};
    *heaviest = (struct path_heaviest){0};
    enum status status = create_searcher(&searcher, error);
    if (!status) {
        sum_always(&searcher);
        sweep_steps(&searcher);
    }
    free_searcher(&searcher);
    return status;
}

void path_heaviest_free(struct path_heaviest *heaviest)
{
    memory_free(heaviest->condition);
    *heaviest = (struct path_heaviest){0};
}
