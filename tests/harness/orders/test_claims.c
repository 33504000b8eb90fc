/* What orders and bounds claim, against every order of small graphs: each set of in-place rules,
   each policy. */

#include <string.h>

#include "core/memory.h"
#include "harness/catalogue/orders.h"
#include "harness/orders/order_bound.h"
#include "planning/order/find_order.h"
#include "planning/order/graph_order.h"
#include "planning/random_graph.h"
#include "support/must.h"

enum { MOST_ORDERS = 400 };

/* One graph under one policy and one set of rules. */
struct question {
    const struct graph *graph;
    const struct policy *policy;
    struct inplace_choice inplace;
    uint64_t seed;
};

static uint64_t measure(const struct question *question, const struct graph_order *order)
{
    SCOPED(graph_release) struct graph *reordered = NULL;
    uint64_t load;
    must(graph_reorder(question->graph, order, &reordered, &error));
    must(graph_order_measure(reordered, question->policy, &question->inplace, &load, &error));
    return load;
}

/* All orders of all regions, one after another. */
struct enumeration {
    const struct question *question;
    struct order_view **view; /* [regions], of which only the predecessors are asked */
    struct graph_order *order;
    bool *ran; /* [operators] */
    uint64_t least_bytes;
    uint32_t orders;
};

static void go_on(struct enumeration *all, uint32_t region, uint32_t at)
{
    if (all->orders == MOST_ORDERS)
        return;
    if (region == all->question->graph->regions) {
        uint64_t load = measure(all->question, all->order);
        all->least_bytes = load < all->least_bytes ? load : all->least_bytes;
        all->orders++;
        return;
    }
    const struct order_view *view = all->view[region];
    if (at == view->operators)
        go_on(all, region + 1, 0);
    for (uint32_t v = 0; v < view->operators && at < view->operators; v++) {
        uint32_t op = view->graph_operator[v];
        bool may_run = !all->ran[op];
        for (const uint32_t *p = order_lists_begin(&view->predecessors, v);
             p < order_lists_end(&view->predecessors, v); p++)
            may_run = may_run && all->ran[view->graph_operator[*p]];
        if (!may_run)
            continue;
        all->ran[op] = true;
        all->order->op[all->order->first[region] + at] = op;
        go_on(all, region, at + 1);
        all->ran[op] = false;
    }
}

/* The least load of all orders, or of the first MOST_ORDERS. */
static uint64_t find_least(const struct question *question)
{
    const struct graph *graph = question->graph;
    struct enumeration all = {.question = question, .least_bytes = UINT64_MAX};
    SCOPED(memory_release) uint64_t *none = NULL;
    must(memory_create(&none, graph->regions, sizeof *none, &error));
    must(memory_create(&all.view, graph->regions, sizeof *all.view, &error));
    must(memory_create(&all.ran, graph->operators, sizeof *all.ran, &error));
    must(graph_order_create(graph, &all.order, &error));
    for (uint32_t r = 0; r < graph->regions; r++)
        must(order_view_create(
            &(struct order_scope){.graph = graph, .region = r, .region_load = none}, &all.view[r],
            &error));
    go_on(&all, 0, 0);
    for (uint32_t r = 0; r < graph->regions; r++)
        order_view_free(all.view[r]);
    graph_order_free(all.order);
    memory_free(all.view);
    memory_free(all.ran);
    return all.least_bytes;
}

static void expect(const struct question *question, const char *who, uint64_t bound, uint64_t least)
{
    if (bound > least)
        printf("\n    seed %llu, %s, %s: %s says %llu, found %llu",
               (unsigned long long)question->seed, question->policy->name,
               question->inplace.rules->name, who, (unsigned long long)bound,
               (unsigned long long)least);
    CU_ASSERT(bound <= least);
}

/* How often a bound was the least load. */
static uint32_t asked, met;

static void ask_all(const struct question *question)
{
    const struct graph_order_task task = {.graph = question->graph,
                                          .policy = question->policy,
                                          .inplace = question->inplace,
                                          .time_limit_ns = UINT64_MAX,
                                          .memory_limit_bytes = UINT64_MAX};
    uint64_t least = find_least(question), bound;
    for (uint32_t i = 0; i < orders_count(); i++) {
        const struct order_row *row = orders_at(i);
        SCOPED(graph_order_release) struct graph_order *order = NULL;
        struct order_report report;
        if (!(row->flags & (ORDER_EXACT | ORDER_CLASS)) && row != orders_find("joint"))
            continue;
        must(graph_order_find(row, &task, &order, &report, &error));
        uint64_t load = measure(question, order);
        expect(question, row->name, report.bound_bytes, load < least ? load : least);
        if (!graph_has_control_flow(question->graph) && plan_status_is_found(report.status))
            expect(question, "the model", report.load_bytes, load);
        if (strcmp(row->name, "exact_order") == 0) {
            asked++;
            met += report.bound_bytes == load;
        }
    }
    must(order_bound_find(question->graph, &question->inplace, &bound, &error));
    expect(question, "the graph", bound, least);
}

/* Asks of as many graphs, under each set of rules; with control flow also under each policy. */
static void ask_graphs(uint32_t graphs, uint64_t seed, bool regions)
{
    for (uint32_t i = 0; i < inplace_count(); i++) {
        asked = met = 0;
        for (uint32_t turn = 0; turn < graphs; turn++) {
            struct question question = {.inplace = {.rules = inplace_at(i)}, .seed = seed + turn};
            struct random_state random = random_seed(question.seed);
            const struct random_graph_shape shape = {.operators = 2 + turn % (regions ? 6 : 7),
                                                     .depth = regions ? 1 + turn % 2 : 0,
                                                     .loops = turn % 3,
                                                     .in_place = true};
            SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
            question.graph = graph;
            question.policy = regions ? policy_at(turn % policy_count()) : &policy_flat;
            if (policy_suits(question.policy, graph))
                ask_all(&question);
        }
        CU_ASSERT(regions || met >= asked / 10 * 9);
    }
}

enum { GRAPHS = TESTING_COUNT(300, 40), SEED = 1 };

static void test_graphs(void)
{
    ask_graphs(GRAPHS, SEED, false);
}

static void test_regions(void)
{
    ask_graphs(GRAPHS, SEED, true);
}

static const struct test_case cases[] = {
    {"without control flow", test_graphs},
    {"with control flow", test_regions},
};

TESTING_MAIN("harness/orders/claims", cases)
