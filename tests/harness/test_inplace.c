#include "planning/inplace/inplace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/zoo/zoo.h"
#include "harness/catalogue/planners.h"
#include "harness/files/plan_read.h"
#include "harness/files/plan_write.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "harness/layout/outcome_layout.h"
#include "planning/graph/build.h"
#include "planning/inplace/types.h"
#include "planning/liveness/liveness.h"
#include "planning/lowering/level.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"

/* The in-place pass on random graphs and networks, under every policy: both checks accept what it
   makes, and it never costs memory. */

static struct job make_job(const struct instance *instance, const struct inplace_rules *rules,
                           const struct policy *policy, const struct planner *planner)
{
    struct job job = job_make(instance, policy, planner);
    job.inplace.rules = rules;
    return job;
}

static uint32_t draw(struct random_state *random, uint32_t bound)
{
    return (uint32_t)random_below(random, bound);
}

/* Pairs in any order, some twice, and types that the rules know. Some assigns do not read their
   variable. */
static void decorate(struct graph *graph, struct random_state *random)
{
    static const char *const types[] = {"Add", "RELU", "Reshape", "_assign", "Identity"};
    struct graph_building building = {.list = graph->listed};
    uint32_t first = graph->labels.count;
    graph->building = &building;
    for (int i = 0; i < 5; i++)
        must(names_add(&graph->labels, types[i], &error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        graph->tensor[t].bytes *= 3;
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct graph_operator *plain = &graph->op[o];
        uint32_t pairs[8], count = draw(random, 4);
        if (draw(random, 2))
            plain->type = first + draw(random, 5);
        bool is_assign = strcmp(graph_label(graph, plain->type), "_assign") == 0;
        if (is_assign && plain->inputs.count == 2 && draw(random, 3) != 0) {
            plain->ignored = (struct span){plain->inputs.first, 1};
            plain->inputs = (struct span){plain->inputs.first + 1, 1};
        }
        if (!plain->inputs.count || !plain->outputs.count)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            pairs[2 * i] = draw(random, plain->inputs.count);
            pairs[2 * i + 1] = draw(random, plain->outputs.count);
        }
        graph->building->open_operator = o;
        must(graph_operator_inplace(graph, pairs, count, &error));
    }
    graph->building = NULL;
}

static struct instance *make_instance(uint64_t seed, struct random_state *random)
{
    const struct random_graph_shape shape = {
        .operators = 4 + (uint32_t)(seed % 14), .depth = (uint32_t)(seed % 4), .loops = seed % 3};
    struct graph *graph = random_graph_create(random, &shape);
    decorate(graph, random);
    return jobs_own(graph, NULL);
}

/* Returns how many tensors were in place. */
static uint64_t check_job(const struct job *job, uint64_t seed, uint64_t load_bytes)
{
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(job);
    bool safe = outcome_is_good(&outcome) || job->policy->flags & POLICY_UNSAFE;
    bool right = outcome.status == PLAN_UNSUPPORTED ||
                 (safe && outcome.measures.load_bytes <= load_bytes &&
                  outcome.measures.load_bytes <= outcome.measures.peak_bytes);
    if (!right)
        printf("\nseed %llu, %s, %s, %s: load %llu, without %llu\n", (unsigned long long)seed,
               job->inplace.rules->name, job->policy->name, job->planner->name,
               (unsigned long long)outcome.measures.load_bytes, (unsigned long long)load_bytes);
    CU_ASSERT_TRUE(right);
    return outcome.in_place;
}

static uint64_t find_load(const struct instance *instance, const struct policy *policy)
{
    struct job job = make_job(instance, inplace_at(0), policy, planners_find("large_first"));
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    CU_ASSERT_EQUAL(outcome.in_place, 0);
    return outcome.measures.load_bytes;
}

static void test_random_graphs(void)
{
    uint64_t in_place[8] = {0};
    for (uint64_t seed = TESTING_COUNT(0, 8); seed < TESTING_COUNT(100, 14); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(instance_release) struct instance *instance = make_instance(seed, &random);
        for (uint32_t q = 0; q < policy_count(); q++) {
            uint64_t load_bytes = find_load(instance, policy_at(q));
            for (uint32_t i = 0; i < inplace_count(); i++)
                for (uint32_t p = (uint32_t)seed % 7; p < planners_count();
                     p += TESTING_COUNT(7, 70)) {
                    struct job job =
                        make_job(instance, inplace_at(i), policy_at(q), planners_at(p));
                    if (!(job.planner->flags & (PLANNER_EXACT | PLANNER_SEARCHES | PLANNER_UNSAFE)))
                        in_place[i] += check_job(&job, seed, load_bytes);
                }
        }
    }
    CU_ASSERT_EQUAL(in_place[0], 0);
    for (uint32_t i = 1; i < inplace_count(); i++)
        CU_ASSERT(in_place[i] > TESTING_COUNT(30, 1));
}

