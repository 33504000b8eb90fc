#include "harness/rows/record.h"

#include <assert.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/memory.h"
#include "datasets/collection.h"
#include "harness/job/fault.h"
#include "harness/layout/outcome_layout.h"
#include "memplan_commit.h"
#include "planning/plan/addresses.h"
#include "results/store/measures.h"
#include "results/store/reconstructions.h"

enum { MOST_RECTANGLES = 4096 };

void record_time_now(char text[RECORD_TIME_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, RECORD_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void record_context_fill(struct record_context *context, const char *run)
{
    struct utsname system;
    context->run = run;
    context->most_rectangles = MOST_RECTANGLES;
    snprintf(context->host, sizeof context->host, "%s", uname(&system) ? "" : system.nodename);
    snprintf(context->build, sizeof context->build, "memplan %s",
             MEMPLAN_VERSION " " MEMPLAN_COMMIT_SHORT " " MEMPLAN_COMPILED);
    record_time_now(context->started);
}

/* The status of an order. One that was found but cannot be used ended in an error, whatever the
   order itself says. */
static const char *name_order_end(const struct ordered_entry *ordered)
{
    enum plan_status status = ordered->ordered.report.status;
    return ordered->error.status && plan_status_is_found(status) ? RESULT_ERROR
                                                                 : plan_status_name(status);
}

void record_key_fill(const struct record_context *context, const struct job *job,
                     struct record_key *key)
{
    const struct planner *planner = job->planner;
    job_write_settings(job, key->settings);
    key->row = (struct result_row){.run = context->run,
                                   .instance = job->instance->name,
                                   .digest = job->instance->digest,
                                   .policy = job_policy_name(job),
                                   .planner = planner->name,
                                   .options = job->options,
                                   .seed = job->seed,
                                   .repetition = job->repetition,
                                   .settings = key->settings,
                                   .path = job->instance->path,
                                   .reconstruction = job->instance->is_reconstruction,
                                   .origin = planner->content ? planner->family : RESULT_BUILT_IN,
                                   .verdict = "",
                                   .execution = "",
                                   .stop_reason = "",
                                   .wall_samples = "",
                                   .host = context->host,
                                   .build = context->build,
                                   .started = context->started,
                                   .counters = "",
                                   .curve = "",
                                   .fault = "",
                                   .addresses = "",
                                   .order_name = RESULT_STORED,
                                   .order_status = "",
                                   .collection = ""};
    const char *name = job->ordered ? job->ordered->name : job->instance->name;
    if (collection_find(job->instance->digest, name))
        key->row.collection = COLLECTION_VERSION;
    if (job->ordered) {
        const struct order_report *report = &job->ordered->ordered.report;
        key->row.instance = job->ordered->name;
        key->row.order_name = job->ordered->row->name;
        key->row.order_status = name_order_end(job->ordered);
        key->row.order_load_bytes = report->load_bytes;
        key->row.order_bound_bytes = report->bound_bytes;
        key->row.order_states = report->states;
        key->row.order_ns = job->ordered->ordered.wall_ns;
    }
}

/* Counts the tensors that are split. A tensor that is written over another one is not a buffer of
   its own and does not count. */
static uint64_t count_split(const struct placement *placement)
{
    uint64_t split = 0;
    for (uint32_t t = 0; t < placement->tensors; t++)
        split += extents_count(placement->extents, t) && placement->overwrites[t] == GRAPH_NONE;
    return split;
}

/* Adds to a row that has its job's key all that the outcome says by itself. */
static void set_outcome(const struct job *job, const struct outcome *outcome,
                        struct result_row *row)
{
    row->status = plan_status_name(outcome->status);
    row->stop_reason = outcome->stop_reason;
    row->buffers = outcome->buffers;
#define MEASURE(name, key) row->name = outcome->measures.name;
#include "planning/plan/measures.def"
#undef MEASURE
    row->wall_ns = outcome_median_ns(outcome);
    row->proof = proof_state_name(outcome->proof.state);
    row->proof_digest = outcome->proof.digest;
    row->proof_reason = outcome->proof.reason;
    row->proof_bytes = outcome->proof.log_bytes;
    row->proof_ns = outcome->proof.log_ns;
    row->check_ns = outcome->proof.check_ns;
    row->verify_ns = outcome->proof.verify_ns;
    row->critical_path = outcome->path.longest;
    row->work = outcome->path.work;
    /* Only what is allocated through core/memory.h is counted, which foreign code does not use. */
    if (!job->planner->content && !job->planner->version)
        row->planner_bytes = outcome->planner_bytes;
    if (!outcome_found(outcome))
        return;
    row->verdict = verify_fault_name(outcome->verdict.fault);
    if (outcome->placement) {
        row->execution = execute_verdict_name(&outcome->execution);
        row->paths = outcome->execution.paths_run;
    }
    row->split_buffers = outcome->plan ? extents_split_items(outcome->plan->extents)
                                       : count_split(outcome->placement);
}

enum status record_write(struct store *store, const struct record_context *context,
                         const struct job *job, const struct outcome *outcome, struct error *error)
{
    struct record_key key;
    struct result_row *row = &key.row;
    const struct search_record *search = outcome->search;
    SCOPED(memory_release) struct result_rectangle *rectangles = NULL;
    SCOPED(layout_free) struct layout layout = {0};
    SCOPED(text_free) struct text samples = {0};
    SCOPED(text_free) struct text counters = {0};
    SCOPED(text_free) struct text curve = {0};
    char fault[512] = "";
    record_key_fill(context, job, &key);
    set_outcome(job, outcome, row);
    if (outcome_found(outcome) && !outcome_is_good(outcome))
        TRY(fault_describe(job, outcome, fault, sizeof fault, error));
    row->fault = fault;
    if (outcome_found(outcome) && outcome->placement) {
        bool are_static;
        TRY(addresses_are_static(job->instance->graph, outcome->placement, &are_static, error));
        row->addresses = are_static ? RESULT_STATIC : RESULT_RUN_TIME;
    }
    for (uint32_t i = 0; i < outcome->samples; i++)
        text_append(&samples, "%s%llu", i ? " " : "", (unsigned long long)outcome->wall_ns[i]);
    for (int i = 0; search && i < SEARCH_COUNTERS; i++)
        if (search_counter_applies(search, (enum search_counter)i))
            text_append(&counters, "%s%s=%llu", counters.length ? " " : "",
                        search_counter_name((enum search_counter)i),
                        (unsigned long long)search->counter[i]);
    for (uint32_t i = 0; search && i < search->points; i++) {
        const struct search_point *point = &search->point[i];
        text_append(&curve, "%s%llu:%llu:", i ? " " : "", (unsigned long long)point->time_ns,
                    (unsigned long long)point->bound_bytes);
        if (point->peak_bytes != UINT64_MAX)
            text_append(&curve, "%llu", (unsigned long long)point->peak_bytes);
    }
    if (search)
        row->best_ns = search->time_to_best_ns;
    TRY(text_check(&samples, error));
    TRY(text_check(&counters, error));
    TRY(text_check(&curve, error));
    row->counters = counters.bytes ? counters.bytes : "";
    row->curve = curve.bytes ? curve.bytes : "";
    row->wall_samples = samples.bytes ? samples.bytes : "";
    if (outcome_found(outcome))
        TRY(outcome_layout_fill(job, outcome, &layout, error));
    if (layout.count > context->most_rectangles)
        layout.count = 0;
    TRY(memory_create(&rectangles, layout.count, sizeof *rectangles, error));
    for (uint32_t i = 0; i < layout.count; i++) {
        const struct layout_rectangle *from = &layout.rectangle[i];
        rectangles[i] =
            (struct result_rectangle){.label = from->label,
                                      .lower = from->lower,
                                      .upper = from->upper,
                                      .offset = from->offset,
                                      .size = from->size,
                                      .group = from->timeless ? RESULT_TIMELESS : from->group,
                                      .block = from->block};
    }
    return store_write(store, row, rectangles, layout.count, error);
}

enum status record_write_failure(struct store *store, const struct record_context *context,
                                 const struct job *job, const char *text, struct error *error)
{
    struct record_key key;
    record_key_fill(context, job, &key);
    key.row.status =
        job->ordered && job->ordered->error.status ? name_order_end(job->ordered) : RESULT_ERROR;
    key.row.stop_reason = text;
    return store_write(store, &key.row, NULL, 0, error);
}

enum status record_write_measures(struct store *store, const struct record_measured *measured,
                                  const struct record_number *numbers, uint32_t count,
                                  struct error *error)
{
    const struct record_context *context = measured->context;
    struct measure measures[RECORD_MOST_NUMBERS + 1];
    assert(count <= RECORD_MOST_NUMBERS);
    for (uint32_t i = 0; i <= count; i++)
        measures[i] = (struct measure){.run = context->run,
                                       .instance = measured->instance->name,
                                       .digest = measured->instance->digest,
                                       .topic = measured->topic,
                                       .variant = measured->variant,
                                       .name = RECONSTRUCTIONS_MEASURE,
                                       .value = 1,
                                       .host = context->host,
                                       .build = context->build,
                                       .started = context->started};
    for (uint32_t i = 0; i < count; i++) {
        measures[i].name = numbers[i].name;
        measures[i].value = numbers[i].value;
    }
    return measures_write(store, measures, count + measured->instance->is_reconstruction, error);
}
