#include "harness/family/family_plan.h"

#include <assert.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "harness/job/run.h"
#include "solvers/family/improve.h"
#include "solvers/family/orient_exact.h"

enum {
    IDLE_TURNS = 400,
    MOST_POINTS = 24,
    MOST_CORNERS = 8,
    MOST_ANNEALED = 1 << 12, /* buffers: going back takes time for all of them */
    QUICK_STRATEGIES = 2, /* that look for ratios far below the worst, each of PARTS parts of 1 */
    PARTS = 1 << 20,
    EFFORTS = 4, /* each twice as long as the one before */
};
#define LEAST_NODES UINT64_C(25000) /* of the exact search, about; twice as many by each effort */

struct finder {
    const struct family_request *request;
    struct family_plan *plan;
    struct size_vectors vectors;
    struct orienter orienter;
    struct orientation *orientation; /* the present one; the plan has the best on the whole box */
    struct worst worst;              /* its worst point */
    struct family_score score;       /* its score at the vectors */
    uint32_t planned;                /* vectors at which the planner has planned */
    bool is_first;                   /* there is no orientation yet */
    uint32_t improvements;           /* how often improve() was called */
    uint64_t deadline_ns, began_ns;
    struct error *error;
};

static void free_finder(struct finder *finder)
{
    size_vectors_free(&finder->vectors);
    orienter_free(&finder->orienter);
    orientation_free(finder->orientation);
    worst_free(&finder->worst);
}

/* Takes over an orientation where it is better. */
static void offer(struct finder *finder, const struct orientation *tried)
{
    struct family_score score = size_vectors_score(&finder->vectors, tried);
    if (!finder->is_first &&
        family_score_compare(&score, &finder->score, finder->request->worst_first) >= 0)
        return;
    finder->is_first = false;
    orientation_copy(finder->orientation, tried);
    finder->score = score;
}

/* Plans for the sizes of one point: what is proved there holds for all orientations, and the plan's
   order is one to try. */
static enum status plan_point(struct finder *finder, uint32_t vector, uint64_t limit_ns)
{
    struct family_plan *plan = finder->plan;
    struct job job = *finder->request->job;
    SCOPED(memory_release) uint64_t *window_upper = NULL;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    struct problem problem;
    TRY(size_vectors_problem(&finder->vectors, vector, &problem, &window_upper, finder->error));
    struct instance instance = *job.instance;
    instance.problem = &problem;
    job.instance = &instance;
    job.time_limit_ns = limit_ns;
    job.capacity_bytes = UINT64_MAX;
    TRY(job_run(&job, &outcome, finder->error));
    if (outcome.verdict.fault == VERIFY_VALID || !outcome_found(&outcome)) {
        struct family_ratio least = {outcome.measures.lower_bound_bytes,
                                     finder->vectors.load[vector]};
        if (family_ratio_compare(least, plan->least) > 0)
            plan->least = least;
        if (vector == 0)
            plan->bound_bytes = outcome.measures.lower_bound_bytes;
    }
    if (!outcome_found(&outcome))
        return STATUS_OK;
    SCOPED(orientation_release) struct orientation *tried = NULL;
    TRY(orientation_create(&problem, &tried, finder->error));
    TRY(orienter_orient_by_offsets(&finder->orienter, outcome.plan->offset, tried, finder->error));
    offer(finder, tried);
    return STATUS_OK;
}

/* A quarter of the time that is left is for the greatest sizes, whose peak comes first, and a
   twenty-fourth for each other point: improving makes more of the time. */
static enum status plan_points(struct finder *finder)
{
    for (; finder->planned < finder->vectors.count; finder->planned++) {
        uint64_t left_ns = clock_left_ns(finder->deadline_ns);
        uint64_t limit_ns = left_ns == UINT64_MAX ? left_ns : left_ns / (finder->planned ? 24 : 4);
        if (finder->planned && left_ns == 0)
            break;
        TRY(plan_point(finder, finder->planned, limit_ns ? limit_ns : 1));
    }
    return STATUS_OK;
}

