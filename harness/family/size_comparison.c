#include "harness/family/size_comparison.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "heuristics/allocators/inductor.h"
#include "heuristics/allocators/relax.h"

struct size_comparer {
    const struct family_request *request;
    struct family_plan *plan;
    struct size_comparison *comparison;
    const struct instance *at;      /* the instance with the sizes of the point */
    const struct instance *example; /* with the sizes for which pools are laid out */
    uint64_t *greatest_offset;      /* [buffers] of the plan for the greatest sizes */
    uint64_t deadline_ns;
    struct scratch scratch;
    struct error *error;
};

static void free_comparer(struct size_comparer *comparer)
{
    scratch_free(&comparer->scratch);
}

static const uint64_t *get_sizes(const struct size_comparer *comparer, uint32_t vector)
{
    return comparer->comparison->vectors.size + (size_t)vector * comparer->at->problem->buffers;
}

static enum status place_ours(struct size_comparer *comparer, uint32_t vector, struct plan *plan)
{
    bool fits =
        orientation_place(comparer->plan->orientation, comparer->at->problem,
                          get_sizes(comparer, vector), plan->offset, &plan->measures.peak_bytes);
    assert(fits);
    (void)fits;
    return STATUS_OK;
}

static enum status place_fixed(struct size_comparer *comparer, uint32_t vector, struct plan *plan)
{
    (void)vector;
    memcpy(plan->offset, comparer->greatest_offset, plan->buffers * sizeof *plan->offset);
    plan->measures.peak_bytes = comparer->plan->peak_bytes;
    return STATUS_OK;
}

static enum status place_again(struct size_comparer *comparer, uint32_t vector, struct plan *plan)
{
    struct job job = *comparer->request->job;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    uint64_t left_ns = clock_left_ns(comparer->deadline_ns);
    job.instance = comparer->at;
    job.capacity_bytes = UINT64_MAX;
    if (left_ns != UINT64_MAX)
        job.time_limit_ns = left_ns / (comparer->comparison->vectors.count - vector) + 1;
    TRY(job_run(&job, &outcome, comparer->error));
    plan->status = outcome.status;
    if (outcome_found(&outcome))
        plan_take(plan, outcome.plan);
    return STATUS_OK;
}

/* Takes the offsets for the greatest sizes times the load here over the load there,
   rounded down. */
static enum status place_proportional(struct size_comparer *comparer, uint32_t vector,
                                      struct plan *plan)
{
    __extension__ typedef unsigned __int128 wide;
    const uint64_t *load = comparer->comparison->vectors.load;
    const struct problem *problem = comparer->at->problem;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint64_t offset = (uint64_t)((wide)comparer->greatest_offset[b] * load[vector] / load[0]);
        plan->offset[b] = offset - offset % problem_alignment(problem, b);
    }
    return plan_set_peak(plan, problem, comparer->error);
}

/* Runs an allocator. Where it has pools, the peak is what these hold at most. */
static enum status run_planner(const struct size_comparer *comparer, const char *name,
                               const struct problem *problem, struct plan *plan)
{
    const struct planner *planner = planners_find(name);
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX, .seed = 1};
    assert(planner);
    TRY(planner_plan(planner, &task, plan, comparer->error));
    if (plan->measures.pools)
        plan->measures.peak_bytes = plan->measures.pool_bytes;
    return STATUS_OK;
}

/* llama.cpp reserves for the greatest sizes before it runs. ggml_gallocr_alloc_graph keeps these
   offsets as long as no tensor is larger than there, and none is at any point. */
static enum status place_reserved(struct size_comparer *comparer, uint32_t vector,
                                  struct plan *plan)
{
    (void)vector;
    return run_planner(comparer, "ggml", comparer->plan->family.problem, plan);
}

static enum status place_pools(struct size_comparer *comparer, uint32_t vector, struct plan *plan)
{
    return inductor_place_sizes(comparer->example->problem, get_sizes(comparer, vector),
                                plan->offset, &plan->measures.peak_bytes, comparer->error);
}

