#include "cli/memories/memories.h"

#include <inttypes.h>
#include <string.h>

#include "cli/arguments/option_rows.h"
#include "cli/output/json.h"
#include "cli/output/picture.h"
#include "cli/output/print.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "harness/memories/memory_planners.h"
#include "harness/memories/shortage.h"
#include "planning/problem/copy.h"
#include "solvers/memories/files.h"

void memories_told_free(struct memories_told *told)
{
    json_tree_free(&told->facts);
    text_free(&told->lines);
}

void memories_tell(struct memories_told *told, const char *key, const char *value)
{
    json_build_text(&told->facts, key, value);
    text_append(&told->lines, "%-12s %s\n", key, value);
}

/* A cost for JSON: whole, or with up to three digits behind the point. */
static void add_cost(struct json_tree *facts, const char *key, uint64_t cost)
{
    if (cost % MEMORY_COST_PARTS)
        json_build_real(facts, key, (double)cost / MEMORY_COST_PARTS);
    else
        json_build_count(facts, key, cost / MEMORY_COST_PARTS);
}

static void tell_cost(struct memories_told *told, const char *key, const char *label, uint64_t cost)
{
    add_cost(&told->facts, key, cost);
    text_append(&told->lines, "%s ", label);
    memory_file_write_cost(cost, &told->lines);
    text_append(&told->lines, "\n");
}

void memories_tell_peaks(struct memories_told *told, const struct memories_finding *finding)
{
    const struct memory_problem *problem = finding->problem;
    json_build_open(&told->facts, "peaks", JSON_ARRAY);
    for (uint32_t m = 0; m < problem->memories && memory_plan_found(finding->plan); m++) {
        uint64_t peak = finding->plan->peak[m], capacity = problem->memory[m].capacity_bytes;
        const char *name = names_get(&problem->names, m);
        json_build_open(&told->facts, NULL, JSON_OBJECT);
        json_build_text(&told->facts, "memory", name);
        json_build_count(&told->facts, "peak", peak);
        text_append(&told->lines, "peak         %" PRIu64, peak);
        if (capacity != UINT64_MAX) {
            json_build_count(&told->facts, "capacity", capacity);
            text_append(&told->lines, " of %" PRIu64, capacity);
        }
        json_build_close(&told->facts);
        text_append(&told->lines, " bytes of %s\n", name);
    }
    json_build_close(&told->facts);
}

enum status memories_print(const struct arguments *arguments, struct memories_told *told,
                           struct error *error)
{
    if (arguments->json)
        return json_print(&told->facts, error);
    TRY(text_check(&told->lines, error));
    print_lines("%s", told->lines.bytes);
    return STATUS_OK;
}

