/* Problems with several memories in memplan bench: what each planner finds, as measures of the
   topic "memories". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "cli/memories/memories.h"
#include "cli/output/print.h"
#include "core/clock.h"
#include "core/plural.h"
#include "core/text.h"
#include "datasets/suite.h"
#include "dma/moves/planners.h"
#include "harness/best/kept_plans.h"
#include "harness/files/graph_memories.h"
#include "harness/memories/memory_planners.h"
#include "harness/memories/run.h"
#include "harness/rows/record.h"
#include "results/store/measures.h"
#include "results/views/memories.h"

struct recording {
    const struct arguments *arguments;
    struct store *store;
    struct record_context context;
    struct instance instance;              /* the name and the digest of what is planned */
    const struct memory_instance *problem; /* what it is, NULL for a graph */
    struct names planners;
    struct best_list known;
    const struct kept_plans *kept; /* NULL: no plans are kept */
    bool is_exact;                 /* what is proved of the problem is proved of that */
};

static void clear_recording(struct recording *recording)
{
    best_list_free(&recording->known);
    names_free(&recording->planners);
}

/* Writes the peak, and the capacity where there is one, of each memory. */
static enum status record_peaks(const struct recording *recording,
                                const struct record_measured *measured,
                                const struct memory_problem *problem,
                                const struct memory_plan *plan, struct error *error)
{
    char name[MEASURE_PART_BYTES + 32];
    for (uint32_t m = 0; m < problem->memories; m++) {
        struct record_number number = {name, (int64_t)plan->peak[m]};
        snprintf(name, sizeof name, "%.*s " MEMORIES_PEAK, MEASURE_PART_BYTES - 1,
                 names_get(&problem->names, m));
        TRY(record_write_measures(recording->store, measured, &number, 1, error));
        if (problem->memory[m].capacity_bytes == UINT64_MAX)
            continue;
        number.value = (int64_t)problem->memory[m].capacity_bytes;
        snprintf(name, sizeof name, "%.*s " MEMORIES_CAPACITY, MEASURE_PART_BYTES - 1,
                 names_get(&problem->names, m));
        TRY(record_write_measures(recording->store, measured, &number, 1, error));
    }
    return STATUS_OK;
}

/* Says on standard error where a plan is cheaper than the best known one, or a bound higher. One
   that contradicts what is known is an error. */
static enum status compare_with_known(const struct recording *recording,
                                      const struct memory_planner *planner,
                                      const struct memory_plan *plan, struct error *error)
{
    const struct best_known *known =
        best_list_find(&recording->known, recording->instance.digest, BEST_MEMORIES, "");
    if (!known || !recording->problem)
        return STATUS_OK;
    uint64_t cost = memory_plan_found(plan) ? plan->cost : UINT64_MAX;
    uint64_t bound = plan->status == PLAN_INFEASIBLE ? UINT64_MAX : plan->cost_bound;
    if (cost < best_cost_bound(known) || bound > best_cost(known))
        return error_set(error, STATUS_NO,
                         "'%s': %s contradicts the best known cost '%s' by %s and bound '%s' by %s",
                         recording->instance.name, planner->name, known->cost, known->planner,
                         known->cost_bound, known->prover);
    if (cost < best_cost(known))
        fprintf(stderr, "better than the best known: %s: cost %.3f by %s, known was %s by %s\n",
                recording->instance.name, (double)cost / MEMORY_COST_PARTS, planner->name,
                known->cost, known->planner);
    if (bound > best_cost_bound(known))
        fprintf(stderr, "better than the best known: %s: cost bound by %s, known was %s by %s\n",
                recording->instance.name, planner->name, known->cost_bound, known->prover);
    return STATUS_OK;
}