static enum status place_bounded(struct size_comparer *comparer, uint32_t vector, struct plan *plan)
{
    const struct problem *greatest = comparer->plan->family.problem;
    (void)vector;
    return relax_place_sizes(greatest, NULL, greatest->size, plan->offset,
                             &plan->measures.peak_bytes, comparer->error);
}

static enum status place_symbolic(struct size_comparer *comparer, uint32_t vector,
                                  struct plan *plan)
{
    return relax_place_sizes(comparer->at->problem, comparer->plan->family.same,
                             get_sizes(comparer, vector), plan->offset, &plan->measures.peak_bytes,
                             comparer->error);
}

static const struct size_comparison_rule rules[] = {
    {"ours", "one order of all that conflicts, computed at each size", .place = place_ours},
    {"replanned", "planned again for each size", .place = place_again},
    {"fixed", "planned for the greatest sizes, as TVM Relax with bounds, ExecuTorch and TFLite do",
     .place = place_fixed},
    {"best_fit_joining", "an allocator: best fit, free neighbours joined",
     .planner = "best_fit_joining"},
    {"ggml", "ggml's address allocator, run for each size", .planner = "ggml"},
    {"ggml_reserved", "ggml's offsets for the greatest sizes, as llama.cpp reserves them",
     .place = place_reserved},
    {"pytorch_caching", "PyTorch's allocator: segments by classes of sizes",
     .planner = "pytorch_caching"},
    {"tf_bfc", "TensorFlow's allocator: regions that double", .planner = "tf_bfc"},
    {"inductor", "PyTorch Inductor's pools, laid out for an example, 64 for each parameter",
     .place = place_pools},
    {"relax", "TVM Relax's objects for the greatest sizes, up to 16 times too large",
     .place = place_bounded},
    {"relax_symbolic", "TVM Relax's objects, shared where sizes are the same expression",
     .place = place_symbolic},
    {"proportional", "offsets of the greatest sizes, scaled with the load: unsafe",
     .is_unsafe = true, .place = place_proportional},
};

uint32_t size_comparison_rules(void)
{
    return sizeof rules / sizeof *rules;
}

const struct size_comparison_rule *size_comparison_rule_at(uint32_t index)
{
    return &rules[index];
}

static enum status add_points(struct size_comparer *comparer)
{
    enum { STEPS = SIZE_COMPARISON_POINTS - 1, SIDE = 3 };
    struct size_vectors *vectors = &comparer->comparison->vectors;
    const struct symbolic_sizes *sizes = vectors->family->sizes;
    uint32_t parameters = vectors->family->parameters;
    uint64_t *point;
    TRY(scratch_take(&comparer->scratch, &point, parameters, sizeof *point, comparer->error));
    TRY(size_vectors_add(vectors, sizes->greatest, comparer->error));
    for (uint32_t i = 0; i < SIZE_COMPARISON_POINTS; i++) {
        for (uint32_t p = 0; p < parameters; p++) {
            uint32_t step = parameters != 2 ? i : (p ? i / SIDE : i % SIDE) * (STEPS / (SIDE - 1));
            uint64_t range = sizes->greatest[p] - sizes->least[p];
            point[p] = sizes->least[p] + range / STEPS * step + range % STEPS * step / STEPS;
        }
        TRY(size_vectors_add(vectors, point, comparer->error));
    }
    return STATUS_OK;
}

/* The example: 64 for each parameter, or the value of its range that is nearest to 64. */
static enum status create_example(const struct size_comparer *comparer, struct instance **example)
{
    enum { EXAMPLE = 64 };
    const struct symbolic_sizes *sizes = comparer->plan->family.sizes;
    SCOPED(memory_release) uint64_t *point = NULL;
    TRY(memory_create(&point, sizes->parameter.count, sizeof *point, comparer->error));
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        point[p] = sizes->least[p] > EXAMPLE      ? sizes->least[p]
                   : sizes->greatest[p] < EXAMPLE ? sizes->greatest[p]
                                                  : EXAMPLE;
    return instance_create_at(comparer->request->job->instance, point, example, comparer->error);
}

