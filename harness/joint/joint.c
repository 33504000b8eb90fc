#include "harness/joint/joint.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "harness/catalogue/orders.h"
#include "harness/job/workers.h"
#include "harness/joint/moves.h"

enum { MOST_MOVES = 20000, MOST_PLANNED = 3 };

/* An order and the peak of a quick plan of it. */
struct candidate {
    const char *name;
    struct ordered ordered;
    uint64_t peak_bytes;
    uint32_t position; /* its position in the order in which candidates were added */
    bool planned;      /* the job's planner has planned it */
};

struct search {
    const struct job *job;
    struct joint *joint;
    struct candidate *candidate; /* [count] the stored order first; once sorted, the best */
    uint32_t count;
    uint32_t best_position; /* position of the candidate whose plan is kept */
    uint64_t deadline_ns;
    struct error *error;
};

static bool is_proved(const struct search *search, uint64_t peak_bytes)
{
    return search->joint->bound_bytes && peak_bytes <= search->joint->bound_bytes;
}

/* One of `part` equal parts of the time that is left. */
static uint64_t share_time(const struct search *search, uint32_t part)
{
    uint64_t left = clock_left_ns(search->deadline_ns);
    return left == UINT64_MAX ? left : left / part;
}

static enum status add_candidate(struct search *search, const struct order_row *row)
{
    const struct job *job = search->job;
    struct joint *joint = search->joint;
    struct candidate *candidate = &search->candidate[search->count];
    const struct ordered_request request = {
        .instance = job->instance,
        .row = row,
        .policy = job->policy,
        .inplace = job->inplace,
        .time_limit_ns = share_time(search, 4),
        .memory_limit_bytes = job->memory_limit_bytes ? job->memory_limit_bytes : UINT64_MAX,
        .seed = job->seed,
        .pin_io = job->pin_io};
    struct error fault = ERROR_NONE;
    if (ordered_create(&request, &candidate->ordered, &fault)) {
        if (!error_is_no_memory(&fault) && row != orders_at(0))
            return STATUS_OK;
        *search->error = fault;
        return fault.status;
    }
    candidate->name = row->name;
    candidate->position = search->count++;
    uint64_t bound = candidate->ordered.report.bound_bytes;
    if (bound > joint->bound_bytes && !graph_has_control_flow(job->instance->graph))
        joint->bound_bytes = bound;
    joint->orders++;
    return moves_quick_peak(job, candidate->ordered.instance, &candidate->peak_bytes,
                            search->error);
}

/* Adds all orders that are tried before the others, the stored one and one of the least load; or
   the others, as many as there is time for. */
static enum status add_orders(struct search *search, bool first)
{
    for (uint32_t i = 0; i < orders_count(); i++) {
        const struct order_row *row = orders_at(i);
        if (!first && !clock_left_ns(search->deadline_ns))
            break;
        if ((i == 0 || row == orders_find("exact_order")) == first)
            TRY(add_candidate(search, row));
    }
    return STATUS_OK;
}

COMPARE_BY(compare_candidates, struct candidate, compare_numbers(a->peak_bytes, b->peak_bytes),
           compare_numbers(a->ordered.report.load_bytes, b->ordered.report.load_bytes),
           compare_numbers(a->position, b->position))

/* Whether a plan was found. Before the first job has run there is no outcome. */
static bool has_plan(const struct joint *joint)
{
    return joint->job.instance && outcome_found(&joint->outcome);
}

/* The order with which the moves ended. It is added as if a row of its own had found it, so that it
   is checked like any other. */
struct given {
    const struct graph *graph;
    const struct graph_order *order;
};

static enum status follow_moves(const struct order_row *row, const struct order_task *task,
                                uint32_t *permutation, struct order_report *report,
                                struct error *error)
{
    const struct given *given = row->rule;
    const struct order_view *view = task->view;
    uint32_t region = given->graph->op[view->graph_operator[0]].region;
    const uint32_t *op = given->order->op + given->order->first[region];
    SCOPED(memory_release) uint32_t *number = NULL;
    TRY(memory_create(&number, given->graph->operators, sizeof *number, error));
    for (uint32_t v = 0; v < view->operators; v++)
        number[view->graph_operator[v]] = v;
    for (uint32_t i = 0; i < view->operators; i++)
        permutation[i] = number[op[i]];
    return order_report_feasible(view, permutation, report, error);
}

static enum status move_best(struct search *search)
{
    const struct candidate *best = &search->candidate[0];
    uint64_t peak_bytes = best->peak_bytes;
    const struct moves_request request = {.job = search->job,
                                          .bound_bytes = search->joint->bound_bytes,
                                          .deadline_ns = clock_deadline_ns(share_time(search, 4)),
                                          .most = MOST_MOVES};
    const struct given given = {search->job->instance->graph, best->ordered.order};
    const struct order_row row = {.name = "moves",
                                  .title = "moves of single operators",
                                  .rule = &given,
                                  .order = follow_moves};
    TRY(moves_improve(&request, best->ordered.order, &peak_bytes, &search->joint->moves,
                      search->error));
    if (peak_bytes == best->peak_bytes)
        return STATUS_OK;
    TRY(add_candidate(search, &row));
    qsort(search->candidate, search->count, sizeof *search->candidate, compare_candidates);
    return STATUS_OK;
}