/* Graphs in which variables are computed from, read and assigned to, most values for that alone. */

enum { VARIABLES = 3, MADE = 24, BYTES = 64 };

/* The tensors of such a graph while it is made. */
struct assigning {
    struct graph *graph;
    struct random_state *random;
    uint32_t tensor[MADE + VARIABLES], tensors;
    uint32_t variable[VARIABLES]; /* what each is called now */
};

static uint32_t add_named(struct assigning *made, char letter)
{
    char name[16];
    struct graph_tensor_spec spec = {.name = name, .bytes = BYTES};
    snprintf(name, sizeof name, "%c%u", letter, made->tensors);
    must(graph_add_tensor(made->graph, &spec, &made->tensor[made->tensors], &error));
    return made->tensor[made->tensors++];
}

static uint32_t draw_tensor(struct assigning *made)
{
    uint32_t recent = made->tensors > 4 && draw(made->random, 2) ? made->tensors - 4 : 0;
    return made->tensor[recent + draw(made->random, made->tensors - recent)];
}

static void add_random_operator(struct assigning *made, const char *type)
{
    char name[16];
    uint32_t op, variable = draw(made->random, VARIABLES);
    bool assigns = strcmp(type, "assign") == 0;
    const uint32_t inputs[] = {assigns ? made->tensor[made->tensors - 1] : draw_tensor(made),
                               draw_tensor(made)};
    uint32_t count = strcmp(type, "Add") == 0 ? 2 : 1, output = add_named(made, 't');
    snprintf(name, sizeof name, "o%u", made->tensors);
    must(graph_open_operator(made->graph, name, type, &op, &error));
    must(graph_operator_inputs(made->graph, inputs, count, &error));
    must(graph_operator_outputs(made->graph, &output, 1, &error));
    if (assigns)
        must(graph_operator_ignored(made->graph, &made->variable[variable], 1, &error));
    graph_close_operator(made->graph);
    if (assigns)
        made->variable[variable] = output;
}

static struct instance *make_assigning(struct random_state *random)
{
    static const char *const types[] = {"assign", "Add", "Relu", "Dense"};
    struct assigning made = {.random = random};
    must(graph_create(&made.graph, "assigning", &error));
    for (int v = 0; v < VARIABLES; v++)
        made.variable[v] = add_named(&made, 'v');
    must(graph_set_inputs(made.graph, made.variable, VARIABLES, &error));
    for (int o = 0; o < MADE; o++)
        add_random_operator(&made, types[draw(random, 4)]);
    uint32_t *last = &made.tensor[made.tensors - 1];
    must(graph_finish(made.graph, last, 1, NULL, &error));
    return jobs_own(made.graph, NULL);
}

static void test_assigns(void)
{
    static const char *const planners[] = {"nnvm", "large_first", "sequential"};
    const struct inplace_choice choice = {inplace_find("nnvm"), NULL};
    const struct policy *policies[16];
    uint64_t in_place = 0, folded = 0, suiting = 0;
    /* In turn the policies for operators that run one after another. */
    CU_ASSERT_FATAL(policy_count() <= 16);
    for (uint32_t p = 0; p < policy_count(); p++)
        if (!(policy_at(p)->flags & POLICY_STREAMS))
            policies[suiting++] = policy_at(p);
    for (uint64_t seed = 0; seed < TESTING_COUNT(1000, 100); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(instance_release) struct instance *instance = make_assigning(&random);
        SCOPED(placement_release) struct placement *placement = NULL;
        const struct graph *graph = instance->graph;
        const struct policy *policy = policies[seed % suiting];
        struct job job =
            make_job(instance, choice.rules, policy, planners_find(planners[seed % 3]));
        in_place += check_job(&job, seed, find_load(instance, policy));
        must(placement_create(graph, &placement, &error));
        must(inplace_apply(graph, &choice, placement, &error));
        for (uint32_t o = 0; o < graph->operators; o++) /* assigns that do nothing */
            folded += graph->op[o].ignored.count &&
                      placement->is_view[graph->list[graph->op[o].outputs.first]];
    }
    CU_ASSERT(in_place > TESTING_COUNT(5000, 500));
    CU_ASSERT(folded > TESTING_COUNT(500, 50));
}

