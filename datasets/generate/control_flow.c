#include <stdio.h>

#include "core/memory.h"
#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"
#include "planning/graph/build.h"

/* Graphs with Ifs and loops inside each other. Operators mostly read what was written shortly
   before them, so regions capture tensors from outside; a branch may be empty and hand out such a
   tensor; results that escape are read again long after their operator; a loop's argument may be
   read by nobody. */

enum { OPERATORS, DEPTH, WIDTH, ESCAPE, LOOPS, SMALLEST, LARGEST };

static const struct generate_option options[] = {
    [OPERATORS] = {"operators", 100, 1, 2000000, NULL, "number of operators, all levels together"},
    [DEPTH] = {"depth", 3, 0, 32, NULL, "regions inside regions"},
    [WIDTH] = {"width", 2, 1, 16, NULL, "most branches of an If"},
    [ESCAPE] = {"escape", 20, 0, 100, NULL, "percent of results read again much later"},
    [LOOPS] = {"loops", 20, 0, 100, NULL, "percent of loops among operators with regions"},
    [SMALLEST] = {"smallest", 64, 1, UINT64_C(1) << 40, NULL, "bytes of the smallest tensor"},
    [LARGEST] = {"largest", 1 << 20, 1, UINT64_C(1) << 40, NULL, "bytes of the largest tensor"},
};

enum {
    /* Share of operators that are Ifs or loops, where regions may nest deeper. */
    CONTROL_PERCENT = 25,
    /* Most operators of an If or loop of one level; doubled with each further level. */
    REGION_OPERATORS = 12,
    EMPTY_PERCENT = 15,    /* share of branches that are empty */
    READ_OLD_PERCENT = 10, /* share of reads of escaped tensors, where there are any */
    UNUSED_PERCENT = 25,   /* share of loop arguments that nobody reads */
    RECENT = 4,
    OLD = 32,
};

struct stack {
    uint32_t *tensor;
    uint32_t count;
    size_t capacity;
};

struct grower {
    struct graph *graph;
    struct random_state random;
    const uint64_t *value; /* of the kind's options */
    struct stack visible;  /* tensors that may be read here */
    struct stack escaped;  /* those of them that are to be read again later */
    uint32_t names;
    struct error *error;
};

/* What a region is to be filled with. */
struct filling {
    uint32_t depth;     /* how deep regions may still nest in it */
    uint32_t operators; /* number of operators on all levels together */
    bool nest;          /* whether it has to reach that depth */
};

static uint32_t draw(struct grower *grower, uint32_t bound)
{
    return (uint32_t)random_below(&grower->random, bound);
}

static bool happens(struct grower *grower, uint64_t percent)
{
    return generate_happens(percent, &grower->random);
}

static enum status push(struct grower *grower, struct stack *stack, uint32_t tensor)
{
    TRY(memory_reserve(&stack->tensor, &stack->capacity, (size_t)stack->count + 1,
                       sizeof *stack->tensor, grower->error));
    stack->tensor[stack->count++] = tensor;
    return STATUS_OK;
}

static enum status show(struct grower *grower, uint32_t tensor, bool may_escape)
{
    TRY(push(grower, &grower->visible, tensor));
    if (may_escape && happens(grower, grower->value[ESCAPE]))
        return push(grower, &grower->escaped, tensor);
    return STATUS_OK;
}

static uint64_t draw_bytes(struct grower *grower)
{
    return generate_log_uniform(grower->value[SMALLEST], grower->value[LARGEST], &grower->random);
}

static enum status add_tensor(struct grower *grower, uint64_t bytes, uint32_t *tensor)
{
    char name[16];
    snprintf(name, sizeof name, "t%u", grower->names++);
    return graph_add_tensor(grower->graph,
                            &(struct graph_tensor_spec){.name = name, .bytes = bytes}, tensor,
                            grower->error);
}

static uint32_t pick_of(struct grower *grower, const struct stack *stack, uint32_t last)
{
    uint32_t among = stack->count < last ? stack->count : last;
    return stack->tensor[stack->count - 1 - draw(grower, among)];
}

