#include "planning/execute/samples.h"

#include <assert.h>

enum {
    LEAST_SAMPLES = 16,
    ROW_BITS = 64,
    MOST_COMPARED_WORDS = 100000000, /* of rows, to count pairs */
    MOST_BODIES = 1024,              /* turns of a loop on a path, in all turns of those around */
};

static uint32_t find_parent(const struct graph *graph, uint32_t region)
{
    uint32_t owner = graph->region[region].owner;
    return owner == GRAPH_NONE ? GRAPH_NONE : graph->op[owner].region;
}

static uint32_t count_turns(const struct graph *graph, uint32_t loop)
{
    struct execute_turns turns = execute_paths_turns(graph, loop);
    assert(turns.least <= turns.most && turns.most <= EXECUTE_MOST_TURNS);
    return turns.most - turns.least + 1;
}

static bool can_reach(const struct execute_samples *samples, uint32_t region)
{
    return samples->reachable[region + 1] > samples->reachable[region];
}

static void change_missing(struct execute_samples *samples, uint32_t region, bool found)
{
    const struct graph *graph = samples->paths->graph;
    assert(region < graph->regions);
    for (uint32_t r = region; r != GRAPH_NONE; r = find_parent(graph, r))
        samples->missing[r] += found ? UINT32_MAX : 1;
}

/* How many words a row has: it has room for as many paths as are likely to be run. 0 where
   comparing the rows of all pairs would take too long. */
static uint32_t count_words(const struct execute_samples *samples)
{
    const struct graph *graph = samples->paths->graph;
    const struct execute_options *options = &samples->options;
    uint64_t likely = options->most_sampled_operators / (graph->operators + (uint64_t)1);
    if (likely < LEAST_SAMPLES)
        likely = LEAST_SAMPLES;
    likely = samples->all ? samples->paths->total + ROW_BITS : likely * 2;
    uint64_t words = likely / ROW_BITS + 1;
    uint64_t pairs = (uint64_t)graph->regions * graph->regions / 2 + 1;
    return words > MOST_COMPARED_WORDS / pairs ? 0 : (uint32_t)words;
}

/* Finds where regions end, which of them some path can visit, and what is missing at first. */
static void survey_regions(struct execute_samples *samples)
{
    const struct graph *graph = samples->paths->graph;
    uint32_t *end = samples->region_end, *reachable = samples->reachable;
    /* Regions are numbered in the order in which they are opened, so those inside one follow it. */
    for (uint32_t r = graph->regions; r-- > 0;) {
        uint32_t parent = find_parent(graph, r);
        end[r] = end[r] < r + 1 ? r + 1 : end[r];
        assert(parent == GRAPH_NONE || parent < r);
        if (parent != GRAPH_NONE && end[parent] < end[r])
            end[parent] = end[r];
    }
    assert(end[0] == graph->regions);
    /* All can be visited but those in a loop without a turn. */
    for (uint32_t r = 0; r < graph->regions; r++) {
        uint32_t owner = graph->region[r].owner;
        bool is = owner == GRAPH_NONE ||
                  (can_reach(samples, graph->op[owner].region) &&
                   (!graph->op[owner].loop || execute_paths_turns(graph, owner).most > 0));
        reachable[r + 1] = reachable[r] + is;
        if (is && r)
            change_missing(samples, r, false);
    }
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].loop && can_reach(samples, graph->op[o].region))
            for (uint32_t i = count_turns(graph, o); i-- > 0;)
                change_missing(samples, graph->op[o].region, false);
}

