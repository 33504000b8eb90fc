#include "cli/commands/plan_finding.h"

#include <stdio.h>
#include <string.h>

#include "cli/output/cache.h"
#include "cli/output/explanation.h"
#include "cli/output/json.h"
#include "cli/output/picture.h"
#include "core/file_name.h"
#include "core/text.h"
#include "datasets/json/parse.h"
#include "harness/files/plan_write.h"
#include "harness/layout/report.h"
#include "harness/layout/report_write.h"
#include "harness/layout/trace.h"
#include "results/store/reconstructions.h"

/* Writes a file with the rows of a layout report, which are a JSON array. */
static enum status write_layout_file(const char *path, const struct text *rows, struct error *error)
{
    SCOPED(text_free) struct text object = {0};
    text_append(&object, "{\n\"format\": \"memplan-layout/1\",\n\"layout\": %s}\n", rows->bytes);
    TRY(text_check(&object, error));
    return text_write_file(path, &object, error);
}

/* Writes the layout report of an outcome with a plan to the file that arguments->layout_report
   names: as a table, or as JSON where facts is not NULL. A report for standard output then becomes
   the field "layout" of the object that is open in facts. */
static enum status write_layout(const struct arguments *arguments, const struct job *job,
                                const struct outcome *outcome, struct json_tree *facts,
                                struct error *error)
{
    SCOPED(layout_report_free) struct layout_report report = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(layout_report_create(job, outcome, &report, error));
    bool standard = strcmp(arguments->layout_report, "-") == 0;
    TRY(facts ? layout_report_write_json(&report, &text, error)
              : layout_report_write(&report, &text, error));
    if (!standard && facts)
        return write_layout_file(arguments->layout_report, &text, error);
    if (!standard)
        return text_write_file(arguments->layout_report, &text, error);
    if (facts)
        return json_parse(&text, "layout", "layout", facts, error);
    printf("\n%s", text.bytes);
    return STATUS_OK;
}

/* Whether there is a plan, even one over the capacity. The peak of a graph without buffers is 0. */
static bool has_plan(const struct outcome *outcome)
{
    return outcome_found(outcome) || outcome->measures.peak_bytes;
}

static void add_search_facts(const struct search_record *search, struct json_tree *facts)
{
    json_build_open(facts, "search", JSON_OBJECT);
    json_build_count(facts, "time_to_best_ns", search->time_to_best_ns);
    for (int i = 0; i < SEARCH_COUNTERS; i++)
        json_build_count(facts, search_counter_name((enum search_counter)i), search->counter[i]);
    json_build_close(facts);
}

static void add_plan_facts(const struct outcome *outcome, struct json_tree *facts)
{
    json_build_count(facts, "peak", outcome->measures.peak_bytes);
    if (outcome->measures.pools) {
        json_build_count(facts, "pools", outcome->measures.pools);
        json_build_count(facts, "pool_bytes", outcome->measures.pool_bytes);
    }
    json_build_text(facts, "verdict", verify_fault_name(outcome->verdict.fault));
    if (outcome->placement) {
        json_build_count(facts, "in_place", outcome->in_place);
        json_build_text(facts, "execution", execute_verdict_name(&outcome->execution));
        json_build_count(facts, "paths", outcome->execution.paths_run);
    }
}

static void add_facts(const struct job *job, const struct outcome *outcome, struct json_tree *facts)
{
    json_build_text(facts, "instance", job->instance->name);
    json_build_boolean(facts, "reconstruction", job->instance->is_reconstruction);
    json_build_text(facts, "policy", job_policy_name(job));
    json_build_text(facts, "planner", job->planner->name);
    json_build_text(facts, "status", plan_status_name(outcome->status));
    json_build_count(facts, "buffers", outcome->buffers);
    json_build_count(facts, "naive", outcome->measures.naive_bytes);
    json_build_count(facts, "load", outcome->measures.load_bytes);
    json_build_count(facts, "lower_bound", outcome->measures.lower_bound_bytes);
    json_build_count(facts, "nodes", outcome->measures.nodes);
    json_build_count(facts, "seed", job->seed);
    json_build_count(facts, "wall_ns", outcome_median_ns(outcome));
    if (outcome_found(outcome) && *outcome->stop_reason)
        json_build_text(facts, "note", outcome->stop_reason);
    if (outcome->search)
        add_search_facts(outcome->search, facts);
    if (has_plan(outcome))
        add_plan_facts(outcome, facts);
}

static void print_execution(const struct execution *execution)
{
    unsigned long long run = execution->paths_run, paths = execution->paths;
    bool is_sampled = execution->intact && !execution->all_paths;
    printf("execute      %s on %llu", execution->intact ? "intact" : "damaged", run);
    if (is_sampled && execution->paths == UINT64_MAX)
        printf(" of more than %llu", paths - 1);
    else if (is_sampled)
        printf(" of %llu", paths);
    printf(" path%s\n", run == 1 && !is_sampled ? "" : "s");
}

