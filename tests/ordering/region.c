#include "ordering/region.h"

#include <stdio.h>

#include "core/memory.h"
#include "planning/graph/build.h"
#include "support/must.h"

enum { MOST_TENSORS = 256 };

struct drawer {
    struct graph *graph;
    struct random_state *random;
    uint32_t tensor[MOST_TENSORS];
    uint32_t tensors;
};

static uint32_t draw(struct drawer *drawer, uint32_t bound)
{
    return (uint32_t)random_below(drawer->random, bound);
}

static uint32_t add_tensor(struct drawer *drawer)
{
    char name[16];
    uint32_t tensor;
    snprintf(name, sizeof name, "t%u", drawer->tensors);
    must(
        graph_add_tensor(drawer->graph,
                         &(struct graph_tensor_spec){.name = name,
                                                     .bytes = 1 + draw(drawer, 4) * draw(drawer, 4),
                                                     .external = draw(drawer, 8) == 0},
                         &tensor, &error));
    CU_ASSERT_FATAL(drawer->tensors < MOST_TENSORS);
    drawer->tensor[drawer->tensors++] = tensor;
    return tensor;
}

static void add_operator(struct drawer *drawer, uint32_t number)
{
    uint32_t listed[3], op, known = drawer->tensors, inputs = known ? draw(drawer, 4) : 0;
    static const char *const types[] = {"Add", "Concat", "Any"};
    const char *type = types[draw(drawer, 3)];
    char name[16];
    snprintf(name, sizeof name, "o%u", number);
    must(graph_open_operator(drawer->graph, name, type, &op, &error));
    for (uint32_t i = 0; i < inputs; i++)
        listed[i] = drawer->tensor[draw(drawer, known)];
    must(graph_operator_inputs(drawer->graph, listed, inputs, &error));
    uint32_t outputs = draw(drawer, 8) ? 1 + draw(drawer, 4) / 3 : 0;
    for (uint32_t i = 0; i < outputs; i++)
        listed[i] = add_tensor(drawer);
    must(graph_operator_outputs(drawer->graph, listed, outputs, &error));
    if (number && draw(drawer, 6) == 0) {
        uint32_t first = draw(drawer, number);
        must(graph_operator_after(drawer->graph, &first, 1, &error));
    }
    graph_close_operator(drawer->graph);
}

struct graph *region_graph(struct random_state *random, uint32_t operators)
{
    struct drawer drawer = {.random = random};
    uint32_t listed[2], count = draw(&drawer, 3);
    must(graph_create(&drawer.graph, "region", &error));
    for (uint32_t i = 0; i < count; i++)
        listed[i] = add_tensor(&drawer);
    must(graph_set_inputs(drawer.graph, listed, count, &error));
    for (uint32_t i = 0; i < operators; i++)
        add_operator(&drawer, i);
    count = drawer.tensors ? draw(&drawer, 3) : 0;
    for (uint32_t i = 0; i < count; i++)
        listed[i] = drawer.tensor[draw(&drawer, drawer.tensors)];
    must(graph_finish(drawer.graph, listed, count, NULL, &error));
    return drawer.graph;
}

static void add_reader(struct drawer *drawer, uint32_t number, const uint32_t *inputs,
                       uint32_t reads, uint32_t *outputs, uint32_t writes)
{
    uint32_t op;
    char name[16];
    snprintf(name, sizeof name, "o%u", number);
    must(graph_open_operator(drawer->graph, name, "Any", &op, &error));
    must(graph_operator_inputs(drawer->graph, inputs, reads, &error));
    for (uint32_t i = 0; i < writes; i++)
        outputs[i] = add_tensor(drawer);
    must(graph_operator_outputs(drawer->graph, outputs, writes, &error));
    graph_close_operator(drawer->graph);
}

/* Of the tensors that wait for a reader each operator reads some of the last. */
static void grow_tree(struct drawer *drawer, uint32_t operators)
{
    uint32_t waiting[MOST_TENSORS], waits = 0;
    for (uint32_t o = 0; o < operators; o++) {
        uint32_t reads = o + 1 == operators ? waits : draw(drawer, waits < 3 ? waits + 1 : 4);
        waits -= reads;
        add_reader(drawer, o, waiting + waits, reads, &waiting[waits], 1);
        waits++;
    }
}