/* Picks one of the tensors written last, or one of those that escaped. */
static uint32_t pick(struct grower *grower)
{
    if (grower->escaped.count && happens(grower, READ_OLD_PERCENT))
        return pick_of(grower, &grower->escaped, OLD);
    return pick_of(grower, &grower->visible, RECENT);
}

static enum status open_operator(struct grower *grower, const char *type, const uint32_t *inputs,
                                 uint32_t count, uint32_t output)
{
    char name[16];
    uint32_t opened;
    snprintf(name, sizeof name, "o%u", grower->names++);
    TRY(graph_open_operator(grower->graph, name, type, &opened, grower->error));
    TRY(graph_operator_inputs(grower->graph, inputs, count, grower->error));
    return graph_operator_outputs(grower->graph, &output, 1, grower->error);
}

/* Adds an operator that reads one or two tensors and writes `output`, which exists already. */
static enum status add_writer(struct grower *grower, uint32_t output)
{
    uint32_t inputs[2];
    inputs[0] = pick(grower);
    inputs[1] = pick(grower);
    uint32_t count = inputs[0] == inputs[1] ? 1 : 1 + draw(grower, 2);
    TRY(open_operator(grower, "Operator", inputs, count, output));
    graph_close_operator(grower->graph);
    return STATUS_OK;
}

static enum status fill_region(struct grower *grower, struct filling left);

static enum status open_region(struct grower *grower)
{
    char name[16];
    snprintf(name, sizeof name, "r%u", grower->names++);
    return graph_open_region(grower->graph, name, -1, grower->error);
}

/* Adds the branches of an If and divides the operators evenly among them. A branch that gets none,
   or is drawn to be empty, yields a tensor from outside; any other one ends with an operator that
   writes what it yields, at most as large as the result. The first branch nests deeper if the depth
   has still to be reached. */
static enum status add_branches(struct grower *grower, struct filling filling, uint32_t passed,
                                uint64_t bytes)
{
    uint32_t branches = 1 + draw(grower, (uint32_t)grower->value[WIDTH]);
    uint32_t left = filling.operators, least = 4 * filling.depth;
    for (uint32_t i = 0; i < branches; i++) {
        bool nest = filling.nest && i == 0;
        uint32_t part = left / (branches - i), yield = passed;
        if (nest && part < least)
            part = left < least ? left : least;
        left -= part;
        if (part == 0 || (i > 0 && left > 0 && happens(grower, EMPTY_PERCENT))) {
            left += part;
            TRY(open_region(grower));
        } else {
            uint32_t visible = grower->visible.count, escaped = grower->escaped.count;
            TRY(open_region(grower));
            TRY(fill_region(grower, (struct filling){filling.depth - 1, part - 1, nest}));
            TRY(add_tensor(grower, bytes - bytes / 2 * draw(grower, 2), &yield));
            TRY(add_writer(grower, yield));
            grower->visible.count = visible;
            grower->escaped.count = escaped;
        }
        TRY(graph_close_region(grower->graph, &yield, 1, grower->error));
    }
    return STATUS_OK;
}

static enum status add_if(struct grower *grower, struct filling filling)
{
    uint32_t result, condition = pick(grower), passed = pick(grower);
    uint64_t bytes = draw_bytes(grower);
    if (bytes < grower->graph->tensor[passed].bytes)
        bytes = grower->graph->tensor[passed].bytes;
    TRY(add_tensor(grower, bytes, &result));
    TRY(open_operator(grower, "If", &condition, 1, result));
    TRY(add_branches(grower, filling, passed, bytes));
    graph_close_operator(grower->graph);
    return show(grower, result, true);
}