enum status execute_samples_create(struct execute_samples *samples,
                                   const struct execute_paths *paths,
                                   const struct execute_options *options,
                                   const struct execute_threats *threats, struct scratch *scratch,
                                   struct error *error)
{
    const struct graph *graph = paths->graph;
    size_t regions = graph->regions;
    *samples = (struct execute_samples){.paths = paths,
                                        .threats = threats,
                                        .options = *options,
                                        .random = random_seed(options->seed),
                                        .first = 1,
                                        .second = 2};
    if (!samples->options.most_paths)
        samples->options.most_paths = 1;
    samples->all = paths->total <= samples->options.most_paths && paths->total != UINT64_MAX;
    samples->words = count_words(samples);
    const struct {
        void *array;
        size_t count, item_bytes;
    } wanted[] = {
        {&samples->region_end, regions, sizeof(uint32_t)},
        {&samples->reachable, regions + 1, sizeof(uint32_t)},
        {&samples->missing, regions, sizeof(uint32_t)},
        {&samples->turns_seen, graph->operators, sizeof(uint8_t)},
        {&samples->wanted, graph->operators, sizeof(uint32_t)},
        {&samples->wanted_for, graph->operators, sizeof(uint32_t)},
        {&samples->visited, regions, sizeof(bool)},
        {&samples->row, regions * samples->words, sizeof(uint64_t)},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        TRY(scratch_take(scratch, wanted[i].array, wanted[i].count, wanted[i].item_bytes, error));
    survey_regions(samples);
    return STATUS_OK;
}

static bool were_together(const struct execute_samples *samples, uint32_t a, uint32_t b)
{
    assert(a < samples->paths->graph->regions && b < samples->paths->graph->regions);
    const uint64_t *row_a = samples->row + (size_t)a * samples->words;
    const uint64_t *row_b = samples->row + (size_t)b * samples->words;
    for (uint32_t i = 0; i < samples->words; i++)
        if (row_a[i] & row_b[i])
            return true;
    return false;
}

static bool is_in(const struct execute_samples *samples, uint32_t region, uint32_t inner)
{
    return inner != GRAPH_NONE && region <= inner && inner < samples->region_end[region];
}

static bool is_in_loop(const struct graph *graph, uint32_t o)
{
    assert(o < graph->operators);
    uint32_t owner = graph->region[graph->op[o].region].owner;
    while (owner != GRAPH_NONE && !graph->op[owner].loop)
        owner = graph->region[graph->op[owner].region].owner;
    return owner != GRAPH_NONE;
}

/* Whether region a and region b, which follows it, are in different branches of an operator that is
   in no loop, so that no path visits both. */
static bool exclude_each_other(const struct execute_samples *samples, uint32_t a, uint32_t b)
{
    const struct graph *graph = samples->paths->graph;
    assert(a < b);
    if (is_in(samples, a, b))
        return false;
    while (!is_in(samples, find_parent(graph, b), a))
        b = find_parent(graph, b);
    uint32_t o = graph->region[b].owner;
    assert(o != GRAPH_NONE);
    return graph->op[o].first_region <= a && !graph->op[o].loop && !is_in_loop(graph, o);
}

/* Moves on to the next pair that some path visits together and that no path has visited yet. */
static bool find_pair(struct execute_samples *samples)
{
    const uint32_t regions = samples->paths->graph->regions;
    if (!samples->words || samples->begun >= (uint64_t)samples->words * ROW_BITS)
        return false;
    for (; samples->first < regions; samples->first++, samples->second = samples->first + 1)
        for (; samples->second < regions; samples->second++)
            if (can_reach(samples, samples->first) && can_reach(samples, samples->second) &&
                !were_together(samples, samples->first, samples->second) &&
                !exclude_each_other(samples, samples->first, samples->second)) {
                samples->toward[0] = samples->first;
                samples->toward[1] = samples->second++;
                return true;
            }
    return false;
}

static bool find_threat(struct execute_samples *samples)
{
    const struct execute_threats *threats = samples->threats;
    if (!threats || samples->threat >= threats->threats)
        return false;
    samples->running = ++samples->threat;
    const struct graph *graph = samples->paths->graph;
    for (uint32_t i = threats->first[samples->threat - 1]; i < threats->first[samples->threat];
         i++) {
        uint32_t region = threats->region[i];
        bool passes_by = region >= graph->regions;
        uint32_t o = passes_by ? region - graph->regions : graph->region[region].owner;
        samples->wanted[o] = passes_by ? GRAPH_NONE : region;
        assert(o < graph->operators && graph->op[o].first_region != GRAPH_NONE);
        samples->wanted_for[o] = samples->running;
    }
    return true;
}

bool execute_samples_next(struct execute_samples *samples)
{
    samples->running = 0;
    samples->toward[0] = samples->toward[1] = GRAPH_NONE;
    samples->reached[0] = samples->reached[1] = false;
    uint64_t least = samples->all ? samples->paths->total : 0;
    if (samples->begun >= least) {
        uint64_t sampled = samples->begun - least;
        assert(!samples->all || least > 0);
        bool goes_on = samples->missing[0] || sampled < LEAST_SAMPLES ||
                       samples->operators_run < samples->options.most_sampled_operators;
        if (sampled >= samples->options.most_paths || !goes_on)
            return false;
        /* A sample is run for something that is missing, for a threat or for a pair; where not
           every path is run, also for nothing in particular. */
        if (!samples->missing[0] && !find_threat(samples) && !find_pair(samples) && samples->all)
            return false;
    }
    samples->begun++;
    return true;
}

static uint32_t find_branch_to(const struct execute_samples *samples, uint32_t o, uint32_t inner)
{
    const struct graph *graph = samples->paths->graph;
    uint32_t r = graph->op[o].first_region;
    while (r != GRAPH_NONE && !is_in(samples, r, inner))
        r = graph->region[r].next;
    return r;
}

/* Draws one of the branches in which something is missing, or one of all branches. */
static uint32_t draw_branch(struct execute_samples *samples, uint32_t o, bool missing)
{
    const struct graph *graph = samples->paths->graph;
    uint32_t chosen = GRAPH_NONE, branches = 0;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if ((!missing || samples->missing[r]) && !random_below(&samples->random, ++branches))
            chosen = r;
    assert(missing || chosen != GRAPH_NONE);
    return chosen;
}

static bool is_wanted(const struct execute_samples *samples, uint32_t o)
{
    return samples->running && samples->wanted_for[o] == samples->running;
}

static uint32_t choose_branch(void *context, uint32_t o)
{
    struct execute_samples *samples = context;
    uint32_t first = samples->reached[0] ? 1 : 0;
    assert(!samples->paths->graph->op[o].loop);
    if (is_wanted(samples, o)) {
        assert(samples->wanted[o] != GRAPH_NONE); /* only loops are passed by */
        return samples->wanted[o];
    }
    uint32_t branch = find_branch_to(samples, o, samples->toward[first]);
    if (branch == GRAPH_NONE)
        branch = find_branch_to(samples, o, samples->toward[1 - first]);
    if (branch == GRAPH_NONE)
        branch = draw_branch(samples, o, true);
    return branch == GRAPH_NONE ? draw_branch(samples, o, false) : branch;
}

/* How many turns a loop makes whose count is not known: two or three where the path is on its way
   to regions inside, as two turns can visit both of a pair; else a number that no path had yet,
   which may be 0 only if nothing is missing inside. Where loops are nested so deep that not all can
   turn often on one path, those outside turn once when it is the turn of those inside. */
static uint32_t draw_turns(struct execute_samples *samples, uint32_t o, uint32_t most)
{
    const struct graph *graph = samples->paths->graph;
    if (is_wanted(samples, o) && samples->wanted[o] == GRAPH_NONE)
        return 0;
    if (find_branch_to(samples, o, samples->toward[0]) != GRAPH_NONE ||
        find_branch_to(samples, o, samples->toward[1]) != GRAPH_NONE || is_wanted(samples, o))
        return 2 + (uint32_t)random_below(&samples->random, 2);
    uint32_t least = 0;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (samples->missing[r])
            least = 1;
    for (uint32_t turns = most + 1; turns-- > least;)
        if (!(samples->turns_seen[o] >> turns & 1))
            return turns;
    if (least == 1 && samples->is_limited)
        return least;
    return least + (uint32_t)random_below(&samples->random, most + 1 - least);
}

static uint32_t choose_turns(void *context, uint32_t o)
{
    struct execute_samples *samples = context;
    struct execute_turns counts = execute_paths_turns(samples->paths->graph, o);
    assert(samples->paths->graph->op[o].loop && counts.least <= counts.most);
    if (counts.least == counts.most)
        return counts.most;
    uint32_t turns = draw_turns(samples, o, counts.most);
    while (turns > 1 && samples->bodies * turns > MOST_BODIES) {
        samples->is_limited = true;
        turns--;
    }
    return turns;
}

static void mark_region(struct execute_samples *samples, uint32_t region)
{
    uint64_t path = samples->begun - 1;
    assert(samples->begun > 0);
    if (path < (uint64_t)samples->words * ROW_BITS)
        samples->row[(size_t)region * samples->words + path / ROW_BITS] |= (uint64_t)1
                                                                           << path % ROW_BITS;
    for (int i = 0; i < 2; i++)
        samples->reached[i] = samples->reached[i] || samples->toward[i] == region;
    if (samples->visited[region])
        return;
    assert(can_reach(samples, region) && samples->missing[region] > 0);
    samples->visited[region] = true;
    change_missing(samples, region, true);
}

static bool mark_event(void *context, const struct execute_event *event)
{
    struct execute_samples *samples = context;
    const struct graph *graph = samples->paths->graph;
    const struct graph_operator *op = &graph->op[event->op];
    if (!samples->all || samples->begun > samples->paths->total)
        samples->operators_run++;
    if (event->kind == EXECUTE_ENTER && op->loop) {
        uint8_t *seen = &samples->turns_seen[event->op];
        assert(event->turns <= EXECUTE_MOST_TURNS);
        for (uint32_t r = op->first_region; event->turns && r != GRAPH_NONE;
             r = graph->region[r].next)
            mark_region(samples, r);
        if (!(*seen >> event->turns & 1)) {
            *seen |= (uint8_t)(1 << event->turns);
            change_missing(samples, op->region, true);
        }
        samples->bodies *= event->turns ? event->turns : 1;
    } else if (event->kind == EXECUTE_LEAVE && op->loop) {
        samples->bodies /= event->turns ? event->turns : 1;
    } else if (event->kind == EXECUTE_ENTER) {
        mark_region(samples, event->region);
    }
    return samples->visit(samples->context, event);
}

bool execute_samples_follow(struct execute_samples *samples, execute_visit *visit, void *context)
{
    const struct execute_choices choices = {choose_branch, choose_turns, samples};
    samples->visit = visit;
    samples->context = context;
    samples->bodies = 1;
    assert(samples->begun > 0);
    if (samples->all && samples->begun <= samples->paths->total)
        return execute_paths_follow(samples->paths, samples->begun - 1, mark_event, samples);
    return execute_paths_choose(samples->paths, &choices, mark_event, samples);
}

static uint64_t pair_up(uint64_t regions)
{
    assert(regions > 0);
    return regions * (regions - 1) / 2;
}

/* How many regions from begin to before end some path can visit. */
static uint32_t count_reachable(const struct execute_samples *samples, uint32_t begin, uint32_t end)
{
    return samples->reachable[end] - samples->reachable[begin];
}

/* How many pairs of regions are in different branches of this operator, so that no path visits
   both. */
static uint64_t count_excluded(const struct execute_samples *samples, uint32_t o)
{
    const struct graph *graph = samples->paths->graph;
    uint32_t first = graph->op[o].first_region;
    if (first == GRAPH_NONE || !can_reach(samples, first) || graph->op[o].loop ||
        is_in_loop(graph, o))
        return 0;
    uint64_t excluded =
        pair_up(count_reachable(samples, first, samples->region_end[graph->op[o].last_region]));
    for (uint32_t r = first; r != GRAPH_NONE; r = graph->region[r].next)
        excluded -= pair_up(count_reachable(samples, r, samples->region_end[r]));
    return excluded;
}

void execute_samples_count(const struct execute_samples *samples, struct execute_coverage *coverage)
{
    const struct graph *graph = samples->paths->graph;
    *coverage = (struct execute_coverage){.regions = count_reachable(samples, 1, graph->regions)};
    for (uint32_t r = 1; r < graph->regions; r++)
        coverage->regions_covered += samples->visited[r];
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].loop && can_reach(samples, graph->op[o].region)) {
            coverage->turns += count_turns(graph, o);
            for (uint32_t i = 0; i <= EXECUTE_MOST_TURNS; i++)
                coverage->turns_covered += samples->turns_seen[o] >> i & 1;
        }
    coverage->threats = samples->threats ? samples->threats->threats : 0;
    coverage->threats_covered = samples->threat;
    coverage->threats_counted = samples->threats && samples->threats->complete;

    coverage->pairs = coverage->regions ? pair_up(coverage->regions) : 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        coverage->pairs -= count_excluded(samples, o);
    coverage->pairs_counted = samples->words > 0;
    for (uint32_t a = 1; samples->words && a < graph->regions; a++)
        for (uint32_t b = a + 1; b < graph->regions; b++)
            coverage->pairs_covered += were_together(samples, a, b);
    assert(coverage->regions_covered <= coverage->regions);
    assert(coverage->turns_covered <= coverage->turns);
    assert(coverage->threats_covered <= coverage->threats);
    assert(coverage->pairs_covered <= coverage->pairs);
}
