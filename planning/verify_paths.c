#include "planning/verify_paths.h"

#include "core/memory.h"
#include "planning/verify_needs.h"

/* Two tensors are in each other's way exactly when one is written while the other is still needed,
   so it is enough to look at what is needed whenever something is written. Lifetimes on the line of
   steps would say too much: after an If, the place of what one branch passes through and the place
   of what another one makes are both occupied, yet on no path by both. */

struct walk {
    const struct graph *graph;
    const struct placement *placement;
    struct verify_needs needs;
    uint32_t *step; /* [operators] at which it writes its outputs */
    struct verdict *verdict;
    struct error *error;
};

static struct extents_walk begin_tensor(const struct walk *walk, uint32_t tensor)
{
    return placement_begin(walk->placement, tensor, walk->graph->tensor[tensor].bytes);
}

static bool share_bytes(struct extents_walk a, const struct extents_walk *all_b)
{
    struct extent one, other;
    while (extents_next(&a, &one))
        for (struct extents_walk b = *all_b; extents_next(&b, &other);)
            if (one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes)
                return true;
    return false;
}

/* `spared` is what the tensor is meant to be written over, or GRAPH_NONE. */
static void check_written(struct walk *walk, uint32_t tensor, uint32_t spared, uint32_t step)
{
    const struct verify_members *occupied = &walk->needs.occupied;
    if (walk->needs.place[tensor] != VERIFY_PLACE_OWN || walk->verdict->fault)
        return;
    const struct extents_walk written = begin_tensor(walk, tensor);
    for (uint32_t i = 0; i < occupied->count; i++) {
        uint32_t other = occupied->tensor[i];
        if (other == tensor || other == spared || !share_bytes(begin_tensor(walk, other), &written))
            continue;
        *walk->verdict = (struct verdict){VERIFY_OVERLAP, tensor < other ? tensor : other,
                                          tensor < other ? other : tensor, step};
        return;
    }
}

static void check_all_written(struct walk *walk, struct span tensors, uint32_t step)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        check_written(walk, walk->graph->list[tensors.first + i], GRAPH_NONE, step);
}

static uint32_t count_reads(const struct walk *walk, uint32_t o, uint32_t tensor)
{
    struct span inputs = walk->graph->operator[o].inputs;
    uint32_t count = 0;
    for (uint32_t i = 0; i < inputs.count; i++)
        count += walk->graph->list[inputs.first + i] == tensor;
    return count;
}

/* Where the input is that the output is declared to be written over, if it lies exactly there and
   this input is all that the operator needs of that place. */
static uint32_t find_spared(const struct walk *walk, uint32_t o, uint32_t output)
{
    const struct placement *placement = walk->placement;
    const struct verify_needs *needs = &walk->needs;
    uint32_t input = placement->overwrites[output];
    if (input >= walk->graph->tensors || placement->is_view[output] ||
        !placement_starts_on(placement, walk->graph, output, input) ||
        count_reads(walk, o, input) != 1)
        return GRAPH_NONE;
    uint32_t place = needs->place[input] == VERIFY_PLACE_VIEWED ? needs->link[input] : input;
    return needs->place[place] == VERIFY_PLACE_OWN && needs->claims[place] == 1 ? place
                                                                                : GRAPH_NONE;
}

/* Before the inputs are needed, there is only what is needed afterwards: that is never spared. */
static void check_outputs(struct walk *walk, uint32_t o)
{
    const struct graph_operator *plain = &walk->graph->operator[o];
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t output = walk->graph->list[plain->outputs.first + i];
        if (walk->placement->overwrites[output] != GRAPH_NONE)
            check_written(walk, output, GRAPH_NONE, walk->step[o]);
    }
    verify_needs_add_all(&walk->needs, plain->inputs);
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t output = walk->graph->list[plain->outputs.first + i];
        check_written(walk, output, find_spared(walk, o, output), walk->step[o]);
    }
}

static void walk_plain(struct walk *walk, uint32_t o)
{
    const struct graph_operator *plain = &walk->graph->operator[o];
    verify_needs_add_all(&walk->needs, plain->outputs);
    check_outputs(walk, o);
    verify_needs_drop_all(&walk->needs, plain->outputs);
}

static enum status walk_region(struct walk *walk, uint32_t region);

