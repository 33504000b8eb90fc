/* NNVM's PlanMemory (tvm nnvm/src/pass/plan_memory.cc) with what GraphCompile and the graph runtime
   make of its storage ids.

   Operators are visited in execution order. For each, a free list (below) is asked for its outputs,
   largest first (by elements, with numel=0 by real bytes; of equals the later output first). Then
   it gets back the inputs that are read for the last time, in order, and then the outputs that
   nobody reads. A buffer counts 4 bytes per element whatever its type; the sum over all objects is
   pool_bytes. Graph inputs are not planned and get an object each afterwards (DecorateMemoryPlan),
   which pool_bytes leaves out. The runtime makes each object as large as the real bytes in it,
   rounded up to 4, and these objects are laid out.

   Where the graph is not known, buffers are requested by first step, then position, released by
   last step, then object, and count their bytes.

   Departures: lifetimes come from the problem, so a buffer of several segments or with a byte
   window keeps its object throughout, and sharing in place is decided before planning; a scalar
   counts one element instead of being left unplanned; a block of regions and a tensor of unknown
   shape count their bytes; operators are in the graph's order, not in depth-first order from its
   outputs. O(runs * n log n) with one run, or one per power of two up to match_range.

   GraphPlanMemory of TVM Relay (token_allocator.cc) is the same with a match range of 16 and real
   bytes. Its outputs are requested in their order, and outputs that nobody reads are released
   before the inputs. Graph inputs have objects that are never shared and count. */

#include "core/checked.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/pools/common/facts.h"
#include "heuristics/pools/common/walk.h"
#include "heuristics/pools/nnvm_colour.h"

enum { MATCH_RANGE, AUTO_SEARCH, COLOURS, NUMEL };
enum { ELEMENT_BYTES = 4, RELAY_MATCH_RANGE = 16, MOST_COLOURS = 16 };

static const struct planner_option options[] = {
    {"match_range", "how many times larger or smaller a reused block may be; 0: no reuse", 16, 0, 4096},
    {"auto_search", "best of all powers of two up to match_range", 0, 0, 1},
    {"colours", "groups of operators that share no blocks", 1, 1, MOST_COLOURS},
    {"numel", "count 4 bytes per element, not the real bytes", 1, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

/* What all runs have in common; it is made once. */
struct nnvm {
    const struct planner_task *task;
    struct pool_fact *facts;
    uint64_t *bytes;        /* [buffers] the bytes as NNVM counts them */
    uint32_t *order, *rank; /* [buffers] */
    /* [buffers] the group, made of device and colour, in which a block is asked for */
    uint32_t *request_group;
    uint32_t *release_group; /* [buffers] the group to which a block is released */
    uint32_t count;          /* number of buffers in `order` */
};

static void leave_out_variables(struct nnvm *nnvm)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < nnvm->count; i++)
        if (!nnvm->facts[nnvm->order[i]].variable)
            nnvm->order[kept++] = nnvm->order[i];
    nnvm->count = kept;
}

static uint64_t get_first_step(const void *context, uint32_t buffer)
{
    const struct nnvm *nnvm = context;
    return problem_lower(nnvm->task->problem, buffer);
}

/* A sort key for large outputs first. Buffers that no operator writes come before all. */
static uint64_t get_bytes_after(const void *context, uint32_t buffer)
{
    const struct nnvm *nnvm = context;
    return nnvm->facts[buffer].output == POOL_FACT_NOWHERE ? 0 : ~nnvm->bytes[buffer];
}

static uint64_t get_output_after(const void *context, uint32_t buffer)
{
    const struct nnvm *nnvm = context;
    uint32_t output = nnvm->facts[buffer].output;
    return output == POOL_FACT_NOWHERE ? 0 : ~output;
}

/* Requests are sorted by step; at the same step the larger one comes first, of equals the later
   output. */
static const struct sort_key request_keys[SORT_MOST_KEYS] = {
    {.value = get_first_step}, {.value = get_bytes_after}, {.value = get_output_after}};

