#include "planning/path_liveness.h"

#include <stdlib.h>

#include "core/memory.h"
#include "planning/path_uses.h"

/* What operators that are left later need of a tensor. */
struct need {
    uint32_t lower, upper, condition;
    uint32_t next; /* of the same tensor, or GRAPH_NONE */
};

struct builder {
    const struct graph *graph;
    const struct liveness *liveness;
    const struct homes *homes;
    struct path_liveness *paths;
    struct path_uses uses;
    size_t piece_capacity, condition_capacity, need_capacity;
    struct need *need;
    uint32_t needs, most_needs;
    uint32_t *first_need; /* [tensors] or GRAPH_NONE */
    struct error *error;
};

static enum status add_piece(struct builder *builder, struct path_piece piece)
{
    struct path_liveness *paths = builder->paths;
    struct path_piece *last = paths->pieces ? &paths->piece[paths->pieces - 1] : NULL;
    if (piece.lower >= piece.upper)
        return STATUS_OK;
    if (last && last->tensor == piece.tensor && last->condition == piece.condition &&
        last->upper == piece.lower) {
        last->upper = piece.upper;
        return STATUS_OK;
    }
    TRY(memory_reserve(&paths->piece, &builder->piece_capacity, (size_t)paths->pieces + 1,
                       sizeof piece, builder->error));
    paths->piece[paths->pieces++] = piece;
    return STATUS_OK;
}

static enum status add_always(struct builder *builder, uint32_t tensor, uint32_t lower,
                              uint32_t upper)
{
    return add_piece(builder, (struct path_piece){tensor, lower, upper, PATH_ALWAYS});
}

/* The region that its owner's region `outer` holds, itself or further inside; `outer` if the use is
   there directly. */
static uint32_t find_inner(const struct graph *graph, uint32_t region, uint32_t outer)
{
    uint32_t inner = region;
    while (region != outer) {
        inner = region;
        region = graph->operator[graph->region[region].owner].region;
    }
    return inner;
}

static enum status cover_uses(struct builder *builder, uint32_t tensor, uint32_t region,
                              uint32_t from, uint32_t first, uint32_t last);

/* Uses first .. last - 1 are in regions of the operator. Regions inside a branch are numbered after
   it and before the next one. */
static enum status cover_branches(struct builder *builder, uint32_t tensor, uint32_t o,
                                  uint32_t first, uint32_t last)
{
    const struct graph_region *region = builder->graph->region;
    const struct path_use *use = builder->uses.use;
    for (uint32_t r = builder->graph->operator[o].first_region; r != GRAPH_NONE && first < last;
         r = region[r].next) {
        uint32_t begin = first;
        while (first < last && (region[r].next == GRAPH_NONE || use[first].region < region[r].next))
            first++;
        if (begin < first)
            TRY(cover_uses(builder, tensor, r, builder->liveness->region_begin[r], begin, first));
    }
    return STATUS_OK;
}

/* Live in the region from the step `from` for uses first .. last - 1, at least one, all inside the
   region. Nothing can be a hole before the last operator that uses the tensor. */
static enum status cover_uses(struct builder *builder, uint32_t tensor, uint32_t region,
                              uint32_t from, uint32_t first, uint32_t last)
{
    const struct graph *graph = builder->graph;
    const struct path_use *use = builder->uses.use;
    uint32_t inner = find_inner(graph, use[last - 1].region, region);
    if (inner == region)
        return add_always(builder, tensor, from, use[last - 1].upper);
    uint32_t o = graph->region[inner].owner;
    if (graph->operator[o].loop)
        return add_always(builder, tensor, from, builder->liveness->leave_step[o] + 1);
    TRY(add_always(builder, tensor, from, builder->liveness->enter_step[o] + 1));
    uint32_t begin = last;
    while (begin > first && use[begin - 1].region >= graph->operator[o].first_region)
        begin--;
    return cover_branches(builder, tensor, o, begin, last);
}

/* Live in the region from the step `from`, at least to `upper`. */
static enum status cover_tensor(struct builder *builder, uint32_t tensor, uint32_t region,
                                uint32_t from, uint32_t upper)
{
    uint32_t first = builder->uses.first[tensor], last = builder->uses.first[tensor + 1];
    TRY(add_always(builder, tensor, from, upper));
    if (first == last)
        return STATUS_OK;
    return cover_uses(builder, tensor, region, upper > from ? upper : from, first, last);
}

