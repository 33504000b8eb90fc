/* Problems with several memories in memplan bench: what each planner finds, as measures of the
   topic "memories". */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/memories.h"
#include "cli/output/print.h"
#include "core/clock.h"
#include "core/memory.h"
#include "harness/memories/memory_planners.h"
#include "harness/rows/record.h"
#include "results/store/measures.h"
#include "results/views/memories.h"

struct recording {
    const struct arguments *arguments;
    struct store *store;
    struct record_context context;
    struct instance instance; /* the name and the digest of the file that is planned */
};

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

static enum status record_plan(const struct recording *recording,
                               const struct memory_problem *problem,
                               const struct memory_planner *planner, struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct record_measured measured = {&recording->context, &recording->instance,
                                             MEMORIES_TOPIC, planner->name};
    uint64_t began_ns = clock_monotonic_ns();
    TRY(memory_plan_create(problem, &plan, error));
    TRY(memories_run_planner(recording->arguments, problem, planner, plan, error));
    bool found = memory_plan_found(plan);
    const struct record_number numbers[] = {
        {"optimal", plan->status == PLAN_OPTIMAL},
        {"infeasible", plan->status == PLAN_INFEASIBLE},
        {"cost_bound", (int64_t)plan->cost_bound},
        {"wall_ns", (int64_t)(clock_monotonic_ns() - began_ns)},
        {"cost", (int64_t)plan->cost},
    };
    uint32_t count = sizeof numbers / sizeof *numbers - !found;
    TRY(record_write_measures(recording->store, &measured, numbers, count, error));
    return found ? record_peaks(recording, &measured, problem, plan, error) : STATUS_OK;
}

/* Whether each name of a comma-separated list is that of a planner. */
static enum status check_planners(const char *list, struct error *error)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!memory_planner_find(name))
            return memory_planner_refuse(at, strcspn(at, ","), error);
    }
    return STATUS_OK;
}

static enum status record_file(struct recording *recording, const char *path, const char *list,
                               struct error *error)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    char shown[PATH_MAX];
    snprintf(shown, sizeof shown, "%.*s", (int)(strlen(path) - strlen(".json")), path);
    recording->instance.name = shown;
    TRY(memories_read_problem(path, &file, error));
    TRY(digest_file(path, recording->instance.digest, error));
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        TRY(record_plan(recording, file.problem, memory_planner_find(name), error));
    }
    return STATUS_OK;
}

enum status memories_bench(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *store = NULL;
    struct recording recording = {.arguments = arguments};
    const char *list = arguments->planners ? arguments->planners : "best";
    TRY(check_planners(list, error));
    for (uint32_t i = 0; i < arguments->operands; i++)
        if (!memories_is_file(arguments->operand[i]))
            return error_set(error, STATUS_USAGE,
                             "'%s' beside problems with several memories, expected such problems "
                             "only",
                             arguments->operand[i]);
    record_context_fill(&recording.context, arguments->run ? arguments->run : "memories");
    TRY(store_open(arguments->database, STORE_WRITE, &store, error));
    recording.store = store;
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(record_file(&recording, arguments->operand[i], list, error));
    print_lines("%u problems in %s: memplan table memories, memplan table penalties\n",
                arguments->operands, arguments->database);
    return STATUS_OK;
}