static enum status record_plan(const struct recording *recording,
                               const struct memory_problem *problem,
                               const struct memory_planner *planner, struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct record_measured measured = {&recording->context, &recording->instance,
                                             MEMORIES_TOPIC, planner->name};
    uint64_t began_ns = clock_monotonic_ns();
    TRY(memory_plan_create(problem, &plan, error));
    TRY(memory_run_planner(
        problem, planner,
        &(struct memory_run){recording->arguments->time_limit_ns, recording->arguments->seed, 0},
        plan, error));
    if (!recording->is_exact)
        graph_memories_take_back(plan);
    bool found = memory_plan_found(plan);
    const struct record_number numbers[] = {
        {"optimal", plan->status == PLAN_OPTIMAL},
        {"infeasible", plan->status == PLAN_INFEASIBLE},
        {"cost_bound", (int64_t)plan->cost_bound},
        {"wall_ns", (int64_t)(clock_monotonic_ns() - began_ns)},
        {"cost", (int64_t)plan->cost},
    };
    uint32_t count = sizeof numbers / sizeof *numbers - !found;
    if (found && recording->kept && recording->problem)
        TRY(kept_plans_offer_cost(recording->kept, recording->problem, plan, error));
    TRY(record_write_measures(recording->store, &measured, numbers, count, error));
    if (found)
        TRY(record_peaks(recording, &measured, problem, plan, error));
    return compare_with_known(recording, planner, plan, error);
}

static enum status record_planners(const struct recording *recording,
                                   const struct memory_problem *problem, struct error *error)
{
    for (uint32_t p = 0; p < recording->planners.count; p++)
        TRY(record_plan(recording, problem, memory_planner_find(names_get(&recording->planners, p)),
                        error));
    return STATUS_OK;
}

static enum status record_problem(struct recording *recording, const char *name,
                                  struct error *error)
{
    SCOPED(memory_instance_clear) struct memory_instance problem = {.name = NULL};
    if (!memory_instance_is(name))
        return error_set(error, STATUS_USAGE,
                         "'%s' beside problems with several memories, expected such problems only",
                         name);
    TRY(memory_instance_load(name, &problem, error));
    recording->instance.name = problem.name;
    recording->problem = &problem;
    recording->is_exact = true;
    memcpy(recording->instance.digest, problem.digest, sizeof problem.digest);
    enum status status = record_planners(recording, problem.file.problem, error);
    recording->problem = NULL;
    return status;
}

/* Does the same with a graph and the memories that the user named. */
static enum status record_graph(struct recording *recording, const struct instance *instance,
                                struct error *error)
{
    const struct arguments *arguments = recording->arguments;
    SCOPED(graph_memories_clear) struct graph_memories graph = {.job = NULL};
    SCOPED(text_free) struct text shown = {0};
    const struct policy *policy;
    TRY(memories_check_options(arguments, instance, error));
    TRY(select_policy(arguments->policies, &policy, error));
    select_suited_policy(arguments, instance, &policy);
    struct job job = job_make(instance, policy, NULL);
    job.alignment_bytes = arguments->alignment_bytes;
    job.time_limit_ns = arguments->time_limit_ns;
    job.seed = arguments->seed;
    TRY(select_inplace(arguments, &job.inplace, error));
    text_append(&shown, "%s in %s", instance->name, arguments->memories);
    TRY(text_check(&shown, error));
    recording->instance.name = shown.bytes;
    memcpy(recording->instance.digest, instance->digest, sizeof instance->digest);
    if (arguments->moves)
        return moves_bench_graph(
            &(struct moves_recording){arguments, recording->store, &recording->context,
                                      &recording->instance, &recording->planners},
            &job, error);
    TRY(graph_memories_create(&job, arguments->memories, &graph, error));
    recording->is_exact = graph.is_exact;
    return record_planners(recording, graph.file.problem, error);
}

bool memories_are_chosen(const struct arguments *arguments)
{
    const struct suite *suite;
    struct error ignored = ERROR_NONE;
    const char *suites = arguments->suites;
    return arguments->memories ||
           (arguments->operands && memory_instance_is(arguments->operand[0])) ||
           (suites && !suite_select(suites, strcspn(suites, ","), &suite, &ignored) &&
            suite->has_memories);
}

