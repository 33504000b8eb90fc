#include "harness/advice/advice.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/sort.h"
#include "harness/advice/change.h"
#include "harness/explanation/explanation.h"
#include "harness/job/run.h"
#include "harness/joint/alternatives.h"

enum { MOST_TENSORS = 6, CHANGES = 2 };

void advice_clear(struct advice *advice)
{
    for (uint32_t i = 0; i < advice->count; i++)
        memory_free(advice->row[i].option);
    memory_free(advice->row);
    outcome_clear(&advice->base);
    *advice = (struct advice){.row = NULL};
}

/* A change that does not lower the peak is left out. */
static enum status add_row(struct advice *advice, const char *option, uint64_t peak_bytes,
                           enum plan_status status, struct error *error)
{
    if (peak_bytes >= advice->base.measures.peak_bytes)
        return STATUS_OK;
    TRY(memory_reserve(&advice->row, &advice->capacity, (size_t)advice->count + 1,
                       sizeof *advice->row, error));
    char *copy = memory_copy_text(option);
    if (!copy)
        return error_no_memory(error);
    advice->row[advice->count++] = (struct advice_row){copy, peak_bytes, status};
    return STATUS_OK;
}

static enum status add_outcome(struct advice *advice, const char *option,
                               const struct outcome *outcome, struct error *error)
{
    if (!outcome_found(outcome) || !outcome_is_good(outcome))
        return STATUS_OK;
    return add_row(advice, option, outcome->measures.peak_bytes, outcome->status, error);
}

static enum status try_planner(const struct job *job, const struct planner *best,
                               struct advice *advice, struct error *error)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    struct job one = *job;
    one.planner = best;
    if (strcmp(job->planner->name, best->name) == 0)
        return STATUS_OK;
    TRY(job_run(&one, &outcome, error));
    return add_outcome(advice, "--planner best", &outcome, error);
}

static enum status try_change(const struct job *job, const struct change *change,
                              struct advice *advice, struct error *error)
{
    SCOPED(text_free) struct text option = {0};
    SCOPED(outcome_clear) struct outcome outcome = {0};
    SCOPED(instance_release) struct instance *instance = NULL;
    struct graph *changed;
    struct job one = *job;
    text_append(&option, "--apply ");
    change_write(job->instance->graph, change, &option);
    TRY(text_check(&option, error));
    TRY(change_apply(job->instance->graph, change, &changed, error));
    TRY(instance_create(job->instance->name, changed, NULL, &instance, error));
    one.instance = instance;
    TRY(job_run(&one, &outcome, error));
    return add_outcome(advice, option.bytes, &outcome, error);
}

/* The tensors that are live where the load is greatest, the largest first. */
static enum status list_tensors(const struct job *job, uint32_t tensor[MOST_TENSORS],
                                uint32_t *count, struct error *error)
{
    SCOPED(explanation_clear) struct explanation explanation = {0};
    SCOPED(memory_release) uint64_t *bytes = NULL;
    SCOPED(memory_release) uint32_t *buffer = NULL;
    const struct graph *graph = job->instance->graph;
    *count = 0;
    TRY(explanation_find_section(job, &explanation, error));
    const struct problem *problem = explanation.problem;
    if (!problem)
        return STATUS_OK;
    TRY(memory_create_all(problem->buffers, error, &bytes, &buffer));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        bytes[b] = ~explanation_live_bytes(problem, b, explanation.load_step);
        buffer[b] = b;
    }
    TRY(sort_items(bytes, buffer, problem->buffers, error));
    for (uint32_t i = 0; i < problem->buffers && *count < MOST_TENSORS && ~bytes[i]; i++) {
        uint32_t found = names_find(&graph->tensor_names, names_get(&problem->names, buffer[i]));
        if (found != NAMES_NONE)
            tensor[(*count)++] = found;
    }
    return STATUS_OK;
}

COMPARE_BY(compare_rows, struct advice_row, compare_numbers(a->peak_bytes, b->peak_bytes),
           strcmp(a->option, b->option))

static enum status try_graph(const struct job *job, struct advice *advice, struct error *error)
{
    SCOPED(alternatives_clear) struct alternatives alternatives = {0};
    uint32_t tensor[MOST_TENSORS], count;
    TRY(alternatives_find(job, &alternatives, error));
    for (uint32_t i = 0; i < alternatives.count; i++)
        TRY(add_row(advice, alternatives.row[i].option, alternatives.row[i].peak_bytes,
                    alternatives.row[i].status, error));
    struct job one = *job;
    if (one.time_limit_ns != UINT64_MAX)
        one.time_limit_ns /= MOST_TENSORS * CHANGES;
    TRY(list_tensors(job, tensor, &count, error));
    for (uint32_t i = 0; i < count * CHANGES; i++) {
        const struct change change = {.is_split = i % CHANGES, .tensor = tensor[i / CHANGES]};
        if (change_is_possible(job->instance->graph, &change))
            TRY(try_change(&one, &change, advice, error));
    }
    return STATUS_OK;
}

enum status advice_find(const struct job *job, const struct planner *best, struct advice *advice,
                        struct error *error)
{
    struct job part = *job;
    *advice = (struct advice){.row = NULL};
    /* The base, the planner, the alternatives and the changes of the graph. */
    if (part.time_limit_ns != UINT64_MAX)
        part.time_limit_ns /= 4;
    TRY(job_run(&part, &advice->base, error));
    if (!outcome_found(&advice->base) || !outcome_is_good(&advice->base))
        return STATUS_OK;
    TRY(try_planner(&part, best, advice, error));
    if (job->instance->graph)
        TRY(try_graph(&part, advice, error));
    if (advice->count)
        qsort(advice->row, advice->count, sizeof *advice->row, compare_rows);
    return STATUS_OK;
}