/* Walks one branch from what is needed after its operator, and adds what was needed before the
   branches that were walked already. */
static enum status walk_branch(struct walk *walk, uint32_t region,
                               const struct verify_members *after)
{
    struct verify_members before = {0};
    TRY(verify_needs_save(&walk->needs, &before, walk->error));
    verify_needs_clear(&walk->needs);
    verify_needs_add_saved(&walk->needs, after);
    verify_needs_add_all(&walk->needs, walk->graph->region[region].yields);
    enum status status = walk_region(walk, region);
    verify_needs_add_saved(&walk->needs, &before);
    memory_free(before.tensor);
    return status;
}

static enum status walk_branches(struct walk *walk, uint32_t o)
{
    const struct graph_operator *branching = &walk->graph->operator[o];
    const struct graph_region *region = walk->graph->region;
    uint32_t r = branching->first_region;
    struct verify_members after = {0};
    verify_needs_drop_all(&walk->needs, branching->outputs);
    TRY(verify_needs_save(&walk->needs, &after, walk->error));
    verify_needs_add_all(&walk->needs, region[r].yields);
    enum status status = walk_region(walk, r);
    while (!status && !walk->verdict->fault && (r = region[r].next) != GRAPH_NONE)
        status = walk_branch(walk, r, &after);
    memory_free(after.tensor);
    verify_needs_add_all(&walk->needs, branching->inputs);
    return status;
}

static void need_outer(struct walk *walk, uint32_t loop, uint32_t tensor)
{
    uint32_t producer = walk->graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || producer < loop)
        verify_needs_add(&walk->needs, tensor);
}

static void need_all_outer(struct walk *walk, uint32_t loop, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        need_outer(walk, loop, walk->graph->list[tensors.first + i]);
}

/* The next turn reads again whatever one turn reads from outside. */
static void need_read_in_body(struct walk *walk, uint32_t loop)
{
    const struct graph *graph = walk->graph;
    for (uint32_t o = loop + 1; o < graph->operator[loop].end; o++) {
        const struct graph_operator *reader = &graph->operator[o];
        need_all_outer(walk, loop, reader->inputs);
        for (uint32_t r = reader->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            need_all_outer(walk, loop, graph->region[r].yields);
        for (uint32_t c = 0; c < reader->carried.count; c++) {
            need_outer(walk, loop, graph->carried[reader->carried.first + c].init);
            need_outer(walk, loop, graph->carried[reader->carried.first + c].yield);
        }
    }
}

static void need_at_turn_end(struct walk *walk, uint32_t o)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->operator[o];
    for (uint32_t r = loop->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        verify_needs_add_all(&walk->needs, graph->region[r].yields);
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        verify_needs_add(&walk->needs, graph->carried[loop->carried.first + c].argument);
        verify_needs_add(&walk->needs, graph->carried[loop->carried.first + c].yield);
    }
}

/* The regions of a loop run one after another in each turn. */
static enum status walk_turn(struct walk *walk, uint32_t region)
{
    if (region == GRAPH_NONE)
        return STATUS_OK;
    TRY(walk_turn(walk, walk->graph->region[region].next));
    return walk_region(walk, region);
}

/* All that a loop writes outside its body, it writes from the step that enters it. */
static void walk_entering(struct walk *walk, uint32_t o)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->operator[o];
    verify_needs_add_all(&walk->needs, loop->inputs);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_add(&walk->needs, graph->carried[loop->carried.first + c].init);
    check_all_written(walk, loop->outputs, walk->step[o]);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        check_written(walk, graph->carried[loop->carried.first + c].argument, GRAPH_NONE,
                      walk->step[o]);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_drop(&walk->needs, graph->carried[loop->carried.first + c].argument);
    verify_needs_drop_all(&walk->needs, loop->outputs);
}

static enum status walk_loop(struct walk *walk, uint32_t o)
{
    const struct graph_operator *loop = &walk->graph->operator[o];
    verify_needs_add_all(&walk->needs, loop->outputs);
    need_read_in_body(walk, o);
    need_at_turn_end(walk, o);
    TRY(walk_turn(walk, loop->first_region));
    walk_entering(walk, o);
    return STATUS_OK;
}