/* Names the planners of a comma-separated list, or `best`. */
static enum status list_planners(const struct arguments *arguments, struct names *names,
                                 struct error *error)
{
    const char *at = arguments->planners ? arguments->planners : "best";
    for (; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (arguments->moves ? !move_planner_find(name) : !memory_planner_find(name))
            return arguments->moves ? move_planner_refuse(at, length, error)
                                    : memory_planner_refuse(at, length, error);
        TRY(names_add(names, name, error));
    }
    return STATUS_OK;
}

/* Names the problems of all suites, and then the operands. */
static enum status list_names(const struct arguments *arguments, struct names *names,
                              struct error *error)
{
    for (const char *at = arguments->suites; at;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const struct suite *suite;
        TRY(suite_select(at, strcspn(at, ","), &suite, error));
        for (uint32_t i = 0; i < suite_instances(suite); i++)
            TRY(names_add(names, suite_instance(suite, i), error));
    }
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(names_add(names, arguments->operand[i], error));
    return STATUS_OK;
}

/* A graph that does not go into any of the memories costs its own rows. */
static enum status record_graphs(struct recording *recording, const struct selection *selection,
                                 struct error *error)
{
    uint32_t refused = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        struct error own = ERROR_NONE;
        enum status status = record_graph(recording, selection->instance[i], &own);
        if (status == STATUS_BAD_INPUT || (status == STATUS_USAGE && recording->arguments->moves)) {
            fprintf(stderr, "'%s' is left out: %s\n", selection->instance[i]->name, own.text);
            refused++;
        } else if (status) {
            *error = own;
            return status;
        }
    }
    return !refused ? STATUS_OK
                    : error_set(error, STATUS_BAD_INPUT, "left out: %u of %u graphs", refused,
                                selection->count);
}

enum status memories_bench(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(selection_clear) struct selection selection = {0};
    SCOPED(names_free) struct names names = {0};
    SCOPED(text_free) struct text folder = {0};
    SCOPED(kept_plans_close) struct kept_plans kept = {0};
    SCOPED(clear_recording) struct recording recording = {.arguments = arguments};
    if (arguments->moves && !arguments->memories)
        return error_set(error, STATUS_USAGE, "found --moves, expected --memories beside it");
    TRY(memories_refuse_options(arguments, arguments->memories != NULL, error));
    TRY(list_planners(arguments, &recording.planners, error));
    if (arguments->memories)
        TRY(select_instances(arguments, &selection, error));
    else
        TRY(list_names(arguments, &names, error));
    if (arguments->dry_run) {
        uint64_t jobs = (uint64_t)(selection.count + names.count) * recording.planners.count;
        print_lines("%" PRIu64 " job%s\n", jobs, plural_ending(jobs));
        return STATUS_OK;
    }
    TRY(best_list_read(arguments->best_known, &recording.known, error));
    if (arguments->keep_plans) {
        kept_plans_append_folder(&folder, arguments->database);
        TRY(text_check(&folder, error));
        TRY(kept_plans_open(folder.bytes, &recording.known, &kept, error));
        recording.kept = &kept;
    }
    record_context_fill(&recording.context, arguments->run ? arguments->run : "memories");
    TRY(store_open(arguments->database, STORE_WRITE, &store, error));
    recording.store = store;
    enum status status = record_graphs(&recording, &selection, error);
    for (uint32_t i = 0; i < names.count; i++)
        TRY(record_problem(&recording, names_get(&names, i), error));
    print_lines("%" PRIu32 " problem%s in %s: %s\n", selection.count + names.count,
                plural_ending(selection.count + names.count), arguments->database,
                arguments->moves ? "memplan table moves"
                                 : "memplan table memories, memplan table penalties");
    return status;
}