static bool is_proved(const struct finder *finder)
{
    const struct family_plan *plan = finder->plan;
    return plan->peak_bytes == plan->bound_bytes && plan->worst.is_exact &&
           family_ratio_compare(plan->worst.ratio, plan->least) <= 0;
}

/* Finds the worst point of the orientation; ends early where some point is worse than `enough`. */
static enum status find_worst(struct finder *finder, const struct orientation *orientation,
                              struct family_ratio enough, struct worst *worst)
{
    const struct worst_search search = {.orientation = orientation,
                                        .point = finder->vectors.point,
                                        .points = finder->vectors.count,
                                        .enough = enough,
                                        .deadline_ns = finder->deadline_ns,
                                        .most_boxes = (UINT64_C(1) << 32) /
                                                      finder->plan->family.problem->segments};
    return worst_find(&finder->plan->family, &search, worst, finder->error);
}

/* Whether the plan has an orientation that is better on the whole box than the present one. */
static bool is_behind(const struct finder *finder)
{
    const struct family_plan *plan = finder->plan;
    if (plan->peak_bytes == 0)
        return false;
    int peaks = compare_numbers(finder->score.peak_bytes, plan->peak_bytes);
    int ratios = family_ratio_compare(finder->worst.proved, plan->worst.proved);
    int first = finder->request->worst_first ? ratios : peaks;
    int second = finder->request->worst_first ? peaks : ratios;
    return (first ? first : second) > 0;
}

/* Finds the worst point of the present orientation, and adds it to those by which orientations are
   compared. Where the orientation is no better on the whole box than the plan's, it gives way. */
static enum status learn_worst(struct finder *finder)
{
    struct family_plan *plan = finder->plan;
    struct worst *worst = &finder->worst;
    TRY(find_worst(finder, finder->orientation, (struct family_ratio){0, 0}, worst));
    TRY(size_vectors_add(&finder->vectors, worst->point, finder->error));
    finder->score = size_vectors_score(&finder->vectors, finder->orientation);
    if (is_behind(finder)) {
        orientation_copy(finder->orientation, plan->orientation);
        finder->score = size_vectors_score(&finder->vectors, finder->orientation);
        return STATUS_OK;
    }
    plan->peak_bytes = finder->score.peak_bytes;
    worst_copy(&plan->worst, worst, plan->family.parameters);
    orientation_copy(plan->orientation, finder->orientation);
    return STATUS_OK;
}

/* A part of the time that is left, so that others have their turn and the worst ratio can be proved
   in the rest. */
static uint64_t share_deadline(const struct finder *finder, uint64_t parts)
{
    uint64_t left_ns = clock_left_ns(finder->deadline_ns);
    return left_ns == UINT64_MAX ? left_ns : clock_deadline_ns(left_ns / parts);
}

/* Several short improvements, of either kind by turns, are better than a long one, as the worst
   point of each joins the points by which the next one judges. */
static enum status improve(struct finder *finder, uint32_t effort)
{
    uint32_t buffers = finder->plan->family.problem->buffers;
    const struct improvement improvement = {.orienter = &finder->orienter,
                                            .vectors = &finder->vectors,
                                            .least = finder->plan->least,
                                            .worst_first = finder->request->worst_first,
                                            .is_first = finder->improvements == 0,
                                            .anneals = finder->improvements % 2 &&
                                                       buffers <= MOST_ANNEALED,
                                            .deadline_ns = share_deadline(finder, 4),
                                            .turns = (IDLE_TURNS + buffers) << effort,
                                            .seed = finder->request->job->seed + effort};
    finder->improvements++;
    return orientation_improve(&improvement, finder->orientation, &finder->score, finder->error);
}

/* The greatest peak whose ratio to the load is below the given one. */
static uint64_t find_limit(struct family_ratio ratio, uint64_t load)
{
    __extension__ typedef unsigned __int128 wide;
    assert(ratio.peak_bytes && ratio.load_bytes);
    return (uint64_t)(((wide)ratio.peak_bytes * load - 1) / ratio.load_bytes);
}

