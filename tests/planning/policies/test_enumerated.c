#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "planning/runs.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"
#include "support/testing.h"

/* The policies path and select against an enumeration that knows nothing of lifetimes: tensors are
   placed one after another at every address, and after each the graph is run along all paths on an
   arena of a few bytes, each of which remembers the write that it is of. What has no place yet is
   far away, and what is moved from there is taken to be where it belongs, so that a run that fails
   fails whatever comes. The least arena in which all have been placed is what a policy has to reach
   where it says that its plan is optimal. */

/* test_planning_policies_enumerated SEED GRAPHS tries as many from another seed on. */
static uint64_t first_seed;
static uint32_t graphs = TESTING_COUNT(800, 25);

enum { MOST_TENSORS = 8, MOST_BYTES = 24, MOST_PATHS = 160, MOST_RUNS = 400000, NOWHERE = -1 };

enum place { FAR, PLACED, NO_PLACE };

struct value {
    enum place place;
    bool unknown;    /* taken to be right */
    uint32_t tensor; /* in whose place it is */
    int offset;
    uint64_t bytes;
    uint32_t version;
};

struct machine {
    const struct graph *graph;
    bool selects;
    enum place place[MOST_TENSORS];
    int offset[MOST_TENSORS];
    struct value value[MOST_TENSORS];
    uint32_t tag[MOST_BYTES];
    uint32_t writes;
    struct run_choices choices;
    bool sound;
    uint32_t order[MOST_TENSORS], ordered;
    uint32_t runs;
};

/* Its bytes are those of its own write, or of one that is allowed besides. */
static void check(struct machine *machine, struct value value, uint32_t allowed)
{
    if (value.place != PLACED || value.unknown)
        return;
    for (uint64_t i = 0; i < value.bytes; i++) {
        uint32_t tag = machine->tag[(uint64_t)value.offset + i];
        if (tag != value.version && (!allowed || tag != allowed))
            machine->sound = false;
    }
}

static void check_all(struct machine *machine, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        check(machine, machine->value[machine->graph->list[tensors.first + i]], 0);
}

static void write(struct machine *machine, uint32_t tensor, uint64_t bytes)
{
    struct value *value = &machine->value[tensor];
    *value = (struct value){.place = machine->place[tensor],
                            .tensor = tensor,
                            .offset = machine->offset[tensor],
                            .bytes = bytes,
                            .version = ++machine->writes};
    for (uint64_t i = 0; i < bytes && value->place == PLACED; i++)
        machine->tag[(uint64_t)value->offset + i] = value->version;
}

/* Unless it is there already; returns the write that was made, 0 for none. */
static uint32_t move(struct machine *machine, struct value from, uint32_t tensor, uint64_t bytes)
{
    struct value *value = &machine->value[tensor];
    if (machine->graph->tensor[tensor].external)
        return 0;
    if (machine->place[tensor] == NO_PLACE) {
        *value = from;
        return 0;
    }
    if (from.unknown || from.place == FAR) {
        *value = (struct value){.place = machine->place[tensor],
                                .unknown = true,
                                .tensor = tensor,
                                .offset = machine->offset[tensor],
                                .bytes = bytes};
        return 0;
    }
    if (from.place == PLACED && machine->place[tensor] == PLACED && from.bytes == bytes &&
        from.offset == machine->offset[tensor]) {
        *value = from;
        value->tensor = tensor;
        return 0;
    }
    write(machine, tensor, bytes);
    return value->version;
}

static void run_region(struct machine *machine, uint32_t region);

static void run_plain(struct machine *machine, uint32_t o)
{
    const struct graph_operator *plain = &machine->graph->op[o];
    check_all(machine, plain->inputs);
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t output = machine->graph->list[plain->outputs.first + i];
        if (!machine->graph->tensor[output].external)
            write(machine, output, machine->graph->tensor[output].bytes);
    }
    check_all(machine, plain->inputs);
    check_all(machine, plain->outputs);
}

static void run_branches(struct machine *machine, uint32_t o)
{
    const struct graph *graph = machine->graph;
    struct span outputs = graph->op[o].outputs;
    uint32_t count = 0, region = graph->op[o].first_region;
    struct value from[MOST_TENSORS];
    uint32_t made[MOST_TENSORS];
    check_all(machine, graph->op[o].inputs);
    for (uint32_t r = region; r != GRAPH_NONE; r = graph->region[r].next)
        count++;
    for (uint32_t taken = runs_choose(&machine->choices, count); taken > 0; taken--)
        region = graph->region[region].next;
    run_region(machine, region);
    check_all(machine, graph->region[region].yields);
    for (uint32_t i = 0; i < outputs.count; i++)
        from[i] = machine->value[graph->list[graph->region[region].yields.first + i]];
    for (uint32_t i = 0; i < outputs.count; i++)
        made[i] = move(machine, from[i], graph->list[outputs.first + i], from[i].bytes);
    for (uint32_t i = 0; i < outputs.count; i++)
        check(machine, from[i], made[i]);
    check_all(machine, outputs);
}