/* A fork, branches of several operators, a join, and again. */
static void grow_forks(struct drawer *drawer, uint32_t operators)
{
    uint32_t tensor[4] = {0}, branches = 0, number = 0;
    while (number < operators) {
        uint32_t read = branches;
        branches = 1 + draw(drawer, 3);
        add_reader(drawer, number++, (uint32_t[]){tensor[0], tensor[1], tensor[2]}, read, tensor,
                   branches);
        for (uint32_t i = 0; i < branches; i++)
            for (uint32_t steps = draw(drawer, 3); steps > 0 && number < operators; steps--)
                add_reader(drawer, number++, (uint32_t[]){tensor[i]}, 1, &tensor[i], 1);
    }
}

struct graph *region_tree(struct random_state *random, uint32_t operators, bool forks)
{
    struct drawer drawer = {.random = random};
    must(graph_create(&drawer.graph, "tree", &error));
    must(graph_set_inputs(drawer.graph, NULL, 0, &error));
    if (forks)
        grow_forks(&drawer, operators);
    else
        grow_tree(&drawer, operators);
    must(graph_finish(drawer.graph, NULL, 0, NULL, &error));
    return drawer.graph;
}

struct order_view *region_view(const struct graph *graph, bool overwrite)
{
    struct order_view *view;
    struct inplace_possibles possibles = {0};
    const struct inplace_choice choice = {.rules = inplace_find(overwrite ? "declared" : "none")};
    must(inplace_find_possible(graph, &choice, &possibles, &error));
    must(order_view_create(&(struct order_scope){.graph = graph, .possibles = &possibles}, &view,
                           &error));
    inplace_possibles_clear(&possibles);
    return view;
}

static bool is_read_outside(const struct order_view *view, uint32_t tensor, uint32_t set)
{
    for (const uint32_t *r = order_lists_begin(&view->readers, tensor);
         r < order_lists_end(&view->readers, tensor); r++)
        if (!(set >> *r & 1))
            return true;
    return view->kept[tensor];
}

static uint64_t count_live(const struct order_view *view, uint32_t set)
{
    uint64_t live = set ? 0 : view->first_bytes;
    for (uint32_t t = 0; t < view->tensors; t++)
        if ((view->producer[t] == ORDER_NONE || (set >> view->producer[t] & 1)) &&
            is_read_outside(view, t, set))
            live += view->bytes[t];
    return live;
}

/* Once for each group that has an input which dies. */
static uint64_t count_spared(const struct order_view *view, uint32_t set, uint32_t op)
{
    uint64_t bytes = 0;
    bool counted = false;
    for (uint32_t i = view->first_spared[op]; i < view->first_spared[op + 1]; i++) {
        const struct order_spared *spared = &view->spared[i];
        counted = counted && spared->group == spared[-1].group;
        if (counted || is_read_outside(view, spared->input, set | UINT32_C(1) << op))
            continue;
        bytes += spared->bytes;
        counted = true;
    }
    return bytes;
}

bool region_may_run(const struct order_view *view, uint32_t set, uint32_t op)
{
    for (const uint32_t *p = order_lists_begin(&view->predecessors, op);
         p < order_lists_end(&view->predecessors, op); p++)
        if (!(set >> *p & 1))
            return false;
    return !(set >> op & 1);
}

uint64_t region_least_load(const struct order_view *view)
{
    uint32_t sets = UINT32_C(1) << view->operators;
    uint64_t *load;
    CU_ASSERT_FATAL(view->operators <= 16);
    must(memory_create(&load, sets, sizeof *load, &error));
    for (uint32_t set = 1; set < sets; set++)
        load[set] = UINT64_MAX;
    load[0] = count_live(view, 0);
    for (uint32_t set = 0; set < sets; set++) {
        uint64_t live = load[set] == UINT64_MAX ? 0 : count_live(view, set);
        for (uint32_t v = 0; v < view->operators && load[set] != UINT64_MAX; v++) {
            if (!region_may_run(view, set, v))
                continue;
            uint64_t needed = live + view->alloc_bytes[v] - count_spared(view, set, v);
            needed = needed > load[set] ? needed : load[set];
            uint32_t next = set | UINT32_C(1) << v;
            load[next] = needed < load[next] ? needed : load[next];
        }
    }
    uint64_t least = load[sets - 1];
    memory_free(load);
    return least;
}
