#include "solvers/memories/oracle.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/explicit_conflicts.h"
#include "planning/verify/problem/fixed.h"

enum status oracle_create(const struct memory_model *model, struct oracle *oracle,
                          struct error *error)
{
    *oracle = (struct oracle){.model = model};
    TRY(memory_create_all(model->classes.count, error, &oracle->index, &oracle->node));
    TRY(memory_create(&oracle->apart, model->edges, sizeof *oracle->apart, error));
    for (uint32_t n = 0; n < model->classes.count; n++)
        oracle->index[n] = UINT32_MAX;
    return STATUS_OK;
}

void oracle_free(struct oracle *oracle)
{
    memory_free(oracle->index);
    memory_free(oracle->node);
    memory_free(oracle->apart);
    *oracle = (struct oracle){0};
}

struct oracle_question oracle_choose(struct oracle *oracle, uint32_t arena,
                                     const uint32_t *arena_of, const bool *paid, uint64_t limit_ns)
{
    const struct memory_model *model = oracle->model;
    struct oracle_question question = {.arena = arena,
                                       .node = oracle->node,
                                       .apart = oracle->apart,
                                       .capacity = model->arena[arena].capacity,
                                       .limit_ns = limit_ns};
    assert(arena < model->arenas);
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (arena_of[n] == arena)
            oracle->node[question.nodes++] = n;
    for (uint32_t e = 0; e < model->edges; e++)
        if (!paid[e] && arena_of[model->edge[e].first] == arena &&
            arena_of[model->edge[e].second] == arena)
            oracle->apart[question.aparts++] = e;
    return question;
}

/* Adds the nodes, and behind them what is reserved below the capacity as buffers that lie fixed.
   Where nodes conflict only by pairs they have no steps. */
static enum status add_buffers(const struct oracle *oracle, const struct oracle_question *question,
                               struct problem *problem, struct error *error)
{
    const struct memory_model *model = oracle->model;
    const struct problem *nodes = model->nodes;
    assert(question->arena < model->arenas);
    uint32_t first = model->first_reserved[question->arena];
    for (uint32_t i = 0; i < question->nodes; i++) {
        uint32_t n = question->node[i];
        assert(model->pinned_arena[n] == MEMORY_NONE || model->pinned_arena[n] == question->arena);
        assert(!i || question->node[i - 1] < n);
        const struct problem_buffer buffer = {
            .name = names_get(&nodes->names, n),
            .size = nodes->size[n],
            .alignment = memory_model_alignment(model, n, question->arena),
            .fixed_offset =
                model->pinned_arena[n] == MEMORY_NONE ? PROBLEM_FREE : model->pinned_offset[n],
            .hint = -1};
        TRY(problem_add_buffer(problem, &buffer, error));
        for (uint32_t s = nodes->first[n]; s < nodes->first[n + 1] && !model->by_pairs; s++)
            TRY(problem_add_segment(
                problem, (struct problem_segment){nodes->lower[s], nodes->upper[s], 0, buffer.size},
                error));
    }
    for (uint32_t r = first; r < model->first_reserved[question->arena + 1]; r++) {
        uint64_t lower = model->reserved[r].lower, upper = model->reserved[r].upper;
        uint64_t capacity = model->arena[question->arena].capacity;
        const struct problem_buffer buffer = {.name = "reserved",
                                              .size = (upper < capacity ? upper : capacity) - lower,
                                              .alignment = 1,
                                              .fixed_offset = lower,
                                              .hint = -1};
        if (lower < capacity)
            TRY(problem_add_buffer(problem, &buffer, error));
    }
    return STATUS_OK;
}

struct pair_list {
    struct problem_pair *pair;
    size_t count, capacity;
};

static enum status add_pair(struct pair_list *pairs, uint32_t a, uint32_t b, struct error *error)
{
    TRY(memory_reserve(&pairs->pair, &pairs->capacity, pairs->count + 1, sizeof *pairs->pair,
                       error));
    pairs->pair[pairs->count++] = (struct problem_pair){a, b};
    return STATUS_OK;
}