/* Lets the job's planner plan a candidate, and keeps the outcome if it is better. */
static enum status plan_candidate(struct search *search, struct candidate *candidate, uint32_t part)
{
    struct joint *joint = search->joint;
    struct job job = *search->job;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    candidate->planned = true;
    job.instance = candidate->ordered.instance;
    job.time_limit_ns = share_time(search, part);
    TRY(workers_run(&job, &outcome, search->error));
    bool better =
        outcome_found(&outcome) &&
        (!has_plan(joint) || outcome.measures.peak_bytes < joint->outcome.measures.peak_bytes);
    if (better || !joint->job.instance) {
        struct outcome before = joint->outcome;
        joint->outcome = outcome;
        outcome = before;
        joint->job = job;
        search->best_position = candidate->position;
    }
    return STATUS_OK;
}

static bool is_done(const struct search *search)
{
    return has_plan(search->joint) && is_proved(search, search->joint->outcome.measures.peak_bytes);
}

static enum status run_search(struct search *search)
{
    struct candidate *candidate = search->candidate;
    TRY(add_orders(search, true));
    /* Plans the orders whose load equals the bound. If a plan needs no more than that, no better
       one can be found. */
    for (uint32_t i = 0; i < search->count && !is_done(search); i++)
        if (is_proved(search, candidate[i].ordered.report.load_bytes))
            TRY(plan_candidate(search, &candidate[i], 4));
    if (is_done(search))
        return STATUS_OK;
    TRY(add_orders(search, false));
    qsort(candidate, search->count, sizeof *candidate, compare_candidates);
    if (!is_proved(search, candidate[0].peak_bytes))
        TRY(move_best(search));
    /* Moves the order of the least load up to the second position: it may lead to the least peak,
       even if the quick planners do not show that. */
    uint32_t least = 0;
    for (uint32_t i = 1; i < search->count; i++)
        if (candidate[i].ordered.report.load_bytes < candidate[least].ordered.report.load_bytes)
            least = i;
    if (least >= 2) {
        struct candidate raised = candidate[least];
        candidate[least] = candidate[1];
        candidate[1] = raised;
    }
    /* Lets the job's planner plan the first candidates, which share the time that is left. */
    uint32_t most = search->count < MOST_PLANNED ? search->count : MOST_PLANNED;
    for (uint32_t i = 0; i < most && !is_done(search); i++) {
        bool hopeless = has_plan(search->joint) && candidate[i].ordered.report.load_bytes >=
                                                       search->joint->outcome.measures.peak_bytes;
        if (!candidate[i].planned && !hopeless)
            TRY(plan_candidate(search, &candidate[i], most - i));
    }
    return STATUS_OK;
}

/* Takes the order of the best plan. Fails if the bound is wrong: some order has a load below it, or
   the plan a peak. */
static enum status finish(struct search *search)
{
    struct joint *joint = search->joint;
    struct candidate *best = NULL;
    for (uint32_t i = 0; i < search->count; i++) {
        struct candidate *candidate = &search->candidate[i];
        uint64_t load_bytes = candidate->ordered.report.load_bytes;
        if (load_bytes < joint->bound_bytes)
            return error_set(search->error, STATUS_NO,
                             "order %s has a load of %llu bytes, but no order is said to have one "
                             "below %llu",
                             candidate->name, (unsigned long long)load_bytes,
                             (unsigned long long)joint->bound_bytes);
        if (candidate->position != search->best_position)
            continue;
        best = candidate;
        if (has_plan(joint))
            TRY(ordered_check_plan(&candidate->ordered, &joint->outcome.measures,
                                   joint->bound_bytes, search->error));
    }
    if (best) {
        joint->ordered = best->ordered;
        best->ordered = (struct ordered){.instance = NULL};
        strncpy(joint->order, best->name, sizeof joint->order - 1);
    }
    return STATUS_OK;
}

enum status joint_plan(const struct job *job, struct joint *joint, struct error *error)
{
    struct search search = {.job = job,
                            .joint = joint,
                            .deadline_ns = clock_deadline_ns(job->time_limit_ns),
                            .error = error};
    *joint = (struct joint){.order = ""};
    if (!job->instance->graph)
        return error_set(error, STATUS_USAGE,
                         "'%s' is a problem, whose steps are fixed; expected a graph",
                         job->instance->name);
    TRY(memory_create(&search.candidate, (size_t)orders_count() + 1, sizeof *search.candidate,
                      error));
    enum status status = run_search(&search);
    if (!status)
        status = finish(&search);
    for (uint32_t i = 0; i < search.count; i++)
        ordered_clear(&search.candidate[i].ordered);
    memory_free(search.candidate);
    if (status)
        joint_clear(joint);
    return status;
}

void joint_clear(struct joint *joint)
{
    outcome_clear(&joint->outcome);
    ordered_clear(&joint->ordered);
}