/* Asks the exact search for an orientation with the least peak at the greatest sizes and a ratio
   below the given one at all points so far. What it finds may have a greater ratio at another
   point. Then this point joins them and the search is asked again, until its orientation is better
   than the present one on the whole box, or it finds none. */
static enum status search_below(struct finder *finder, struct family_ratio ratio,
                                uint64_t most_nodes, enum orient_answer *answer)
{
    struct family_plan *plan = finder->plan;
    const struct family_ratio worst = plan->worst.ratio;
    SCOPED(memory_release) uint64_t *limit = NULL;
    SCOPED(orientation_release) struct orientation *tried = NULL;
    SCOPED(worst_free) struct worst tried_worst = {.point = NULL};
    bool is_better = false, is_open = true;
    *answer = ORIENT_UNKNOWN;
    TRY(orientation_create(plan->family.problem, &tried, finder->error));
    TRY(worst_create(&plan->family, &tried_worst, finder->error));
    TRY(memory_create(&limit, MOST_POINTS, sizeof *limit, finder->error));
    while (is_open && finder->vectors.count < MOST_POINTS) {
        uint32_t before = finder->vectors.count;
        uint64_t nodes;
        for (uint32_t i = 0; i < before; i++)
            limit[i] = find_limit(ratio, finder->vectors.load[i]);
        if (!finder->request->worst_first && plan->bound_bytes < limit[0])
            limit[0] = plan->bound_bytes;
        const struct orient_search search = {.orienter = &finder->orienter,
                                             .vectors = &finder->vectors,
                                             .limit = limit,
                                             .deadline_ns = share_deadline(finder, 8),
                                             .most_nodes = most_nodes,
                                             .strategies =
                                                 most_nodes > 1 ? UINT32_MAX : QUICK_STRATEGIES,
                                             .threads = finder->request->job->threads};
        TRY(orient_exact(&search, tried, answer, &nodes, finder->error));
        plan->nodes += nodes;
        if (*answer != ORIENT_FOUND)
            break;
        TRY(find_worst(finder, tried, worst, &tried_worst));
        TRY(size_vectors_add(&finder->vectors, tried_worst.point, finder->error));
        is_better = family_ratio_compare(tried_worst.proved, worst) < 0;
        is_open = !is_better && finder->vectors.count > before;
        *answer = is_better ? ORIENT_FOUND : ORIENT_UNKNOWN;
    }
    if (*answer == ORIENT_REFUSED && family_ratio_compare(ratio, plan->least) > 0)
        plan->least = ratio;
    if (!is_better)
        return STATUS_OK;
    orientation_copy(finder->orientation, tried);
    return learn_worst(finder);
}

/* Brings the worst ratio and the least one that there can be nearer to each other by the exact
   search: first by few strategies at ratios far below the worst, which are found or refused at once
   or hardly ever, then at the worst itself. */
static enum status search_better(struct finder *finder, uint32_t effort)
{
    static const double nearest = 0.9;
    struct family_plan *plan = finder->plan;
    enum orient_answer answer;
    for (double part = 0.5; part < nearest && !is_proved(finder);) {
        double least = family_ratio_value(plan->least);
        double middle = least + (family_ratio_value(plan->worst.ratio) - least) * part;
        struct family_ratio ratio = {(uint64_t)(middle * PARTS), PARTS};
        if (family_ratio_compare(ratio, plan->least) <= 0)
            break;
        TRY(search_below(finder, ratio, 1, &answer));
        part = answer == ORIENT_UNKNOWN ? (1 + part) / 2 : 0.5;
    }
    if (is_proved(finder))
        return STATUS_OK;
    return search_below(finder, plan->worst.ratio, LEAST_NODES << effort, &answer);
}