static enum status print_finding(const struct arguments *arguments,
                                 const struct memories_finding *finding, struct error *error)
{
    const struct memory_plan *plan = finding->plan;
    SCOPED(memories_told_free) struct memories_told told = {0};
    bool is_checked = finding->checks && memory_plan_found(plan);
    json_open_facts(&told.facts, "memories");
    memories_tell(&told, "instance", names_get(&finding->problem->problem->name, 0));
    if (finding->policy)
        memories_tell(&told, "policy", finding->policy);
    memories_tell(&told, "planner", finding->planner->name);
    memories_tell(&told, "status", plan_status_name(plan->status));
    json_build_count(&told.facts, "buffers", plan->buffers);
    if (memory_plan_found(plan))
        tell_cost(&told, "cost", "cost        ", plan->cost);
    tell_cost(&told, "cost_bound", "cost bound  ", plan->cost_bound);
    if (is_checked) {
        json_build_text(&told.facts, "verdict", finding->checks->verified);
        json_build_text(&told.facts, "execution", finding->checks->executed);
    }
    json_build_count(&told.facts, "questions", plan->questions);
    json_build_count(&told.facts, "wall_ns", finding->wall_ns);
    memories_tell_peaks(&told, finding);
    if (is_checked)
        text_append(&told.lines, "verify       %s\nexecute      %s\n", finding->checks->verified,
                    finding->checks->executed);
    text_append(&told.lines, "time         %.3f ms\n", (double)finding->wall_ns / 1e6);
    return memories_print(arguments, &told, error);
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
static enum status refuse(const struct memories_finding *finding, struct error *error)
{
    enum { SHORTAGE_NS = 2000000000 };
    SCOPED(memory_shortage_clear) struct memory_shortage shortage = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(memory_shortage_find(finding->problem, planners_find("exact"), SHORTAGE_NS, &shortage,
                             error));
    memory_shortage_write(finding->problem, &shortage, &text);
    TRY(text_check(&text, error));
    return error_set(error, STATUS_NO, "'%s' does not fit: %s",
                     names_get(&finding->problem->problem->name, 0), text.bytes);
}

/* Says on standard error why there is no plan; the status of the command. */
static enum status explain(const struct memories_finding *finding, struct error *error)
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

enum status memories_report(const struct arguments *arguments,
                            const struct memories_finding *finding, struct error *error)
{
    enum status answer = explain(finding, error);
    TRY(print_finding(arguments, finding, error));
    return answer;
}

/* Options that count where tensors or buffers lie in several memories. Any other that a command
   accepts is refused, since it would silently be left out of account. */
enum suited { ALWAYS, OF_GRAPHS, WITH_MOVES };
static const struct {
    enum option_id id;
    enum suited suited;
} suited_options[] = {
    {OPTION_PLANNER, ALWAYS},
    {OPTION_PLANNERS, ALWAYS},
    {OPTION_TIME_LIMIT, ALWAYS},
    {OPTION_SEED, ALWAYS},
    {OPTION_FACTS, ALWAYS},
    {OPTION_SUITE, ALWAYS},
    {OPTION_DB, ALWAYS},
    {OPTION_RUN, ALWAYS},
    {OPTION_DRY_RUN, ALWAYS},
    {OPTION_KEEP_PLANS, ALWAYS},
    {OPTION_BEST_KNOWN, ALWAYS},
    {OPTION_OUTPUT, ALWAYS},
    {OPTION_MEMORIES, OF_GRAPHS},
    {OPTION_MOVES, OF_GRAPHS},
    {OPTION_MOVES_FRONT, OF_GRAPHS},
    {OPTION_ALIGNMENT, OF_GRAPHS},
    {OPTION_POLICY, OF_GRAPHS},
    {OPTION_POLICIES, OF_GRAPHS},
    {OPTION_INPLACE, OF_GRAPHS},
    {OPTION_ORDER, OF_GRAPHS},
    {OPTION_EXECUTE, OF_GRAPHS},
    {OPTION_BIND, OF_GRAPHS},
    {OPTION_RANGE, OF_GRAPHS},
    {OPTION_ASSUME_DIM, OF_GRAPHS},
    {OPTION_DISABLE_INPLACE, OF_GRAPHS},
    {OPTION_AT, OF_GRAPHS},
    {OPTION_CAPACITY, WITH_MOVES},
};

static bool option_counts(enum option_id id, bool of_graph, bool moves)
{
    for (size_t i = 0; i < sizeof suited_options / sizeof *suited_options; i++)
        if (suited_options[i].id == id)
            return suited_options[i].suited == ALWAYS ||
                   (of_graph && (suited_options[i].suited == OF_GRAPHS || moves));
    return false;
}

enum status memories_refuse_options(const struct arguments *arguments, bool of_graph,
                                    struct error *error)
{
    for (enum option_id id = 0; arguments->given && id < OPTION_END; id++)
        if (arguments->given[id] && !option_counts(id, of_graph, arguments->moves))
            return error_set(error, STATUS_USAGE, "found --%s, expected %s without it",
                             option_rows_at(id)->name,
                             of_graph ? "--memories" : "a problem with several memories");
    return STATUS_OK;
}

enum status memories_plan(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
    const struct memory_file *file = &instance.file;
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const char *name = arguments->planners ? arguments->planners : "best";
    const struct memory_planner *planner = memory_planner_find(name);
    if (!planner)
        return memory_planner_refuse(name, strlen(name), error);
    if (arguments->output && !file_name_has_extension(arguments->output, ".json") &&
        !picture_has_name(arguments->output))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .json, .solution.json, .svg, .pdf or .png for "
                         "a problem with several memories",
                         arguments->output);
    TRY(memories_refuse_options(arguments, false, error));
    TRY(memory_instance_load(arguments->operand[0], &instance, error));
    TRY(memory_plan_create(file->problem, &plan, error));
    uint64_t began_ns = clock_monotonic_ns();
    TRY(memory_run_planner(file->problem, planner,
                           &(struct memory_run){arguments->time_limit_ns, arguments->seed, 0}, plan,
                           error));
    const struct memories_finding finding = {.problem = file->problem,
                                             .planner = planner,
                                             .plan = plan,
                                             .wall_ns = clock_monotonic_ns() - began_ns};
    if (memory_plan_found(plan) && arguments->output)
        TRY(picture_has_name(arguments->output) ? memories_draw(&finding, arguments->output, error)
                                                : write_plan(arguments, file, plan, error));
    return memories_report(arguments, &finding, error);
}