static enum status add_need(struct builder *builder, uint32_t tensor, struct need need)
{
    TRY(memory_reserve(&builder->need, &builder->need_capacity, (size_t)builder->needs + 1,
                       sizeof need, builder->error));
    need.next = builder->first_need[tensor];
    builder->first_need[tensor] = builder->needs;
    builder->need[builder->needs++] = need;
    return STATUS_OK;
}

static enum status add_condition(struct builder *builder, uint32_t region, uint32_t parent)
{
    struct path_liveness *paths = builder->paths;
    TRY(memory_reserve(&paths->condition, &builder->condition_capacity,
                       (size_t)paths->conditions + 1, sizeof *paths->condition, builder->error));
    paths->condition[paths->conditions++] =
        (struct path_condition){.region = region,
                                .parent = parent,
                                .branches = paths->condition[parent].branches + 1,
                                .split_by = GRAPH_NONE};
    return STATUS_OK;
}

/* The first of the conditions that each branch of the operator adds to this one, in their order. An
   operator with one branch adds nothing. */
static enum status split_condition(struct builder *builder, uint32_t o, uint32_t condition,
                                   uint32_t *first)
{
    const struct graph *graph = builder->graph;
    *first = condition;
    if (graph->operator[o].first_region == graph->operator[o].last_region)
        return STATUS_OK;
    if (builder->paths->condition[condition].branches == PATH_MOST_BRANCHES)
        condition = PATH_ALWAYS;
    if (builder->paths->condition[condition].split_by != o) {
        builder->paths->condition[condition].split_by = o;
        builder->paths->condition[condition].first_child = builder->paths->conditions;
        for (uint32_t r = graph->operator[o].first_region; r != GRAPH_NONE;
             r = graph->region[r].next)
            TRY(add_condition(builder, r, condition));
    }
    *first = builder->paths->condition[condition].first_child;
    return STATUS_OK;
}