/* The operator that the region holds directly and that ends just before `end`. */
static uint32_t find_last_operator(const struct graph *graph, uint32_t region, uint32_t end)
{
    uint32_t o = end - 1;
    while (graph->operator[o].region != region)
        o = graph->region[graph->operator[o].region].owner;
    return o;
}

static enum status walk_region(struct walk *walk, uint32_t region)
{
    const struct graph *graph = walk->graph;
    uint32_t end = graph->region[region].end;
    while (end > graph->region[region].begin && !walk->verdict->fault) {
        uint32_t o = find_last_operator(graph, region, end);
        if (graph->operator[o].first_region == GRAPH_NONE)
            walk_plain(walk, o);
        else if (graph->operator[o].loop)
            TRY(walk_loop(walk, o));
        else
            TRY(walk_branches(walk, o));
        end = o;
    }
    return STATUS_OK;
}

static enum status walk_graph(struct walk *walk)
{
    const struct graph *graph = walk->graph;
    verify_needs_add_all(&walk->needs, graph->region[0].yields);
    TRY(walk_region(walk, 0));
    if (walk->verdict->fault)
        return STATUS_OK;
    verify_needs_add_all(&walk->needs, graph->inputs);
    check_all_written(walk, graph->inputs, 0);
    return STATUS_OK;
}

/* Each operator before o took a step, and one more where it has regions and has been left. */
static enum status number_steps(struct walk *walk)
{
    const struct graph *graph = walk->graph;
    uint32_t *leaves;
    uint32_t left = 0;
    TRY(memory_create(&leaves, (size_t)graph->operators + 1, sizeof *leaves, walk->error));
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->operator[o].first_region != GRAPH_NONE)
            leaves[graph->operator[o].end]++;
    for (uint32_t o = 0; o < graph->operators; o++) {
        left += leaves[o];
        walk->step[o] = o + left;
    }
    memory_free(leaves);
    return STATUS_OK;
}

static uint64_t find_end(const struct placement *placement, const struct graph *graph,
                         uint32_t tensor)
{
    return extents_end(placement->extents, tensor, placement->offset[tensor],
                       graph->tensor[tensor].bytes);
}

static enum status check_places(const struct walk *walk)
{
    const struct placement *placement = walk->placement;
    uint32_t tensor;
    for (uint32_t t = 0; t < walk->graph->tensors && !walk->verdict->fault; t++)
        if (walk->needs.place[t] == VERIFY_PLACE_OWN) {
            walk->verdict->fault = verify_extents(placement->extents, t, placement->offset[t],
                                                  walk->graph->tensor[t].bytes);
            walk->verdict->first = walk->verdict->fault ? t : 0;
        }
    if (walk->verdict->fault || !placement->extents)
        return STATUS_OK;
    TRY(verify_extents_apart(placement->extents, &tensor, walk->error));
    if (tensor < walk->graph->tensors)
        *walk->verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = tensor};
    return STATUS_OK;
}

/* A block may be larger than what lies in it, so the peak need not be reached. */
static void check_peak(const struct walk *walk)
{
    for (uint32_t t = 0; t < walk->graph->tensors && !walk->verdict->fault; t++)
        if (walk->needs.place[t] == VERIFY_PLACE_OWN &&
            find_end(walk->placement, walk->graph, t) > walk->placement->peak_bytes)
            *walk->verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = t};
}

static enum status check_all(struct walk *walk)
{
    TRY(verify_needs_create(&walk->needs, walk->graph, walk->placement, walk->error));
    TRY(memory_create(&walk->step, walk->graph->operators, sizeof *walk->step, walk->error));
    TRY(number_steps(walk));
    TRY(check_places(walk));
    if (!walk->verdict->fault)
        TRY(walk_graph(walk));
    check_peak(walk);
    return STATUS_OK;
}

enum status verify_paths(const struct graph *graph, const struct placement *placement,
                         struct verdict *verdict, struct error *error)
{
    struct walk walk = {.graph = graph, .placement = placement, .verdict = verdict, .error = error};
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (placement->tensors != graph->tensors) {
        verdict->fault = VERIFY_WRONG_COUNT;
        return STATUS_OK;
    }
    enum status status = check_all(&walk);
    verify_needs_free(&walk.needs);
    memory_free(walk.step);
    return status;
}