enum status memories_report_verdict(const struct arguments *arguments,
                                    const struct memory_verdict *verdict,
                                    const struct memories_execution *execution, struct error *error)
{
    SCOPED(memories_told_free) struct memories_told told = {0};
    bool good = verdict->valid && (!execution || execution->intact);
    json_open_facts(&told.facts, "verdict");
    json_build_boolean(&told.facts, "valid", good);
    json_build_text(&told.facts, "text", verdict->text);
    text_append(&told.lines, "%s\n", verdict->text);
    if (execution) {
        json_build_text(&told.facts, "execution", execution->text);
        text_append(&told.lines, "%s\n", execution->text);
    }
    if (verdict->valid)
        tell_cost(&told, "cost", "cost", verdict->cost);
    TRY(memories_print(arguments, &told, error));
    return good ? STATUS_OK : STATUS_NO;
}

/* A plan of either form, or what a solver found for the integer program. */
static enum status read_plan(const struct memory_file *file, const char *path,
                             struct memory_plan **plan, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(file_name_has_extension(path, ".gz") ? gzip_read_file(path, &text, error)
                                             : text_read_file(path, &text, error));
    return file_name_has_extension(path, ".sol")
               ? memory_solution_read(file->problem, &text, path, plan, error)
               : memory_file_read_plan(file, &text, path, plan, error);
}

enum status memories_verify(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
    const struct memory_file *file = &instance.file;
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    struct memory_verdict verdict;
    TRY(memories_refuse_options(arguments, false, error));
    TRY(memory_instance_load(arguments->operand[0], &instance, error));
    TRY(read_plan(file, arguments->operand[1], &plan, error));
    TRY(verify_memories(file->problem, plan, &verdict, error));
    if (verdict.valid && arguments->output) {
        plan->cost = verdict.cost;
        TRY(write_plan(arguments, file, plan, error));
    }
    return memories_report_verdict(arguments, &verdict, NULL, error);
}

/* What no plan of the buffers that lie in a memory can be below, whatever else it has to
   respect. */
static enum status bound_memory(const struct arguments *arguments, const struct memory_plan *plan,
                                uint32_t memory, const struct problem *all, uint64_t *bound_bytes,
                                struct error *error)
{
    SCOPED(memory_release) uint32_t *buffer = NULL;
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    struct problem *part;
    uint32_t count = 0;
    *bound_bytes = 0;
    TRY(memory_create(&buffer, plan->buffers, sizeof *buffer, error));
    for (uint32_t b = 0; b < plan->buffers; b++)
        if (plan->memory[b] == memory)
            buffer[count++] = b;
    if (!count)
        return STATUS_OK;
    TRY(problem_copy_part(all, "memory", buffer, count, &part, error));
    TRY(instance_create("memory", NULL, part, &instance, error));
    struct job job = job_make(instance, NULL, planners_find("best"));
    job.time_limit_ns = arguments->time_limit_ns / plan->memories + 1;
    job.seed = arguments->seed;
    TRY(job_run(&job, &outcome, error));
    *bound_bytes = outcome.measures.lower_bound_bytes;
    return STATUS_OK;
}

/* The peak of each memory and its bound, as facts and as lines. */
static enum status add_memories(const struct arguments *arguments,
                                const struct memory_problem *problem,
                                const struct memory_plan *plan, struct json_tree *facts,
                                struct text *lines, struct error *error)
{
    json_build_open(facts, "memories", JSON_ARRAY);
    for (uint32_t m = 0; m < plan->memories; m++) {
        const char *name = names_get(&problem->names, m);
        uint64_t bound_bytes, peak_bytes = 0;
        for (uint32_t b = 0; b < plan->buffers; b++)
            if (plan->memory[b] == m && plan->offset[b] + problem->problem->size[b] > peak_bytes)
                peak_bytes = plan->offset[b] + problem->problem->size[b];
        TRY(bound_memory(arguments, plan, m, problem->problem, &bound_bytes, error));
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_text(facts, "memory", name);
        json_build_count(facts, "peak", peak_bytes);
        json_build_count(facts, "lower_bound", bound_bytes);
        json_build_close(facts);
        text_append(lines, "%-17s %" PRIu64 " bytes of %s, %" PRIu64 " at least\n", "peak",
                    peak_bytes, name, bound_bytes);
    }
    json_build_close(facts);
    return text_check(lines, error);
}