static enum status add_loop(struct grower *grower, struct filling filling)
{
    struct graph_carried carried = {.init = pick(grower)};
    uint64_t bytes = grower->graph->tensor[carried.init].bytes;
    TRY(add_tensor(grower, bytes, &carried.argument));
    TRY(add_tensor(grower, bytes, &carried.yield));
    TRY(add_tensor(grower, bytes, &carried.result));
    TRY(open_operator(grower, "Loop", NULL, 0, carried.result));
    struct graph_operator *loop = &grower->graph->op[grower->graph->operators - 1];
    loop->loop = true;
    if (!happens(grower, 50))
        loop->trip_count = 1 + draw(grower, 16);
    TRY(graph_operator_carried(grower->graph, &carried, grower->error));

    uint32_t visible = grower->visible.count, escaped = grower->escaped.count;
    TRY(open_region(grower));
    if (!happens(grower, UNUSED_PERCENT))
        TRY(show(grower, carried.argument, false));
    TRY(fill_region(grower,
                    (struct filling){filling.depth - 1, filling.operators - 1, filling.nest}));
    TRY(add_writer(grower, carried.yield));
    grower->visible.count = visible;
    grower->escaped.count = escaped;
    TRY(graph_close_region(grower->graph, NULL, 0, grower->error));
    graph_close_operator(grower->graph);
    return show(grower, carried.result, true);
}

static enum status fill_region(struct grower *grower, struct filling left)
{
    while (left.operators > 0) {
        bool control =
            left.depth > 0 && left.operators > 1 && (left.nest || happens(grower, CONTROL_PERCENT));
        left.operators--;
        if (!control) {
            uint32_t output;
            TRY(add_tensor(grower, draw_bytes(grower), &output));
            TRY(add_writer(grower, output));
            TRY(show(grower, output, false));
            continue;
        }
        /* The If or loop gets some of the remaining operators, enough to reach the depth if it has
           to. */
        uint32_t most = (uint32_t)REGION_OPERATORS << (left.depth < 8 ? left.depth - 1 : 7);
        uint32_t least = 4 * left.depth < left.operators ? 4 * left.depth : left.operators;
        uint32_t drawn = 1 + draw(grower, most < left.operators ? most : left.operators);
        struct filling inside = {left.depth, left.nest && drawn < least ? least : drawn, left.nest};
        if (happens(grower, grower->value[LOOPS]))
            TRY(add_loop(grower, inside));
        else
            TRY(add_if(grower, inside));
        left.operators -= inside.operators;
        left.nest = false;
    }
    return STATUS_OK;
}

static void free_grower(struct grower *grower)
{
    memory_free_all(grower->visible.tensor, grower->escaped.tensor);
}

static enum status generate_branches(const struct generate_settings *settings, struct graph *graph,
                                     struct error *error)
{
    const uint64_t *value = settings->value;
    SCOPED(free_grower)
    struct grower grower = {
        .graph = graph, .random = random_seed(settings->seed), .value = value, .error = error};
    uint64_t least = value[DEPTH] ? 4 * value[DEPTH] + 1 : 1;
    uint32_t input;
    if (value[OPERATORS] < least)
        return error_set(error, STATUS_USAGE,
                         "operators is %llu, expected at least %llu for depth=%llu",
                         (unsigned long long)value[OPERATORS], (unsigned long long)least,
                         (unsigned long long)value[DEPTH]);
    TRY(generate_check_sizes(value[SMALLEST], value[LARGEST], error));
    TRY(add_tensor(&grower, draw_bytes(&grower), &input));
    TRY(graph_set_inputs(graph, &input, 1, error));
    TRY(show(&grower, input, false));
    const struct filling all = {(uint32_t)value[DEPTH], (uint32_t)value[OPERATORS],
                                value[DEPTH] > 0};
    TRY(fill_region(&grower, all));
    uint32_t output = grower.visible.tensor[grower.visible.count - 1];
    return graph_finish(graph, &output, 1, NULL, error);
}

const struct generate_kind generate_control_flow = {
    .name = "control_flow",
    .title = "Ifs and loops inside each other, captured tensors, escaping results",
    GENERATE_OPTIONS(options),
    .graph = generate_branches,
};
