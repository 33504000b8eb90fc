#include "harness/family/size_comparison.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"

struct size_comparer {
    const struct family_request *request;
    struct family_plan *plan;
    struct size_comparison *comparison;
    const struct instance *at; /* the instance with the sizes of the point */
    uint64_t *hint;            /* [buffers] */
    uint64_t *greatest_offset; /* [buffers] of the plan for the greatest sizes */
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

/* Offsets of the greatest sizes, as many times smaller as the load is, rounded down. */
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

static const struct size_comparison_rule rules[] = {
    {"ours", "one order of all that conflicts, computed at each size", "docs/sizes.md",
     .place = place_ours},
    {"replanned", "planned again for each size", "", .place = place_again},
    {"fixed", "planned for the greatest sizes, as TVM Relax with bounds, ExecuTorch and TFLite do",
     "", .place = place_fixed},
    {"best_fit", "an allocator: best fit, free neighbours joined", "", .rule = size_rules_best_fit},
    {"ggml", "ggml's address allocator, run for each size", "ggml-org/ggml src/ggml-alloc.c",
     .rule = size_rules_ggml},
    {"bfc", "TensorFlow's allocator: regions that double", "openxla/openxla bfc_allocator.cc",
     .rule = size_rules_bfc},
    {"inductor", "pools laid out for an example, 64 for each parameter",
     "pytorch/pytorch torch/_inductor/codegen/memory_planning.py", .rule = size_rules_inductor},
    {"relax", "objects for the greatest sizes, up to 16 times too large",
     "apache/tvm src/relax/transform/static_plan_block_memory.cc", .rule = size_rules_relax},
    {"relax_symbolic", "objects shared where sizes are the same expression",
     "apache/tvm src/relax/transform/static_plan_block_memory.cc",
     .rule = size_rules_relax_symbolic},
    {"proportional", "offsets of the greatest sizes, scaled with the load: unsafe", "",
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
    for (uint32_t p = 0; p < parameters; p++) {
        enum { EXAMPLE = 64 };
        point[p] = sizes->least[p] > EXAMPLE      ? sizes->least[p]
                   : sizes->greatest[p] < EXAMPLE ? sizes->greatest[p]
                                                  : EXAMPLE;
    }
    bool is_size = family_sizes(vectors->family, point, comparer->hint);
    assert(is_size);
    (void)is_size;
    return STATUS_OK;
}

static enum status run_rule(struct size_comparer *comparer, const struct size_comparison_rule *rule,
                            uint32_t vector, struct size_comparison_cell *cell)
{
    const struct problem *problem = comparer->at->problem;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    const struct size_rule_task task = {.family = comparer->comparison->vectors.family,
                                        .size = get_sizes(comparer, vector),
                                        .hint = comparer->hint};
    TRY(plan_create(problem, &plan, comparer->error));
    plan->status = PLAN_FEASIBLE;
    uint64_t began_ns = clock_monotonic_ns();
    TRY(rule->rule ? rule->rule(&task, plan->offset, &plan->measures.peak_bytes, comparer->error)
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
    TRY(scratch_take(&comparer.scratch, &comparer.hint, buffers, sizeof(uint64_t), error));
    TRY(scratch_take(&comparer.scratch, &comparer.greatest_offset, buffers, sizeof(uint64_t),
                     error));
    TRY(add_points(&comparer));
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