/* Whatever the branches yield for an output of the operator is needed as the output is. */
static enum status need_yields(struct builder *builder, uint32_t o, uint32_t output,
                               struct need need)
{
    const struct graph *graph = builder->graph;
    uint32_t condition;
    TRY(split_condition(builder, o, need.condition, &condition));
    for (uint32_t r = graph->operator[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint32_t yield = graph->list[graph->region[r].yields.first + output];
        need.condition = condition++;
        if (!graph->tensor[yield].external &&
            (!builder->homes || builder->homes->home[yield] == yield))
            TRY(add_need(builder, yield, need));
    }
    return STATUS_OK;
}

static int compare_pieces(const void *left, const void *right)
{
    const struct path_piece *a = left, *b = right;
    if (a->lower != b->lower)
        return a->lower < b->lower ? -1 : 1;
    return a->upper < b->upper ? -1 : a->upper > b->upper;
}

/* Sorts the pieces from `first` on, all of one tensor under no condition, and joins those that
   overlap or touch. */
static void join_pieces(struct path_liveness *paths, uint32_t first)
{
    struct path_piece *piece = paths->piece;
    uint32_t kept = first;
    if (paths->pieces == first)
        return;
    qsort(piece + first, paths->pieces - first, sizeof *piece, compare_pieces);
    for (uint32_t p = first + 1; p < paths->pieces; p++)
        if (piece[p].lower > piece[kept].upper)
            piece[++kept] = piece[p];
        else if (piece[p].upper > piece[kept].upper)
            piece[kept].upper = piece[p].upper;
    paths->pieces = kept + 1;
}

/* The first of the ascending pieces first .. last - 1 that ends after the step. */
static uint32_t find_piece_after(const struct path_piece *piece, uint32_t first, uint32_t last,
                                 uint32_t step)
{
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (piece[middle].upper <= step)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Adds the parts of the need that the pieces first .. last - 1 do not hold anyway. */
static enum status add_rest(struct builder *builder, uint32_t tensor, struct need need,
                            uint32_t first, uint32_t last)
{
    uint32_t lower = need.lower;
    first = find_piece_after(builder->paths->piece, first, last, lower);
    for (; first < last && builder->paths->piece[first].lower < need.upper; first++) {
        struct path_piece held = builder->paths->piece[first];
        TRY(add_piece(builder, (struct path_piece){tensor, lower, held.lower, need.condition}));
        lower = held.upper;
    }
    return add_piece(builder, (struct path_piece){tensor, lower, need.upper, need.condition});
}

/* Adds what operators that are left later need to the pieces of the tensor, those from `first`
   on. */
static enum status add_needs(struct builder *builder, uint32_t tensor, uint32_t first)
{
    for (uint32_t n = builder->first_need[tensor]; n != GRAPH_NONE; n = builder->need[n].next) {
        struct need need = builder->need[n];
        if (need.condition == PATH_ALWAYS)
            TRY(add_always(builder, tensor, need.lower, need.upper));
    }
    join_pieces(builder->paths, first);
    uint32_t last = builder->paths->pieces;
    for (uint32_t n = builder->first_need[tensor]; n != GRAPH_NONE; n = builder->need[n].next)
        if (builder->need[n].condition != PATH_ALWAYS)
            TRY(add_rest(builder, tensor, builder->need[n], first, last));
    return STATUS_OK;
}

/* Adds all pieces of a tensor that is live in the region from the step `from`, at least to
   `upper`. */
static enum status add_pieces(struct builder *builder, uint32_t tensor, uint32_t region,
                              uint32_t from, uint32_t upper)
{
    uint32_t first = builder->paths->pieces;
    TRY(cover_tensor(builder, tensor, region, from, upper));
    return add_needs(builder, tensor, first);
}

/* One piece under no condition instead of all from `first` on. */
static void merge_pieces(struct path_liveness *paths, uint32_t first)
{
    struct path_piece *merged = &paths->piece[first];
    for (uint32_t p = first; p < paths->pieces; p++) {
        if (paths->piece[p].lower < merged->lower)
            merged->lower = paths->piece[p].lower;
        if (paths->piece[p].upper > merged->upper)
            merged->upper = paths->piece[p].upper;
    }
    merged->condition = PATH_ALWAYS;
    paths->pieces = first + 1;
}

/* Hands on what is needed of a result that has no place. */
static enum status pass_result(struct builder *builder, uint32_t o, uint32_t output,
                               uint32_t argument)
{
    const struct graph *graph = builder->graph;
    struct path_liveness *paths = builder->paths;
    uint32_t result = graph->list[graph->operator[o].outputs.first + output];
    uint32_t first = paths->pieces;
    uint32_t leave = builder->liveness->leave_step[o];
    TRY(add_pieces(builder, result, graph->operator[o].region, leave, leave));
    if (builder->needs > builder->most_needs && paths->pieces > first)
        merge_pieces(paths, first);
    for (uint32_t p = first; p < paths->pieces; p++) {
        struct need need = {paths->piece[p].lower, paths->piece[p].upper, paths->piece[p].condition,
                            GRAPH_NONE};
        if (argument == GRAPH_NONE)
            TRY(need_yields(builder, o, output, need));
        else
            TRY(add_need(builder, argument, need));
    }
    paths->pieces = first;
    return STATUS_OK;
}

static enum status pass_branch_results(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    struct span outputs = graph->operator[o].outputs;
    uint32_t leave = builder->liveness->leave_step[o];
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t result = graph->list[outputs.first + i];
        if (builder->homes)
            TRY(need_yields(builder, o, i,
                            (struct need){leave, leave + 1, PATH_ALWAYS, GRAPH_NONE}));
        else if (!graph->tensor[result].external)
            TRY(pass_result(builder, o, i, GRAPH_NONE));
    }
    return STATUS_OK;
}

static uint32_t find_output(const struct graph *graph, uint32_t o, uint32_t tensor)
{
    const uint32_t *output = graph->list + graph->operator[o].outputs.first;
    uint32_t i = 0;
    while (output[i] != tensor)
        i++;
    return i;
}

static enum status pass_loop_results(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    struct span carried = graph->operator[o].carried;
    for (uint32_t c = 0; c < carried.count; c++) {
        const struct graph_carried *value = &graph->carried[carried.first + c];
        if (!graph->tensor[value->result].external)
            TRY(pass_result(builder, o, find_output(graph, o, value->result), value->argument));
    }
    return STATUS_OK;
}

/* Results are read by operators that are left later, or through their results. */
static enum status pass_results(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    uint32_t *left_at;
    enum status status = STATUS_OK;
    TRY(memory_create(&left_at, builder->liveness->steps, sizeof *left_at, builder->error));
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->operator[o].first_region != GRAPH_NONE)
            left_at[builder->liveness->leave_step[o]] = o + 1;
    for (uint32_t s = builder->liveness->steps; s-- > 0 && !status;)
        if (left_at[s])
            status = graph->operator[left_at[s] - 1].loop
                         ? pass_loop_results(builder, left_at[s] - 1)
                         : pass_branch_results(builder, left_at[s] - 1);
    memory_free(left_at);
    return status;
}

