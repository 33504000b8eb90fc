#include "cli/commands/memories.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/clock.h"
#include "core/file.h"
#include "datasets/json/document.h"
#include "harness/catalogue/planners.h"
#include "harness/memories/memory_planners.h"
#include "harness/memories/shortage.h"
#include "planning/memories/model.h"
#include "planning/verify/memories/memories.h"

bool memories_is_file(const char *path)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct error ignored = ERROR_NONE;
    return file_name_has_extension(path, ".json") && !text_read_file(path, &text, &ignored) &&
           memory_file_is_likely(&text) && !json_document_read(&text, path, &document, &ignored) &&
           memory_file_is(document);
}

enum status memories_read_problem(const char *path, struct memory_file *file, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(text_read_file(path, &text, error));
    TRY(json_document_read(&text, path, &document, error));
    return memory_file_read(document, file, error);
}

/* A cost for people and JSON: whole, or with up to three digits behind the point. */
static void add_cost(struct json_tree *facts, const char *key, uint64_t cost)
{
    if (cost % MEMORY_COST_PARTS)
        json_build_real(facts, key, (double)cost / MEMORY_COST_PARTS);
    else
        json_build_count(facts, key, cost / MEMORY_COST_PARTS);
}

struct finding {
    const struct memory_problem *problem;
    const struct memory_planner *planner;
    const struct memory_plan *plan;
    uint64_t wall_ns;
};

static enum status print_json(const struct finding *finding, struct error *error)
{
    const struct memory_plan *plan = finding->plan;
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "memories");
    json_build_text(&facts, "instance", names_get(&finding->problem->problem->name, 0));
    json_build_text(&facts, "planner", finding->planner->name);
    json_build_text(&facts, "status", plan_status_name(plan->status));
    json_build_count(&facts, "buffers", plan->buffers);
    if (memory_plan_found(plan))
        add_cost(&facts, "cost", plan->cost);
    add_cost(&facts, "cost_bound", plan->cost_bound);
    json_build_count(&facts, "questions", plan->questions);
    json_build_count(&facts, "wall_ns", finding->wall_ns);
    json_build_open(&facts, "peaks", JSON_ARRAY);
    for (uint32_t m = 0; m < plan->memories && memory_plan_found(plan); m++) {
        json_build_open(&facts, NULL, JSON_OBJECT);
        json_build_text(&facts, "memory", names_get(&finding->problem->names, m));
        json_build_count(&facts, "peak", plan->peak[m]);
        if (finding->problem->memory[m].capacity_bytes != UINT64_MAX)
            json_build_count(&facts, "capacity", finding->problem->memory[m].capacity_bytes);
        json_build_close(&facts);
    }
    json_build_close(&facts);
    json_build_close(&facts);
    return json_print(&facts, error);
}

static enum status print_finding(const struct finding *finding, struct error *error)
{
    const struct memory_plan *plan = finding->plan;
    SCOPED(text_free) struct text text = {0};
    text_append(&text, "instance     %s\nplanner      %s\nstatus       %s\n",
                names_get(&finding->problem->problem->name, 0), finding->planner->name,
                plan_status_name(plan->status));
    if (memory_plan_found(plan)) {
        text_append(&text, "cost         ");
        memory_file_write_cost(plan->cost, &text);
        text_append(&text, "\n");
    }
    text_append(&text, "cost bound   ");
    memory_file_write_cost(plan->cost_bound, &text);
    text_append(&text, "\n");
    for (uint32_t m = 0; m < plan->memories && memory_plan_found(plan); m++) {
        text_append(&text, "peak         %" PRIu64, plan->peak[m]);
        if (finding->problem->memory[m].capacity_bytes != UINT64_MAX)
            text_append(&text, " of %" PRIu64, finding->problem->memory[m].capacity_bytes);
        text_append(&text, " bytes of %s\n", names_get(&finding->problem->names, m));
    }
    text_append(&text, "time         %.3f ms\n", (double)finding->wall_ns / 1e6);
    TRY(text_check(&text, error));
    printf("%s", text.bytes);
    return STATUS_OK;
}

static enum status write_plan(const struct arguments *arguments, const struct memory_file *file,
                              const struct memory_plan *plan, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    if (file_name_has_extension(arguments->output, ".solution.json")) {
        if (!file->dsa.profile)
            return error_set(
                error, STATUS_USAGE,
                "output '%s', but the problem is none of dsa-solver's, which this form is for",
                arguments->output);
        TRY(memory_file_write_solution(file, plan, &text, error));
    } else {
        TRY(memory_file_write_plan(file->problem, plan, &text, error));
    }
    return text_write_file(arguments->output, &text, error);
}

/* Says which buffers do not fit, and what they would fit. */
static enum status refuse(const struct finding *finding, struct error *error)
{
    enum { SHORTAGE_NS = 2000000000 };
    SCOPED(memory_shortage_clear) struct memory_shortage shortage = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(memory_shortage_find(finding->problem, planners_find("exact"),
                             clock_deadline_ns(SHORTAGE_NS), &shortage, error));
    memory_shortage_write(finding->problem, &shortage, &text);
    TRY(text_check(&text, error));
    return error_set(error, STATUS_NO, "'%s' does not fit: %s",
                     names_get(&finding->problem->problem->name, 0), text.bytes);
}

