#include "cli/commands/plan_family.h"

#include <inttypes.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "cli/output/picture.h"
#include "cli/output/print.h"
#include "cli/output/sizes.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/random.h"
#include "datasets/csv/problem.h"
#include "datasets/json/document.h"
#include "harness/family/family_file.h"
#include "harness/family/family_graph.h"

/* The offsets for one point, as a plan of the problem with the sizes there. */
struct at_point {
    uint64_t *point, *size; /* [parameters], [buffers] */
    struct plan *plan;
    struct problem *problem; /* borrowed; its sizes are those at the point while this lives */
    uint64_t *greatest;      /* [buffers] sizes to give back */
    struct verdict verdict;
    struct scratch scratch;
};

static void free_at_point(struct at_point *at)
{
    if (at->greatest)
        memcpy(at->problem->size, at->greatest, at->problem->buffers * sizeof *at->greatest);
    plan_free(at->plan);
    scratch_free(&at->scratch);
}

/* Places the buffers for arguments->at, and checks that no two overlap which are live at once. */
static enum status place_at(const struct arguments *arguments, struct problem *problem,
                            const struct orientation *orientation, struct family *family,
                            struct at_point *at, struct error *error)
{
    uint32_t buffers = problem->buffers;
    uint64_t *kept;
    at->problem = problem;
    TRY(scratch_take(&at->scratch, &at->point, family->parameters, sizeof(uint64_t), error));
    TRY(scratch_take_all(&at->scratch, buffers, error, &at->size, &kept));
    TRY(sizes_read_point(problem->sizes, arguments->at, at->point, error));
    TRY(plan_create(problem, &at->plan, error));
    if (!family_sizes(family, at->point, at->size) ||
        !orientation_place(orientation, problem, at->size, at->plan->offset,
                           &at->plan->measures.peak_bytes))
        return error_set(error, STATUS_USAGE,
                         "at '%s' a size is below 1 or the peak is above 2^63 - 1 bytes",
                         arguments->at);
    memcpy(kept, problem->size, buffers * sizeof *kept);
    at->greatest = kept;
    memcpy(problem->size, at->size, buffers * sizeof *kept);
    at->plan->status = PLAN_FEASIBLE;
    return verify_plan(problem, at->plan, &at->verdict, error);
}

/* What was found out about a family; all of it is borrowed. */
struct family_report {
    const struct job *job;
    const struct family_plan *plan;
    struct verdict verdict;
    const struct at_point *at; /* or NULL */
    uint32_t executed;         /* points at which a graph was executed, 0 for a problem */
};

static enum status write_file(const struct arguments *arguments, const struct family_report *report,
                              struct error *error)
{
    const struct job *job = report->job;
    const struct family_plan *plan = report->plan;
    const char *path = arguments->output;
    SCOPED(text_free) struct text text = {0};
    if (file_name_has_extension(path, ".json"))
        TRY(family_file_write_json(job, plan, &text, error));
    else if (file_name_has_extension(path, ".h"))
        TRY(family_file_write_header(job, plan, path, &text, error));
    else
        TRY(problem_csv_write_plan(report->at->problem, report->at->plan, &text, error));
    return text_write_file(path, &text, error);
}

static void add_point(const struct symbolic_sizes *sizes, const char *key, const uint64_t *point,
                      struct json_tree *facts)
{
    json_build_open(facts, key, JSON_OBJECT);
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        json_build_count(facts, names_get(&sizes->parameter, p), point[p]);
    json_build_close(facts);
}

static void add_at(const struct at_point *at, struct json_tree *facts)
{
    const struct problem *problem = at->problem;
    json_build_open(facts, "at", JSON_OBJECT);
    add_point(problem->sizes, "point", at->point, facts);
    json_build_boolean(facts, "in_box", sizes_in_box(problem->sizes, at->point));
    json_build_count(facts, "peak", at->plan->measures.peak_bytes);
    json_build_text(facts, "verdict", verify_fault_name(at->verdict.fault));
    json_build_open(facts, "offsets", JSON_OBJECT);
    for (uint32_t b = 0; b < problem->buffers; b++)
        json_build_count(facts, names_get(&problem->names, b), at->plan->offset[b]);
    json_build_close(facts);
    json_build_close(facts);
}

static enum status print_json(const struct family_report *report, struct error *error)
{
    const struct job *job = report->job;
    const struct family_plan *plan = report->plan;
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "family-plan");
    json_build_text(&facts, "instance", job->instance->name);
    json_build_text(&facts, "planner", job->planner->name);
    json_build_text(&facts, "status", plan_status_name(plan->status));
    json_build_count(&facts, "peak", plan->peak_bytes);
    json_build_count(&facts, "lower_bound", plan->bound_bytes);
    json_build_real(&facts, "worst_ratio", family_ratio_value(plan->worst.ratio));
    json_build_real(&facts, "proved_ratio", family_ratio_value(plan->worst.proved));
    json_build_real(&facts, "least_ratio", family_ratio_value(plan->least));
    add_point(plan->family.sizes, "worst_at", plan->worst.point, &facts);
    json_build_real(&facts, "fixed_ratio", family_ratio_value(plan->fixed));
    json_build_count(&facts, "boxes", plan->worst.boxes);
    json_build_count(&facts, "points_planned", plan->points);
    json_build_count(&facts, "nodes", plan->nodes);
    json_build_count(&facts, "seed", job->seed);
    json_build_count(&facts, "wall_ns", plan->wall_ns);
    json_build_text(&facts, "verdict", verify_fault_name(report->verdict.fault));
    if (report->executed)
        json_build_count(&facts, "executed_points", report->executed);
    if (report->at)
        add_at(report->at, &facts);
    return json_print(&facts, error);
}