static enum status add_plain_outputs(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *plain = &graph->operator[o];
    uint32_t step = builder->liveness->enter_step[o];
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t output = graph->list[plain->outputs.first + i];
        if (!graph->tensor[output].external)
            TRY(add_pieces(builder, output, plain->region, step, step + 1));
    }
    return STATUS_OK;
}

static enum status add_branch_results(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *branching = &graph->operator[o];
    uint32_t leave = builder->liveness->leave_step[o];
    for (uint32_t i = 0; i < branching->outputs.count && builder->homes; i++) {
        uint32_t result = graph->list[branching->outputs.first + i];
        if (!graph->tensor[result].external)
            TRY(add_pieces(builder, result, branching->region, leave, leave + 1));
    }
    return STATUS_OK;
}

/* All that the body uses of an argument lies between entering and leaving. */
static enum status add_argument(struct builder *builder, uint32_t o, uint32_t argument)
{
    const struct liveness *liveness = builder->liveness;
    uint32_t first = builder->paths->pieces;
    if (builder->graph->tensor[argument].external)
        return STATUS_OK;
    TRY(add_always(builder, argument, liveness->enter_step[o], liveness->leave_step[o] + 1));
    return add_needs(builder, argument, first);
}

static bool is_carried_result(const struct graph *graph, uint32_t o, uint32_t tensor)
{
    struct span carried = graph->operator[o].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        if (graph->carried[carried.first + c].result == tensor)
            return true;
    return false;
}

static enum status add_loop_results(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *loop = &graph->operator[o];
    const struct liveness *liveness = builder->liveness;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        TRY(add_argument(builder, o, graph->carried[loop->carried.first + c].argument));
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (!graph->tensor[output].external && !is_carried_result(graph, o, output))
            TRY(add_pieces(builder, output, loop->region, liveness->enter_step[o],
                           liveness->leave_step[o] + 1));
    }
    return STATUS_OK;
}

static enum status add_outputs(struct builder *builder, uint32_t o)
{
    const struct graph_operator *producer = &builder->graph->operator[o];
    if (producer->first_region == GRAPH_NONE)
        return add_plain_outputs(builder, o);
    return producer->loop ? add_loop_results(builder, o) : add_branch_results(builder, o);
}

static enum status fill_pieces(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->first_need[t] = GRAPH_NONE;
    TRY(add_condition(builder, GRAPH_NONE, PATH_ALWAYS));
    builder->paths->condition[PATH_ALWAYS].branches = 0;
    TRY(pass_results(builder));
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (!graph->tensor[input].external)
            TRY(add_pieces(builder, input, 0, 0, 1));
    }
    for (uint32_t o = 0; o < graph->operators; o++)
        TRY(add_outputs(builder, o));
    return STATUS_OK;
}

static uint32_t find_most_needs(const struct graph *graph)
{
    uint64_t most = (uint64_t)PATH_MOST_PIECES * ((uint64_t)graph->tensors + graph->listed);
    return most < UINT32_MAX / 2 ? (uint32_t)most : UINT32_MAX / 2;
}

enum status path_liveness_create(const struct graph *graph, const struct liveness *liveness,
                                 const struct homes *homes, struct path_liveness **created,
                                 struct error *error)
{
    struct builder builder = {.graph = graph,
                              .liveness = liveness,
                              .homes = homes,
                              .most_needs = find_most_needs(graph),
                              .error = error};
    enum status status;
    TRY(memory_create(&builder.paths, 1, sizeof *builder.paths, error));
    TRY_OR_DONE(status, path_uses_create(&builder.uses, graph, liveness, error));
    TRY_OR_DONE(status, memory_create(&builder.first_need, graph->tensors,
                                      sizeof *builder.first_need, error));
    TRY_OR_DONE(status, fill_pieces(&builder));
    *created = builder.paths;
done:
    path_uses_free(&builder.uses);
    memory_free(builder.need);
    memory_free(builder.first_need);
    if (status)
        path_liveness_free(builder.paths);
    return status;
}

void path_liveness_free(struct path_liveness *paths)
{
    if (!paths)
        return;
    memory_free(paths->condition);
    memory_free(paths->piece);
    memory_free(paths);
}