/* Says on standard error why there is no plan; the status of the command. */
static enum status explain(const struct finding *finding, struct error *error)
{
    const struct memory_plan *plan = finding->plan;
    switch (plan->status) {
    case PLAN_OPTIMAL:
    case PLAN_FEASIBLE:
        return STATUS_OK;
    case PLAN_INFEASIBLE:
        return refuse(finding, error);
    case PLAN_UNSUPPORTED:
        return error_set(error, STATUS_USAGE, "%s cannot plan chunks, pins or reserved ranges",
                         finding->planner->name);
    default:
        return error_set(error, STATUS_LIMIT,
                         "%s found no plan that fits, and no proof that there is none",
                         finding->planner->name);
    }
}

enum status memories_run_planner(const struct arguments *arguments,
                                 const struct memory_problem *problem,
                                 const struct memory_planner *planner, struct memory_plan *plan,
                                 struct error *error)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    struct memory_verdict verdict;
    TRY(memory_model_create(problem, &model, error));
    const struct memory_task task = {.model = model,
                                     .deadline_ns = clock_deadline_ns(arguments->time_limit_ns),
                                     .seed = arguments->seed,
                                     .exact = planners_find("exact"),
                                     .best = planners_find("best")};
    TRY(planner->plan(planner, &task, plan, error));
    if (!memory_plan_found(plan))
        return STATUS_OK;
    TRY(verify_memories(problem, plan, &verdict, error));
    if (!verdict.valid)
        return error_set(error, STATUS_INTERNAL, "%s made a wrong plan: %s", planner->name,
                         verdict.text);
    if (verdict.cost != plan->cost || plan->cost < plan->cost_bound)
        return error_set(error, STATUS_INTERNAL,
                         "%s says that its plan costs %" PRIu64 ", at least %" PRIu64
                         ", and it costs %" PRIu64 " thousandths",
                         planner->name, plan->cost, plan->cost_bound, verdict.cost);
    return STATUS_OK;
}

enum status memories_plan(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const char *name = arguments->planners ? arguments->planners : "best";
    const struct memory_planner *planner = memory_planner_find(name);
    if (!planner)
        return memory_planner_refuse(name, strlen(name), error);
    if (arguments->output && !file_name_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .json or .solution.json for a problem with several "
                         "memories",
                         arguments->output);
    TRY(memories_read_problem(arguments->operand[0], &file, error));
    TRY(memory_plan_create(file.problem, &plan, error));
    uint64_t began_ns = clock_monotonic_ns();
    TRY(memories_run_planner(arguments, file.problem, planner, plan, error));
    const struct finding finding = {file.problem, planner, plan, clock_monotonic_ns() - began_ns};
    enum status answer = explain(&finding, error);
    if (!answer && arguments->output)
        TRY(write_plan(arguments, &file, plan, error));
    TRY(arguments->json ? print_json(&finding, error) : print_finding(&finding, error));
    return answer;
}

enum status memories_verify(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    SCOPED(text_free) struct text text = {0};
    SCOPED(text_free) struct text answer = {0};
    SCOPED(json_tree_free) struct json_tree facts = {0};
    struct memory_verdict verdict;
    TRY(memories_read_problem(arguments->operand[0], &file, error));
    TRY(text_read_file(arguments->operand[1], &text, error));
    TRY(memory_file_read_plan(&file, &text, arguments->operand[1], &plan, error));
    TRY(verify_memories(file.problem, plan, &verdict, error));
    if (verdict.valid && arguments->output) {
        plan->cost = verdict.cost;
        TRY(write_plan(arguments, &file, plan, error));
    }
    json_open_facts(&facts, "verdict");
    json_build_boolean(&facts, "valid", verdict.valid);
    json_build_text(&facts, "text", verdict.text);
    if (verdict.valid)
        add_cost(&facts, "cost", verdict.cost);
    json_build_close(&facts);
    text_append(&answer, "%s\n", verdict.text);
    if (verdict.valid) {
        text_append(&answer, "cost ");
        memory_file_write_cost(verdict.cost, &answer);
        text_append(&answer, "\n");
    }
    TRY(text_check(&answer, error));
    if (arguments->json)
        TRY(json_print(&facts, error));
    else
        print_lines("%s", answer.bytes);
    return verdict.valid ? STATUS_OK : STATUS_NO;
}

enum status memories_convert(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(text_free) struct text text = {0};
    const char *path = arguments->operand[1];
    if (!file_name_has_extension(path, ".json"))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .json for a problem with several memories", path);
    TRY(memories_read_problem(arguments->operand[0], &file, error));
    TRY(memory_file_write(file.problem, &text, error));
    return text_write_file(path, &text, error);
}