static void check_own(struct machine *machine, uint32_t o)
{
    const struct graph *graph = machine->graph;
    struct span carried = graph->op[o].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        check(machine, machine->value[graph->carried[carried.first + c].argument], 0);
    for (uint32_t i = 0; i < graph->op[o].outputs.count; i++) {
        uint32_t output = graph->list[graph->op[o].outputs.first + i];
        if (!graph_find_carried_result(graph, o, output))
            check(machine, machine->value[output], 0);
    }
}

/* Arguments may change places. */
static bool is_argument(const struct machine *machine, uint32_t loop, struct value value)
{
    return value.place == PLACED && machine->graph->tensor[value.tensor].producer == loop;
}

static void run_turn(struct machine *machine, uint32_t o)
{
    const struct graph *graph = machine->graph;
    const struct graph_carried *carried = graph->carried + graph->op[o].carried.first;
    uint32_t count = graph->op[o].carried.count, made[MOST_TENSORS];
    struct value from[MOST_TENSORS];
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        run_region(machine, r);
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        check_all(machine, graph->region[r].yields);
    for (uint32_t c = 0; c < count; c++) {
        from[c] = machine->value[carried[c].yield];
        check(machine, from[c], 0);
    }
    for (uint32_t c = 0; c < count; c++)
        made[c] =
            move(machine, from[c], carried[c].argument, graph->tensor[carried[c].argument].bytes);
    for (uint32_t c = 0; c < count; c++)
        if (!is_argument(machine, o, from[c]))
            check(machine, from[c], made[c]);
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++) {
            uint32_t yield = graph->list[graph->region[r].yields.first + i];
            if (!is_argument(machine, o, machine->value[yield]))
                check(machine, machine->value[yield], 0);
        }
    check_own(machine, o);
}

static void run_loop(struct machine *machine, uint32_t o)
{
    const struct graph *graph = machine->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    uint32_t made[MOST_TENSORS];
    check_all(machine, loop->inputs);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        check(machine, machine->value[carried[c].init], 0);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        made[c] = move(machine, machine->value[carried[c].init], carried[c].argument,
                       graph->tensor[carried[c].argument].bytes);
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (!graph_find_carried_result(graph, o, output) && !graph->tensor[output].external)
            write(machine, output, graph->tensor[output].bytes);
    }
    check_all(machine, loop->inputs);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        check(machine, machine->value[carried[c].init], made[c]);
    check_own(machine, o);
    for (uint32_t turns = runs_choose(&machine->choices, 4); turns > 0 && machine->sound; turns--)
        run_turn(machine, o);
    check_own(machine, o);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        if (!graph->tensor[carried[c].result].external)
            machine->value[carried[c].result] = machine->value[carried[c].argument];
}

static void run_region(struct machine *machine, uint32_t region)
{
    const struct graph *graph = machine->graph;
    for (uint32_t o = graph->region[region].begin;
         o < graph->region[region].end && machine->sound && !machine->choices.too_many;
         o = graph->op[o].end)
        if (graph->op[o].first_region == GRAPH_NONE)
            run_plain(machine, o);
        else if (graph->op[o].loop)
            run_loop(machine, o);
        else
            run_branches(machine, o);
}

static void run_path(struct machine *machine)
{
    const struct graph *graph = machine->graph;
    machine->choices.made = 0;
    memset(machine->tag, 0, sizeof machine->tag);
    for (uint32_t t = 0; t < graph->tensors; t++)
        machine->value[t] =
            (struct value){.place = graph->tensor[t].external ? NO_PLACE : machine->place[t],
                           .tensor = t,
                           .bytes = graph->tensor[t].bytes};
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (!graph->tensor[input].external)
            write(machine, input, graph->tensor[input].bytes);
    }
    check_all(machine, graph->inputs);
    run_region(machine, 0);
    check_all(machine, graph->region[0].yields);
}

/* Along all paths; *paths is how many. */
static bool is_sound(struct machine *machine, uint32_t *paths)
{
    bool more = true;
    machine->choices.count = 0;
    machine->sound = true;
    machine->runs++;
    for (*paths = 0; more && machine->sound && !machine->choices.too_many && *paths <= MOST_PATHS;
         ++*paths) {
        run_path(machine);
        more = runs_advance(&machine->choices);
    }
    return machine->sound;
}