/* `declared` a second time, by lifetimes instead of counting uses. */

struct second {
    const struct graph *graph;
    struct liveness *liveness;
    uint32_t overwrites[512], place[512];
};

static bool is_among(const struct graph *graph, struct span span, uint32_t tensor)
{
    for (uint32_t i = 0; i < span.count; i++)
        if (graph->list[span.first + i] == tensor)
            return true;
    return false;
}

static bool is_yield(const struct graph *graph, uint32_t tensor)
{
    bool found = false;
    for (uint32_t r = 1; r < graph->regions; r++)
        found |= is_among(graph, graph->region[r].yields, tensor);
    for (uint32_t c = 0; c < graph->carried_count; c++)
        found |= graph->carried[c].yield == tensor;
    return found;
}

static void try_second(struct second *second, uint32_t o, uint32_t input, uint32_t output)
{
    const struct graph *graph = second->graph;
    const struct graph_tensor *from = &graph->tensor[input], *to = &graph->tensor[output];
    struct span inputs = graph->op[o].inputs, outputs = graph->op[o].outputs;
    uint32_t step = second->liveness->enter_step[o], reads = 0;
    if (from->external || to->external || to->bytes > from->bytes || from->producer == GRAPH_NONE ||
        graph->op[from->producer].first_region != GRAPH_NONE ||
        graph->op[from->producer].region != graph->op[o].region || is_yield(graph, input) ||
        is_yield(graph, output) || is_among(graph, graph->region[0].yields, output) ||
        second->overwrites[output] != GRAPH_NONE)
        return;
    for (uint32_t i = 0; i < outputs.count; i++)
        if (second->overwrites[graph->list[outputs.first + i]] == input)
            return;
    /* Nothing in the place of the input lives on after the operator, or is read by it as well. */
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (second->place[t] == second->place[input] &&
            (second->liveness->upper[t] > step + 1 || is_among(graph, graph->region[0].yields, t)))
            return;
    for (uint32_t i = 0; i < inputs.count; i++)
        reads += second->place[graph->list[inputs.first + i]] == second->place[input];
    if (reads != 1)
        return;
    second->overwrites[output] = input;
    second->place[output] = second->place[input];
}

static void compare_declared(const struct graph *graph)
{
    const struct inplace_choice choice = {inplace_find("declared"), NULL};
    struct second second = {.graph = graph};
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(placement_release) struct placement *placement = NULL;
    CU_ASSERT_FATAL(graph->tensors <= 512);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        second.overwrites[t] = GRAPH_NONE;
        second.place[t] = t;
    }
    must(liveness_create(graph, &liveness, &error));
    second.liveness = liveness;
    must(placement_create(graph, &placement, &error));
    must(inplace_apply(graph, &choice, placement, &error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *plain = &graph->op[o];
        const struct inplace_type *type = inplace_type_find(graph_label(graph, plain->type));
        const uint32_t *inputs = graph->list + plain->inputs.first;
        const uint32_t *outputs = graph->list + plain->outputs.first;
        if (plain->first_region != GRAPH_NONE)
            continue;
        for (uint32_t i = 0; i < plain->inplace.count; i += 2) {
            const uint32_t *pair = graph->list + plain->inplace.first + i;
            try_second(&second, o, inputs[pair[0]], outputs[pair[1]]);
        }
        for (uint32_t i = 0; type && plain->outputs.count == 1 && i < plain->inputs.count; i++)
            if ((type->inputs >> i & 1) &&
                graph->tensor[inputs[i]].bytes == graph->tensor[outputs[0]].bytes)
                try_second(&second, o, inputs[i], outputs[0]);
    }
    for (uint32_t t = 0; t < graph->tensors; t++)
        CU_ASSERT_EQUAL(second.overwrites[t], placement->overwrites[t]);
}

static void test_second_declared(void)
{
    for (uint64_t seed = 0; seed < TESTING_COUNT(10000, 2500); seed++) {
        struct random_state random = random_seed(seed);
        const struct random_graph_shape shape = {.operators = 4 + (uint32_t)(seed % 14),
                                                 .depth = (uint32_t)(seed % 3),
                                                 .loops = seed % 2};
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        decorate(graph, &random);
        compare_declared(graph);
    }
}

