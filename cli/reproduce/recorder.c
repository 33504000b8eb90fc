/* For mkdtemp. */
#define _XOPEN_SOURCE 700

#include "cli/reproduce/recorder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "harness/job/run.h"
#include "planning/graph/dtype.h"
#include "results/store/measures.h"

enum { RING_BUFFERS = 3 };
static const uint64_t usual_limit_ns = UINT64_C(10000000000);

void recorder_add(struct recorder *recorder, const char *variant, uint64_t value, const char *name,
                  ...)
{
    char full[160];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(full, sizeof full, name, arguments);
    va_end(arguments);
    recorder_add_all(recorder, variant, &(struct record_number){full, (int64_t)value}, 1);
}

void recorder_add_all(struct recorder *recorder, const char *variant,
                      const struct record_number *numbers, uint32_t count)
{
    const struct record_measured measured = {recorder->context, recorder->instance, recorder->topic,
                                             variant};
    if (!recorder->status)
        recorder->status =
            record_write_measures(recorder->store, &measured, numbers, count, recorder->error);
}

void recorder_add_point(struct recorder *recorder, const char *variant, uint64_t total_ns,
                        uint64_t on_chip_bytes)
{
    recorder_add_all(recorder, variant,
                     (const struct record_number[]){{"total_ns", (int64_t)total_ns},
                                                    {"on_chip_bytes", (int64_t)on_chip_bytes}},
                     2);
}

void recorder_add_front(struct recorder *recorder, const char *name,
                        const struct planned_front *front)
{
    for (uint32_t i = 0; front && i < front->count; i++) {
        char variant[RECORDER_VARIANT_BYTES];
        snprintf(variant, sizeof variant, "%s %03u", name, i);
        recorder_add_point(recorder, variant, front->point[i].times.expected_ns,
                           front->point[i].on_chip_bytes);
    }
}

void recorder_conclude(struct recorder *recorder, const char *instances, const char *variant,
                       const char *name, int64_t value)
{
    const struct record_context *context = recorder->context;
    const struct measure measure = {.run = context->run,
                                    .instance = instances,
                                    .digest = "",
                                    .topic = recorder->topic,
                                    .variant = variant,
                                    .name = name,
                                    .value = value,
                                    .host = context->host,
                                    .build = context->build,
                                    .started = context->started};
    if (!recorder->status)
        recorder->status = measures_write(recorder->store, &measure, 1, recorder->error);
}

static enum status make_plan(const struct instance *instance, const struct recorder_choice *choice,
                             struct recorder_plan *plan, struct error *error)
{
    struct registry built_in = {0};
    TRY(select_planner(&built_in, choice->planner, &plan->planner, error));
    plan->job = job_make(instance, NULL, plan->planner);
    plan->job.alignment_bytes = 1;
    plan->job.time_limit_ns = choice->time_limit_ns ? choice->time_limit_ns : usual_limit_ns;
    plan->job.least_sampled_ns = choice->least_sampled_ns;
    if (choice->capacity_bytes)
        plan->job.capacity_bytes = choice->capacity_bytes;
    if (instance->graph) {
        plan->job.policy = choice->policy ? choice->policy : &policy_flat;
        plan->job.inplace.rules = inplace_find(choice->inplace ? choice->inplace : "none");
    }
    return job_run(&plan->job, &plan->outcome, error);
}

void recorder_make_plan(struct recorder *recorder, const struct instance *instance,
                        const struct recorder_choice *choice, struct recorder_plan *plan)
{
    *plan = (struct recorder_plan){0};
    if (!recorder->status)
        recorder->status = make_plan(instance, choice, plan, recorder->error);
}

void recorder_clear_plan(struct recorder_plan *plan)
{
    outcome_clear(&plan->outcome);
    planner_free(plan->planner);
}

void recorder_variant(const struct recorder_choice *choice, char variant[RECORDER_VARIANT_BYTES])
{
    snprintf(variant, RECORDER_VARIANT_BYTES, "%s%s%s%s", choice->planner,
             choice->inplace ? "; in place" : "", choice->policy ? "; " : "",
             choice->policy ? choice->policy->name : "");
}

void recorder_add_plan(struct recorder *recorder, const struct recorder_choice *choice,
                       const char *variant, struct recorder_plan *plan)
{
    recorder_make_plan(recorder, recorder->instance, choice, plan);
    const struct measures *measures = &plan->outcome.measures;
    recorder_add_all(recorder, variant,
                     (const struct record_number[]){
                         {"peak_bytes", (int64_t)measures->peak_bytes},
                         {"load_bytes", (int64_t)measures->load_bytes},
                         {"naive_bytes", (int64_t)measures->naive_bytes},
                         {"pools", (int64_t)measures->pools},
                         {"pool_bytes", (int64_t)measures->pool_bytes},
                         {"in_place", (int64_t)plan->outcome.in_place},
                         {"optimal", plan->outcome.status == PLAN_OPTIMAL},
                         {"sound", outcome_is_good(&plan->outcome)},
                     },
                     8);
}

void recorder_make_folder(struct recorder *recorder, char *path, size_t path_bytes)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, path_bytes, "%s/memplan-reproduce.XXXXXX",
                          parent && *parent ? parent : "/tmp");
    if (!recorder->status && (length < 0 || (size_t)length >= path_bytes || !mkdtemp(path)))
        recorder->status =
            error_set(recorder->error, STATUS_BAD_INPUT,
                      "cannot create a folder for temporary files: %s", strerror(errno));
}

void recorder_run(struct recorder *recorder, const struct transfer_mode *mode,
                  struct transfer_run *run)
{
    const struct transfer_setting setting = {recorder->hardware, mode, RING_BUFFERS};
    *run = (struct transfer_run){0};
    if (!recorder->status)
        recorder->status =
            transfer_run_fill(recorder->instance->graph, &setting, run, recorder->error);
}

const struct transfer_mode *recorder_find_mode(struct recorder *recorder, const char *name)
{
    const struct transfer_mode *mode = NULL;
    if (!recorder->status)
        recorder->status = transfer_modes_find(name, &mode, recorder->error);
    return mode;
}

struct recorder_counts recorder_count(const struct recorder *recorder)
{
    const struct graph *graph = recorder->instance->graph;
    struct recorder_counts counts = {0};
    for (uint32_t t = 0; graph && t < graph->tensors; t++)
        if (!graph->tensor[t].external && graph->tensor[t].producer != GRAPH_NONE) {
            counts.intermediate++;
            counts.intermediate_bytes += graph->tensor[t].bytes;
        }
    for (uint32_t w = 0; graph && w < graph->weights; w++) {
        counts.weight_bytes += graph->weight[w].bytes;
        counts.parameters += graph->weight[w].bytes * 8 / graph_dtype_bits(graph->weight[w].dtype);
    }
    return counts;
}

uint64_t recorder_saving(uint64_t before, uint64_t after)
{
    return before > after ? (uint64_t)(1e6 * (double)(before - after) / (double)before + 0.5) : 0;
}