static void print_facts(const struct job *job, const struct outcome *outcome)
{
    printf("instance     %s%s\npolicy       %s\nplanner      %s\nstatus       %s\n",
           job->instance->name, job->instance->is_reconstruction ? RECONSTRUCTIONS_LABEL : "",
           job_policy_name(job), job->planner->name, plan_status_name(outcome->status));
    if (has_plan(outcome)) {
        double over =
            (double)outcome->measures.peak_bytes - (double)outcome->measures.lower_bound_bytes;
        printf("peak         %llu bytes\n", (unsigned long long)outcome->measures.peak_bytes);
        if (outcome->measures.lower_bound_bytes)
            printf("gap          %.2f %%\n",
                   100.0 * over / (double)outcome->measures.lower_bound_bytes);
        if (outcome->measures.pools)
            printf("pools        %llu, in all %llu bytes\n",
                   (unsigned long long)outcome->measures.pools,
                   (unsigned long long)outcome->measures.pool_bytes);
        printf("verify       %s\n", verify_fault_name(outcome->verdict.fault));
        if (outcome->placement)
            print_execution(&outcome->execution);
    }
    if (job->inplace.rules)
        printf("in place     %llu tensor%s\n", (unsigned long long)outcome->in_place,
               outcome->in_place == 1 ? "" : "s");
    printf("lower bound  %llu bytes\nload         %llu bytes\nnaive        %llu bytes\n",
           (unsigned long long)outcome->measures.lower_bound_bytes,
           (unsigned long long)outcome->measures.load_bytes,
           (unsigned long long)outcome->measures.naive_bytes);
    printf("time         %.3f ms\n", (double)outcome_median_ns(outcome) / 1e6);
    if (outcome_found(outcome) && *outcome->stop_reason)
        printf("note         %s\n", outcome->stop_reason);
}

static bool is_picture(const char *path)
{
    return file_name_has_extension(path, ".svg") || file_name_has_extension(path, ".pdf") ||
           file_name_has_extension(path, ".png");
}

static enum status write_output(const struct job *job, const struct outcome *outcome,
                                const char *path, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    if (is_picture(path))
        return picture_draw_layout(job, outcome, path, error);
    TRY(file_name_has_extension(path, ".trace.json")
            ? trace_write(job, outcome, &text, error)
            : plan_file_write(job, outcome, path, &text, error));
    return text_write_file(path, &text, error);
}

/* Adds everything that was asked for beside the plan: to `facts` where they are printed as JSON;
   else facts are NULL. */
static enum status add_reports(const struct arguments *arguments,
                               const struct plan_finding *finding, struct json_tree *facts,
                               struct error *error)
{
    if (finding->explanation)
        TRY(explanation_report(finding->explanation, finding->job, facts, error));
    if (arguments->layout_report && outcome_found(finding->outcome))
        TRY(write_layout(arguments, finding->job, finding->outcome, facts, error));
    return STATUS_OK;
}

static enum status print_json(const struct arguments *arguments, const struct plan_finding *finding,
                              struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "outcome");
    add_facts(finding->job, finding->outcome, &facts);
    if (finding->cache != CACHE_OFF)
        json_build_text(&facts, "cache", cache_use_name(finding->cache));
    TRY(add_reports(arguments, finding, &facts, error));
    json_build_close(&facts);
    return json_print(&facts, error);
}

enum status plan_finding_report(const struct arguments *arguments,
                                const struct plan_finding *finding, struct error *error)
{
    const struct job *job = finding->job;
    const struct outcome *outcome = finding->outcome;
    enum status answer = explain_outcome(job, outcome, finding->explanation, error);
    if (!answer && arguments->output)
        TRY(write_output(job, outcome, arguments->output, error));
    if (arguments->json) {
        TRY(print_json(arguments, finding, error));
        return answer;
    }
    print_facts(job, outcome);
    if (finding->cache != CACHE_OFF)
        printf("cache        %s\n", cache_use_name(finding->cache));
    TRY(add_reports(arguments, finding, NULL, error));
    return answer;
}

enum status plan_finding_check_output(const char *path, struct error *error)
{
    SCOPED(text_free) struct text forms = {0};
    if (!path || is_picture(path) || plan_file_has_form(path))
        return STATUS_OK;
    plan_file_append_forms(&forms);
    error_set(error, STATUS_USAGE,
              "output '%s', expected one of: %s, .trace.json, .svg, .pdf, .png", path,
              forms.failed ? "" : forms.bytes);
    return STATUS_USAGE;
}