static void print_at(const struct at_point *at)
{
    const struct problem *problem = at->problem;
    print_lines("%s%" PRIu64 " bytes\n",
                sizes_in_box(problem->sizes, at->point)
                    ? "peak at it   "
                    : "outside of the ranges, where nothing is proved of the "
                      "peak; no two buffers overlap\npeak at it   ",
                at->plan->measures.peak_bytes);
    for (uint32_t b = 0; b < problem->buffers; b++)
        print_lines("offset       %" PRIu64 " %s\n", at->plan->offset[b],
                    names_get(&problem->names, b));
}

static enum status print_facts(const struct family_report *report, struct error *error)
{
    const struct job *job = report->job;
    const struct family_plan *plan = report->plan;
    const struct symbolic_sizes *sizes = plan->family.sizes;
    SCOPED(text_free) struct text greatest = {0};
    SCOPED(text_free) struct text worst = {0};
    sizes_write_point(sizes, sizes->greatest, &greatest);
    sizes_write_point(sizes, plan->worst.point, &worst);
    TRY(text_check(&greatest, error));
    TRY(text_check(&worst, error));
    print_lines("instance     %s\nplanner      %s\nstatus       %s\n", job->instance->name,
                job->planner->name, plan_status_name(plan->status));
    print_lines("peak         %" PRIu64 " bytes at %s\nlower bound  %" PRIu64 " bytes\n",
                plan->peak_bytes, greatest.bytes, plan->bound_bytes);
    print_lines("worst ratio  %.4f of the load, at %s\n", family_ratio_value(plan->worst.ratio),
                worst.bytes);
    print_lines("proved       %.4f for all sizes, %" PRIu64 " %s\n",
                family_ratio_value(plan->worst.proved), plan->worst.boxes,
                plan->worst.boxes == 1 ? "box" : "boxes");
    print_lines("at least     %.4f for any plan with this peak\n", family_ratio_value(plan->least));
    print_lines("fixed        %.4f where the arena is that of the greatest sizes\n",
                family_ratio_value(plan->fixed));
    print_lines("verify       %s\n", verify_fault_name(report->verdict.fault));
    if (report->executed)
        print_lines("execute      intact at %u point%s\n", report->executed,
                    plural_ending(report->executed));
    print_lines("time         %.3f ms\n", (double)plan->wall_ns / 1e6);
    if (report->at)
        print_at(report->at);
    return STATUS_OK;
}

/* Executes a graph at the corners of its box, at the worst point of the plan and at some drawn
   ones. STATUS_INTERNAL where a value was overwritten. */
static enum status execute_points(const struct family_graph *graph, const struct job *job,
                                  const struct family_plan *plan, uint32_t *points,
                                  struct error *error)
{
    enum { DRAWN = 8, MOST_CORNERS = 8 };
    const struct symbolic_sizes *sizes = plan->family.sizes;
    SCOPED(memory_release) uint64_t *point = NULL;
    struct random_state random = random_seed(job->seed);
    bool intact = true;
    TRY(memory_create(&point, plan->family.parameters, sizeof *point, error));
    for (*points = 0; *points < MOST_CORNERS + 1 + DRAWN && intact; (*points)++) {
        for (uint32_t p = 0; p < plan->family.parameters; p++) {
            uint64_t range = sizes->greatest[p] - sizes->least[p] + 1;
            if (*points < MOST_CORNERS)
                point[p] = *points >> p & 1 ? sizes->least[p] : sizes->greatest[p];
            else
                point[p] = *points == MOST_CORNERS ? plan->worst.point[p]
                                                   : sizes->least[p] + random_below(&random, range);
        }
        TRY(family_graph_execute(graph, plan->orientation, point, job->seed, &intact, error));
    }
    return intact ? STATUS_OK
                  : error_set(error, STATUS_INTERNAL, "the plan of '%s' damages values",
                              job->instance->name);
}