/* Adds the corners of the box, the greatest first, and the points asked for. */
static enum status add_points(struct finder *finder)
{
    const struct family *family = &finder->plan->family;
    const struct symbolic_sizes *sizes = family->sizes;
    uint32_t parameters = family->parameters;
    SCOPED(memory_release) uint64_t *point = NULL;
    TRY(memory_create(&point, parameters, sizeof *point, finder->error));
    for (uint32_t corner = 0; corner < MOST_CORNERS; corner++) {
        for (uint32_t p = 0; p < parameters; p++)
            point[p] = corner >> p & 1 ? sizes->least[p] : sizes->greatest[p];
        TRY(size_vectors_add(&finder->vectors, point, finder->error));
    }
    TRY(size_vectors_add(&finder->vectors, sizes->least, finder->error));
    for (uint32_t i = 0; i < finder->request->points; i++)
        if (sizes_in_box(sizes, finder->request->point + (size_t)i * parameters))
            TRY(size_vectors_add(&finder->vectors, finder->request->point + (size_t)i * parameters,
                                 finder->error));
    return STATUS_OK;
}

/* Improves until the worst ratio is proved, or nothing helps with the most effort. While the worst
   point of an orientation is a new one, moving buffers is enough; else what can be had at the new
   points is found, and the exact search has a turn. */
static enum status refine(struct finder *finder)
{
    struct family_plan *plan = finder->plan;
    /* A sixteenth of the time is left to prove the worst ratio of the last orientation. */
    uint64_t kept_ns = finder->request->job->time_limit_ns / 16;
    for (uint32_t effort = 0; !is_proved(finder) && clock_left_ns(finder->deadline_ns) > kept_ns &&
                              finder->vectors.count < MOST_POINTS && effort < EFFORTS;) {
        struct family_ratio before = plan->worst.ratio;
        uint32_t points = finder->vectors.count;
        TRY(improve(finder, effort));
        TRY(learn_worst(finder));
        if (finder->vectors.count > points || family_ratio_compare(plan->worst.ratio, before) < 0)
            continue;
        TRY(plan_points(finder));
        TRY(learn_worst(finder));
        if (!is_proved(finder) && plan->worst.is_exact && plan->peak_bytes == plan->bound_bytes)
            TRY(search_better(finder, effort));
        effort += family_ratio_compare(plan->worst.ratio, before) >= 0;
    }
    plan->status = is_proved(finder) ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}

enum status family_plan_find(const struct family_request *request, struct family_plan *plan,
                             struct error *error)
{
    const struct problem *problem = request->job->instance->problem;
    SCOPED(free_finder)
    struct finder finder = {.request = request,
                            .plan = plan,
                            .vectors = {.family = &plan->family},
                            .is_first = true,
                            .deadline_ns = clock_deadline_ns(request->job->time_limit_ns),
                            .began_ns = clock_monotonic_ns(),
                            .error = error};
    assert(problem->sizes);
    *plan = (struct family_plan){.status = PLAN_TIMEOUT, .least = {1, 1}};
    TRY(family_create(problem, &plan->family, error));
    TRY(orienter_create(problem, &plan->family.timeline, &finder.orienter, error));
    TRY(orientation_create(problem, &plan->orientation, error));
    TRY(orientation_create(problem, &finder.orientation, error));
    TRY(worst_create(&plan->family, &plan->worst, error));
    TRY(worst_create(&plan->family, &finder.worst, error));
    TRY(add_points(&finder));
    TRY(plan_points(&finder));
    plan->points = finder.planned;
    if (finder.is_first)
        return STATUS_OK;
    TRY(learn_worst(&finder));
    TRY(refine(&finder));
    plan->points = finder.planned;
    assert(plan->peak_bytes >= plan->bound_bytes);
    plan->fixed = (struct family_ratio){plan->peak_bytes, 1};
    uint64_t *size = finder.vectors.size;
    if (family_sizes(&plan->family, plan->family.sizes->least, size))
        plan->fixed.load_bytes = family_load(&plan->family, size);
    plan->wall_ns = clock_monotonic_ns() - finder.began_ns;
    return STATUS_OK;
}

void family_plan_clear(struct family_plan *plan)
{
    family_free(&plan->family);
    orientation_free(plan->orientation);
    worst_free(&plan->worst);
}
