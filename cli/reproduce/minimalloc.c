/* The reproduction minimalloc: how long the exact search takes to a first packing at the published
   capacity, to a proof, and how well others pack, as measures of the topic "minimalloc". */
#include <string.h>

#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"
#include "results/store/measures.h"

/* The capacity of all instances in the published table. */
enum { CAPACITY = 1048576 };
/* Short runs are repeated until they have taken this long together. */
enum { LEAST_SAMPLED_NS = 50000000 };

/* The planners that other publications compare on these instances; randomised ones run with the
   first seed. */
static const char *const packers[] = {
    "size_first_fit",  "omni_best_fit", "omni_random",    "omni_greedy", "omni_hill_climb",
    "omni_telamalloc", "omni_genetic",  "omni_annealing", "omni_tabu",
};
enum { PACKERS = sizeof packers / sizeof *packers };

static enum status record_capacity(const struct planned_record *record)
{
    const struct planned_choice choice = {.planner = "exact",
                                          .inplace = "none",
                                          .capacity_bytes = CAPACITY,
                                          .least_sampled_ns = LEAST_SAMPLED_NS};
    struct planned planned;
    enum status status = planned_make(record->instance, &choice, &planned, record->error);
    if (!status)
        status = planned_write_outcome(record, "exact at capacity", &planned.outcome);
    if (!status)
        status = planned_write(record, "exact at capacity", "wall_ns", "",
                               outcome_median_ns(&planned.outcome));
    planned_clear(&planned);
    return status;
}

/* The load divided by the peak, in millionths. */
static uint64_t find_efficiency(const struct measures *measures)
{
    return measures->peak_bytes
               ? (uint64_t)(1e6 * (double)measures->load_bytes / (double)measures->peak_bytes + 0.5)
               : 0;
}

static enum status record_packer(const struct planned_record *record, const char *packer)
{
    const struct planned_choice choice = {
        .planner = packer, .inplace = "none", .time_limit_ns = UINT64_C(200000000)};
    struct planned planned;
    enum status status = planned_make(record->instance, &choice, &planned, record->error);
    if (!status)
        status = planned_write_outcome(record, packer, &planned.outcome);
    if (!status)
        status = planned_write(record, packer, "efficiency", "",
                               find_efficiency(&planned.outcome.measures));
    planned_clear(&planned);
    return status;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct planned_record record = {instance, store, context, "minimalloc", error};
    TRY(record_capacity(&record));
    for (unsigned i = 0; i < PACKERS; i++)
        TRY(record_packer(&record, packers[i]));
    return STATUS_OK;
}

static int64_t find_mean(const struct measure_set *set, const char *packer)
{
    int64_t sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->measure[i].variant, packer) == 0 &&
            strcmp(set->measure[i].name, "efficiency") == 0) {
            sum += set->measure[i].value;
            count++;
        }
    return count ? sum / count : 0;
}

static enum status write_means(struct store *store, const struct record_context *context,
                               const struct measure_set *set, struct error *error)
{
    struct measure mean[PACKERS];
    for (unsigned i = 0; i < PACKERS; i++)
        mean[i] = (struct measure){.run = context->run,
                                   .instance = "minimalloc",
                                   .digest = "",
                                   .topic = "minimalloc",
                                   .variant = packers[i],
                                   .name = "efficiency",
                                   .value = find_mean(set, packers[i]),
                                   .host = context->host,
                                   .build = context->build,
                                   .started = context->started};
    return measures_write(store, mean, PACKERS, error);
}

/* Writes the mean of load / peak over all instances. */
static enum status conclude(struct store *store, const struct record_context *context,
                            struct error *error)
{
    struct measure_set set = {0};
    const struct result_choice choice = {.run = context->run};
    enum status status = measures_read(store, &choice, "minimalloc", &set, error);
    if (!status)
        status = write_means(store, context, &set, error);
    measures_free(&set);
    return status;
}

const struct reproduction reproduction_minimalloc = {
    .name = "minimalloc",
    .title = "MiniMalloc's challenging set",
    .paragraph =
        "Time to a first packing at the published capacity beside MiniMalloc's, and how close "
        "other searches come to the load. Times are of this machine.",
    .suite = "minimalloc",
    .planners = "exact,glpk,large_first",
    .capacity_bytes = CAPACITY,
    .time_limit_ns = UINT64_C(2000000000),
    .source = "minimalloc",
    .tables = (const char *const[]){"minimalloc-figures", "minimalloc", NULL},
    .measure = measure,
    .conclude = conclude,
    .shows_times = true,
};