/* Lists what conflicts for other reasons than time. */
static enum status list_pairs(const struct oracle *oracle, const struct oracle_question *question,
                              uint32_t buffers, struct pair_list *pairs, struct error *error)
{
    const struct memory_model *model = oracle->model;
    for (uint32_t i = 0; i < question->nodes; i++) {
        uint32_t n = question->node[i];
        assert(oracle->index[n] == i);
        for (uint64_t k = model->first[n]; k < model->first[n + 1]; k++) {
            uint32_t other = model->other[k];
            if (other < n && oracle->index[other] != UINT32_MAX &&
                (model->by_pairs || !problem_conflicts_in_time(model->nodes, n, other, UINT32_MAX)))
                TRY(add_pair(pairs, oracle->index[other], i, error));
        }
        for (uint32_t r = question->nodes; r < buffers; r++)
            TRY(add_pair(pairs, i, r, error));
    }
    for (uint32_t e = 0; e < question->aparts; e++) {
        const struct memory_edge *edge = &model->edge[question->apart[e]];
        assert(oracle->index[edge->second] < question->nodes);
        assert(oracle->index[edge->first] < question->nodes);
        TRY(add_pair(pairs, oracle->index[edge->first], oracle->index[edge->second], error));
    }
    return STATUS_OK;
}

static enum status make_problem(struct oracle *oracle, const struct oracle_question *question,
                                struct problem **created, struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    struct pair_list pairs = {0};
    TRY(problem_create(&problem, "arena", error));
    TRY(add_buffers(oracle, question, problem, error));
    assert(problem->buffers >= question->nodes);
    for (uint32_t i = 0; i < question->nodes; i++)
        oracle->index[question->node[i]] = i;
    enum status status = list_pairs(oracle, question, problem->buffers, &pairs, error);
    for (uint32_t i = 0; i < question->nodes; i++)
        oracle->index[question->node[i]] = UINT32_MAX;
    if (!status)
        status = problem_conflicts_add(&problem, pairs.pair, pairs.count, error);
    memory_free(pairs.pair);
    TRY(status);
    TRY(problem_finish(problem, error));
    HAND_OVER(problem, created);
}

enum status oracle_ask(struct oracle *oracle, const struct planner *planner,
                       const struct oracle_question *question, uint64_t *offset, uint64_t *peak,
                       enum plan_status *answer, struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    oracle->questions++;
    *answer = PLAN_FEASIBLE;
    if (peak)
        *peak = 0;
    if (!question->nodes)
        return STATUS_OK;
    assert(question->nodes <= oracle->model->classes.count);
    TRY(make_problem(oracle, question, &problem, error));
    TRY(verify_fixed(problem, &verdict, error));
    if (verdict.fault != VERIFY_VALID) {
        *answer = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = question->capacity,
                                      .time_limit_ns = question->limit_ns,
                                      .threads = 1};
    TRY(plan_create(problem, &plan, error));
    TRY(planner_plan(planner, &task, plan, error));
    *answer = plan->status;
    if (!plan_found(plan))
        return STATUS_OK;
    for (uint32_t i = 0; i < question->nodes; i++) {
        uint64_t end = plan->offset[i] + problem->size[i];
        assert(end <= question->capacity);
        assert(plan->offset[i] %
                   memory_model_alignment(oracle->model, question->node[i], question->arena) ==
               0);
        if (offset)
            offset[i] = plan->offset[i];
        if (peak && end > *peak)
            *peak = end;
    }
    return STATUS_OK;
}

struct shrink {
    struct oracle *oracle;
    const struct planner *planner;
    const struct oracle_question *question;
    struct oracle_core *core;
    uint32_t *kept_node, *kept_apart; /* scratch: what a question keeps */
    uint64_t deadline_ns;
    struct error *error;
};