static void test_zoo(void)
{
    for (uint32_t z = 0; z < zoo_count(); z += TESTING_COUNT(1, 18)) {
        SCOPED(instance_release) struct instance *instance = jobs_load(zoo_at(z)->name);
        for (uint32_t q = 0; q < policy_count(); q++) {
            uint64_t load_bytes = find_load(instance, policy_at(q));
            for (uint32_t i = 1; i < inplace_count(); i++) {
                struct job job =
                    make_job(instance, inplace_at(i), policy_at(q), planners_find("large_first"));
                check_job(&job, 0, load_bytes);
            }
        }
    }
}

/* A plan file lists what shares a place in one buffer, and reading it says so again. */

static void check_written(const struct job *job, const struct outcome *outcome, const char *path,
                          const struct inplace_choice *choice)
{
    const struct placement *written = outcome->placement;
    SCOPED(text_free) struct text text = {0};
    SCOPED(plan_file_free) struct plan_file file = {0};
    struct verdict verdict;
    must(plan_file_write(job, outcome, path, &text, &error));
    must(text_write_file(path, &text, &error));
    must(plan_file_read(job->instance, path, choice, NULL, &file, &error));
    const struct placement *placement = file.placement;
    CU_ASSERT_PTR_NULL(file.plan);
    for (uint32_t t = 0; t < placement->tensors; t++)
        CU_ASSERT(placement->offset[t] == written->offset[t] &&
                  placement->overwrites[t] == written->overwrites[t]);
    CU_ASSERT_EQUAL(placement->measures.peak_bytes, written->measures.peak_bytes);
    must(verify_paths(job->instance->graph, placement, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
}

static void test_plan_files(void)
{
    char folder[] = "/tmp/memplan-inplace-XXXXXX", json[64], csv[64];
    const struct inplace_choice from_file = {NULL, NULL};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(json, sizeof json, "%s/plan.json", folder);
    snprintf(csv, sizeof csv, "%s/plan.csv", folder);
    for (uint64_t seed = 0; seed < TESTING_COUNT(60, 30); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(instance_release)
        struct instance *instance =
            seed % 3 ? make_instance(seed, &random) : make_assigning(&random);
        for (uint32_t i = 1; i < inplace_count(); i++) {
            struct job job =
                make_job(instance, inplace_at(i), policy_find(seed % 2 ? "hoist" : "flat"),
                         planners_find(seed % 3 ? "large_first" : "exclusive"));
            SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
            if (outcome_found(&outcome)) {
                check_written(&job, &outcome, json, &from_file);
                check_written(&job, &outcome, json, &job.inplace);
                check_written(&job, &outcome, csv, &job.inplace);
            }
        }
    }
    unlink(json);
    unlink(csv);
    rmdir(folder);
}

/* Rectangles of tensors in one place take turns. */
static void test_layout(void)
{
    SCOPED(layout_free) struct layout layout = {0};
    SCOPED(instance_release) struct instance *instance = jobs_load("ge/cnn_block");
    struct job job =
        make_job(instance, inplace_find("ge"), policy_find("flat"), planners_find("large_first"));
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    CU_ASSERT_EQUAL(outcome.in_place, 1);
    CU_ASSERT_EQUAL(outcome.buffers, 3);
    must(outcome_layout_fill(&job, &outcome, &layout, &error));
    CU_ASSERT_EQUAL_FATAL(layout.count, 4);
    const struct layout_rectangle *conv = &layout.rectangle[1], *relu = &layout.rectangle[2];
    CU_ASSERT_STRING_EQUAL(conv->label, "conv1_out");
    CU_ASSERT_STRING_EQUAL(relu->label, "relu1_out");
    CU_ASSERT_EQUAL(conv->offset, relu->offset);
    CU_ASSERT_EQUAL(conv->upper, relu->lower);
    CU_ASSERT_EQUAL(relu->lower, 1);
    CU_ASSERT_EQUAL(relu->upper, 3);
}

static const struct test_case cases[] = {
    {"random graphs", test_random_graphs},
    {"assigns", test_assigns},
    {"declared, a second time", test_second_declared},
    {"networks", test_zoo},
    {"plan files", test_plan_files},
    {"layout", test_layout},
};

TESTING_MAIN("harness/inplace", cases)