static bool place_from(struct machine *machine, uint32_t next, uint64_t capacity_bytes)
{
    uint32_t paths;
    if (next == machine->ordered)
        return true;
    uint32_t tensor = machine->order[next];
    uint64_t bytes = runs_place_bytes(machine->graph, tensor);
    if (machine->selects && graph_is_branch_result(machine->graph, tensor)) {
        machine->place[tensor] = NO_PLACE;
        if (is_sound(machine, &paths) && place_from(machine, next + 1, capacity_bytes))
            return true;
    }
    machine->place[tensor] = PLACED;
    for (uint64_t offset = 0; offset + bytes <= capacity_bytes && machine->runs < MOST_RUNS;
         offset++) {
        machine->offset[tensor] = (int)offset;
        if (is_sound(machine, &paths) && place_from(machine, next + 1, capacity_bytes))
            return true;
    }
    machine->place[tensor] = FAR;
    return false;
}

/* 0 where there are too many paths or placements to try. */
static uint64_t enumerate(const struct graph *graph, bool selects)
{
    struct machine machine = {.graph = graph, .selects = selects};
    uint64_t capacity_bytes = 0;
    uint32_t paths;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t producer = graph->tensor[t].producer;
        uint64_t bytes = runs_place_bytes(graph, t);
        /* The arguments of loops have the places of the results. */
        if (graph->tensor[t].external ||
            (producer != GRAPH_NONE && graph_find_carried_result(graph, producer, t)))
            continue;
        machine.order[machine.ordered++] = t;
        if (bytes > capacity_bytes && !(selects && graph_is_branch_result(graph, t)))
            capacity_bytes = bytes;
    }
    if (!is_sound(&machine, &paths) || machine.choices.too_many || paths > MOST_PATHS)
        return 0;
    for (; capacity_bytes <= MOST_BYTES && machine.runs < MOST_RUNS; capacity_bytes++)
        if (place_from(&machine, 0, capacity_bytes))
            return capacity_bytes;
    return 0;
}

static enum status plan_optimally(void *context, const struct level *level, struct plan *plan,
                                  struct error *reported)
{
    (void)context;
    return placing_optimum(level->problem, plan, reported);
}

struct counts {
    uint32_t compared, proved, above, wrong, copied;
};

static void compare(const struct graph *graph, uint64_t seed, const struct policy *policy,
                    struct counts *counts)
{
    const struct level_planner planner = {.plan = plan_optimally, .alignment_bytes = 1};
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    uint64_t least = enumerate(graph, policy == &policy_select);
    SCOPED(placement_release) struct placement *placement = NULL;
    if (!least && graph->tensors)
        return;
    must(placement_create(graph, &placement, &error));
    must(policy_place(policy, graph, &planner, placement, &error));
    uint64_t peak = placement->measures.peak_bytes, bound = placement->measures.lower_bound_bytes;
    bool proved = placement->status == PLAN_OPTIMAL;
    must(verify_paths(graph, placement, &verdict, &error));
    must(execute_placement(graph, placement, &options, &execution, &error));
    bool right = !verdict.fault && execution.intact && peak >= least && bound <= least &&
                 (!proved || peak == least);
    if (!right)
        printf("\nseed %llu: %s: %llu, bound %llu%s; enumerated %llu\n", (unsigned long long)seed,
               policy->name, (unsigned long long)peak, (unsigned long long)bound,
               proved ? ", optimal" : "", (unsigned long long)least);
    counts->compared++;
    counts->proved += proved;
    counts->above += peak > least;
    counts->wrong += !right;
}

static void compare_policies(const struct random_graph_shape *shape)
{
    static const struct policy *const policies[] = {&policy_path, &policy_select};
    for (int p = 0; p < 2; p++) {
        struct counts counts = {0};
        for (uint64_t seed = first_seed; counts.compared < graphs; seed++) {
            struct random_state random = random_seed(seed);
            SCOPED(graph_release) struct graph *graph = random_graph_create(&random, shape);
            if (graph->tensors <= MOST_TENSORS && graph_has_control_flow(graph))
                compare(graph, seed, policies[p], &counts);
        }
        printf("%u compared, %u proved, %u above ", counts.compared, counts.proved, counts.above);
        CU_ASSERT_EQUAL(counts.wrong, 0);
        CU_ASSERT(counts.proved > counts.compared * 9 / 10);
    }
}

static void test_branches(void)
{
    compare_policies(&(struct random_graph_shape){.operators = 5, .depth = 2});
}

static void test_loops(void)
{
    compare_policies(&(struct random_graph_shape){.operators = 5, .depth = 2, .loops = true});
}

static void test_handed_on(void)
{
    compare_policies(
        &(struct random_graph_shape){.operators = 5, .depth = 2, .loops = true, .hands_on = true});
}

static const struct test_case cases[] = {
    {"branches", test_branches},
    {"branches and loops", test_loops},
    {"values handed on", test_handed_on},
};

int main(int count, char **arguments)
{
    if (count == 3) {
        first_seed = strtoull(arguments[1], NULL, 10);
        graphs = (uint32_t)strtoul(arguments[2], NULL, 10);
    }
    return testing_run("planning/policies_enumerated", cases, sizeof cases / sizeof *cases);
}