/* Asks with a run of nodes, or of edges, left out; keeps that where it is still refused. */
static enum status try_without(struct shrink *shrink, bool nodes, uint32_t first, uint32_t count,
                               bool *dropped)
{
    struct oracle_core *core = shrink->core;
    assert(first + count <= (nodes ? core->nodes : core->aparts));
    const struct memory_model *model = shrink->oracle->model;
    struct oracle_question question = *shrink->question;
    enum plan_status answer;
    uint32_t kept_nodes = 0, kept_aparts = 0;
    for (uint32_t i = 0; i < core->nodes; i++)
        if (!nodes || i < first || i >= first + count) {
            shrink->kept_node[kept_nodes++] = core->node[i];
            shrink->oracle->index[core->node[i]] = 0;
        }
    for (uint32_t i = 0; i < core->aparts; i++) {
        const struct memory_edge *edge = &model->edge[core->apart[i]];
        bool out = !nodes && i >= first && i < first + count;
        if (!out && shrink->oracle->index[edge->first] != UINT32_MAX &&
            shrink->oracle->index[edge->second] != UINT32_MAX)
            shrink->kept_apart[kept_aparts++] = core->apart[i];
    }
    for (uint32_t i = 0; i < kept_nodes; i++)
        shrink->oracle->index[shrink->kept_node[i]] = UINT32_MAX;
    question.node = shrink->kept_node;
    assert(kept_nodes <= core->nodes && kept_aparts <= core->aparts);
    question.nodes = kept_nodes;
    question.apart = shrink->kept_apart;
    question.aparts = kept_aparts;
    TRY(oracle_ask(shrink->oracle, shrink->planner, &question, NULL, NULL, &answer, shrink->error));
    *dropped = answer == PLAN_INFEASIBLE;
    if (!*dropped)
        return STATUS_OK;
    memcpy(core->node, shrink->kept_node, kept_nodes * sizeof *core->node);
    memcpy(core->apart, shrink->kept_apart, kept_aparts * sizeof *core->apart);
    core->nodes = kept_nodes;
    core->aparts = kept_aparts;
    return STATUS_OK;
}

/* Leaves out runs, shorter and shorter ones. */
static enum status drop_runs(struct shrink *shrink, bool nodes)
{
    const uint32_t *left = nodes ? &shrink->core->nodes : &shrink->core->aparts;
    for (uint32_t length = (*left + 1) / 2; length > 0; length = length > 1 ? (length + 1) / 2 : 0)
        for (uint32_t first = 0; first < *left && clock_left_ns(shrink->deadline_ns);) {
            bool dropped;
            uint32_t run = *left - first < length ? *left - first : length;
            assert(run > 0);
            TRY(try_without(shrink, nodes, first, run, &dropped));
            first += dropped ? 0 : length;
        }
    return STATUS_OK;
}

enum status oracle_shrink(struct oracle *oracle, const struct planner *planner,
                          const struct oracle_question *question, uint64_t deadline_ns,
                          struct oracle_core *core, struct error *error)
{
    assert(question->nodes > 0);
    SCOPED(memory_release) uint32_t *kept_node = NULL;
    SCOPED(memory_release) uint32_t *kept_apart = NULL;
    TRY(memory_create(&kept_node, question->nodes, sizeof *kept_node, error));
    TRY(memory_create(&kept_apart, question->aparts, sizeof *kept_apart, error));
    struct shrink shrink = {oracle,    planner,    question,    core,
                            kept_node, kept_apart, deadline_ns, error};
    core->nodes = question->nodes;
    core->aparts = question->aparts;
    memcpy(core->node, question->node, question->nodes * sizeof *core->node);
    if (core->aparts)
        memcpy(core->apart, question->apart, question->aparts * sizeof *core->apart);
    TRY(drop_runs(&shrink, true));
    return drop_runs(&shrink, false);
}