static enum status run_rule(struct size_comparer *comparer, const struct size_comparison_rule *rule,
                            uint32_t vector, struct size_comparison_cell *cell)
{
    const struct problem *problem = comparer->at->problem;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    TRY(plan_create(problem, &plan, comparer->error));
    plan->status = PLAN_FEASIBLE;
    uint64_t began_ns = clock_monotonic_ns();
    TRY(rule->planner ? run_planner(comparer, rule->planner, problem, plan)
                      : rule->place(comparer, vector, plan));
    cell->ns = clock_monotonic_ns() - began_ns;
    cell->is_found = plan_found(plan);
    if (!cell->is_found)
        return STATUS_OK;
    /* The bytes that are held, which may be more than the highest end. */
    cell->peak_bytes = plan->measures.peak_bytes;
    TRY(plan_set_peak(plan, problem, comparer->error));
    TRY(verify_plan(problem, plan, &verdict, comparer->error));
    cell->overlaps = verdict.fault != VERIFY_VALID;
    if (cell->overlaps && !rule->is_unsafe)
        return error_set(comparer->error, STATUS_INTERNAL, "rule %s lets buffers of '%s' overlap",
                         rule->name, comparer->at->name);
    return STATUS_OK;
}

enum status size_comparison_make(const struct family_request *request, struct family_plan *plan,
                                 struct size_comparison *comparison, struct error *error)
{
    uint32_t count = size_comparison_rules(), buffers = plan->family.problem->buffers;
    SCOPED(free_comparer)
    struct size_comparer comparer = {.request = request,
                                     .plan = plan,
                                     .comparison = comparison,
                                     .deadline_ns = clock_deadline_ns(request->job->time_limit_ns),
                                     .error = error};
    *comparison = (struct size_comparison){.vectors = {.family = &plan->family}};
    TRY(scratch_take(&comparer.scratch, &comparer.greatest_offset, buffers, sizeof(uint64_t),
                     error));
    TRY(add_points(&comparer));
    SCOPED(instance_release) struct instance *example = NULL;
    TRY(create_example(&comparer, &example));
    comparer.example = example;
    struct size_vectors *vectors = &comparison->vectors;
    TRY(memory_create(&comparison->cell, (size_t)count * vectors->count, sizeof *comparison->cell,
                      error));
    family_peak(&plan->family, plan->orientation, vectors->size);
    memcpy(comparer.greatest_offset, plan->family.offset, buffers * sizeof(uint64_t));
    for (uint32_t v = 0; v < vectors->count; v++) {
        SCOPED(instance_release) struct instance *at = NULL;
        TRY(instance_create_at(request->job->instance,
                               vectors->point + (size_t)v * plan->family.parameters, &at, error));
        comparer.at = at;
        for (uint32_t r = 0; r < count; r++)
            TRY(run_rule(&comparer, &rules[r], v, &comparison->cell[r * vectors->count + v]));
    }
    return STATUS_OK;
}

void size_comparison_clear(struct size_comparison *comparison)
{
    size_vectors_free(&comparison->vectors);
    memory_free(comparison->cell);
}

struct size_comparison_ratios size_comparison_summarise(const struct size_comparison *comparison,
                                                        uint32_t rule)
{
    const struct size_vectors *vectors = &comparison->vectors;
    struct size_comparison_ratios ratios = {.worst = {0, 1}, .least_ns = UINT64_MAX};
    for (uint32_t v = 0; v < vectors->count; v++) {
        const struct size_comparison_cell *cell = &comparison->cell[rule * vectors->count + v];
        struct family_ratio ratio = {cell->peak_bytes, vectors->load[v]};
        if (!cell->is_found)
            continue;
        ratios.found++;
        ratios.overlapping += cell->overlaps;
        ratios.mean += family_ratio_value(ratio);
        if (family_ratio_compare(ratio, ratios.worst) > 0)
            ratios.worst = ratio;
        if (cell->ns < ratios.least_ns)
            ratios.least_ns = cell->ns;
    }
    if (ratios.found)
        ratios.mean /= ratios.found;
    return ratios;
}