/* graph: what the instance of the job was made of, or NULL. */
static enum status plan_family(const struct arguments *arguments, const struct job *job,
                               const struct family_graph *graph, struct error *error)
{
    struct problem *problem = job->instance->problem;
    const struct family_request request = {.job = job, .worst_first = arguments->worst_first};
    SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
    SCOPED(free_at_point) struct at_point at = {.point = NULL};
    struct family_report report = {.job = job, .plan = &plan};
    TRY(family_plan_find(&request, &plan, error));
    if (plan.status == PLAN_TIMEOUT)
        return error_set(error, STATUS_LIMIT, "planner %s has no plan for the greatest sizes",
                         job->planner->name);
    if (graph && graph->asks_more) {
        plan.status = PLAN_FEASIBLE;
        plan.bound_bytes = 0;
        plan.least = (struct family_ratio){0, 1};
    }
    const struct below_lists lists = {plan.orientation->first, plan.orientation->below};
    TRY(verify_orientation(problem, &lists, &report.verdict, error));
    if (graph)
        TRY(execute_points(graph, job, &plan, &report.executed, error));
    if (arguments->at) {
        TRY(place_at(arguments, problem, plan.orientation, &plan.family, &at, error));
        report.at = &at;
    }
    TRY(arguments->json ? print_json(&report, error) : print_facts(&report, error));
    if (report.verdict.fault || at.verdict.fault)
        return error_set(error, STATUS_INTERNAL, "the plan of '%s' is not valid for all sizes",
                         job->instance->name);
    if (arguments->output && picture_has_name(arguments->output))
        TRY(sizes_draw(&request, &plan, arguments->output, error));
    else if (arguments->output)
        TRY(write_file(arguments, &report, error));
    if (job->capacity_bytes < plan.peak_bytes)
        return error_set(error, STATUS_NO,
                         "the greatest sizes need %" PRIu64 " bytes, above the capacity of "
                         "%" PRIu64,
                         plan.peak_bytes, job->capacity_bytes);
    return STATUS_OK;
}

enum status plan_family_run(const struct arguments *arguments, const struct job *job,
                            struct error *error)
{
    SCOPED(family_graph_clear) struct family_graph graph = {.graph = NULL};
    struct job planned = *job;
    const char *output = arguments->output;
    if (output && !file_name_has_extension(output, ".json") &&
        !file_name_has_extension(output, ".h") && !picture_has_name(output) &&
        !(file_name_has_extension(output, ".csv") && arguments->at))
        return error_set(error, STATUS_USAGE,
                         "found output '%s' of a plan for all sizes, expected .json, .h, .svg, "
                         ".pdf, .png or, with --at, .csv",
                         output);
    if (output && picture_has_name(output) && instance_sizes(job->instance)->parameter.count != 1)
        return error_set(error, STATUS_USAGE,
                         "found %u parameters, expected one to draw peaks against",
                         instance_sizes(job->instance)->parameter.count);
    if (job->instance->problem)
        return plan_family(arguments, job, NULL, error);
    TRY(family_graph_create(job, &graph, error));
    planned.instance = graph.lowered;
    planned.policy = NULL;
    planned.inplace.rules = NULL;
    return plan_family(arguments, &planned, &graph, error);
}

bool plan_family_is_file(const struct instance *instance, const char *path)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct error error;
    if (!instance_sizes(instance) || !file_name_has_extension(path, ".json") ||
        text_read_file(path, &text, &error) || json_document_read(&text, path, &document, &error))
        return false;
    const char *format = json_document_format(document);
    return format && strcmp(format, FAMILY_PLAN_FORMAT) == 0;
}

enum status plan_family_verify(const struct arguments *arguments, const struct instance *instance,
                               const char *path, struct error *error)
{
    SCOPED(family_file_free) struct below_read read = {NULL, NULL};
    SCOPED(family_free) struct family family = {.problem = NULL};
    SCOPED(json_tree_free) struct json_tree facts = {0};
    SCOPED(family_graph_clear) struct family_graph graph = {.graph = NULL};
    struct verdict verdict;
    char text[512];
    if (instance->graph) {
        struct job job = {.instance = instance, .alignment_bytes = arguments->alignment_bytes};
        TRY(select_inplace(arguments, &job.inplace, error));
        TRY(family_graph_create(&job, &graph, error));
        instance = graph.lowered;
    }
    TRY(family_create(instance->problem, &family, error));
    TRY(family_file_read(instance, path, &read, error));
    TRY(verify_orientation(instance->problem, &(struct below_lists){read.first, read.below},
                           &verdict, error));
    verify_orientation_describe(instance->problem, &verdict, text, sizeof text);
    if (arguments->json) {
        json_open_facts(&facts, "verdict");
        json_build_boolean(&facts, "valid", !verdict.fault);
        json_build_text(&facts, "text", text);
        TRY(json_print(&facts, error));
    } else {
        print_lines("%s\n", text);
    }
    return verdict.fault ? STATUS_NO : STATUS_OK;
}

enum status plan_family_resize(const struct arguments *arguments, struct instance **instance,
                               struct error *error)
{
    const struct symbolic_sizes *sizes = instance_sizes(*instance);
    SCOPED(memory_release) uint64_t *point = NULL;
    struct instance *at;
    if (!sizes)
        return error_set(error, STATUS_USAGE, "--at, but no size of '%s' depends on a parameter",
                         (*instance)->name);
    TRY(memory_create(&point, sizes->parameter.count, sizeof *point, error));
    TRY(sizes_read_point(sizes, arguments->at, point, error));
    TRY(instance_create_at(*instance, point, &at, error));
    instance_free(*instance);
    *instance = at;
    return STATUS_OK;
}
