#include "cli/reproduce/common/planned.h"

#include <stdio.h>
#include <string.h>

#include "cli/arguments/select.h"

static const uint64_t usual_limit_ns = UINT64_C(10000000000);

enum status planned_make(const struct instance *instance, const struct planned_choice *choice,
                         struct planned *planned, struct error *error)
{
    struct registry built_in = {0};
    bool is_graph = instance->graph != NULL;
    *planned = (struct planned){0};
    TRY(select_planner(&built_in, choice->planner, &planned->planner, error));
    planned->job = (struct job){
        .instance = instance,
        .policy = !is_graph        ? NULL
                  : choice->policy ? choice->policy
                                   : &policy_flat,
        .planner = planned->planner,
        .capacity_bytes = choice->capacity_bytes ? choice->capacity_bytes : UINT64_MAX,
        .time_limit_ns = choice->time_limit_ns ? choice->time_limit_ns : usual_limit_ns,
        .least_sampled_ns = choice->least_sampled_ns,
        .seed = 1,
        .alignment_bytes = 1,
        .options = ""};
    if (is_graph)
        planned->job.inplace.rules = inplace_find(choice->inplace);
    return job_run(&planned->job, &planned->outcome, error);
}

void planned_clear(struct planned *planned)
{
    outcome_clear(&planned->outcome);
    planner_free(planned->planner);
}

enum status planned_write(const struct planned_record *record, const char *variant,
                          const char *name, const char *word, uint64_t value)
{
    char full[160];
    snprintf(full, sizeof full, "%s%s%s", name, *word ? " " : "", word);
    const struct record_measured measured = {record->context, record->instance, record->topic,
                                             variant};
    const struct record_number number = {full, (int64_t)value};
    return record_write_measures(record->store, &measured, &number, 1, record->error);
}

void planned_variant(const struct planned_choice *choice, char variant[PLANNED_VARIANT_BYTES])
{
    bool shares = strcmp(choice->inplace, "none") != 0;
    snprintf(variant, PLANNED_VARIANT_BYTES, "%s%s%s%s", choice->planner,
             shares ? "; in place" : "", choice->policy ? "; " : "",
             choice->policy ? choice->policy->name : "");
}

uint64_t planned_saving(uint64_t before, uint64_t after)
{
    return before > after ? (uint64_t)(1e6 * (double)(before - after) / (double)before + 0.5) : 0;
}

enum status planned_write_outcome(const struct planned_record *record, const char *variant,
                                  const struct outcome *outcome)
{
    const struct record_number numbers[] = {
        {"peak_bytes", (int64_t)outcome->measures.peak_bytes},
        {"load_bytes", (int64_t)outcome->measures.load_bytes},
        {"naive_bytes", (int64_t)outcome->measures.naive_bytes},
        {"pools", (int64_t)outcome->measures.pools},
        {"pool_bytes", (int64_t)outcome->measures.pool_bytes},
        {"in_place", (int64_t)outcome->in_place},
        {"optimal", outcome->status == PLAN_OPTIMAL},
        {"sound", outcome_is_good(outcome)},
    };
    const struct record_measured measured = {record->context, record->instance, record->topic,
                                             variant};
    return record_write_measures(record->store, &measured, numbers,
                                 sizeof numbers / sizeof *numbers, record->error);
}