static enum status create_nnvm(struct nnvm *nnvm, bool by_elements, bool unread_first,
                               struct error *error)
{
    const struct problem *problem = nnvm->task->problem;
    struct scratch *scratch = nnvm->task->scratch;
    uint32_t **arrays[] = {&nnvm->order, &nnvm->rank, &nnvm->request_group, &nnvm->release_group};
    TRY(pool_facts_create(nnvm->task, &nnvm->facts, error));
    TRY(scratch_take(scratch, &nnvm->bytes, problem->buffers, sizeof *nnvm->bytes, error));
    for (int i = 0; i < 4; i++)
        TRY(scratch_take(scratch, arrays[i], problem->buffers, sizeof **arrays[i], error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t elements = nnvm->facts[b].elements;
        if (!by_elements || !elements ||
            !checked_multiply(elements, ELEMENT_BYTES, &nnvm->bytes[b]))
            nnvm->bytes[b] = problem->size[b];
    }
    pool_facts_rank_releases(problem, nnvm->facts, unread_first, nnvm->rank);
    TRY(pools_in_order(problem, nnvm->order, &nnvm->count, error));
    leave_out_variables(nnvm);
    return STATUS_OK;
}

/* The number of a group of buffers. Only buffers of one group share blocks. */
static uint32_t make_group(const struct pool_fact *fact, uint32_t colour)
{
    uint32_t device = fact->tensor ? fact->tensor->device : 0;
    return device * MOST_COLOURS + colour;
}

/* Finds the groups of all buffers. colour[operators] may be NULL for no colours. */
static void group_buffers(struct nnvm *nnvm, const uint32_t *colour)
{
    for (uint32_t b = 0; b < nnvm->task->problem->buffers; b++) {
        const struct pool_fact *fact = &nnvm->facts[b];
        bool written = colour && fact->writer != GRAPH_NONE;
        bool read = colour && fact->reader != GRAPH_NONE;
        nnvm->request_group[b] = make_group(fact, written ? colour[fact->writer] : 0);
        nnvm->release_group[b] = make_group(fact, read ? colour[fact->reader] : 0);
    }
}

/* The free list of NNVM's GraphAllocator (plan_memory.cc), which TVM Relay's token allocator took
   over. For bytes and a match range R it takes the smallest free block of bytes .. bytes * R (of
   equals the one freed first), else the largest of bytes / R .. bytes - 1 (of equals the one freed
   last), which grows; with R = 0 never one. Blocks only go to requests of the device that they are
   on, and of the colour by which they were freed. */
struct free_list {
    struct treap free; /* ordered by group, bytes, and the time when each was freed */
    const struct pools *pools;
    const uint64_t *bytes;                         /* [buffers] */
    const uint32_t *request_group, *release_group; /* [buffers] */
    uint64_t match_range, freed;
};

static uint32_t take_block(void *context, uint32_t buffer)
{
    struct free_list *list = context;
    const struct treap_node *node = list->free.node;
    uint64_t bytes = list->bytes[buffer], range = list->match_range, most;
    uint32_t group = list->request_group[buffer];
    const struct treap_key key = {group, bytes, 0};
    if (range == 0)
        return POOLS_NONE;
    if (!checked_multiply(bytes, range, &most))
        most = UINT64_MAX;
    uint32_t object = treap_at_least(&list->free, key);
    if (object == TREAP_NONE || node[object].key.group != group ||
        list->pools->bytes[object] > most) {
        object = treap_below(&list->free, key);
        if (object == TREAP_NONE || node[object].key.group != group ||
            list->pools->bytes[object] < bytes / range)
            return POOLS_NONE;
    }
    treap_remove(&list->free, object);
    return object;
}

static void give_block(void *context, uint32_t object, uint32_t buffer)
{
    struct free_list *list = context;
    treap_add(
        &list->free, object,
        (struct treap_key){list->release_group[buffer], list->pools->bytes[object], list->freed++});
}

/* Runs the allocator once over all buffers in order and gives each its object. */
static enum status run_allocator(const struct nnvm *nnvm, uint64_t match_range, struct pools *pools,
                                 struct error *error)
{
    struct free_list list = {.pools = pools,
                             .bytes = nnvm->bytes,
                             .request_group = nnvm->request_group,
                             .release_group = nnvm->release_group,
                             .match_range = match_range};
    TRY(treap_create(&list.free, nnvm->task->problem->buffers, nnvm->task->scratch, error));
    const struct pool_walk walk = {.scratch = nnvm->task->scratch,
                                   .pools = pools,
                                   .order = nnvm->order,
                                   .count = nnvm->count,
                                   .bytes = nnvm->bytes,
                                   .release_rank = nnvm->rank,
                                   .rule = {&list, take_block, give_block}};
    return pool_walk_run(&walk, error);
}

/* Gives each input of the graph an object of its own. */
static void add_variables(const struct nnvm *nnvm, bool counted, struct pools *pools)
{
    const struct problem *problem = nnvm->task->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (nnvm->facts[b].variable && problem_fixed_offset(problem, b) == PROBLEM_FREE)
            pools_join(pools, pools_add(pools, 0), b, counted ? problem->size[b] : 0);
}

/* Runs the allocator with a match range. Lays the objects out in *plan if it is the first run or
   counts fewer bytes than the plan there. */
static enum status try_match_range(const struct nnvm *nnvm, uint64_t match_range, struct plan *plan,
                                   struct error *error)
{
    uint64_t before = plan_found(plan) ? plan->measures.pool_bytes : UINT64_MAX, sum = 0;
    struct pools pools;
    TRY(pools_create(&pools, nnvm->task, error));
    TRY(run_allocator(nnvm, match_range, &pools, error));
    for (uint32_t o = 0; o < pools.objects; o++)
        if (!checked_add(sum, pools.bytes[o], &sum))
            sum = UINT64_MAX;
    add_variables(nnvm, false, &pools);
    if (sum >= before)
        return STATUS_OK;
    return pools_lay_out(&pools, nnvm->task->level ? ELEMENT_BYTES : 1, plan, error);
}

static enum status plan_nnvm(const struct planner *planner, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    struct nnvm nnvm = {.task = task};
    uint64_t most = planner_option_value(planner, MATCH_RANGE);
    uint32_t colours = (uint32_t)planner_option_value(planner, COLOURS), *colour = NULL;
    TRY(create_nnvm(&nnvm, planner_option_value(planner, NUMEL) == 1, false, error));
    TRY(sort_by_keys(request_keys, &nnvm, task->problem->buffers, nnvm.order, error));
    nnvm.count = order_drop_fixed(task->problem, nnvm.order);
    leave_out_variables(&nnvm);
    if (colours > 1 && task->level) {
        const struct graph *graph = task->level->graph;
        TRY(scratch_take(task->scratch, &colour, graph->operators, sizeof *colour, error));
        TRY(nnvm_colour(graph, colours, colour, task->scratch, error));
    }
    group_buffers(&nnvm, colour);
    plan->status = PLAN_UNSUPPORTED;
    if (!planner_option_value(planner, AUTO_SEARCH) || most == 0)
        return try_match_range(&nnvm, most, plan, error);
    for (uint64_t range = 1; range <= most; range *= 2)
        TRY(try_match_range(&nnvm, range, plan, error));
    return STATUS_OK;
}

static enum status plan_relay(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    struct nnvm relay = {.task = task};
    struct pools pools;
    (void)planner;
    TRY(create_nnvm(&relay, false, true, error));
    group_buffers(&relay, NULL);
    TRY(pools_create(&pools, task, error));
    add_variables(&relay, true, &pools);
    TRY(run_allocator(&relay, RELAY_MATCH_RANGE, &pools, error));
    return pools_lay_out(&pools, 1, plan, error);
}

#define NNVM(name_, plan_, title_, source_)                                                        \
    .name = name_, .family = "pools", .title = title_, .source = source_,                          \
    .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES | PLANNER_POOLED | PLANNER_DEVICES,             \
    .plan = plan_

static const struct planner rows[] = {
    {NNVM("nnvm", plan_nnvm, "free block of similar size, which grows",
          "tvm nnvm/src/pass/plan_memory.cc, PlanMemory"),
     .options = options},
    {NNVM("relay", plan_relay, "NNVM's free list on real bytes, outputs in their order",
          "tvm src/relay/backend/token_allocator.cc, GraphPlanMemory")},
};

HEURISTICS_ROWS(nnvm, rows);