/* Writes the best plan, and reads it again. */
static enum status write_best(const struct arguments *arguments, const struct memory_file *file,
                              const struct memory_plan *best, struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *written = NULL;
    struct memory_verdict verdict;
    if (!memory_plan_found(best))
        return error_set(error, STATUS_LIMIT, "found no plan of '%s' to be written",
                         arguments->operand[0]);
    TRY(write_plan(arguments, file, best, error));
    TRY(read_plan(file, arguments->output, &written, error));
    TRY(verify_memories(file->problem, written, &verdict, error));
    return verdict.valid && verdict.cost == best->cost
               ? STATUS_OK
               : error_set(error, STATUS_INTERNAL,
                           "found another plan in '%s' (%s), expected the best one",
                           arguments->output, verdict.text);
}

enum status memories_audit(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
    const struct memory_file *file = &instance.file;
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    SCOPED(memory_plan_release) struct memory_plan *best = NULL;
    SCOPED(text_free) struct text lines = {0};
    SCOPED(json_tree_free) struct json_tree facts = {0};
    struct memory_verdict verdict;
    if (arguments->output && !file_name_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .json or .solution.json for a problem with "
                         "several memories",
                         arguments->output);
    if (arguments->operands < 2)
        return error_set(error, STATUS_USAGE,
                         "found no plan of '%s', expected a solution or a plan behind it",
                         arguments->operand[0]);
    TRY(memories_refuse_options(arguments, false, error));
    TRY(memory_instance_load(arguments->operand[0], &instance, error));
    TRY(read_plan(file, arguments->operand[1], &plan, error));
    TRY(verify_memories(file->problem, plan, &verdict, error));
    TRY(memory_plan_create(file->problem, &best, error));
    TRY(memory_run_planner(file->problem, memory_planner_find("best"),
                           &(struct memory_run){arguments->time_limit_ns, arguments->seed, 0}, best,
                           error));
    if (arguments->output)
        TRY(write_best(arguments, file, best, error));
    json_open_facts(&facts, "audit");
    json_build_text(&facts, "instance", names_get(&file->problem->problem->name, 0));
    json_build_text(&facts, "plan", arguments->operand[1]);
    json_build_boolean(&facts, "safe", verdict.valid);
    json_build_text(&facts, "verdict", verdict.text);
    if (verdict.valid)
        add_cost(&facts, "cost", verdict.cost);
    json_build_text(&facts, "best_status", plan_status_name(best->status));
    if (memory_plan_found(best))
        add_cost(&facts, "best_cost", best->cost);
    add_cost(&facts, "cost_bound", best->cost_bound);
    TRY(add_memories(arguments, file->problem, plan, &facts, &lines, error));
    TRY(arguments->json ? json_print(&facts, error) : json_print_lines(&facts, error));
    if (!arguments->json)
        print_lines("%s", lines.bytes);
    if (!arguments->json && !verdict.valid)
        print_lines("%-17s no\n", "safe");
    return verdict.valid ? STATUS_OK : STATUS_NO;
}

enum status memories_convert(const struct arguments *arguments, struct error *error)
{
    SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
    const struct memory_file *file = &instance.file;
    SCOPED(text_free) struct text text = {0};
    const char *path = arguments->operand[1];
    bool as_mps = file_name_has_extension(path, ".mps");
    bool is_program = as_mps || file_name_has_extension(path, ".lp");
    if (!is_program && !file_name_has_extension(path, ".json"))
        return error_set(
            error, STATUS_USAGE,
            "output '%s', expected .json, .lp or .mps for a problem with several memories", path);
    TRY(memories_refuse_options(arguments, false, error));
    TRY(memory_instance_load(arguments->operand[0], &instance, error));
    TRY(is_program ? memory_program_write(file->problem, as_mps, &text, error)
                   : memory_file_write(file->problem, &text, error));
    return text_write_file(path, &text, error);
}
